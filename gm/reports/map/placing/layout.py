"""Where each province's block goes: in its province if there is room, else over sea and paper near it.

Never over another block. The search is greedy and repeatable: tight provinces choose first, every block takes the
cheapest free spot, and then blocks that fared badly may push a neighbour aside if that helps both together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import hypot

from gm.reports.map.geometry import NOWHERE, Point, geometry
from gm.reports.map.placing.anchors import CLEAR as TOWN_CLEAR
from gm.reports.map.placing.anchors import anchor
from gm.reports.map.placing.blocks import HEADER, MARK, NAME_SIZE, NAME_SPACING, Arrangement, Block
from gm.reports.map.placing.candidates import MARGIN, Rect, candidates
from gm.reports.map.placing.terrain import terrain
from gm.reports.map.text import width

CLEAR = 4.0  # between blocks
SIZES = (1.3, 1.15, 1.0)  # of all counters together, by how crowded the map is
SHRUNK = (1.0, 0.85, 0.7, 0.55)  # of one block that finds no room
CROWDED = 4_000  # square pixels by which all blocks together may outgrow their provinces
HIDDEN_NAME = 300.0
BAD = 45.0  # a block that costs more asks its neighbours to move
NEIGHBOURS = 6
BUCKET = 80
AROUND = 12  # provinces
AT_HOME = 0.45  # of the land under a block that holds its town


@dataclass(frozen=True, slots=True)
class Spot:
    """A block in its place."""

    block: Block
    shape: Arrangement
    rect: Rect
    scale: float
    cost: float
    anchor: Point | None = None  # where a line from the block ends in its province; None: it stands there itself
    marks_there: bool = False  # its marks are set at the anchor, not beside its name

    @property
    def away(self) -> bool:
        """Whether it stands elsewhere, and a line must lead to its province."""
        r, code = self.rect, self.block.province
        if geometry().home(code) == NOWHERE:
            return False
        if self.holds_town:
            own = terrain().own(code).area(r.x0, r.y0, r.x1, r.y1)
            return own < AT_HOME * terrain().land(r.x0, r.y0, r.x1, r.y1)
        return self.at_home < 0.6

    @property
    def at_home(self) -> float:
        """How much of it lies in its province."""
        r = self.rect
        own = terrain().own(self.block.province).area(r.x0, r.y0, r.x1, r.y1)
        return own / ((r.x1 - r.x0) * (r.y1 - r.y0))

    @property
    def holds_town(self) -> bool:
        return self.rect.holds(geometry().home(self.block.province))


class Taken:
    """Rectangles that are in the way, found by neighbourhood."""

    def __init__(self, rects: Iterable[Rect] = ()) -> None:
        self.buckets: dict[tuple[int, int], list[Rect]] = {}
        self._last: Rect | None = None  # what was hit last: likely to be hit again
        for rect in rects:
            self.add(rect)

    def add(self, rect: Rect) -> None:
        for cell in self._cells(rect):
            self.buckets.setdefault(cell, []).append(rect)

    def remove(self, rect: Rect) -> None:
        for cell in self._cells(rect):
            self.buckets[cell].remove(rect)
        self._last = None

    def hit(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether anything lies in the rectangle. Asked thousands of times a map, hence so plain."""
        r = self._last
        if r is not None and x0 < r.x1 and r.x0 < x1 and y0 < r.y1 and r.y0 < y1:
            return True
        buckets = self.buckets
        for bx in range(int(x0 / BUCKET), int(x1 / BUCKET) + 1):
            for by in range(int(y0 / BUCKET), int(y1 / BUCKET) + 1):
                for r in buckets.get((bx, by), ()):
                    if x0 < r.x1 and r.x0 < x1 and y0 < r.y1 and r.y0 < y1:
                        self._last = r
                        return True
        return False

    def count(self, rect: Rect) -> int:
        """How many things lie in the rectangle."""
        return len({r for cell in self._cells(rect) for r in self.buckets.get(cell, ()) if rect.overlaps(r)})

    @staticmethod
    def _cells(r: Rect) -> list[tuple[int, int]]:
        return [
            (bx, by)
            for bx in range(int(r.x0 / BUCKET), int(r.x1 / BUCKET) + 1)
            for by in range(int(r.y0 / BUCKET), int(r.y1 / BUCKET) + 1)
        ]


def _around_town(code: str) -> Rect:
    x, y = geometry().home(code)
    return Rect(x - TOWN_CLEAR, y - TOWN_CLEAR, x + TOWN_CLEAR, y + TOWN_CLEAR)


class Names(Taken):
    """The names of provinces where nothing stands, and the land of those where something does."""

    def __init__(self, occupied: Collection[str]) -> None:
        super().__init__(label_rect(code) for code in sorted(geometry().shapes) if code not in occupied)
        self._occupied = frozenset(occupied)
        self._neighbours: dict[str, tuple[str, ...]] = {}

    def neighbours(self, province: str) -> tuple[str, ...]:
        """The provinces near one where others stand."""
        found = self._neighbours.get(province)
        if found is None:
            near = _by_distance(province)[:AROUND]
            found = self._neighbours[province] = tuple(code for code in near if code in self._occupied)
        return found


@cache
def label_rect(code: str) -> Rect:
    """The name of a province where nothing stands: above its town."""
    x, y = geometry().shapes[code].label
    half = width(code, NAME_SIZE, "serif", NAME_SPACING) / 2 + 1
    return Rect(x - half, y - HEADER - 5, x + half, y + 4)


def place(found: Sequence[Block], plates: Sequence[Rect]) -> tuple[Spot, ...]:
    """A spot for every block, clear of the plates and of each other as long as the sheet has room.

    Of a province whose own block stands elsewhere something stays in sight, that a line can lead there.
    """
    kept: frozenset[str] = frozenset()
    while True:
        spots = _anchored(_place(found, plates, kept))
        hidden = frozenset(s.block.province for s in spots if s.anchor is None and s.away and not s.holds_town) - kept
        if not hidden:
            return spots
        kept |= hidden


def _anchored(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    done = []
    for spot in spots:
        others = [s.rect for s in spots if s is not spot]
        done.append(_led(spot, others) if spot.away else spot)
    return tuple(done)


def _led(spot: Spot, others: Sequence[Rect]) -> Spot:
    """With its anchor, where there is room for its marks if it can be."""
    code, rect = spot.block.province, spot.rect
    roomy = anchor(code, rect, [rect, *others], MARK / 2) if spot.block.marks else None
    return replace(spot, anchor=roomy or anchor(code, rect, others), marks_there=roomy is not None)


def _place(found: Sequence[Block], plates: Sequence[Rect], kept: frozenset[str]) -> tuple[Spot, ...]:
    """`kept`: provinces whose towns stay clear of all blocks, their own too."""
    order = sorted(found, key=lambda b: (-b.area / max(terrain().own(b.province).total, 1), b.province))
    names = Names({b.province for b in order})
    taken = Taken([*plates, *(_around_town(code) for code in sorted(kept))])
    spots: dict[str, Spot] = {}
    size = _size(found)
    for block in order:
        spots[block.province] = _settle(block, size, taken, names)
        taken.add(spots[block.province].rect)
    for _ in range(2):
        for block in sorted(order, key=lambda b: (-spots[b.province].cost, b.province)):
            if spots[block.province].cost > BAD:
                _make_room(block.province, spots, taken, names)
    return tuple(spots[code] for code in sorted(spots))


def _make_room(code: str, spots: dict[str, Spot], taken: Taken, names: Names) -> None:
    """Move a badly placed block, alone or together with one neighbour, if the two fare better afterwards."""
    here = spots[code]
    taken.remove(here.rect)
    best: tuple[float, Spot, Spot | None] = (here.cost, here, None)
    alone = _cheapest(here.block, here.scale, taken, names, here.cost)
    if alone is not None:
        best = (alone.cost, alone, None)
    for other in [spots[c] for c in _by_distance(code) if c in spots][:NEIGHBOURS]:
        taken.remove(other.rect)
        moved = _cheapest(here.block, here.scale, taken, names, best[0])
        if moved is not None:
            taken.add(moved.rect)
            yielded = _cheapest(other.block, other.scale, taken, names, best[0] - moved.cost + other.cost)
            if yielded is not None:
                best = (moved.cost + yielded.cost - other.cost, moved, yielded)
            taken.remove(moved.rect)
        taken.add(other.rect)
    _, spot, neighbour = best
    if neighbour is not None:
        taken.remove(spots[neighbour.block.province].rect)
        taken.add(neighbour.rect)
        spots[neighbour.block.province] = neighbour
    taken.add(spot.rect)
    spots[code] = spot


def _size(found: Sequence[Block]) -> float:
    """The largest size at which most blocks fit their provinces."""
    room = [(b.area, 0.75 * terrain().own(b.province).total) for b in found]
    fitting = (s for s in SIZES if sum(max(area * s * s - land, 0) for area, land in room) <= CROWDED)
    return next(fitting, SIZES[-1])


@cache
def _by_distance(code: str) -> tuple[str, ...]:
    """The other provinces, the nearest first."""
    g = geometry()
    x, y = g.home(code)
    return tuple(sorted(g.shapes.keys() - {code}, key=lambda c: (hypot(g.home(c)[0] - x, g.home(c)[1] - y), c)))


def _settle(block: Block, size: float, taken: Taken, names: Names) -> Spot:
    for scale in SHRUNK:
        best = _cheapest(block, size * scale, taken, names)
        if best is not None:
            return best
    return _anywhere(block)


def _cheapest(block: Block, scale: float, taken: Taken, names: Names, limit: float = 1e9) -> Spot | None:
    """The cheapest free spot of all shapes below the limit."""
    best: Spot | None = None
    for shape in block.shapes:
        found = _search(block, shape, scale, taken, names, best.cost if best else limit)
        best = found or best
    return best


def _search(block: Block, shape: Arrangement, scale: float, taken: Taken, names: Names, limit: float) -> Spot | None:
    """The cheapest free spot for one shape below the limit."""
    best: Spot | None = None
    w, h = shape.width * scale, shape.height * scale
    for cost, x, y in candidates(block.province, w, h, names.neighbours(block.province)):
        if cost >= limit:
            break
        if taken.hit(x - CLEAR, y - CLEAR, x + w + CLEAR, y + h + CLEAR):
            continue
        rect = Rect(x, y, x + w, y + h)
        if names.hit(x, y, x + w, y + h):
            cost += HIDDEN_NAME * names.count(rect)
        if cost < limit:
            limit, best = cost, Spot(block, shape, rect, scale, cost)
    return best


def _anywhere(block: Block) -> Spot:
    """More than the sheet can hold: shrink the block to the sheet and let it lie over others."""
    g = geometry()
    x0, y0, x1, y1 = (g.frame[0] + MARGIN, g.frame[1] + MARGIN, g.frame[2] - MARGIN, g.frame[3] - MARGIN)
    shape = min(block.shapes, key=lambda s: (max(s.width / (x1 - x0), s.height / (y1 - y0)), s.width))
    scale = min(SHRUNK[-1], (x1 - x0) / shape.width, (y1 - y0) / shape.height)
    w, h = shape.width * scale, shape.height * scale
    home: Point = g.home(block.province)
    left, top = min(max(home[0] - w / 2, x0), x1 - w), min(max(home[1] - h / 2, y0), y1 - h)
    return Spot(block, shape, Rect(left, top, left + w, top + h), scale, 1e6)
