"""Game-Turns as months (J36): Game-Turn 1 is June 1918."""

from __future__ import annotations

import re

from gm.orders.model import Guard, Window

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_FIRST_YEAR, _FIRST_MONTH = 1918, 5  # months from 0

_PHASES = {
    Window.PREGAME: re.compile(r"\b(?:pre-?game|before the game|trades|bartering)\b"),
    Window.FIRST: re.compile(r"\b(?:first|1st|movement|phase (?:1|i|one))\b"),
    Window.SECOND: re.compile(r"\b(?:second|2nd|combat|phase (?:2|ii|two))\b"),
}
_TURN = re.compile(r"\b(?:game-?\s?)?turn\s*#?(\d{1,4})\b")
_DATE = re.compile(r"\b([a-z]{3,9})\.?,?\s+(\d{4})\b")
UNREADABLE = Guard(-1, "unreadable")  # of no Phase: a sheet with such a guard is never taken
_NAMES = {Window.FIRST: "First Phase", Window.SECOND: "Second Phase"}


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


def read_guard(text: str) -> Guard | None:
    """`ORDERS June 1918 First Phase`, `ORDERS turn 1 phase 1`, `ORDERS before the game`."""
    low = " ".join(text.lower().split())
    phases = [window for window, pattern in _PHASES.items() if pattern.search(low)]
    if len(phases) != 1:
        return None
    if phases[0] is Window.PREGAME:
        return Guard(0, Window.PREGAME)
    turns = {int(n) for n in _TURN.findall(low)}
    turns |= {turn for m, y in _DATE.findall(low) if (turn := turn_of(m, int(y))) is not None}
    return Guard(turns.pop(), phases[0]) if len(turns) == 1 else None


def phase_name(turn: int, phase: str) -> str:
    """`June 1918 First Phase`."""
    if phase == Window.PREGAME:
        return "before the game"
    if phase not in _NAMES:
        return phase
    month, year = month_of(turn)
    return f"{month} {year} {_NAMES[Window(phase)]}"
