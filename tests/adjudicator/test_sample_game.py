"""The sample game of 1976 played through in one go, each Phase on the Position that the one before left."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec.structs import replace

from gm.adjudicator.outcome import Outcome
from gm.adjudicator.outcome_json import outcome_from_json, outcome_to_json
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.cases.reader import Case, read_cases
from gm.orders.parser import parse
from gm.position import Phase, Position

BOARD = standard_board()
CASES = Path(__file__).parent.parent / "cases" / "published" / "bell.case"


def bells() -> dict[str, Case]:
    return {case.id: case for case in read_cases(BOARD, [CASES])}


def play_on(position: Position, case: Case) -> Outcome:
    sheets = {player: parse(BOARD, text, case.players).sheet for player, text in case.orders.items()}
    return adjudicate(BOARD, position, sheets, case.luck.chance())


def test_the_sample_game_replays_from_the_deal_to_the_positions_of_bell_4() -> None:
    cases = bells()
    position = Position(players=tuple("ABCDE"), phase=Phase.SETUP)
    for name in ("bell-1", "bell-2", "bell-3", "bell-4"):
        outcome = play_on(position, cases[name])
        mismatches = [m for e in cases[name].expected if (m := e.check(outcome))]
        assert mismatches == [], name
        position = outcome.after
    assert (position.turn, position.phase) == (2, Phase.FIRST)


def test_each_bell_starts_from_the_positions_of_the_one_before() -> None:
    cases = bells()
    position = Position(players=tuple("ABCDE"), phase=Phase.SETUP)
    for name, following in (("bell-1", "bell-2"), ("bell-2", "bell-3"), ("bell-3", "bell-4")):
        position = play_on(position, cases[name]).after
        listed = cases[following].position
        assert listed is not None
        assert position.stacks == replace(listed, randomizer=position.randomizer).stacks, following


def test_an_outcome_survives_its_json_form() -> None:
    position = Position(players=tuple("ABCDE"), phase=Phase.SETUP)
    for case in bells().values():
        outcome = play_on(position, case)
        text = json.dumps(outcome_to_json(outcome))
        assert outcome_from_json(BOARD, json.loads(text)) == outcome
        position = outcome.after
