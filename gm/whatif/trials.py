"""Playing a Phase many times: the asker's orders, guesses for the others, and other dice each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.sequence import adjudicate
from gm.board.model import Board
from gm.orders.kinds import Sheet
from gm.position import Player, Position
from gm.standin.fanatic.sheet import Fanatics
from gm.standin.strategy import Style
from gm.standin.tracks import Tracks


@dataclass(frozen=True)
class Trials:
    board: Board
    position: Position
    sheets: Mapping[Player, Sheet]  # the asker's, and guesses that were typed
    seed: bytes
    options: GameOptions
    tracks: Tracks | None = None  # None: whoever has no sheet sends nothing
    guesses: set[tuple[Sheet, ...]] = field(default_factory=set)  # what stand-ins were made to order

    def play(self, times: int) -> Iterator[Outcome]:
        """Each play has other dice, and other orders of the stand-ins."""
        others = self._others()
        for number in range(times):
            guessed = others.sheets(self._dice(f"guess/{number}")) if others is not None else {}
            self.guesses.add(tuple(guessed.values()))
            sheets = {**guessed, **self.sheets}
            yield adjudicate(self.board, self.position, sheets, self._dice(f"play/{number}"), self.options)

    def _others(self) -> Fanatics | None:
        seats = {p: Style.FANATIC for p in self.position.active if p not in self.sheets}
        if self.tracks is None or not seats:
            return None
        return Fanatics(self.board, self.position, self.tracks, seats)

    def _dice(self, which: str) -> ProvableChance:
        return ProvableChance(self.seed, "what-if", self.position.turn, self.position.phase, which)
