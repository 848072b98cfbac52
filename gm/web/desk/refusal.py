"""Why a force cannot get to a province that the player clicked: the check says it of the straight way there."""

from __future__ import annotations

from msgspec.structs import replace

from gm.board.model import Board
from gm.orders import kinds as m
from gm.orders.check.checker import check_context
from gm.orders.problems import Severity
from gm.orders.rules.force import Force
from gm.orders.rules.steps import Party
from gm.orders.wording import words_for
from gm.position import Player, Position


def why_not(board: Board, position: Position, player: Player, order: m.Move, march: Force, to: str) -> str:
    """`march`: what came of the order so far. Empty if nothing is to be said."""
    rail = march.by_rail or order.by_rail
    path = _straight(board, march, to, rail) or _straight(board, march, to, None)
    if not path:
        return ""
    longer = replace(order, path=(*order.path, *(m.Stop(code) for code in path)))
    problems = check_context(board, position, player, m.Sheet((longer,))).problems
    return next((words_for(p) for p in problems if p.severity is not Severity.NOTE and p.code != "left-behind"), "")


def _straight(board: Board, march: Force, to: str, rail: bool | None) -> tuple[str, ...]:
    """The fewest provinces to one, whoever stands there and however far it is; `rail` None: over any border."""
    party, seen = Party(march.pieces), {march.at}
    edge: list[tuple[str, ...]] = [(march.at,)]
    while edge:
        longer: list[tuple[str, ...]] = []
        for path in edge:
            if path[-1] == to:
                return path[1:]
            for there in sorted(set(board.borders[path[-1]]) - seen):
                if rail is None or not party.barred(board, path[-1], there, rail, 0):
                    seen.add(there)
                    longer.append((*path, there))
        edge = longer
    return ()
