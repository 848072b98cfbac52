"""Whole random campaigns as issues, for tests of what the paper prints over time."""

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from random import Random

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.laboratory.game import Setting
from gm.laboratory.game import phases as laboratory
from gm.position import Phase, Position
from gm.reports.build import build_view
from gm.reports.issue import Issue, Past, PlayerInfo
from gm.reports.view.map import barometer_rows
from gm.reports.view.model import BellView
from tests.playout import RandomPlayer

BOARD = standard_board()
PLAYERS = {
    "A": PlayerInfo("Anna Arnold"),
    "B": PlayerInfo("Bert Quist"),
    "C": PlayerInfo("Clara Zoller"),
    "D": PlayerInfo("Dora Unger"),
    "E": PlayerInfo("Emil Jansen"),
}


def outcomes(seed: int, phases: int = 16) -> Iterator[Outcome]:
    players = RandomPlayer(BOARD, Random(seed))
    position = Position(players=tuple("ABCDE"))
    for _ in range(phases):
        if position.phase is Phase.FINISHED:
            return
        sheets = {p: players.sheet(position, p) for p in position.players}
        chance = ProvableChance(seed.to_bytes(32, "big"), "test", position.turn, position.phase, "digest")
        outcome = adjudicate(BOARD, position, sheets, chance)
        yield outcome
        position = outcome.after


@cache
def campaign(seed: int, phases: int = 16) -> tuple[tuple[Issue, BellView], ...]:
    """A campaign of random players."""
    return printed(outcomes(seed, phases))


@cache
def sensible(number: int, masses: bool = False) -> tuple[tuple[Issue, BellView], ...]:
    """A campaign of stand-ins, to its end."""
    setting = Setting(trials=2, last_turn=10, masses=masses)
    return printed(laboratory(setting, number), setting.last_turn, masses)


def printed(
    outcomes: Iterable[Outcome], last_turn: int = 0, shorter: bool = False
) -> tuple[tuple[Issue, BellView], ...]:
    """Every issue of a campaign with what it says, each with the memory of those before."""
    past: list[Past] = []
    found = []
    for number, outcome in enumerate(outcomes, start=1):
        issue = Issue(
            number,
            outcome,
            "Random",
            date(2026, 1, 1),
            players=PLAYERS,
            past=tuple(past),
            last_turn=last_turn,
            shorter=shorter,
        )
        view = build_view(issue.board, issue)
        found.append((issue, view))
        past.append(Past(number, barometer_rows(outcome.after, outcome.points), view.wordings, view.record))
    return tuple(found)
