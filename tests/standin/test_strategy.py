"""The Strategy Determination and Vindictive Strategy Tables (A5, A6), and what is given away (A11)."""

from __future__ import annotations

from random import Random

import pytest

from gm.adjudicator.chance import ProvableChance
from gm.board.problems import BoardError
from gm.orders import kinds as m
from gm.orders.parser import parse
from gm.position import Phase
from gm.standin.choose import choose
from gm.standin.fanatic.sheet import Fanatics
from gm.standin.strategy import gifts, roll, strategies
from gm.standin.tracks import Rolled, Tracks, begun
from tests.standin.draws import BOARD, Draws, all_fanatics, stands, tracks
from tests.strategies import random_position
from tests.support import load_text

LISTING = """
A  PETR: RL3 Lenin, RU8 PETR
B  EKAT: RL1 Blucher, RU2 EKAT, CZAR
C  OMSK: WL2 Kolchak, WU3 OMSK, GOLD
D  TVER: RL3 Trotsky, RU8 TVER
E  KUBA: WL3 Denikin, WU4 KUBA
A  BOX: 2 PM, 1 AM
"""
POSITION = stands(LISTING)
FROM_BEST_TO_WORST = tracks(AB=2, AC=3, AD=4, AE=5)


@pytest.mark.parametrize(
    ("die", "attacks", "odds", "purge", "assassination", "gives", "vindictive"),
    [
        (1, 1, 1, False, False, True, False),
        (2, 2, 2, False, False, False, False),
        (3, 3, 1, False, True, False, False),
        (4, 4, 2, True, False, False, False),
        (5, 5, 2, True, True, False, False),
        (6, 3, 1, False, False, False, True),
    ],
)
def test_what_each_roll_of_the_strategy_table_asks_for(
    die: int, attacks: int, odds: int, purge: bool, assassination: bool, gives: bool, vindictive: bool
) -> None:
    row = BOARD.fanatic.strategies[die]
    assert (row.attacks, row.odds, row.purge) == (attacks, odds, purge)
    assert (row.assassination, row.gives_assassin, row.vindictive) == (assassination, gives, vindictive)


@pytest.mark.parametrize(
    ("die", "expected"),
    [
        (1, Rolled(6, "B")),
        (2, Rolled(6, "C")),
        (3, Rolled(6, "B", "Czar")),
        (4, Rolled(6, "C", "Gold")),
        (5, Rolled(6, "D")),
        (6, Rolled(6, "E")),
    ],
)
def test_whom_each_roll_of_the_vindictive_table_strikes(die: int, expected: Rolled) -> None:
    draws = Draws({"A/strategy": 6, "A/vindictive/1": die})
    assert roll(BOARD, POSITION, FROM_BEST_TO_WORST, "A", draws) == expected


@pytest.mark.parametrize(
    ("seat", "die"), [("B", 3), ("C", 4)], ids=["who holds the Czar himself", "who holds the Gold himself"]
)
def test_the_holder_rolls_again(seat: str, die: int) -> None:
    draws = Draws({f"{seat}/strategy": 6, f"{seat}/vindictive/1": die, f"{seat}/vindictive/2": 6})
    assert roll(BOARD, POSITION, tracks(AB=2, BC=2, BE=7, CE=7, CD=3), seat, draws) == Rolled(6, "E")


def test_nobody_holds_a_czar_who_is_gone() -> None:
    without = stands(LISTING.replace(", CZAR", ""))
    draws = Draws({"A/strategy": 6, "A/vindictive/1": 3, "A/vindictive/2": 1})
    assert roll(BOARD, without, FROM_BEST_TO_WORST, "A", draws) == Rolled(6, "B")


def test_with_two_players_every_place_of_the_order_is_the_other_one() -> None:
    position = stands("A PETR: RL3 Lenin\nB TVER: RL3 Trotsky", players="AB")
    for die in (1, 2, 5, 6):
        draws = Draws({"A/strategy": 6, "A/vindictive/1": die})
        assert roll(BOARD, position, tracks(AB=4), "A", draws) == Rolled(6, "B")


def test_the_strategy_of_the_first_phase_holds_for_the_second() -> None:
    second = stands(LISTING, phase=Phase.SECOND)
    known = Tracks(FROM_BEST_TO_WORST.cooperation, {"A": Rolled(5)})
    found = strategies(BOARD, second, known, Draws({"A/strategy": 2, "B/strategy": 2}), all_fanatics("AB"))
    assert found == {"A": Rolled(5), "B": Rolled(2)}


@pytest.mark.parametrize(
    ("die", "expected"),
    [
        (1, m.Give(what=m.Goods(am=1), to="C")),
        (2, None),
        (3, None),
        (4, m.Give(what=m.Goods(pm=1), to="C")),
        (5, m.Give(what=m.Goods(pm=1), to="C")),
        (6, None),
    ],
)
def test_only_two_strategies_give_a_marker_and_always_to_the_second_friendliest(
    die: int, expected: m.Give | None
) -> None:
    given = gifts(BOARD, POSITION, FROM_BEST_TO_WORST, Draws(), {"A": Rolled(die)})
    assert given.get("A") == expected
    sheet = choose(BOARD, POSITION, FROM_BEST_TO_WORST, "A", Draws({"A/strategy": die}), all_fanatics("A"))
    assert [o for o in sheet.orders if isinstance(o, m.Give)] == ([expected] if expected else [])


def test_who_has_no_marker_gives_none() -> None:
    assert gifts(BOARD, POSITION, FROM_BEST_TO_WORST, Draws(), {"D": Rolled(1), "E": Rolled(4)}) == {}


def test_a_fanatic_trades_nothing_before_the_game() -> None:
    position = stands(LISTING, turn=0, phase=Phase.PREGAME)
    assert choose(BOARD, position, Tracks(), "A", Draws(), all_fanatics("ABCDE")) == m.Sheet()


# --- a Gamesmaster who has the magazine ---


def test_a_pack_may_correct_a_cell_and_the_board_then_plays_differently() -> None:
    board = load_text('[priorities]\n"red.white" = ["green", "red", ""]')
    assert board.fanatic.priorities["red"] != BOARD.fanatic.priorities["red"]
    assert [units for units, _ in board.fanatic.priorities["red"]] == ["green", "red", "white", "blue"]
    assert board.known_by("priorities.red.white") == "gamesmaster"
    assert BOARD.known_by("priorities.red.white") == "conjecture"
    assert board.digest != BOARD.digest


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[priorities]\n"red.blue" = ["white", "", ""]', "may not attack"),
        ('[priorities]\n"pink.blue" = ["red", "", ""]', "must be named after an outlook"),
        ('[priorities]\n"red.blue" = ["red"]', "needs 3 texts"),
        ('[strategies]\n1 = { attacks = 1, odds = "1-2" }', "1-1 or better"),
        ('[strategies]\n7 = { attacks = 1, odds = "1-1" }', "no roll gives this row"),
        ('[vindictive]\n1 = "the neighbour"', "is none of"),
        ('[fanatic]\nbackfire = "some"', "must be one of"),
    ],
)
def test_a_pack_that_no_fanatic_could_play_by_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BoardError, match=complaint):
        load_text(text)


def test_the_orders_are_written_in_the_ordinary_language() -> None:
    sheet = choose(BOARD, POSITION, FROM_BEST_TO_WORST, "A", Draws({"A/strategy": 4}), all_fanatics("A"))
    read = parse(BOARD, sheet.printed(), "ABCDE")
    assert read.problems == () and read.sheet == sheet
    assert sheet.printed().startswith("GIVE 1 PM TO C\n")


def test_fanatics_asked_together_order_what_each_would_alone() -> None:
    """Many draws on one Position share what no draw changes; the sheets are the same as one by one."""
    seats = all_fanatics("ABCDE")
    for phase in (Phase.FIRST, Phase.SECOND):
        position = random_position(BOARD, Random(8), tuple("ABCDE"), phase)
        known = begun(BOARD, position)
        together = Fanatics(BOARD, position, known, seats)
        for number in range(12):
            chance = ProvableChance(bytes(16), "together", 1, phase, str(number))
            alone = {p: choose(BOARD, position, known, p, chance, seats) for p in seats}
            assert together.sheets(chance) == alone
