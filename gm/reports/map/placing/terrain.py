"""Which province lies under a rectangle, answered fast: summed-area tables over a coarse raster of the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gm.reports.map.geometry import Point, Ring, geometry

CELL = 5  # pixels a side
TOWN = 1 << 20  # more than there are cells: two counts share one sum


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of any rectangle a set of cells fills."""

    left: int
    top: int
    columns: int
    rows: int
    sums: Sequence[Sequence[int]]

    def area(self, x0: float, y0: float, x1: float, y1: float) -> int:
        """Square pixels of the shape inside the rectangle, to the accuracy of the raster."""
        return (
            self.cells(int(x0 / CELL + 0.5), int(y0 / CELL + 0.5), int(x1 / CELL + 0.5), int(y1 / CELL + 0.5))
            * CELL
            * CELL
        )

    def cells(self, a: int, c: int, b: int, d: int) -> int:
        """How many of the cells from (a, c) up to, not with, (b, d) belong to the shape."""
        left, top, columns, rows = self.left, self.top, self.columns, self.rows
        a, b, c, d = a - left, b - left, c - top, d - top
        a = 0 if a < 0 else a
        c = 0 if c < 0 else c
        b = columns if b > columns else b
        d = rows if d > rows else d
        if a >= b or c >= d:
            return 0
        low, high = self.sums[c], self.sums[d]
        return high[b] - high[a] - low[b] + low[a]

    @property
    def total(self) -> int:
        return self.sums[self.rows][self.columns] * CELL * CELL


NOTHING = Coverage(0, 0, 0, 0, ((0,),))


@dataclass(frozen=True, slots=True)
class Terrain:
    everything: Coverage  # all provinces, and in the bits from TOWN on the seats of government
    provinces: Mapping[str, Coverage]

    def land(self, x0: float, y0: float, x1: float, y1: float) -> int:
        """Square pixels of any province inside the rectangle."""
        return self.everything.area(x0, y0, x1, y1) % (TOWN * CELL * CELL)

    def own(self, code: str) -> Coverage:
        return self.provinces.get(code, NOTHING)


@cache
def inside(code: str) -> tuple[Point, ...]:
    """Points all over a province, off its borders where it is wide enough."""
    own = terrain().own(code)
    columns, rows = range(own.left, own.left + own.columns), range(own.top, own.top + own.rows)
    for rim in (1, 0):
        full = (2 * rim + 1) ** 2
        found = [(x, y) for y in rows for x in columns if own.cells(x - rim, y - rim, x + rim + 1, y + rim + 1) == full]
        if found:
            return tuple(((x + 0.5) * CELL, (y + 0.5) * CELL) for x, y in found)
    return ()


@cache
def terrain() -> Terrain:
    g = geometry()
    columns, rows = g.width // CELL, g.height // CELL
    full = [[0] * columns for _ in range(rows)]
    provinces = {}
    for code, shape in g.shapes.items():
        spans = _spans(shape.rings)
        for row, left, right in spans:
            if 0 <= row < rows:
                full[row][left:right] = [1] * (right - left)
        provinces[code] = _own(spans)
    for shape in g.shapes.values():
        full[int(shape.label[1] / CELL)][int(shape.label[0] / CELL)] += TOWN
    return Terrain(_coverage(0, 0, full), provinces)


def _own(spans: Sequence[tuple[int, int, int]]) -> Coverage:
    left, right = min(s[1] for s in spans), max(s[2] for s in spans)
    top, bottom = min(s[0] for s in spans), max(s[0] for s in spans)
    cells = [[0] * (right - left) for _ in range(bottom - top + 1)]
    for row, a, b in spans:
        cells[row - top][a - left : b - left] = [1] * (b - a)
    return _coverage(left, top, cells)


def _spans(rings: Sequence[Ring]) -> list[tuple[int, int, int]]:
    """Runs of cells (row, first column, column after the last) whose middles lie inside."""
    crossings: dict[int, list[float]] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            if ay == by:
                continue
            (ax, ay), (bx, by) = sorted(((ax, ay), (bx, by)), key=lambda p: p[1])
            step = 10 * CELL
            for row in range(-((step // 2 - ay) // step), -((step // 2 - by) // step)):
                y = row * step + step // 2
                crossings.setdefault(row, []).append(ax + (y - ay) * (bx - ax) / (by - ay))
    spans = []
    for row, xs in sorted(crossings.items()):
        xs.sort()
        for a, b in zip(xs[::2], xs[1::2], strict=True):
            left, right = round(a / (10 * CELL)), round(b / (10 * CELL))
            if right > left:
                spans.append((row, max(left, 0), right))
    return spans


def _coverage(left: int, top: int, cells: Sequence[Sequence[int]]) -> Coverage:
    columns = len(cells[0])
    sums = [[0] * (columns + 1)]
    for row in cells:
        above, running, line = sums[-1], 0, [0]
        for n, cell in enumerate(row):
            running += cell
            line.append(above[n + 1] + running)
        sums.append(line)
    return Coverage(left, top, columns, len(cells), sums)
