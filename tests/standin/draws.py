"""Draws that a test writes down by their occasion, and positions to draw for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.adjudicator.chance import ProvableChance
from gm.board.load import standard_board
from gm.notation import read_position
from gm.position import Phase, Player, Position
from gm.standin.strategy import Seats, Style
from gm.standin.tracks import Tracks

BOARD = standard_board()


class Draws:
    """Luck by occasion (`A/strategy`), without its first word; what is not written down is a 3, or the first of all."""

    def __init__(self, dice: Mapping[str, int] | None = None, picks: Mapping[str, str] | None = None) -> None:
        self.dice = dict(dice or {})
        self.picks = dict(picks or {})

    def die(self, occasion: str) -> int:
        return self.dice.get(occasion.removeprefix("stand-in/"), 3)

    def two_dice(self, occasion: str) -> int:
        return 2 * self.die(occasion)

    def pair(self, occasion: str) -> tuple[int, int]:
        return self.die(occasion), self.die(occasion)

    def pick(self, occasion: str, options: Sequence[str]) -> str:
        return self.picks.get(occasion.removeprefix("stand-in/"), options[0])

    def draw(self, occasion: str, chits: Sequence[str]) -> str:
        return chits[0]

    def deal(self, occasion: str, cards: Sequence[str], players: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        return {player: tuple(cards[seat :: len(players)]) for seat, player in enumerate(players)}

    def offers(self, kind: str) -> bool:
        return True


def stands(listing: str, turn: int = 1, phase: Phase = Phase.FIRST, players: str = "ABCDE") -> Position:
    return read_position(BOARD, listing, tuple(players), turn=turn, phase=phase)


def all_fanatics(players: Sequence[Player]) -> Seats:
    return dict.fromkeys(players, Style.FANATIC)


def luck(seed: int, position: Position) -> ProvableChance:
    return ProvableChance(seed.to_bytes(32, "big"), f"stand-in-{seed}", position.turn, position.phase, "digest")


def tracks(**pairs: int) -> Tracks:
    """Cooperation by pairs of letters: `tracks(AB=2, AC=5)`."""
    return Tracks({(name[0], name[1]): value for name, value in pairs.items()})
