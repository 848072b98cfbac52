"""The commander: allowed orders, the same again from the same inputs, no dealings with people, and a will to win."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.orders import kinds as m
from gm.orders.parser import parse
from gm.position import Phase, Player, Position
from gm.standin.choose import choose
from gm.standin.commander.sheet import candidates
from gm.standin.strategy import Seats, Style
from gm.standin.tracks import Tracks, begun
from tests.standin.draws import BOARD, Draws, luck, stands
from tests.standin.games import game, refused
from tests.strategies import random_position
from tests.support import examples

LETTERS = "ABCDEFGH"
COMMANDER = {"A": Style.COMMANDER}
GAMES = examples(20, here=2)


def seated(seed: int) -> tuple[Position, Player | None, Seats]:
    """Any position, and a seat in it that a commander plays beside people and other stand-ins."""
    dice = Random(seed)
    position = random_position(BOARD, dice, tuple(LETTERS[: dice.randint(2, 8)]))
    styles = {p: dice.choice([Style.COMMANDER, Style.FANATIC]) for p in position.players if dice.random() < 0.8}
    seat = next((p for p in styles if p in position.active), None)
    return position, seat, {**styles, seat: Style.COMMANDER} if seat is not None else styles


@given(st.integers(0, 2**32))
@settings(max_examples=examples(3_000, here=40), deadline=None)
def test_in_any_position_every_sheet_that_trials_could_choose_is_allowed(seed: int) -> None:
    """Which of its plans a commander takes depends on the trials; none of them may be forbidden."""
    position, seat, seats = seated(seed)
    if seat is None:
        return
    for plan in candidates(BOARD, position, begun(BOARD, position), seat, luck(seed, position), seats, trials=24):
        assert refused(position, seat, plan) == []


@given(st.integers(0, 2**32))
@settings(max_examples=examples(500, here=10), deadline=None)
def test_in_any_position_the_chosen_sheet_reads_back_as_it_was_meant_and_comes_again(seed: int) -> None:
    position, seat, seats = seated(seed)
    if seat is None:
        return
    sheet, again = (choose(BOARD, position, Tracks(), seat, luck(seed, position), seats, trials=5) for _ in range(2))
    assert sheet == again and refused(position, seat, sheet) == []
    read = parse(BOARD, sheet.printed(), position.players)
    assert read.problems == () and read.sheet == sheet


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(GAMES))
def test_in_whole_games_of_commanders_every_order_is_allowed(seed: int) -> None:
    def seen(position: Position, tracks: Tracks, player: Player, sheet: m.Sheet) -> None:
        assert refused(position, player, sheet) == []

    seats = dict.fromkeys(LETTERS[: 2 + seed % 7], Style.COMMANDER)
    assert len(list(game(seed, seats, last_turn=6, seen=seen, trials=6))) > 2


FRONT = """
A  KUBA: WL3 Denikin, WU4 KUBA
A  TVER: RL3 Trotsky, RU8 TVER
B  KUBA: RL1 Sablin
B  PETR: RL3 Lenin, RU8 PETR
C  DCOS: WL1 Krasnov, WU8 DCOS
-  NOVG: RU8 NOVG
-  TULA: BU2 VITE/GE
A  BOX: 4 PM, 2 AM
B  BOX: 6 PM
"""


def sheet(phase: Phase, trials: int = 12) -> m.Sheet:
    position = stands(FRONT, phase=phase, players="ABC")
    return choose(BOARD, position, Tracks(), "A", luck(7, position), COMMANDER, trials)


@pytest.mark.parametrize("phase", [Phase.PREGAME, Phase.FIRST, Phase.SECOND])
def test_the_same_inputs_give_the_same_sheet(phase: Phase) -> None:
    assert sheet(phase) == sheet(phase)


@pytest.mark.parametrize("phase", [Phase.FIRST, Phase.SECOND])
def test_with_people_it_neither_trades_nor_purges_and_it_answers_every_purge(phase: Phase) -> None:
    orders = sheet(phase).orders
    assert not any(isinstance(o, m.Give | m.Accept | m.Purge | m.Execute) for o in orders)
    assert m.Counterpurge(against=m.Against.STRONGEST) in orders


def test_before_the_game_it_trades_with_nobody() -> None:
    assert sheet(Phase.PREGAME) == m.Sheet()


def test_with_eight_markers_of_its_own_it_purges_alone() -> None:
    position = stands(FRONT.replace("A  BOX: 4 PM", "A  BOX: 8 PM"), players="ABC")
    found = choose(BOARD, position, Tracks(), "A", Draws(), COMMANDER, trials=0).orders
    assert [o.printed() for o in found if isinstance(o, m.Purge)] == ["PURGE B USING 8 PM TAKING Lenin, Sablin"]


def test_it_takes_what_costs_nothing() -> None:
    """A lone enemy Leader at the best odds, and units that wait for somebody to lead them."""
    assert "ATTACK Sablin IN KUBA WITH Denikin" in [o.printed() for o in sheet(Phase.SECOND).orders]
    assert any("NOVG(+RU8 NOVG)" in o.printed() for o in sheet(Phase.FIRST).orders)


def test_it_does_not_throw_an_army_away() -> None:
    listing = "A  KUBA: WL3 Denikin, WU4 KUBA\nB  KUBA: RL3 Lenin, RU8 PETR\nC  TVER: RL3 Trotsky"
    position = stands(listing, phase=Phase.SECOND, players="ABC")
    found = choose(BOARD, position, Tracks(), "A", luck(1, position), COMMANDER, trials=12).orders
    assert not any(isinstance(o, m.Attack) for o in found)
