"""A path on the published positions: how far it goes, and where a force could go at all. The desk on the web lights up
provinces by this; the adjudicator and the checker use the same steps (J7-J9, J13, J14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.board.model import Board, Color, Piece
from gm.orders.shape import NOT_FOR_GOLD
from gm.orders.steps import barred, goes_by_rail, must_stop
from gm.position import Position


@dataclass(frozen=True, slots=True)
class RouteVerdict:
    """What would come of a path, if nobody else moved."""

    path: tuple[str, ...]  # as far as it goes, the start included
    by_rail: bool
    stopped: str | None = None  # a code of gm/orders/problems.py; None: it goes all the way
    missed: str | None = None  # the first province that it does not reach

    @property
    def arrives(self) -> bool:
        return self.stopped is None


@dataclass(frozen=True, slots=True)
class Reach:
    """A province that a force could reach, and how."""

    path: tuple[str, ...]  # the start included; alphabetically first of the shortest (J9)
    by_rail: bool
    must_stop: bool  # 5.27: it could not go on from there

    @property
    def steps(self) -> int:
        return len(self.path) - 1


def route(
    board: Board, position: Position, force: Sequence[Piece], path: Sequence[str], by_rail: bool = False
) -> RouteVerdict:
    """Judge a path, its start included, for these pieces; what they pick up on the way is not considered."""
    rail = goes_by_rail(board, force, path, by_rail)
    gone = list(path[:1])
    for there in path[1:]:
        code = barred(board, force, gone[-1], there, by_rail=rail, taken=len(gone) - 1)
        if code is None and len(gone) > 1 and _halts(board, position, gone[-1], force):
            code = "stopped"
        if code is not None:
            return RouteVerdict(tuple(gone), rail, code, there)
        gone.append(there)
    return RouteVerdict(tuple(gone), rail)


def reachable(board: Board, position: Position, force: Sequence[Piece]) -> Mapping[str, Reach]:
    """Every province that the force could reach this Phase, overland or, if it must, by rail; not where it stands."""
    starts = [stack.province for p in force if (stack := position.where.get(p))]
    if not starts:
        return {}
    found: dict[str, Reach] = {}
    for by_rail in (False, True):
        for reach in _spread(board, position, force, starts[0], by_rail):
            found.setdefault(reach.path[-1], reach)
    return dict(sorted(found.items()))


def _spread(board: Board, position: Position, force: Sequence[Piece], start: str, by_rail: bool) -> list[Reach]:
    seen = {start}
    found: list[Reach] = []
    edge: list[tuple[str, ...]] = [(start,)]
    while edge:
        further: list[tuple[str, ...]] = []
        for path in edge:
            for there in sorted(board.borders[path[-1]]):
                if there in seen or barred(board, force, path[-1], there, by_rail=by_rail, taken=len(path) - 1):
                    continue
                seen.add(there)
                halts = _halts(board, position, there, force)
                found.append(Reach((*path, there), by_rail, halts))
                if not halts:
                    further.append((*path, there))
        edge = further
    return found


def _halts(board: Board, position: Position, province: str, force: Sequence[Piece]) -> bool:
    return must_stop(board, position, province, force, _could_join(board, position, province, force))


def _could_join(board: Board, position: Position, province: str, force: Sequence[Piece]) -> set[Piece]:
    """The force itself; and with the Gold the unaligned Green units that it may pick up on its way (J13)."""
    own = set(force)
    if board.gold not in own or not any(p.is_leader for p in force):
        return own
    for stack in position.at(province):
        if stack.owner is None and not stack.leaders:
            own |= {u for u in stack.units if u.color is Color.GREEN and u.nation not in NOT_FOR_GOLD}
    return own
