"""How far forces could go on the published positions, and which stacks they could then attack, at which odds.

Asked by the desk, to say where a player is threatened and what a march would lead to. Nobody else is thought to move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from gm.board.model import Board, Piece, may_join
from gm.orders.rules.march import MovementContext
from gm.orders.rules.odds import odds, opposed
from gm.orders.rules.steps import Party
from gm.position import Phase, Player, Position, Stack


class Step(Struct, frozen=True):
    """A province within reach: the provinces to enter, this one last, and whether the force must stop there."""

    path: tuple[str, ...]
    stops: bool


def spread(
    board: Board, position: Position, pieces: Sequence[Piece], own: Collection[Piece], at: str, taken: int, rail: bool
) -> dict[str, Step]:
    """Breadth first; a province that stops the force is reached but not passed. `taken`: steps that it has gone."""
    party = Party(pieces)
    found: dict[str, Step] = {}
    edge: list[tuple[str, ...]] = [()]
    while edge:
        longer: list[tuple[str, ...]] = []
        for path in edge:
            here = path[-1] if path else at
            for there in sorted(board.borders[here]):
                if there in found or there == at or party.barred(board, here, there, rail, taken + len(path)):
                    continue
                step = found[there] = Step((*path, there), party.must_stop(board, position, there, own))
                if not step.stops:
                    longer.append(step.path)
        edge = longer
    return found


def range_of(board: Board, position: Position, stack: Stack) -> frozenset[str]:
    """Where a stack could stand when all have moved, as a whole, on foot or by rail."""
    found = {stack.province}
    if stack.owner is None or position.phase is Phase.SECOND:  # nobody moves before they fight
        return frozenset(found)
    context = MovementContext(board, position, position, stack.owner)
    if any(context.is_ready(piece) for piece in stack.pieces):
        for rail in (False, True) if stack.leaders else (False,):
            found |= spread(board, position, stack.pieces, stack.pieces, stack.province, 0, rail).keys()
    return frozenset(found)


class Threat(Struct, frozen=True):
    """All stacks of one player that could attack a stack together in the next combat."""

    player: Player
    attackers: tuple[Stack, ...]
    attack: int
    defence: int
    odds: str


@lru_cache(maxsize=16)
def _ranges(board: Board, position: Position) -> tuple[frozenset[str], ...]:
    return tuple(range_of(board, position, stack) for stack in position.stacks)


def threats(board: Board, position: Position, stack: Stack) -> tuple[Threat, ...]:
    """Who could attack a stack where it stands, the strongest first; not below 1-2 (8.47)."""
    near: dict[Player, list[Stack]] = {}
    for other, reach in zip(position.stacks, _ranges(board, position), strict=True):
        if other.owner not in (None, stack.owner) and stack.province in reach and opposed(other, stack):
            near.setdefault(str(other.owner), []).append(other)
    return tuple(sorted(_threats(near, stack), key=lambda threat: (-threat.attack, threat.player)))


def _threats(near: Mapping[Player, Sequence[Stack]], stack: Stack) -> Iterator[Threat]:
    for player, stacks in near.items():
        attack = sum(s.strength for s in stacks)
        label = odds(attack, stack.strength) if stack.strength else None
        if label is not None:
            yield Threat(player, tuple(stacks), attack, stack.strength, label)


class Encounter(Struct, frozen=True):
    """A stack of somebody else that a player's forces could attack, with strengths and odds."""

    target: Stack
    allies: tuple[Stack, ...]  # the player's other forces that take part
    attack: int
    defence: int
    odds: str


def encounters(position: Position, force: Stack, beside: Sequence[Stack] = ()) -> Iterator[Encounter]:
    """Whom a force could attack in its province, alone and with the player's others there; not below 1-2."""
    for other in position.at(force.province):
        if other.owner == force.owner or not other.strength or not opposed(force, other):
            continue
        allies = tuple(s for s in beside if opposed(s, other) and may_join(force.color, s.color))
        for group in ((), allies) if allies else ((),):
            attack = force.strength + sum(s.strength for s in group)
            label = odds(attack, other.strength)
            if label is not None:
                yield Encounter(other, group, attack, other.strength, label)
