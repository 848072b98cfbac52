"""The counters of one province as a block under its name, in every handy shape: tall, wide and between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gm.reports.map.counters import PEEP, DrawnCounter, counter, layers
from gm.reports.map.model import MapStack, MapView, MarkKind
from gm.reports.map.text import fit, width

NAME_SIZE, NAME_SPACING = 14.0, 0.6
HEADER = 14.0
MARK = 23.0  # a mark's room beside the name
GAP = 4.0  # between counters; their under-cards peep 3.4 into it
MARK_ORDER: tuple[MarkKind, ...] = ("battle", "subversion", "assassination", "purge", "epidemic")


@dataclass(frozen=True, slots=True)
class Placed:
    """A counter and where it stands in its block."""

    item: DrawnCounter
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Arrangement:
    width: float
    height: float
    counters: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Block:
    province: str
    name: str  # the code as printed
    marks: tuple[MarkKind, ...]
    shapes: tuple[Arrangement, ...]

    @property
    def area(self) -> float:
        return min(s.width * s.height for s in self.shapes)


def blocks(view: MapView) -> tuple[Block, ...]:
    """A block for every province where something stands or happened."""
    stacks: dict[str, list[tuple[int, MapStack]]] = {}
    marks: dict[str, set[MarkKind]] = {}
    for index, stack in enumerate(view.stacks):
        stacks.setdefault(stack.province, []).append((index, stack))
    for mark in view.marks:
        marks.setdefault(mark.province, set()).add(mark.kind)
    return tuple(_block(code, stacks.get(code, []), marks.get(code, set())) for code in sorted({*stacks, *marks}))


def _block(code: str, stacks: Sequence[tuple[int, MapStack]], marks: set[MarkKind]) -> Block:
    kinds = tuple(kind for kind in MARK_ORDER if kind in marks)
    items = sorted((counter(i, s) for i, s in stacks), key=lambda c: c.sort_key)
    name = fit(code, NAME_SIZE, 90, "serif", NAME_SPACING)
    head = (header_width(name, len(kinds)), header_height(len(kinds)))
    return Block(code, name, kinds, _shapes(items, *head))


def header_width(name: str, marks: int) -> float:
    return width(name, NAME_SIZE, "serif", NAME_SPACING) + MARK * marks + 2


def header_height(marks: int) -> float:
    return 22.0 if marks else HEADER


def _shapes(items: Sequence[DrawnCounter], head_width: float, head_height: float) -> tuple[Arrangement, ...]:
    """Every arrangement in columns or in rows that no other beats both ways."""
    if not items:
        return (Arrangement(head_width, head_height, ()),)
    found: dict[tuple[float, float], Arrangement] = {}
    deepest = max(1, min(len(items), 8))
    for count in range(1, deepest + 1):
        for arrange in (_columns, _rows):
            placed = arrange(items, count, head_height + 2)
            w = max(head_width, max(p.x + p.item.width + PEEP * layers(p.item.stack) for p in placed))
            h = max(p.y + p.item.height + PEEP * layers(p.item.stack) for p in placed)
            found.setdefault((w, h), Arrangement(w, h, tuple(placed)))
    return tuple(
        a for (w, h), a in sorted(found.items()) if not any(v <= w and u <= h for v, u in found if (v, u) != (w, h))
    )


def _columns(items: Sequence[DrawnCounter], count: int, top: float) -> list[Placed]:
    """The counters in a number of columns of about one height."""
    goal = sum(c.height + GAP for c in items) / count
    placed: list[Placed] = []
    x, y, widest, done = 0.0, top, 0.0, 0.0
    column = 1
    for item in items:
        if column < count and y > top and done + (item.height + GAP) / 2 > goal * column:
            x, y, widest, column = x + widest + GAP, top, 0.0, column + 1
        placed.append(Placed(item, x, y))
        y += item.height + GAP
        done += item.height + GAP
        widest = max(widest, item.width)
    return placed


def _rows(items: Sequence[DrawnCounter], count: int, top: float) -> list[Placed]:
    """The counters in rows that are filled up to about one width, tall ones with tall ones."""
    ranked = sorted(items, key=lambda c: (-c.height, c.sort_key))
    room = max(sum(c.width + GAP for c in items) / count, max(c.width for c in items) + GAP)
    placed: list[Placed] = []
    x, y, tallest = 0.0, top, 0.0
    for item in ranked:
        if x > 0 and x + item.width > room:
            x, y, tallest = 0.0, y + tallest + GAP, 0.0
        placed.append(Placed(item, x, y))
        x += item.width + GAP
        tallest = max(tallest, item.height)
    return placed
