"""Assassinations (A10), and what forces do that have nobody to attack (A12)."""

from __future__ import annotations

import pytest

from gm.orders import kinds as m
from gm.position import Phase, Position
from gm.standin.choose import choose
from gm.standin.tracks import Tracks
from tests.standin.draws import BOARD, Draws, all_fanatics, stands, tracks

TARGETS = """
A  KALU: RL1 Kalinin
A  TULA: RL1 Kamenev
B  PETR: RL3 Lenin
B  SMOL: RL2 Zinoviev, RU6 SMOL
B  NOVG: RL2 Tukhachevsky
B  PSKO: RL1 Sablin
C  TVER: RL3 Trotsky
A  BOX: {} AM
"""
HOSTILE = tracks(AB=7, AC=2, BC=3)


def orders(position: Position, known: Tracks, strategy: int = 2, seat: str = "A", **dice: int) -> list[str]:
    draws = Draws({f"{seat}/strategy": strategy, **dice})
    return [o.printed() for o in choose(BOARD, position, known, seat, draws, all_fanatics(seat)).orders]


def murders(position: Position, known: Tracks = HOSTILE, strategy: int = 3) -> list[str]:
    return [o for o in orders(position, known, strategy) if o.startswith("ASSASSINATE")]


@pytest.mark.parametrize(
    ("markers", "expected"),
    [
        (0, []),
        (1, ["ASSASSINATE Sablin WITH 1"]),
        (2, ["ASSASSINATE Zinoviev WITH 2"]),
        (3, ["ASSASSINATE Lenin WITH 3"]),
        (5, ["ASSASSINATE Lenin WITH 3"]),
    ],
)
def test_the_markers_decide_the_level_and_the_command_decides_between_equals(markers: int, expected: list[str]) -> None:
    listing = TARGETS.format(markers) if markers else TARGETS.replace("A  BOX: {} AM\n", "")
    assert murders(stands(listing, players="ABC")) == expected


@pytest.mark.parametrize(
    ("markers", "gone", "expected"),
    [
        (1, ["PSKO"], "Zinoviev"),
        (1, ["PSKO", "SMOL", "NOVG"], "Lenin"),
        (2, ["SMOL", "NOVG"], "Lenin"),
        (2, ["SMOL", "NOVG", "PETR"], "Sablin"),
        (3, ["PETR"], "Zinoviev"),
        (3, ["PETR", "SMOL", "NOVG"], "Sablin"),
    ],
)
def test_where_nobody_of_the_level_is_left_the_next_level_is_looked_for(
    markers: int, gone: list[str], expected: str
) -> None:
    lines = TARGETS.format(markers).splitlines()
    listing = "\n".join(line for line in lines if not any(f"B  {place}:" in line for place in gone))
    assert murders(stands(listing, players="ABC")) == [f"ASSASSINATE {expected} WITH {markers}"]


def test_only_the_worst_enemy_is_meant() -> None:
    assert murders(stands(TARGETS.format(3), players="ABC"), tracks(AB=2, AC=7, BC=3)) == ["ASSASSINATE Trotsky WITH 3"]


@pytest.mark.parametrize("strategy", [1, 2, 4, 6])
def test_other_strategies_know_no_assassins(strategy: int) -> None:
    assert murders(stands(TARGETS.format(3), players="ABC"), strategy=strategy) == []


def test_a_leader_with_nothing_else_to_do_goes_to_where_the_target_stands() -> None:
    found = orders(stands(TARGETS.format(1), players="ABC"), HOSTILE, strategy=3)
    assert [o for o in found if o.endswith("-PSKO")] == ["MOVE Kamenev: TULA-TVER-PSKO"]


def test_a_target_that_nobody_can_reach_is_named_all_the_same() -> None:
    listing = "A  VLAD: RL1 Kalinin\n-  IRKU: GU2 IRKU\n-  BLAG: GU2 CHIT\nB  PSKO: RL1 Sablin\nA  BOX: 1 AM"
    assert murders(stands(listing, players="AB"), tracks(AB=5)) == ["ASSASSINATE Sablin WITH 1"]


# --- policies by their printed numbers ---

ALONE = tracks(AB=2)
WHITE = "A  KUBA: WL3 Denikin, WU4 KUBA\nB  PETR: RL3 Lenin\n"


def test_1_a_white_players_czechs_leave_by_vladivostok() -> None:
    listing = WHITE + "A  VLAD: BU3 CHEL/CZ\nA  BOX: CZ control"
    assert "EXIT BU3 CHEL/CZ" in orders(stands(listing, players="AB"), ALONE)
    red = "A  PETR: RL3 Lenin\nA  NOVG: RL2 Tukhachevsky\nA  TVER: RL3 Trotsky\n" + listing.partition("\n")[2]
    red = red.replace("B  PETR: RL3 Lenin", "B  KUBA: WL3 Denikin")
    assert not any(o.startswith("EXIT") for o in orders(stands(red, players="AB"), ALONE))


def test_1_a_white_players_czar_emigrates_from_the_nearest_port() -> None:
    found = orders(stands("A  TAUR: WL3 Denikin, CZAR\nB  PETR: RL3 Lenin", players="AB"), ALONE)
    assert "EMIGRATE Czar FROM TAUR" in found


def test_3_the_gold_keeps_away_from_enemies() -> None:
    listing = "A  KUBA: WL3 Denikin, GOLD\nB  DCOS: RL3 Lenin, RU8 PETR; RL3 Trotsky, RU8 TVER"
    (move, *_) = orders(stands(listing, players="AB"), ALONE)
    assert move.startswith("MOVE Denikin, Gold: KUBA-")
    goal = move.rpartition("-")[2]
    assert goal not in BOARD.borders["DCOS"] and goal != "DCOS"


def test_4_the_gold_steals_green_units() -> None:
    listing = "A  OMSK: WL2 Kolchak, GOLD\nB  OMSK: GU2 IRKU\nB  BOX: SB control\nB  PETR: RL3 Lenin"
    for phase in (Phase.FIRST, Phase.SECOND):
        found = orders(stands(listing, players="AB", phase=phase), ALONE)
        assert "SEIZE GU2 IRKU WITH Kolchak" in found


def test_5_leaders_in_one_province_stack_as_section_22_says() -> None:
    listing = "A  NOVG: RL2 Tukhachevsky; RL1 Kamenev, RU4 TULA\n-  NOVG: RU8 NOVG\nB  KUBA: WL3 Denikin"
    found = orders(stands(listing, players="AB"), ALONE)
    assert any("Kamenev, Tukhachevsky, RU8 NOVG, RU4 TULA" in o for o in found), found


def test_5_units_without_a_leader_are_fetched() -> None:
    found = orders(stands("A  NOVG: RL2 Tukhachevsky\n-  TULA: RU4 TULA\nB  KUBA: WL3 Denikin", players="AB"), ALONE)
    assert any("TULA(+RU4 TULA)" in o for o in found), found


def test_6_a_red_player_garrisons_the_capitals() -> None:
    listing = "A  SMOL: RL3 Lenin, RU8 PETR\nA  KALU: RL3 Trotsky, RU8 TVER\nB  VLAD: RL1 Kikvidze"
    found = orders(stands(listing, turn=6, players="AB"), ALONE)
    goals = {o.rpartition("-")[2] for o in found if o.startswith("MOVE")}
    assert goals == {"PETR", "TVER"}


def test_7_white_units_garrison_where_white_units_come_back() -> None:
    listing = "A  DCOS: WL3 Denikin, WU8 DCOS\nB  VLAD: WL1 Dieterichs\nB  BOX: WU4 KUBA"
    found = orders(stands(listing, players="AB"), ALONE)
    assert "MOVE Denikin, WU8 DCOS: DCOS-KUBA" in found


def test_10_who_has_nothing_on_the_map_orders_nothing_there() -> None:
    assert orders(stands("B  PETR: RL3 Lenin", players="AB"), ALONE) == ["COUNTERPURGE STRONGEST"]


@pytest.mark.parametrize(
    ("listing", "expected"), [("A  PETR: RL3 Lenin", True), ("A  KUBA: WL3 Denikin", False)], ids=["red", "white"]
)
def test_a_red_player_votes_for_the_end_and_others_do_not(listing: str, expected: bool) -> None:
    position = stands(listing + "\nB  TVER: RL3 Trotsky", turn=6, players="AB")
    sheet = choose(BOARD, position, ALONE, "A", Draws({"A/strategy": 2}), all_fanatics("A"))
    assert (m.Vote(end=True) in sheet.orders) is expected
