"""Where a player's forces stand once the drafted moves are made, who could then attack them, and what that may cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from gm.adjudicator.steps.victory import IMPERIAL_POINTS
from gm.board.model import Board, Piece
from gm.orders.check.context import CheckContext
from gm.orders.rules.force import Force
from gm.orders.rules.odds import column_of, results_of
from gm.orders.rules.ranges import Threat, threats
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
    """Who could attack each stack of the player where the sheet leads its parts, what would be lost most first.

    The others are thought to stand where the last Bell left them.
    """
    position, player = seen.position, seen.player
    own = {n: stack for n, stack in enumerate(position.stacks) if stack.owner == player}
    moving = position.phase is Phase.FIRST and position.solitaire is None  # alone, each order is played as it comes
    after = list(led(position, player, seen.forecast.marches.values())) if moving else list(own.values())
    found = []
    for index, before in own.items():
        parts = [stack for stack in after if not set(before.pieces).isdisjoint(stack.pieces)]
        found.append(_of_force(seen.board, position, index, before, parts))
    return sorted(found, key=lambda force: -force.danger)


def _of_force(board: Board, position: Position, index: int, before: Stack, parts: Sequence[Stack]) -> ForceThreats:
    force = ForceThreats(stack=index, words=[], danger=0, short="")
    for part in parts:
        dangers = threats(board, position, part)
        force.words += _words(board, before, part, dangers, alone=len(parts) == 1)
        for threat in dangers:
            danger = _expected_loss(board, part, threat)
            if danger > force.danger:
                top = part.pieces[0]
                figures = {"attack": threat.attack, "defence": threat.defence, "odds": column_of(board, threat.odds)}
                whom = top.name if top.is_imperial else top.bell
                force.danger, force.short = danger, say("threat.short", whom=whom, code=part.province, **figures)
    return force


def _expected_loss(board: Board, stack: Stack, threat: Threat) -> float:
    """The chance that the attack destroys the stack times the points that it stands for (14.4)."""
    in_exchange = min(1.0, threat.attack / threat.defence)  # the weaker side is lost, of the other as much (8.43)
    faces = list(results_of(board, threat.odds).values())
    lost = (faces.count("De") + in_exchange * faces.count("Ex")) / len(faces)
    return lost * (stack.strength + IMPERIAL_POINTS * sum(piece.is_imperial for piece in stack.pieces))


def _words(board: Board, before: Stack, after: Stack, dangers: tuple[Threat, ...], *, alone: bool) -> list[str]:
    """`alone`: it is all that comes of the stack before; else each part is named."""
    stays = after.province == before.province
    if stays and alone:
        return worst(board, dangers)
    key = "threat.drafted" if alone else "threat.staying" if stays else "threat.part"
    place = {"code": after.province, "name": board.provinces[after.province].name}
    if not alone:
        place["whom"] = ", ".join(p.bell for p in after.pieces[:3]) + (" …" if after.pieces[3:] else "")
    return worst(board, dangers, key, **place) or [say(f"{key}-none", **place)]
