"""The Gold takes other players' Green units in the trade step (13.26, 17/13.26, J6)."""

from __future__ import annotations

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import without
from gm.adjudicator.outcome import Restacked, Seized
from gm.board.model import Piece
from gm.orders.kinds import Named, Seize
from gm.orders.rules.seizure import RULES, not_seized
from gm.orders.rules.stacking import at_the_bottom
from gm.position import Player, Stack


def seize(play: PhaseInPlay) -> None:
    for player, number, order in play.orders(Seize):
        seize_one(play, player, number, order)


def seize_one(play: PhaseInPlay, player: Player, number: int, order: Seize) -> None:
    """Carry out one SEIZE."""
    stack = play.table.where.get(order.leader)
    if stack is None or stack.owner != player:
        play.fail(player, number, "not-his", *RULES, piece=order.leader)
    elif play.board.gold not in stack.pieces:
        play.fail(player, number, "no-gold", *RULES, leader=order.leader)
    else:
        units, refusal = _choose(play, player, stack, order.units)
        if units:
            _take(play, player, order.leader, units)
            play.done(player, number)
        else:
            play.fail(player, number, refusal, *RULES, leader=order.leader)


def _choose(play: PhaseInPlay, player: Player, stack: Stack, named: tuple[Named, ...]) -> tuple[list[Piece], str]:
    """The units that can be had, and why the last of the others cannot."""
    force = list(stack.pieces)
    found: list[Piece] = []
    refusal = "not-there"
    for name in named:
        wanted = name.count
        for unit in name.options:
            if not wanted:
                break
            reason = not_seized(play.board, player, stack.province, force, unit, play.table.where.get(unit))
            if reason is None:
                found.append(unit)
                force.append(unit)
                wanted -= 1
            elif reason != "not-there":
                refusal = reason
    return found, refusal


def _take(play: PhaseInPlay, player: Player, leader: Piece, units: list[Piece]) -> None:
    table = play.table
    losers = tuple(sorted({owner for u in units if (owner := table.where[u].owner) is not None}))
    own = table.where[leader]
    robbed = list(dict.fromkeys(table.where[u] for u in units))
    after = [Stack(own.province, player, tuple(at_the_bottom(own.pieces, units)))]
    for stack in robbed:
        after += without(table, stack, units)
    table.emit(
        Seized(
            rules=("13.26", "17/13.26", "J6"),
            player=player,
            leader=leader,
            units=tuple(units),
            losers=losers,
            province=own.province,
            changes=(Restacked((own, *robbed), tuple(after)),),
        )
    )
    play.seized.update(units)
