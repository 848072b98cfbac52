"""The map as a stand-in looks at it: distances, and where a force can get to in one First Phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from gm.board.model import Board, Color, Piece
from gm.board.paths import steps
from gm.orders.rules.steps import LED_POINTS, UNLED_POINTS
from gm.position import Position

FAR = 99


class Way(NamedTuple):
    path: tuple[str, ...]  # start and goal included
    by_rail: bool = False


Reach = Mapping[str, Way]


@lru_cache(maxsize=8)
def distances(board: Board) -> Mapping[str, Mapping[str, int]]:
    """Steps between any two provinces, over open borders and past everybody."""
    found = {}
    for start in board.provinces:
        steps_to, ring, length = {start: 0}, [start], 0
        while ring:
            length += 1
            outer = []
            for here in ring:
                for there in board.neighbours(here, None):
                    if there not in steps_to:
                        steps_to[there] = length
                        outer.append(there)
            ring = outer
        found[start] = steps_to
    return found


class Ground:
    """One Position's map, with what was found out about it kept."""

    def __init__(self, board: Board, position: Position) -> None:
        self.board = board
        self.position = position
        self._reach: dict[tuple[str, Color | None, frozenset[str]], Reach] = {}

    def distance(self, here: str, there: str) -> int:
        return distances(self.board)[here].get(there, FAR)

    def reach(self, start: str, pieces: Sequence[Piece], color: Color | None) -> Reach:
        """The way to every province that a force can get to, overland before rail (5.2, 5.5-5.7), itself included."""
        nations = frozenset([p.nation for p in pieces if p.nation is not None])
        led = any(p.is_leader for p in pieces)
        key = start, color, nations | {"led"} if led else nations
        if key not in self._reach:
            found = self._search(start, color, nations, LED_POINTS if led else UNLED_POINTS, by_rail=False)
            if led:
                found = {**self._search(start, color, nations, FAR, by_rail=True), **found}
            self._reach[key] = found
        return self._reach[key]

    def _search(
        self, start: str, color: Color | None, nations: frozenset[str], most: int, *, by_rail: bool
    ) -> dict[str, Way]:
        regions = [r for n in sorted(nations) if (r := self.board.nations[n].provinces) is not None]
        colors = self.position.colors
        found, ring = {start: Way((start,))}, [start]
        for _ in range(most):
            outer = []
            for here in ring:
                if here != start and not colors.get(here, frozenset()) <= {color}:
                    continue  # 5.27
                for there in steps(self.board, here, color, by_rail):
                    if there not in found and all(there in region for region in regions):
                        found[there] = Way((*found[here].path, there), by_rail)
                        outer.append(there)
            ring = outer
            if not ring:
                break
        return found
