"""Whole games among stand-ins, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.sequence import adjudicate
from gm.board.load import for_shorter_game
from gm.board.model import Board
from gm.orders.check.checker import check
from gm.orders.kinds import Sheet
from gm.orders.problems import Problem, Severity
from gm.position import Phase, Player, Position
from gm.standin.choose import choose
from gm.standin.strategy import Seats, strategies
from gm.standin.tracks import Tracks, advance
from tests.standin.draws import BOARD, luck

Seen = Callable[[Position, Tracks, Player, Sheet], None]


def game(
    seed: int, seats: Seats, last_turn: int = 6, seen: Seen | None = None, trials: int = 0, masses: bool = False
) -> Iterator[Outcome]:
    """A game from the deal on, Phase by Phase."""
    board, options = for_shorter_game(BOARD) if masses else BOARD, GameOptions(masses=masses)
    position, tracks = Position(players=tuple(seats)), Tracks()
    while position.phase is not Phase.FINISHED and position.turn <= last_turn:
        chance = luck(seed, position)
        players = position.active if position.phase is not Phase.SETUP else ()
        sheets = {p: choose(board, position, tracks, p, chance, seats, trials) for p in players}
        for player, sheet in sheets.items() if seen else ():
            assert seen is not None
            seen(position, tracks, player, sheet)
        outcome = adjudicate(board, position, sheets, chance, options)
        tracks = advance(board, tracks, outcome, strategies(board, position, tracks, chance, seats))
        yield outcome
        position = outcome.after


def refused(position: Position, player: Player, sheet: Sheet, board: Board = BOARD) -> list[Problem]:
    """What the checker would not let a person order."""
    return [p for p in check(board, position, player, sheet) if p.severity is Severity.PROBLEM]
