"""What pieces and positions are worth to a player who wants to win: points of both outcomes by how likely each is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gm.adjudicator.steps.replacement import LAST_REPLACEMENT
from gm.adjudicator.steps.victory import CONTESTED, IMPERIAL_POINTS, standings
from gm.board.model import Board, Color, Piece
from gm.position import Phase, Player, Position, Stack

COMES_BACK = 0.35  # how much of a unit's points is kept while it may be replaced
DENIAL = 0.3  # a point that a rival loses, in points of one's own
COMMAND = 1.0  # what a Leader is worth beyond points: units follow Leaders


def strengths(board: Board, position: Position) -> tuple[int, int]:
    """Red and White combat strength in the regions that decide a war which ends by the calendar."""
    red = white = 0
    for stack in position.stacks:
        if stack.color in (Color.RED, Color.WHITE) and board.provinces[stack.province].region in CONTESTED:
            if stack.color is Color.RED:
                red += stack.strength
            else:
                white += stack.strength
    return red, white


def chance_of_red(board: Board, position: Position) -> float:
    """How likely a Red victory looks: the surer, the later it is.

    Plain arithmetic, which every machine does alike: an exponential could differ in its last bit, and a sheet with it.
    """
    if position.victory is not None:
        return 1.0 if position.victory is Color.RED else 0.0
    red, white = strengths(board, position)
    lead = (red - white) / max(red + white, 1)
    sure = (2 + 1.5 * min(position.turn, 6)) * (lead + 0.1)
    return 0.5 + 0.5 * sure / (1 + abs(sure))


@dataclass(frozen=True, slots=True)
class Worth:
    """Prices of one Phase, for one seat."""

    board: Board
    seat: Player
    red: float  # chance of a Red victory
    late: bool  # no unit comes back any more

    @staticmethod
    def of(board: Board, position: Position, seat: Player) -> Worth:
        return Worth(board, seat, chance_of_red(board, position), position.turn > LAST_REPLACEMENT)

    def side(self, color: Color | None) -> float:
        return self.red if color is Color.RED else 1 - self.red if color is Color.WHITE else 0.0

    def held(self, piece: Piece) -> float:
        """A piece of one's own on the map."""
        if piece.is_imperial:
            return IMPERIAL_POINTS * (1.0 if piece is self.board.gold else 1 - self.red)
        return piece.value * self.side(piece.color) + (
            COMMAND * (0.5 + self.side(piece.color)) if piece.is_leader else 0
        )

    def taken(self, piece: Piece, owner: Player | None) -> float:
        """A piece of somebody else's, eliminated."""
        if piece.is_imperial:
            return self.held(piece)
        for_red = piece.color is not Color.RED
        for_white = piece.color in (Color.RED, Color.GREEN)
        points = piece.value * (self.red * for_red + (1 - self.red) * for_white)
        if piece.is_unit and piece.color is not Color.BLUE and not self.late:
            points *= COMES_BACK
        rival = owner is not None and owner != self.seat
        return points + (DENIAL * self.held(piece) if rival else 0.0)

    def force(self, pieces: Iterable[Piece]) -> float:
        return sum(self.held(p) for p in pieces)

    def victim(self, stack: Stack) -> float:
        return sum(self.taken(p, stack.owner) for p in stack.pieces)


def utility(board: Board, position: Position, seat: Player) -> float:
    """How a position looks to a seat: its points before those of the best rival, in the likely victory."""
    red = chance_of_red(board, position)
    points = standings(board, position)
    if seat not in points:
        return 0.0
    total = 0.0
    for weight, found in (
        (red, {p: q.red for p, q in points.items()}),
        (1 - red, {p: q.white for p, q in points.items()}),
    ):
        rivals = sorted((value for p, value in found.items() if p != seat), reverse=True)
        best = rivals[0] if rivals else 0
        average = sum(rivals) / len(rivals) if rivals else 0
        total += weight * (found[seat] - 0.4 * best - 0.3 * average)
    leaders = sum(1 + p.value / 2 for s in position.owned(seat) for p in s.leaders)
    left = max(0, 6 - position.turn + (position.phase is not Phase.SECOND))
    return total + leaders * min(left, 4) / 4 + 0.5 * position.box(seat).am
