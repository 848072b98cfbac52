"""The Attack Priority Table (A7) with the article's worked example, and Attack Consideration (A8)."""

from __future__ import annotations

import pytest

from gm.board.model import Color
from gm.orders import kinds as m
from gm.position import Phase
from gm.standin.choose import choose
from gm.standin.fanatic.attacks import priorities
from gm.standin.tracks import Outlook, Rolled, Tracks
from tests.standin.draws import BOARD, Draws, all_fanatics, stands

RED, WHITE, GREEN, BLUE = Color.RED, Color.WHITE, Color.GREEN, Color.BLUE


@pytest.mark.parametrize(
    ("outlook", "expected"),
    [
        (  # the article's example, attack by attack
            Outlook.WHITE,
            "blue-red green-red white-red red-green white-green red-blue green-white red-white",
        ),
        (Outlook.RED, "green-white red-white red-blue white-green red-green blue-red green-red white-red"),
        (Outlook.UNDECIDED, "red-blue red-green white-green green-red green-white blue-red red-white white-red"),
    ],
)
def test_the_order_in_which_units_look_for_targets(outlook: Outlook, expected: str) -> None:
    assert " ".join(f"{mine}-{theirs}" for mine, theirs in priorities(BOARD, outlook)) == expected


def attacks(listing: str, strategy: int, seat: str = "A", **dice: int) -> list[str]:
    """What a seat attacks in the Second Phase with a strategy, all relations at their worst unless told."""
    position = stands(listing, phase=Phase.SECOND, players="ABC")
    cooperation = {("A", "B"): 7, ("A", "C"): 7, ("B", "C"): 7}
    known = Tracks(cooperation, {seat: Rolled(strategy)})
    draws = Draws({f"{seat}/{key.replace('_', '/')}": value for key, value in dice.items()})
    sheet = choose(BOARD, position, known, seat, draws, all_fanatics(seat))
    return [o.printed() for o in sheet.orders if isinstance(o, m.Attack | m.Subvert)]


FRONT = """
A  KUBA: WL3 Denikin, WU4 KUBA
A  KHAR: WL1 May-Maevsky, WU6 KHAR
B  KUBA: RL1 Sablin
B  KHAR: GU2 KHAR
B  BOX: UK control
"""


def test_a_white_players_white_units_attack_red_before_green() -> None:
    assert attacks(FRONT, 2) == [
        "ATTACK Sablin IN KUBA WITH Denikin",
        "ATTACK GU2 KHAR IN KHAR WITH May-Maevsky",
    ]


def test_no_more_attacks_than_the_strategy_asks_for() -> None:
    assert attacks(FRONT, 1) == ["ATTACK Sablin IN KUBA WITH Denikin"]


def test_no_attack_below_the_least_odds() -> None:
    even = "A  KUBA: WL3 Denikin, WU4 KUBA\nB  KUBA: RL2 Zinoviev, RU4 TULA"
    assert attacks(even, 3) == ["ATTACK Zinoviev IN KUBA WITH Denikin"]
    assert attacks(even, 2) == []


def test_stacks_are_combined_for_the_highest_odds_and_no_more_than_needed() -> None:
    together = """
    A  KUBA: WL3 Denikin, WU4 KUBA; WL1 Kutepov, WU4 TAUR; WL1 Sidorin
    B  KUBA: RL2 Zinoviev
    """
    assert attacks(together, 2) == ["ATTACK Zinoviev IN KUBA WITH Denikin, Kutepov"]


def test_the_escort_of_the_gold_attacks_only_at_three_to_one() -> None:
    escort = "A  KUBA: WL3 Denikin, WU4 KUBA, GOLD\nB  KUBA: RL2 Zinoviev, RU{} {}"
    assert attacks(escort.format("2", "KAZA"), 3) == []
    assert attacks("A  KUBA: WL3 Denikin, WU4 KUBA, GOLD\nB  KUBA: RL2 Zinoviev", 3) != []


def test_nobodys_units_are_targets_of_their_colour_and_nobody_is_consulted_about_them() -> None:
    alone = "A  KUBA: WL3 Denikin, WU4 KUBA\n-  KUBA: RU2 KAZA"
    assert attacks(alone, 2, consideration_1=6) == ["ATTACK RU2 KAZA IN KUBA WITH Denikin"]


def test_ones_own_units_are_no_targets() -> None:
    assert attacks("A  KUBA: WL3 Denikin, WU4 KUBA; RL1 Sablin", 2) == []


def test_red_units_of_a_red_player_subvert_blue_ones_next_door() -> None:
    agitators = "A  PSKO: RL3 Lenin, RU8 PETR\nA  TVER: RL3 Trotsky\n-  LIVO: BU2 VITE/GE"
    assert attacks(agitators, 2) == ["SUBVERT BU2 VITE/GE IN LIVO WITH Lenin"]


@pytest.mark.parametrize("track", range(2, 8))
def test_an_attack_on_somebody_happens_if_the_die_is_no_higher_than_the_track(track: int) -> None:
    position = stands("A  KUBA: WL3 Denikin, WU4 KUBA\nB  KUBA: RL1 Sablin", phase=Phase.SECOND, players="AB")
    known = Tracks({("A", "B"): track}, {"A": Rolled(2)})
    for die in range(1, 7):
        sheet = choose(BOARD, position, known, "A", Draws({"A/consideration/1": die}), all_fanatics("A"))
        assert any(isinstance(o, m.Attack) for o in sheet.orders) is (die <= track)


def test_each_attack_makes_the_next_on_the_same_player_easier() -> None:
    """3 at a track of 3 happens and moves it to 4, so that a 4 happens too; had the first not, neither would."""
    position = stands(FRONT, phase=Phase.SECOND, players="ABC")
    known = Tracks({("A", "B"): 3, ("A", "C"): 2, ("B", "C"): 2}, {"A": Rolled(2)})

    def number(first: int, second: int) -> int:
        draws = Draws({"A/consideration/1": first, "A/consideration/2": second})
        sheet = choose(BOARD, position, known, "A", draws, all_fanatics("A"))
        return sum(isinstance(o, m.Attack) for o in sheet.orders)

    assert [number(3, 4), number(4, 4), number(3, 5)] == [2, 0, 1]


def test_a_vindictive_player_strikes_only_one_other_and_is_never_talked_out_of_it() -> None:
    listing = FRONT + "C  KHAR: RL1 Kamenev\n"
    position = stands(listing, phase=Phase.SECOND, players="ABC")
    known = Tracks({("A", "B"): 2, ("A", "C"): 2, ("B", "C"): 2}, {"A": Rolled(6, "C")})
    sheet = choose(BOARD, position, known, "A", Draws({"A/consideration/1": 6}), all_fanatics("A"))
    found = [o.printed() for o in sheet.orders if isinstance(o, m.Attack)]
    assert found == ["ATTACK Kamenev IN KHAR WITH May-Maevsky"]


def test_a_grudge_against_the_holder_of_the_gold_begins_with_the_gold() -> None:
    listing = """
    A  KUBA: WL3 Denikin, WU4 KUBA; WL1 Kutepov, WU4 TAUR
    B  KUBA: RL1 Sablin, RU4 TULA, GOLD; RL1 Kamenev
    """
    position = stands(listing, phase=Phase.SECOND, players="AB")
    known = Tracks({("A", "B"): 2}, {"A": Rolled(6, "B", "Gold")})
    sheet = choose(BOARD, position, known, "A", Draws(), all_fanatics("A"))
    first = next(o.printed() for o in sheet.orders if isinstance(o, m.Attack))
    assert first == "ATTACK Sablin IN KUBA WITH Denikin, Kutepov"


def test_in_the_first_phase_forces_move_to_what_they_mean_to_attack() -> None:
    listing = "A  KUBA: WL3 Denikin, WU4 KUBA\nB  DCOS: RL1 Sablin"
    position = stands(listing, players="AB")
    sheet = choose(BOARD, position, Tracks({("A", "B"): 5}), "A", Draws({"A/strategy": 2}), all_fanatics("A"))
    assert sheet.orders[0].printed() == "MOVE Denikin, WU4 KUBA: KUBA-DCOS"
