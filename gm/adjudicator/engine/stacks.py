"""Stacks of the working position: ownership of pieces dropped or left (J1), and who must leave a stack (J2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gm.adjudicator.engine.working_position import WorkingPosition
from gm.adjudicator.outcome import Abandoned, Restacked
from gm.board.model import Board, Color, Piece
from gm.orders.rules.stacking import beyond_leading, rooms
from gm.position import Player, Stack, canonical


def stands(table: WorkingPosition, province: str, pieces: Sequence[Piece], leaders_of: Player | None) -> list[Stack]:
    """Pieces put down together, as the stacks that they form and with whoever owns them now (J1)."""
    if not pieces:
        return []
    if pieces[0].is_leader or any(p.is_leader for p in pieces):
        return [Stack(province, leaders_of, tuple(pieces))]
    native = [p for p in pieces if p.is_imperial or p.nation is None]
    stacks: list[Stack] = []
    foreign: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.nation is not None:
            foreign.setdefault(piece.nation, []).append(piece)
    if native and len(foreign) == 1 and not any(p.is_unit for p in native):
        next(iter(foreign.values())).extend(native)  # J43: an Imperial unit stays with the units of one nation
        native = []
    if native:
        stacks.append(Stack(province, None, tuple(native)))
    for nation, units in foreign.items():
        stacks.append(Stack(province, table.marker_holder(nation), tuple(units)))
    return stacks


def without(table: WorkingPosition, stack: Stack, lost: Collection[Piece]) -> list[Stack]:
    """What is left of a stack, one or none; Red and White units without a Leader are unaligned at once (J1)."""
    rest = tuple([p for p in stack.pieces if p not in lost])
    if not rest:
        return []
    owner = stack.owner
    if all(p.is_imperial for p in rest):
        owner = None  # 13.42
    elif stack.leaders and not any(p.is_leader for p in rest):
        nation = next(p.nation for p in rest if p.is_unit)
        owner = table.marker_holder(nation) if nation else None
    return [Stack(stack.province, owner, rest)]


def settle(table: WorkingPosition, only: Stack | None = None) -> None:
    """End of a step: units leave a stack that lost the Leader or Imperial unit which made room for them (J2).

    `only`: at once, in what is left of this stack; the others have until the end of the step.
    """
    # Only stacks that were formed since the last time can have lost anything.
    stacks = [s for s in table.unsettled if table.where.get(s.pieces[0]) is s]
    if only is None:
        table.unsettled.clear()
    else:
        stacks = [s for s in stacks if s.pieces[0] in only.pieces]
    for stack in canonical([s for s in stacks if _misfit(table.board, s)]):
        leaving = beyond_leading(table.board, stack.pieces)
        staying = [p for p in stack.pieces if p not in leaving]
        after = stands(table, stack.province, staying, stack.owner) + stands(table, stack.province, leaving, None)
        table.emit(
            Abandoned(
                rules=("J2", "13.29"),
                owner=stack.owner,
                province=stack.province,
                pieces=tuple(leaving) or stack.pieces,
                changes=(Restacked((stack,), tuple(after)),),
            )
        )


def _misfit(board: Board, stack: Stack) -> bool:
    """Whether a stack cannot stay as it is: too many units for its Leaders, or a mixture that nothing binds."""
    if len(stack.pieces) == 1:
        return False
    value = units = green = 0
    kinds = set()
    for piece in stack.pieces:
        if piece.is_leader:
            value += piece.value
        elif piece.is_unit:
            units += 1
            green += piece.color is Color.GREEN
            kinds.add(piece.nation or piece.color)
    if not value:
        return len(kinds) > 1  # 7.13, 7.14
    if green and board.gold not in stack.pieces:
        return True
    return units > value and units > sum(rooms(board, stack.pieces).values())
