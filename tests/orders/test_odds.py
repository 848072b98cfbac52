"""What an attack comes to before the die is rolled, for the receipt, the desk and the adjudicator alike."""

from __future__ import annotations

import pytest

from gm.orders.rules.odds import Prospect, column_of, odds, prospects, results_of
from gm.position import Phase
from tests.orders.samples import BOARD, position, read

TVER = position(
    "A TVER: RL1 Sytin, RU2 KAZA\nA RYAZ: RL3 Lenin, RU8 PETR\nB TVER: WL1 Sidorin, WU3 OMSK\n", phase=Phase.SECOND
)


def foreseen(text: str) -> dict[int, Prospect]:
    return prospects(BOARD, TVER, "A", read(text).sheet.orders)


@pytest.mark.parametrize(
    ("attack", "defence", "label"),
    [(13, 4, "3-1"), (3, 4, "1-2"), (4, 4, "1-1"), (2, 4, "1-2"), (1, 4, None), (1, 3, None), (30, 4, "7-1")],
)
def test_odds_are_rounded_in_the_defenders_favour(attack: int, defence: int, label: str | None) -> None:
    assert odds(attack, defence) == label


def test_odds_beyond_the_table_use_its_last_column() -> None:
    assert column_of(BOARD, "7-1") == "6-1"
    assert results_of(BOARD, "7-1") == results_of(BOARD, "6-1")


def test_a_stack_of_another_province_is_left_out_and_adds_nothing() -> None:
    """Lenin in RYAZ does not make 14:4 of an attack in TVER."""
    prospect = foreseen("ATTACK Sidorin IN TVER WITH Sytin, Lenin")[1]
    assert (prospect.attack, prospect.defence, prospect.odds) == (3, 4, "1-2")
    assert [(left.named.one.name, left.code) for left in prospect.left_out] == [("Lenin", "not-in-province")]
    assert prospect.refusal is None


def test_a_stack_attacks_once_and_a_player_attacks_a_stack_once() -> None:
    found = foreseen("ATTACK Sidorin IN TVER WITH Sytin\nATTACK WU3 OMSK IN TVER WITH Sytin")
    assert found[1].refusal is None
    assert found[2].refusal == "left-out"
    assert [left.code for left in found[2].left_out] == ["attacked-already"]


def test_an_attack_with_nobody_or_on_nobody_rolls_no_die() -> None:
    found = foreseen("ATTACK Sidorin IN TVER WITH Lenin\nATTACK Sidorin IN RYAZ WITH Lenin\nMOVE Lenin: RYAZ-TULA")
    assert {n: (p.refusal, p.odds) for n, p in found.items()} == {
        1: ("left-out", None),
        2: ("target-not-there", None),
    }
