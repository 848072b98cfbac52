"""Whatever the position, a fanatic orders only what the rules allow, and the same again from the same draws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.adjudicator.outcome import AssassinationTried, Fought, Moved, PurgeRolled
from gm.board.load import for_shorter_game
from gm.orders import kinds as m
from gm.orders.kinds import Sheet
from gm.orders.parser import parse
from gm.position import Player, Position
from gm.standin.choose import choose
from gm.standin.record import written
from gm.standin.strategy import Style
from gm.standin.tracks import Tracks, begun
from tests.standin.draws import BOARD, all_fanatics, luck
from tests.standin.games import game, refused
from tests.stopwatch import within
from tests.strategies import random_position
from tests.support import examples

LETTERS = "ABCDEFGH"
GAMES = examples(300, here=28)
CHUNKS = 7


@given(st.integers(0, 2**32))
@settings(max_examples=examples(3_000, here=100), deadline=None)
def test_in_any_position_every_order_is_allowed_and_reads_back_as_it_was_meant(seed: int) -> None:
    dice = Random(seed)
    position = random_position(BOARD, dice, tuple(LETTERS[: dice.randint(2, 8)]))
    seats = {p: Style.FANATIC for p in position.players if dice.random() < 0.8}
    chance = luck(seed, position)
    for seat in [p for p in seats if p in position.active]:
        sheet = choose(BOARD, position, Tracks(), seat, chance, seats)
        assert refused(position, seat, sheet) == []
        read = parse(BOARD, sheet.printed(), position.players)
        assert read.problems == () and read.sheet == sheet
        assert choose(BOARD, position, begun(BOARD, position), seat, luck(seed, position), seats) == sheet


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_in_whole_games_of_two_to_eight_fanatics_every_order_is_allowed(chunk: int) -> None:
    def seen(position: Position, tracks: Tracks, player: Player, sheet: Sheet) -> None:
        assert refused(position, player, sheet) == []

    for seed in range(chunk, GAMES, CHUNKS):
        outcomes = list(game(seed, all_fanatics(LETTERS[: 2 + chunk]), seen=seen))
        assert len(outcomes) > 2


@pytest.mark.parametrize(("style", "games"), [(Style.FANATIC, 6), (Style.COMMANDER, 1)])
def test_in_whole_games_of_the_shorter_game_no_stand_in_orders_what_it_does_without(style: Style, games: int) -> None:
    needless = m.Subvert | m.Purge | m.Execute | m.Counterpurge | m.Comply | m.RefuseExecution
    board = for_shorter_game(BOARD)

    def seen(position: Position, tracks: Tracks, player: Player, sheet: Sheet) -> None:
        assert refused(position, player, sheet, board) == []
        assert not any(isinstance(order, needless) for order in sheet.orders), sheet.printed()

    for seed in range(games):
        for outcome in game(seed, dict.fromkeys("ABCDE", style), seen=seen, trials=12, masses=True):
            assert not any(why.code == "not-in-masses" for result in outcome.results for why in result.reasons)


def test_stand_ins_that_did_not_know_the_shorter_game_write_as_they_did() -> None:
    """In any position, Markers and Imperial units included: version 1 took every game for the whole one."""
    other = 0
    for seed in range(40):
        position = random_position(BOARD, Random(seed), tuple("ABCD"))
        seats, tracks = all_fanatics("ABCD"), begun(BOARD, position)
        for seat in position.active:
            asked = (position, tracks, seat, luck(seed, position), seats)
            before = written(for_shorter_game(BOARD), *asked, version=1)
            assert before == written(BOARD, *asked)
            now = written(for_shorter_game(BOARD), *asked)
            assert refused(position, seat, now, for_shorter_game(BOARD)) == []
            other += any(isinstance(order, m.Subvert | m.Purge | m.Execute) for order in before.orders)
    assert other > 10


def test_fanatics_march_fight_murder_and_purge() -> None:
    events = [e for seed in range(3) for outcome in game(seed, all_fanatics("ABCDE")) for e in outcome.events]
    for kind in (Moved, Fought, AssassinationTried, PurgeRolled):
        assert any(isinstance(e, kind) for e in events), kind


def test_the_same_draws_give_the_same_game() -> None:
    once, again = (list(game(5, all_fanatics("ABCD"), last_turn=2)) for _ in range(2))
    assert once == again


def test_who_has_left_the_game_orders_nothing() -> None:
    position = random_position(BOARD, Random(1), tuple("ABC"))
    gone = replace(position, quitters=("A",))
    assert choose(BOARD, gone, Tracks(), "A", luck(1, gone), all_fanatics("ABC")) == Sheet()


def test_a_fanatics_sheet_takes_at_most_20_milliseconds() -> None:
    sheets: list[Callable[[], Sheet]] = []
    for seed in range(2):
        position, tracks = Position(players=tuple("ABCDE")), Tracks()
        for outcome in game(seed, all_fanatics("ABCDE"), last_turn=3):
            position = outcome.after
            for player in position.active if position.turn else ():
                draws = luck(seed, position)
                sheets.append(partial(choose, BOARD, position, tracks, player, draws, all_fanatics("ABCDE")))
    within(0.020 * len(sheets), lambda: [sheet() for sheet in sheets])
