"""Movement rules: one step of a force, and where it must stop (5.2, 5.3, 5.5-5.7 as read by J7-J9, J13 and J14).

The checker (before the deadline) and the adjudicator (after it) judge a path by these same functions; only the
Position differs. Reasons are codes of gm/orders/rules/reasons.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gm.board.model import Board, Border, Color, Piece
from gm.board.paths import shortest_path
from gm.position import Position

LED_POINTS = 5  # 5.0: a force with a Red or White Leader
UNLED_POINTS = 3  # 5.63, 5.72

NOBODY: frozenset[Color] = frozenset()
_REGION = {"FN": "region-finnish", "PO": "region-polish"}


def force_color(pieces: Iterable[Piece]) -> Color | None:
    """The colour of a force: its first Leader's, else that of its units."""
    color = None
    for piece in pieces:
        if piece.is_leader:
            return piece.color
        color = color or piece.color
    return color


def points(pieces: Iterable[Piece]) -> int:
    return LED_POINTS if any(p.is_leader for p in pieces) else UNLED_POINTS


def goes_by_rail(board: Board, pieces: Sequence[Piece], path: Sequence[str], said_so: bool) -> bool:
    """BY RAIL, or a path of a Leader's force that is too long to walk and runs along the rails all the way (J9)."""
    if said_so:
        return True
    if len(path) - 1 <= LED_POINTS or not any(p.is_leader for p in pieces):
        return False
    return all(b in board.rail_steps.get(a, ()) for a, b in pairwise(path))


@dataclass(slots=True)
class Party:
    """Pieces on the move, with what the rules of movement ask of them found out once."""

    pieces: Sequence[Piece]
    color: Color | None = field(init=False)
    led: bool = field(init=False)
    foreign: bool = field(init=False)  # some may be kept in a region by their nation

    def __post_init__(self) -> None:
        self.color = force_color(self.pieces)
        self.led = self.foreign = False
        for piece in self.pieces:
            if piece.is_leader:
                self.led = True
            elif piece.nation is not None:
                self.foreign = True

    def barred(self, board: Board, here: str, there: str, by_rail: bool, taken: int) -> str | None:
        """Why the party, having taken so many steps, may not take this one (J8); None if it may."""
        border = board.borders[here].get(there)
        if border is not Border.OPEN:
            if border is None:
                return "no-border"
            if border is Border.CLOSED:
                return "closed"
            if self.color is not Color.WHITE:
                return "white-only"
        for piece in self.pieces if self.foreign else ():
            if not board.may_enter(piece, there):
                return _REGION.get(piece.nation or "", f"region-{piece.color}")
        if by_rail:
            if not self.led:
                return f"no-rail-{self.color}"
            return None if there in board.rail_steps.get(here, ()) else "no-rail-step"
        if taken >= (LED_POINTS if self.led else UNLED_POINTS):
            return "no-points" if self.led else f"no-points-{self.color}"
        return None

    def must_stop(self, board: Board, position: Position, province: str, own: Collection[Piece]) -> bool:
        """5.27 on a snapshot: whether the party, entering the province, may go no farther this Phase."""
        if position.colors.get(province, NOBODY) <= {self.color}:
            return False
        found = strangers(position, province, self.color, own)
        if self.color is Color.WHITE and board.czar in self.pieces:
            found.discard(Color.BLUE)  # 13.23, J14: Blue, or Blue and White, lets him through
        return bool(found)


def barred(board: Board, pieces: Sequence[Piece], here: str, there: str, *, by_rail: bool, taken: int) -> str | None:
    """One step of a force that is not marching (yet): why it may not be taken."""
    return Party(pieces).barred(board, here, there, by_rail, taken)


def must_stop(board: Board, position: Position, province: str, pieces: Sequence[Piece], own: Collection[Piece]) -> bool:
    """Whether these pieces would have to stop in a province."""
    return Party(pieces).must_stop(board, position, province, own)


def strangers(position: Position, province: str, color: Color | None, own: Collection[Piece] = ()) -> set[Color]:
    """The other colours that stand in a province, the force's own pieces (`own`) not counted."""
    found = set()
    for stack in position.at(province):
        other = stack.color
        if other is not None and other is not color and any(p not in own for p in stack.pieces if not p.is_imperial):
            found.add(other)
    return found


def find_route(
    board: Board, position: Position, pieces: Sequence[Piece], start: str, goal: str, *, by_rail: bool = False
) -> list[str] | None:
    """The Gamesmaster's route (J9): the shortest that arrives, overland before rail, alphabetically first."""

    party = Party(pieces)

    def enters(province: str) -> bool:
        return all(board.may_enter(p, province) for p in pieces)

    def passes(province: str) -> bool:
        return not party.must_stop(board, position, province, pieces)

    for rail in (True,) if by_rail else (False, True):
        reach = None if rail else points(pieces)
        route = shortest_path(board, start, goal, party.color, rail, max_steps=reach, may_enter=enters, may_pass=passes)
        if route and len(route) > 1 and (party.led or not rail):
            return list(route)
    return None
