"""How pieces hang together in a stack: capacity and attachment (J2), ownership (J1), legal shapes (7.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gm.adjudicator.outcome import Abandoned, Restacked
from gm.adjudicator.table import Table
from gm.board.model import Board, Color, Piece
from gm.position import Player, Stack

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
    """What is wrong with these pieces as one stack: a reason code, or None. Owners are the caller's affair."""
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


def stands(table: Table, province: str, pieces: Sequence[Piece], leaders_of: Player | None) -> list[Stack]:
    """Pieces put down together, as the stacks that they form and with whoever owns them now (J1)."""
    if pieces[0].is_leader or any(p.is_leader for p in pieces):
        return [Stack(province, leaders_of, tuple(pieces))]
    native = [p for p in pieces if p.is_imperial or p.nation is None]
    stacks: list[Stack] = []
    foreign: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.nation is not None:
            foreign.setdefault(piece.nation, []).append(piece)
    if native and foreign and not any(p.is_unit for p in native):
        next(iter(foreign.values())).extend(native)  # an Imperial unit stays with the units that are left
        native = []
    if native:
        stacks.append(Stack(province, None, tuple(native)))
    for nation, units in foreign.items():
        stacks.append(Stack(province, table.marker_holder(nation), tuple(units)))
    return stacks


def without(table: Table, stack: Stack, lost: Collection[Piece]) -> list[Stack]:
    """What is left of a stack, one or none; Red and White units without a Leader are unaligned at once (J1)."""
    rest = tuple([p for p in stack.pieces if p not in lost])
    if not rest:
        return []
    owner = stack.owner
    if all(p.is_imperial for p in rest):
        owner = None  # 13.42
    elif stack.leaders and not any(p.is_leader for p in rest):
        owner = table.marker_holder(rest[0].nation) if rest[0].nation else None
    return [Stack(stack.province, owner, rest)]


def settle(table: Table, province: str | None = None) -> None:
    """End of a step: units leave a stack that lost the Leader or Imperial unit which made room for them (J2)."""
    # Only stacks that were formed since the last time can have lost anything.
    stacks = {s for s in table.unsettled if table.where.get(s.pieces[0]) is s and province in (None, s.province)}
    if province is None:
        table.unsettled.clear()
    for stack in sorted((s for s in stacks if _misfit(table.board, s)), key=Stack.sort_key):
        staying, leaving = _overflow(table.board, stack)
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


def _overflow(board: Board, stack: Stack) -> tuple[list[Piece], list[Piece]]:
    """The pieces that stay and those that leave, Green units first if the Gold is gone, then the lowest-listed."""
    pieces = list(stack.pieces)
    if not stack.leaders:
        return pieces, []
    leaving = []
    if board.gold not in pieces:
        leaving = [p for p in pieces if p.is_unit and p.color is Color.GREEN]
    pieces = [p for p in pieces if p not in leaving]
    units = [p for p in pieces if p.is_unit]
    excess = len(units) - sum(rooms(board, pieces).values())
    if excess > 0:
        leaving += units[-excess:]
        pieces = [p for p in pieces if p not in leaving]
    return pieces, leaving
