"""Where a player's forces stand once the drafted moves are made, and who could then attack them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from gm.board.model import Board, Piece
from gm.orders.check.context import CheckContext
from gm.orders.rules.force import Force
from gm.orders.rules.ranges import threats
from gm.position import Phase, Player, Position, Stack
from gm.web.desk.stack_info import worst
from gm.web.models import ForceThreats
from gm.web.wording import say


def led(position: Position, player: Player, marches: Iterable[Force], gone: Collection[Piece] = ()) -> Iterator[Stack]:
    """The player's forces at the end of their moves, then what stays where it is, as far as somebody leads it.

    `gone`: pieces to leave out.
    """
    gone = set(gone)
    for force in marches:
        if rest := tuple(p for p in force.pieces if p not in gone):
            yield Stack(force.at, player, rest)
            gone |= {*force.been, *force.pieces}
    for stack in position.owned(player):
        rest = tuple(p for p in stack.pieces if p not in gone)
        if any(p.is_leader or p.nation for p in rest):
            yield Stack(stack.province, player, rest)


def force_threats(seen: CheckContext) -> list[ForceThreats]:
    """For each stack of the player: who could attack its parts where the sheet leads them.

    The others are thought to stand where the last Bell left them, as in the list of forces.
    """
    position, player = seen.position, seen.player
    if position.phase is not Phase.FIRST or position.solitaire is not None:
        return []
    found: dict[int, list[str]] = {n: [] for n, stack in enumerate(position.stacks) if stack.owner == player}
    for stack in led(position, player, seen.forecast.marches.values()):
        for index, words in found.items():
            before = position.stacks[index]
            if not set(before.pieces).isdisjoint(stack.pieces):
                words += _words(seen.board, position, before, stack)
    return [ForceThreats(stack=index, words=words) for index, words in found.items()]


def _words(board: Board, position: Position, before: Stack, after: Stack) -> list[str]:
    dangers = threats(board, position, after)
    if after.province == before.province:
        return worst(dangers)
    place = {"code": after.province, "name": board.provinces[after.province].name}
    return worst(dangers, "threat.drafted", **place) or [say("threat.drafted-none", **place)]
