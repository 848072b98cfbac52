"""Reachable provinces: where a force can go on to from the path chosen so far, and what stops it.

The rules of movement decide (gm/orders/rules), on the published Position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.orders.check.checker import check_context
from gm.orders.kinds import print_piece
from gm.orders.problems import Severity
from gm.orders.rules.force import Force
from gm.orders.rules.march import MovementContext
from gm.orders.rules.odds import column_of
from gm.orders.rules.ranges import Step, encounters, spread, threats
from gm.orders.rules.stacking import fault
from gm.orders.rules.steps import force_color, must_stop, points, strangers
from gm.orders.wording import words_for
from gm.position import Player, Position, Stack
from gm.web.desk.battle import chances
from gm.web.desk.drafted import led
from gm.web.desk.refusal import why_not
from gm.web.desk.stack_info import threat_words
from gm.web.wording import say

MOST_STEPS = 20_000  # of all ways in one answer, which has a line for each; the standard board has hundreds
_NO_END = ("nowhere", "left-behind")  # problems of a force that could still go on


@dataclass(frozen=True, slots=True)
class Way:
    province: str
    path: tuple[str, ...]  # the provinces still to enter, this one last
    stops: bool
    next: bool
    label: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reach:
    here: str
    left: int | None  # Movement Points; None by rail
    ended: str  # why the force goes no farther; empty if it may
    ways: tuple[Way, ...] = ()
    pickups: tuple[Piece, ...] = ()
    drops: tuple[Piece, ...] = ()
    fights: tuple[str, ...] = ()  # what it could attack if it stopped here
    threats: tuple[str, ...] = ()  # who could attack it here
    why: str = ""  # why it cannot get to the province that was asked for


def who_stops(position: Position, province: str, pieces: Sequence[Piece]) -> str:
    """The pieces of other colours that stand there, as a subject with its verb."""
    others = strangers(position, province, force_color(pieces), pieces)
    found = [
        p.bell
        for stack in position.at(province)
        if stack.color in others
        for p in stack.pieces
        if p not in pieces and not p.is_imperial
    ]
    if not found:
        return say("reach.nobody")
    shown = ", ".join(found[:3]) + (" …" if len(found) > 3 else "")
    return say("reach.stands" if len(found) == 1 else "reach.stand", pieces=shown)


def reach(
    board: Board, position: Position, player: Player, order: m.Move, others: Sequence[m.Order] = (), to: str = ""
) -> Reach:
    """The order as it stands, marched; then every province to which it could be continued.

    `others`: the rest of the sheet. `to`: a province out of reach; the player wants to know why.
    """
    seen = check_context(board, position, player, m.Sheet((order,)))
    march = seen.forecast.marches[1]
    said = [p for p in seen.problems if p.severity is not Severity.NOTE and p.code not in _NO_END]
    if not march.pieces:
        return Reach(order.path[0].province, None, words_for(said[0]) if said else "")
    around = Surroundings(board, position, player, tuple(march.pieces), _beside(board, position, player, march, others))
    here, taken = march.at, len(march.path) - 1
    rail = march.by_rail or order.by_rail
    left = None if rail else max(points(march.pieces) - taken, 0)
    name = board.provinces[here].name
    ended = ""
    ways: tuple[Way, ...] = ()
    if taken and must_stop(board, position, here, march.pieces, march.been):
        ended = say("reach.ended_stop", code=here, name=name, who=who_stops(position, here, march.pieces))
    elif march.stopped or any(p.code == "wrong-phase" for p in said):
        ended = words_for(said[-1])
    else:
        ways = _ways(around, march, rail)
        if not ways:
            ended = say("reach.ended_points" if left == 0 else "reach.ended_dead", code=here, name=name)
    pickups = tuple(_pickups(board, position, seen.forecast.sight, march))
    dangers = tuple(threat_words(board, threats(board, position, Stack(here, player, around.pieces)), "threat.there"))
    why = why_not(board, position, player, order, march, to) if to in board.provinces else ""
    drops = tuple(march.pieces[1:])
    return Reach(here, left, ended, ways, pickups, drops, tuple(around.fights(here, "here")), dangers, why)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A force on the published positions, and the player's other forces where his sheet leads them."""

    board: Board
    position: Position
    player: Player
    pieces: tuple[Piece, ...]
    beside: Mapping[str, Sequence[Stack]]

    def fights(self, province: str, key: str) -> Iterator[str]:
        """Whom the force could attack if it stopped in a province, alone and with the others, at which odds."""
        force = Stack(province, self.player, self.pieces)
        for found in encounters(self.position, force, self.beside.get(province, ())):
            pieces = found.target.pieces
            words = say(
                f"fight.{key}-together" if found.allies else f"fight.{key}",
                attack=found.attack,
                defence=found.defence,
                odds=column_of(self.board, found.odds),
                whom=", ".join(p.bell for p in pieces[:3]) + (" …" if len(pieces) > 3 else ""),
                owner=found.target.owner or say("fight.unaligned"),
                allies=", ".join(print_piece(s.pieces[0]) for s in found.allies),
            )
            yield words + (f": {chances(self.board, found.odds)}" if key == "here" else "")


def _beside(
    board: Board, position: Position, player: Player, march: Force, others: Sequence[m.Order]
) -> dict[str, list[Stack]]:
    """The player's other forces, as far as somebody leads them."""
    moves = tuple(o for o in others if isinstance(o, m.Move | m.Attach))
    marches = check_context(board, position, player, m.Sheet(moves)).forecast.marches if moves else {}
    found: dict[str, list[Stack]] = {}
    for stack in led(position, player, marches.values(), {*march.been, *march.pieces}):
        found.setdefault(stack.province, []).append(stack)
    return found


def _ways(around: Surroundings, march: Force, rail: bool) -> tuple[Way, ...]:
    taken = len(march.path) - 1
    found = spread(around.board, around.position, march.pieces, march.been, march.at, taken, rail)
    return tuple(_way(around, found[code]) for code in sorted(_told(found)))


def _told(found: Mapping[str, Step]) -> Iterator[str]:
    """All provinces, nearest first, whose ways have room in one answer."""
    room = MOST_STEPS
    for code in sorted(found, key=lambda code: (len(found[code].path), code)):
        room -= len(found[code].path)
        if room < 0:
            return
        yield code


def _way(around: Surroundings, step: Step) -> Way:
    there = step.path[-1]
    name = around.board.provinces[there].name
    fights = "".join(f"; {words}" for words in around.fights(there, "brief"))
    if step.stops:
        who = who_stops(around.position, there, around.pieces)
        label = say("reach.stops_label", code=there, name=name, who=who) + fights
        return Way(there, step.path, True, len(step.path) == 1, label, say("reach.stops", name=name, who=who))
    if len(step.path) == 1:
        return Way(there, step.path, False, True, say("reach.step_label", code=there, name=name) + fights)
    label = say("reach.reach_label", code=there, name=name, steps=len(step.path))
    return Way(there, step.path, False, False, label + fights)


def _pickups(board: Board, position: Position, context: MovementContext, march: Force) -> list[Piece]:
    """What the force could take up where it stands."""
    gold = board.gold in march.pieces
    return [
        piece
        for stack in position.at(march.at)
        for piece in stack.pieces
        if context.refusal(march, piece, gold=gold) is None and fault(board, [*march.pieces, piece]) is None
    ]
