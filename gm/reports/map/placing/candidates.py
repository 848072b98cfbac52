"""Spots for a rectangle near a province, the cheapest first.

What a spot costs depends on the map alone, so it is worked out once and kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from math import ceil, hypot

from gm.reports.map.geometry import Point, geometry
from gm.reports.map.placing.terrain import CELL, TOWN, terrain

MARGIN = 6  # from the neatline
AWAY, ABROAD, AFLOAT = 0.7, 0.03, 0.010  # costs: a pixel from home; a square pixel of another's land; of sea or paper
FAR, LOST = 60, 2.0  # from this distance on a pixel costs so much more: nobody looks for a force abroad
INTRUDED = 0.08  # more for a square pixel of land where others stand: what lies there seems to stand there
HIDDEN_TOWN = 40.0
RINGS = ((0, 26, 6), (26, 90, 11), (90, 220, 22), (220, 420, 36))  # from, to, step: the farther the coarser
GRAIN = 4  # sizes are rounded up to this, so that much the same block asks much the same question


@dataclass(frozen=True, slots=True)
class Rect:
    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, point: Point) -> bool:
        return self.x0 <= point[0] <= self.x1 and self.y0 <= point[1] <= self.y1

    def nearest(self, point: Point) -> Point:
        return min(max(point[0], self.x0), self.x1), min(max(point[1], self.y0), self.y1)

    def overlaps(self, other: Rect) -> bool:
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1


@cache
def offsets() -> tuple[tuple[float, int, int], ...]:
    """Steps away from home with their price, near ones first."""
    found = set()
    for low, high, step in RINGS:
        steps = range(-(high // step) * step, high + 1, step)
        found |= {(dx, dy) for dx in steps for dy in steps if low <= hypot(dx, dy) < high}
    far = ((hypot(dx, dy), dx, dy) for dx, dy in found)
    return tuple(sorted((AWAY * away + LOST * max(away - FAR, 0), dx, dy) for away, dx, dy in far))


def candidates(
    province: str, width: float, height: float, taken: tuple[str, ...] = ()
) -> Iterator[tuple[float, float, float]]:
    """(cost, left, top) of spots for a rectangle of this size, in the order of their cost. `taken`: the provinces near
    it in which others stand."""
    return iter(_Queue.of(province, ceil(width / GRAIN) * GRAIN, ceil(height / GRAIN) * GRAIN, taken))


class _Queue:
    """Candidates in order of cost, worked out only as far as somebody asked.

    A spot never costs less than its distance, so all spots cheaper than the next distance are known already.
    """

    def __init__(self, province: str, width: int, height: int, taken: tuple[str, ...]) -> None:
        self._key = (province, width, height, taken)
        self.ready: list[tuple[float, float, float]] = []
        self._sources = [self._generate(*self._key)]  # one, or none while somebody takes from it

    @classmethod
    @lru_cache(maxsize=4096)
    def of(cls, province: str, width: int, height: int, taken: tuple[str, ...]) -> _Queue:
        return cls(province, width, height, taken)

    def __iter__(self) -> Iterator[tuple[float, float, float]]:
        n = 0
        while True:
            if n == len(self.ready) and not self._more(n):
                break
            yield self.ready[n]
            n += 1
        # The end; or another thread was just at it, and we work out the rest for ourselves.
        yield from islice(self._generate(*self._key), n, None)

    def _more(self, n: int) -> bool:
        """Work out one more; False if there is none, or if another thread has the source."""
        try:
            source = self._sources.pop()
        except IndexError:
            return False
        try:
            if n < len(self.ready):  # somebody was quicker
                return True
            following = next(source, None)
            if following is not None:
                self.ready.append(following)
            return following is not None
        finally:
            self._sources.append(source)

    @staticmethod
    def _generate(province: str, w: int, h: int, taken: tuple[str, ...]) -> Iterator[tuple[float, float, float]]:
        g = geometry()
        home = g.home(province)
        left, top = g.frame[0] + MARGIN, g.frame[1] + MARGIN
        right, bottom = g.frame[2] - MARGIN - w, g.frame[3] - MARGIN - h
        x, y = home[0] - w / 2, home[1] - h / 2
        price = _price(province, w, h, taken)
        waiting: list[tuple[float, float, float]] = []
        for away, dx, dy in offsets():
            while waiting and waiting[0][0] <= away:
                yield heapq.heappop(waiting)
            x0, y0 = x + dx, y + dy
            if left <= x0 <= right and top <= y0 <= bottom:
                heapq.heappush(waiting, (away + price(x0, y0), x0, y0))
        while waiting:
            yield heapq.heappop(waiting)


def _price(province: str, w: int, h: int, taken: tuple[str, ...]) -> Callable[[float, float], float]:
    """What a spot costs for the land it covers, as a function of its corner."""
    land = terrain()
    own, every = land.own(province).cells, land.everything.cells
    near = [land.own(code) for code in taken]
    home = geometry().home(province)
    seat = int(home[0] / CELL), int(home[1] / CELL)
    unit, all_cells = CELL * CELL, w * h / (CELL * CELL)

    def price(x: float, y: float) -> float:
        a, c, b, d = int(x / CELL + 0.5), int(y / CELL + 0.5), int((x + w) / CELL + 0.5), int((y + h) / CELL + 0.5)
        inside = own(a, c, b, d)
        covered = every(a, c, b, d)
        towns, covered = covered // TOWN, covered % TOWN
        if towns and a <= seat[0] < b and c <= seat[1] < d:
            towns -= 1  # its own
        abroad, afloat = covered - inside, all_cells - covered
        intruded = 0
        if abroad:
            for n in near:
                if a < n.left + n.columns and n.left < b and c < n.top + n.rows and n.top < d:
                    intruded += n.cells(a, c, b, d)
        land = ABROAD * abroad + INTRUDED * intruded + (AFLOAT * afloat if afloat > 0 else 0)
        return land * unit + HIDDEN_TOWN * towns

    return price
