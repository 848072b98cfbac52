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
from gm.position import Phase, Player, Position
from gm.standin.choose import choose
from gm.standin.strategy import Style
from gm.standin.tracks import Tracks

GUESSES = 20  # different sets of stand-ins' sheets; writing them takes longer than an adjudication


@dataclass(frozen=True)
class Trials:
    board: Board
    position: Position
    sheets: Mapping[Player, Sheet]  # the asker's, and guesses that were typed
    seed: bytes
    options: GameOptions
    tracks: Tracks | None = None  # None: whoever has no sheet sends nothing
    _guessed: dict[int, Mapping[Player, Sheet]] = field(default_factory=dict)

    def play(self, times: int) -> Iterator[Outcome]:
        for number in range(times):
            sheets = {**self._guess(number % GUESSES), **self.sheets}
            yield adjudicate(self.board, self.position, sheets, self._dice(f"play/{number}"), self.options)

    def _guess(self, number: int) -> Mapping[Player, Sheet]:
        if self.tracks is None or self.position.phase not in (Phase.PREGAME, Phase.FIRST, Phase.SECOND):
            return {}
        if number not in self._guessed:
            seats = {p: Style.FANATIC for p in self.position.active if p not in self.sheets}
            chance = self._dice(f"guess/{number}")
            self._guessed[number] = {p: choose(self.board, self.position, self.tracks, p, chance, seats) for p in seats}
        return self._guessed[number]

    def _dice(self, which: str) -> ProvableChance:
        return ProvableChance(self.seed, "what-if", self.position.turn, self.position.phase, which)
