"""The shortest ways by rail to Petrograd and Tver, for the forces of the solitaire system (21.13, 21.21, S2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from gm.board.model import Board
from gm.board.paths import steps

CAPITALS = ("PETR", "TVER")


def next_steps(board: Board) -> Mapping[str, tuple[str, ...]]:
    """Province -> the provinces that come next on its shortest ways, alphabetically; several: equally short ways.

    A way keeps to rail-connected provinces. From a province without rail it first takes the fewest steps to one that
    has a rail way (21.21), and of those equally near the one with the shortest rail way. Borders that only Whites
    may cross, and closed ones, are no part of a way. The capitals have none.
    """
    rail = _distances(board, {p: 0 for p in CAPITALS if p in board.provinces}, by_rail=True)
    road = _distances(board, dict.fromkeys(rail, 0), by_rail=False)
    cost = {p: (0, length) for p, length in rail.items()}
    found: dict[str, tuple[str, ...]] = {}
    for province in sorted(road, key=lambda p: (road[p], p)):
        if province in CAPITALS:
            continue
        if province in rail:
            found[province] = _where(steps(board, province, None, True), rail, rail[province] - 1)
            continue
        nearer = _where(steps(board, province, None), road, road[province] - 1)
        best = min(cost[p][1] for p in nearer)
        cost[province] = road[province], best
        found[province] = tuple([p for p in nearer if cost[p][1] == best])
    return found


def ways(board: Board, drawn: Mapping[str, str]) -> dict[str, str]:
    """Every province's next one on its way; of equally short ways that which was drawn, else the first."""
    return {province: drawn.get(province, options[0]) for province, options in next_steps(board).items()}


def _where(provinces: Iterable[str], distance: Mapping[str, int], wanted: int) -> tuple[str, ...]:
    return tuple(sorted(p for p in provinces if distance.get(p) == wanted))


def _distances(board: Board, start: dict[str, int], *, by_rail: bool) -> dict[str, int]:
    """How many steps it is from every province that can be reached to the nearest of the first ones."""
    found = dict(start)
    ring: Collection[str] = sorted(start)
    while ring:
        outer: list[str] = []
        for here in ring:
            for there in steps(board, here, None, by_rail):
                if there not in found:
                    found[there] = found[here] + 1
                    outer.append(there)
        ring = outer
    return found
