"""Rules of SEIZE: which Green units the Gold may take in the trade step, and why not others (13.26, 17/13.26, J6)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board.model import Board, Color, Piece
from gm.orders.rules.stacking import NOT_FOR_GOLD, fault
from gm.position import Player, Stack

RULES = ("J6", "17/13.26", "13.25", "13.26")  # what every refused SEIZE cites besides


def not_seized(
    board: Board, player: Player, province: str, force: Sequence[Piece], unit: Piece, there: Stack | None
) -> str | None:
    """Why a unit, in the stack `there`, may not be added to the player's `force` in a province; None if it may."""
    if unit in force or there is None or there.province != province:
        return "not-there"
    if unit.color is not Color.GREEN or there.leaders:
        return "not-green"
    if unit.nation in NOT_FOR_GOLD:
        return "cannot-be-bought"
    if there.owner is None or there.owner == player:
        return "not-anothers"
    return fault(board, [*force, unit])
