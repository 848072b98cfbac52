"""What many games come to: length, victors, spread of points, what the deal decides, and how bloody it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

from gm.board.model import Color
from gm.laboratory.game import CALENDAR, UNFINISHED, Record, Setting
from gm.position import Player


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: a key for its words, the value as printed, and as a share of 1 where it is one."""

    key: str
    value: str
    share: float | None = None


COUNTED = ("attacks", "purges", "counterpurges", "attempts", "murders", "dead Leaders")


def figures(setting: Setting, records: Sequence[Record]) -> list[Figure]:
    """All the lines, in the order in which they are printed."""
    red = sum(r.color is Color.RED for r in records) / len(records)
    white = sum(r.color is Color.WHITE for r in records) / len(records)
    calendar, unfinished = (sum(r.condition == c for r in records) / len(records) for c in (CALENDAR, UNFINISHED))
    spreads = [max(r.points.values()) - min(r.points.values()) for r in records]
    found = [
        Figure("games", str(len(records))),
        Figure("length", f"{mean(r.turns for r in records):.1f}"),
        Figure("red", _percent(red), red),
        Figure("white", _percent(white), white),
        Figure("calendar", _percent(calendar), calendar),
        Figure("unfinished", _percent(unfinished), unfinished),
        Figure("points of the first", f"{mean(max(r.points.values()) for r in records):.1f}"),
        Figure("points of all", f"{mean(mean(r.points.values()) for r in records):.1f}"),
        Figure("spread", f"{median(spreads):.0f}"),
        Figure("deal and rank", f"{mean(prediction(r) for r in records):+.2f}"),
    ]
    found += [Figure(key, f"{mean(r.counts.get(key, 0) for r in records):.1f}") for key in COUNTED]
    found.append(Figure("seconds", f"{mean(r.seconds for r in records):.2f}"))
    if setting.one is not None:
        share = first_share(records, setting.one)
        found.append(Figure("the one is first", _percent(share), share))
    return found


def first_share(records: Sequence[Record], style: str) -> float:
    """In how many of the games a seat of this style is first, and alone."""
    return sum(r.winner is not None and r.styles[r.winner] == style for r in records) / len(records)


def prediction(record: Record) -> float:
    """Spearman's rank correlation between what was dealt and the points at the end: 1 if the deal decides all."""
    players = sorted(record.points)
    if len(players) < 2:
        return 0.0
    dealt = ranks({p: record.dealt.get(p, 0) for p in players})
    final = ranks({p: record.points[p] for p in players})
    middle = (len(players) + 1) / 2
    both = sum((dealt[p] - middle) * (final[p] - middle) for p in players)
    one = sum((dealt[p] - middle) ** 2 for p in players)
    other = sum((final[p] - middle) ** 2 for p in players)
    return float(both / (one * other) ** 0.5) if one and other else 0.0


def ranks(values: dict[Player, int]) -> dict[Player, float]:
    """1 for the highest; equals share the middle of their ranks."""
    found = {}
    for player, value in values.items():
        above = sum(other > value for other in values.values())
        equal = sum(other == value for other in values.values())
        found[player] = above + (equal + 1) / 2
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
