"""Checking what only the game for one person knows (24)."""

from __future__ import annotations

from gm.board.model import Color, Piece
from gm.orders import kinds as m
from gm.orders.check.context import At, CheckContext
from gm.orders.check.movement import whereabouts


def deploy(context: CheckContext, number: int, order: m.Deploy) -> None:
    """24.11-24.13: what the orders before this one leave of those who wait, and of how many may come."""
    state, leader = context.position.solitaire, order.leader
    assert state is not None
    earlier = context.before(("sent out", leader), number)
    if leader.color is not Color.RED:
        context.flag(number, "not-in-reserve", At(piece=leader), foe=leader)
    elif leader not in state.reserve:
        context.flag(number, "not-in-reserve", At(piece=leader), piece=leader, known=whereabouts(context, leader))
    elif earlier is not None:
        context.flag(number, "not-in-reserve", At(piece=leader), piece=leader, earlier=earlier)
    elif context.spent("sent out") >= state.deployable:
        most = state.deployable or None
        context.flag(number, "no-more-leaders", most=most)
    elif order.unit is not None and not any(_is_red_unit(context, piece) for piece in order.unit.options):
        unit = order.unit.one
        context.flag(number, "not-on-red", At(piece=unit), piece=unit)
    else:
        context.spent("sent out", 1)


def _is_red_unit(context: CheckContext, piece: Piece) -> bool:
    return piece.is_unit and piece.color is Color.RED and context.where(piece) is not None
