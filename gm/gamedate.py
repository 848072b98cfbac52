"""Game dates: Game-Turns as months (J36: Game-Turn 1 is June 1918) and the names of Phases."""

from __future__ import annotations

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_FIRST_YEAR, _FIRST_MONTH = 1918, 5  # months from 0
_PLAYED = {"first": "First Phase", "second": "Second Phase"}
_OTHERS = {"setup": "Set-up", "pregame": "Trades before the game", "finished": "Finished"}


def month_of(turn: int) -> tuple[str, int]:
    """(`June`, 1918) for Game-Turn 1."""
    months = _FIRST_MONTH + turn - 1
    return MONTHS[months % 12], _FIRST_YEAR + months // 12


def turn_of(month: str, year: int) -> int | None:
    """The Game-Turn of a month by its name or first three letters; None if it is no month or before the game."""
    number = next((n for n, name in enumerate(MONTHS) if name.lower().startswith(month.lower()[:3])), None)
    if number is None or not MONTHS[number].lower().startswith(month.lower()):
        return None
    turn = (year - _FIRST_YEAR) * 12 + number - _FIRST_MONTH + 1
    return turn if turn >= 1 else None


def phase_name(turn: int, phase: str) -> str:
    """`June 1918 First Phase`: as an ORDERS line names it."""
    if phase == "pregame":
        return "the trades before the game"
    if phase not in _PLAYED:
        return phase
    month, year = month_of(turn)
    return f"{month} {year} {_PLAYED[phase]}"


def game_date(turn: int, phase: str = "") -> str:
    """`June 1918, First Phase`, or `June 1918` alone: for headings of pages."""
    name = {**_PLAYED, **_OTHERS}[phase] if phase else ""
    if turn < 1:
        return name or "Before the game"
    month, year = month_of(turn)
    return f"{month} {year}, {name}" if name else f"{month} {year}"
