"""Stacking rules: Leaders' capacity and attachment (J2) and legal stacks (7.1). Pieces only, no owners.

The checker (before the deadline) and the adjudicator (after it) judge by these same functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.board.model import Board, Color, Piece

LIMIT = 5  # 7.11, Imperial units not counted
MOST_GREEN = 2  # 13.25
NOT_FOR_GOLD = frozenset({"FN", "PO"})  # 13.27


def holders(pieces: Sequence[Piece]) -> dict[Piece, Piece]:
    """Which Leader holds each Imperial unit: the nearest above it, units between not counting (J2)."""
    found: dict[Piece, Piece] = {}
    leader: Piece | None = None
    waiting: list[Piece] = []
    for piece in pieces:
        if piece.is_leader:
            leader = piece
            found.update(dict.fromkeys(waiting, piece))  # nobody above: the topmost Leader has it
            waiting = []
        elif piece.is_imperial:
            if leader is None:
                waiting.append(piece)
            else:
                found[piece] = leader
    return found


def rooms(board: Board, pieces: Sequence[Piece]) -> dict[Piece, int]:
    """How many combat units each Leader of a stack can lead (5.14, 13.22, 13.25)."""
    room = {piece: piece.value for piece in pieces if piece.is_leader}
    for imperial, leader in holders(pieces).items():
        if imperial is board.gold or leader.color is Color.WHITE:  # 13.24: the Czar serves only Whites
            room[leader] += 2
    return room


def attachment(board: Board, pieces: Sequence[Piece]) -> dict[Piece, Piece]:
    """Which Leader each combat unit is attached to; a unit that nobody has room for is missing (J2)."""
    room = rooms(board, pieces)
    above: list[Piece] = []
    found: dict[Piece, Piece] = {}
    for piece in pieces:
        if piece.is_leader:
            above.append(piece)
        elif piece.is_unit:
            # The nearest above, then the next ones above, else the topmost with room anywhere.
            leader = next((c for c in [*reversed(above), *room] if room[c] > 0), None)
            if leader is not None:
                room[leader] -= 1
                found[piece] = leader
    return found


def fault(board: Board, pieces: Sequence[Piece]) -> str | None:
    """What is wrong with these pieces as one stack: a reason code, or None. Owners are left to the caller."""
    value = count = units = green = 0
    kinds: set[object] = set()  # colour of Leaders and their units, colour and nation of the others
    for piece in pieces:
        if piece.is_imperial:
            continue
        count += 1
        if piece.is_leader:
            value += piece.value
            kinds.add(piece.color)
            continue
        units += 1
        if piece.color is Color.GREEN:
            green += 1
        kinds.add(piece.nation or piece.color)
    if count > LIMIT:
        return "over-five"
    if not value:
        return "mixed-colours" if len(kinds) > 1 else None
    if len(kinds) > 1:
        return _green_fault(board, pieces, green) or _over_capacity(board, pieces, units, value)
    return _over_capacity(board, pieces, units, value)


def _over_capacity(board: Board, pieces: Sequence[Piece], units: int, value: int) -> str | None:
    if units <= value:  # no need to ask who holds the Czar or the Gold
        return None
    return "over-capacity" if units > sum(rooms(board, pieces).values()) else None


def _green_fault(board: Board, pieces: Sequence[Piece], green: int) -> str | None:
    """More than one colour under a Leader: only the Gold binds them, and only Green units, and not all of those."""
    if len({p.color for p in pieces if p.color is not Color.GREEN and not p.is_imperial}) > 1:
        return "mixed-colours"
    if board.gold not in pieces:
        return "mixed-colours"
    if green > MOST_GREEN:
        return "over-two-green"
    return "cannot-be-bought" if any(p.nation in NOT_FOR_GOLD for p in pieces) else None


def beyond_leading(board: Board, pieces: Sequence[Piece]) -> list[Piece]:
    """What the Leaders have no room for: Green units if the Gold is gone, then the lowest-listed units (J2, J41)."""
    if not any(p.is_leader for p in pieces):
        return []
    bought = [p for p in pieces if p.color is Color.GREEN] if board.gold not in pieces else []
    units = [p for p in pieces if p.is_unit and p not in bought]
    excess = len(units) - sum(rooms(board, pieces).values())
    return [*bought, *units[-excess:]] if excess > 0 else bought


def at_the_bottom(pieces: Sequence[Piece], more: Sequence[Piece]) -> list[Piece]:
    """New units go below the others, above any Imperial unit at the very bottom (J10)."""
    end = len(pieces)
    while end and pieces[end - 1].is_imperial:
        end -= 1
    return [*pieces[:end], *more, *pieces[end:]]
