"""The political barometer: what each player holds, what it would score, and how it moved since its first issue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gm.reports.issue import BarometerRow
from gm.reports.map.wording import word, words

COLUMNS = 72
NAME_ROOM, BAR_ROOM, TREND_ROOM = 18, 7, 5
EIGHTHS = " ▏▎▍▌▋▊▉█"
STEPS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class BarometerIssue:
    label: str
    rows: Mapping[str, BarometerRow]


@dataclass(frozen=True, slots=True)
class Barometer:
    players: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    issues: tuple[BarometerIssue, ...] = ()

    def course(self, player: str, part: str) -> tuple[int | None, ...]:
        """A player's figure over all issues; None where they were not in the game."""
        rows = (issue.rows.get(player) for issue in self.issues)
        return tuple(None if row is None else int(getattr(row, part)) for row in rows)

    def latest(self, player: str) -> BarometerRow | None:
        return self.issues[-1].rows.get(player) if self.issues else None

    def change(self, player: str, part: str) -> int:
        """How far a figure moved since the player's first issue: the small figures of the chart.

        The table beside it says how far it moved since the last issue (`Reading.red_change`).
        """
        known = [v for v in self.course(player, part) if v is not None]
        return known[-1] - known[0] if known else 0

    def highest(self, *parts: str) -> int:
        """The largest figure anybody ever had, at least 1."""
        return max([1, *(v for p in self.players for part in parts for v in self.course(p, part) if v is not None)])


def barometer_text(barometer: Barometer) -> str:
    """The barometer in 72 columns, with bars and small curves of block letters."""
    if not barometer.issues:
        return word("barometer", "nothing") + "\n"
    issue = word("barometer", "issue").format(label=_line(barometer.issues[-1].label))
    title = word("barometer", "title")
    room = COLUMNS - len(title) - 2
    lines = [f"{title}  {_cut(issue, room).rjust(room)}", _heads(), "-" * COLUMNS]
    scales = barometer.highest("red", "white"), barometer.highest("if_red", "if_white")
    lines += [_text_row(barometer, player, *scales) for player in barometer.players]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def barometer_alt(barometer: Barometer) -> str:
    """The barometer in sentences, for whoever cannot see the chart."""
    if not barometer.issues:
        return word("barometer", "nothing")
    parts = []
    for player in barometer.players:
        row = barometer.latest(player)
        if row is not None:
            figures = {name: getattr(row, name) for name in BarometerRow.__slots__}
            name = _line(barometer.names.get(player, player))
            parts.append(word("barometer", "player").format(name=name, letter=player, **figures))
    return word("barometer", "alt").format(issue=_line(barometer.issues[-1].label), parts=" ".join(parts))


def _heads() -> str:
    red, white, pm, am, if_red, if_white = words()["barometer"]["columns"]
    return f"{'':{NAME_ROOM}}{red:<11}{white:<11}{pm:>3}{am:>4}  {if_red:<12}{if_white}"


def _text_row(barometer: Barometer, player: str, scale: int, highest: int) -> str:
    name = _cut(f"{player} {_line(barometer.names.get(player, ''))}".strip(), NAME_ROOM - 1)
    row = barometer.latest(player)
    if row is None:
        return f"{name:<{NAME_ROOM}}-"
    red, white = (f"{v:>2} {_bar(v, scale):<{BAR_ROOM}} " for v in (row.red, row.white))
    scores = [
        f"{value:>3} {_trend(barometer, player, part, highest):<{TREND_ROOM + 3}}"
        for value, part in ((row.if_red, "if_red"), (row.if_white, "if_white"))
    ]
    return f"{name:<{NAME_ROOM}}{red}{white}{row.pm:>3}{row.am:>4} {''.join(scores)}"


def _bar(value: int, highest: int) -> str:
    share = max(value, 0) * BAR_ROOM / highest
    whole, rest = divmod(round(share * 8), 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else ""))[:BAR_ROOM]


def _trend(barometer: Barometer, player: str, part: str, highest: int) -> str:
    """The last issues as a small curve."""
    known = [v for v in barometer.course(player, part) if v is not None][-TREND_ROOM:]
    return "".join(STEPS[min(max(v, 0) * len(STEPS) // (highest + 1), len(STEPS) - 1)] for v in known)


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"
