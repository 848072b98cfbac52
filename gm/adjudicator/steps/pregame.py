"""Leaders that change hands before the game take their unit along (15.33, 15.52)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.adjudicator.engine.stacks import stands
from gm.adjudicator.engine.working_position import WorkingPosition
from gm.board.model import Piece
from gm.orders.rules.stacking import attachment, holders
from gm.position import Player, Stack


def leaders_with_units(
    table: WorkingPosition, leaders: Iterable[Piece], receiver: Player
) -> list[tuple[tuple[Stack, ...], tuple[Stack, ...]]]:
    """For each stack that is broken up: the stack before, and the stacks after."""
    broken: dict[Stack, list[Piece]] = {}
    for leader in leaders:
        broken.setdefault(table.where[leader], []).append(leader)
    return [split(table, stack, going, receiver, _followers(table, stack)) for stack, going in broken.items()]


def split(
    table: WorkingPosition, stack: Stack, going: list[Piece], receiver: Player, followers: dict[Piece, Piece]
) -> tuple[tuple[Stack, ...], tuple[Stack, ...]]:
    """Part of a stack goes over: the Leaders named, with whatever follows them; both parts keep their order."""
    taken = tuple(p for p in stack.pieces if p in going or followers.get(p) in going)
    rest = tuple(p for p in stack.pieces if p not in taken)
    after = stands(table, stack.province, taken, receiver)
    if rest:
        after += stands(table, stack.province, rest, stack.owner)
    return (stack,), tuple(after)


def _followers(table: WorkingPosition, stack: Stack) -> dict[Piece, Piece]:
    """Whom each unit and Imperial unit follows. Before the game a unit belongs to the Leader with the asterisk of
    its own province (15.52); only where he is not in the stack does the order of the stack decide (J2)."""
    follows = attachment(table.board, stack.pieces)
    starred = [p for p in stack.leaders if p.starred]
    for unit in stack.units:
        own = next((p for p in starred if p.home == unit.home and p.color is unit.color), None)
        if own is not None:
            follows[unit] = own
    holding = holders(stack.pieces)
    for imperial in stack.imperials:
        place = stack.pieces.index(imperial)
        escort = next((p for p in reversed(stack.pieces[:place]) if not p.is_imperial), None)
        follows[imperial] = follows.get(escort, holding[imperial]) if escort else holding[imperial]
    return follows
