"""Deployment and movement of Red (24.11, 5): the orders of one sheet, one after the other (S14)."""

from __future__ import annotations

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle
from gm.adjudicator.outcome import Flagged, PhaseEnded
from gm.adjudicator.solitaire.czar import execute_czar
from gm.adjudicator.solitaire.leaders import deploy
from gm.adjudicator.solitaire.orders import refuse, written
from gm.adjudicator.steps.movement import carry_out, restack
from gm.adjudicator.steps.seizure import seize_one
from gm.board.model import Piece
from gm.orders.kinds import Attach, Deploy, Move, Order, Restack, Seize
from gm.orders.rules.march import MovementContext
from gm.position import RED_PLAYER, Phase


def deploy_and_move(play: PhaseInPlay) -> None:
    moved: set[Piece] = set()  # 5.25
    been: set[Piece] = set()  # what was ever part of a force: its owner may regroup it (J3)
    for number, order in written(play):
        _carry_out(play, number, order, moved, been)
        settle(play.table)
        execute_czar(play)
    play.table.emit(PhaseEnded(rules=("19.2",), changes=(Flagged("phase", Phase.SECOND),)))


def _carry_out(play: PhaseInPlay, number: int, order: Order, moved: set[Piece], been: set[Piece]) -> None:
    """One order, on the positions that the one before left: there is nobody to be simultaneous with."""
    if isinstance(order, Deploy):
        deploy(play, number, order)
    elif isinstance(order, Seize):
        seize_one(play, RED_PLAYER, number, order)
    elif isinstance(order, Move | Attach):
        now = play.table.position()
        force = MovementContext(play.board, now, now, RED_PLAYER, moved=moved).march(number, order)
        carry_out(play, force)
        if force.happens:
            been |= force.been
    elif isinstance(order, Restack):
        own = {p for stack in play.table.owned(RED_PLAYER) for p in stack.pieces}
        restack(play, RED_PLAYER, number, order, own | been)
    else:
        refuse(play, number)
