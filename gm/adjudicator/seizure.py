"""The Gold takes other players' Green units in the trade step (13.26, 17/13.26, J6)."""

from __future__ import annotations

from gm.adjudicator.outcome import Restacked, Seized
from gm.adjudicator.play import Play
from gm.adjudicator.stacks import without
from gm.board.model import Color, Piece
from gm.orders.model import Named, Seize
from gm.orders.shape import NOT_FOR_GOLD, at_the_bottom, fault
from gm.position import Player, Stack

RULES = ("J6", "17/13.26", "13.25", "13.26")


def seize(play: Play) -> None:
    for player, number, order in play.orders(Seize):
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


def _choose(play: Play, player: Player, stack: Stack, named: tuple[Named, ...]) -> tuple[list[Piece], str]:
    """The units that can be had, and why the last of the others cannot."""
    force = list(stack.pieces)
    found: list[Piece] = []
    refusal = "not-there"
    for name in named:
        wanted = name.count
        for unit in name.options:
            if not wanted:
                break
            reason = _why_not(play, player, stack, force, unit)
            if reason is None:
                found.append(unit)
                force.append(unit)
                wanted -= 1
            elif reason != "not-there":
                refusal = reason
    return found, refusal


def _why_not(play: Play, player: Player, stack: Stack, force: list[Piece], unit: Piece) -> str | None:
    there = play.table.where.get(unit)
    if unit in force or there is None or there.province != stack.province:
        return "not-there"
    if unit.color is not Color.GREEN or there.leaders:
        return "not-green"
    if unit.nation in NOT_FOR_GOLD:
        return "cannot-be-bought"
    if there.owner is None or there.owner == player:
        return "not-anothers"
    return fault(play.board, [*force, unit])


def _take(play: Play, player: Player, leader: Piece, units: list[Piece]) -> None:
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
