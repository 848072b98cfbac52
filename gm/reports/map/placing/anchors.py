"""Where in its province the line from a block ends that had to stand elsewhere: in sight, and clear of other blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot

from gm.reports.map.geometry import Point, geometry
from gm.reports.map.placing.candidates import Rect
from gm.reports.map.placing.terrain import inside

CLEAR = 5.0  # from the end of a line to another block: nobody takes it for that block's
NEAR = 0.3  # cost of a pixel between block and anchor, where a pixel from the town costs 1
CROSSED = 300.0  # cost of a block over the line


def anchor(province: str, block: Rect, others: Sequence[Rect], clear: float = CLEAR) -> Point | None:
    """The town if it can be seen, else what can be seen near it, rather where no block lies over the line; None if
    other blocks cover the province."""
    home = geometry().home(province)
    best, least = None, float("inf")
    for way, point in sorted((_way(p, home, block), p) for p in (home, *inside(province))):
        if way >= least:
            break
        if not block.holds(point) and not _covered(point, others, clear):
            end = block.nearest(point)
            cost = way + CROSSED * sum(crosses(point, end, rect) for rect in others)
            if cost < least:
                best, least = point, cost
    return best


def _covered(point: Point, rects: Iterable[Rect], by: float) -> bool:
    x, y = point
    return any(r.x0 - by <= x <= r.x1 + by and r.y0 - by <= y <= r.y1 + by for r in rects)


def _way(point: Point, home: Point, block: Rect) -> float:
    end = block.nearest(point)
    return hypot(point[0] - home[0], point[1] - home[1]) + NEAR * hypot(point[0] - end[0], point[1] - end[1])


def crosses(a: Point, b: Point, rect: Rect) -> bool:
    """Whether the way from one point to another leads through a rectangle: what is left of it, side by side."""
    low, high = 0.0, 1.0
    for start, end, near, far in ((a[0], b[0], rect.x0, rect.x1), (a[1], b[1], rect.y0, rect.y1)):
        step = end - start
        if abs(step) < 1e-9:
            if not near <= start <= far:
                return False
            continue
        first, last = sorted(((near - start) / step, (far - start) / step))
        low, high = max(low, first), min(high, last)
    return low < high
