"""A part of the map that changes from issue to issue: its SVG, and the rectangle of the sheet that it may touch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gm.reports.map.geometry import Point
from gm.reports.map.placing.candidates import Rect


@dataclass(frozen=True, slots=True)
class Part:
    svg: str
    box: Rect


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that lies on the printed sheet, from the bottom to the top."""

    under: tuple[Part, ...]  # title, lead lines, arrows, names of empty provinces, letters of the arrows
    blocks: tuple[Part, ...]
    over: tuple[Part, ...]  # stop signs

    @property
    def all(self) -> tuple[Part, ...]:
        return self.under + self.blocks + self.over


def written(parts: Iterable[Part]) -> str:
    return "".join(part.svg for part in parts)


def around(points: Iterable[Point], by: float) -> Rect:
    """The rectangle of some points, grown on all sides."""
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by)


def grown(rect: Rect, by: float) -> Rect:
    return Rect(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by)
