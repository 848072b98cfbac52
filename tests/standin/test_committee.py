"""Purges by committees of fanatics (A9), and the execution of the Czar (A12.2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gm.adjudicator.outcome import ExecutionOrdered, PurgeRolled
from gm.adjudicator.sequence import adjudicate
from gm.orders import kinds as m
from gm.position import Position
from gm.standin.choose import choose
from gm.standin.fanatic.committee import Conspiracy, conspiracies
from gm.standin.strategy import Seats, Style
from gm.standin.tracks import Rolled, Tracks
from tests.standin.draws import BOARD, Draws, all_fanatics, luck, stands, tracks
from tests.support import load_text

LISTING = """
A  PETR: RL3 Lenin, RU8 PETR
A  PSKO: RL1 Sablin
B  TVER: RL3 Trotsky, RU8 TVER
C  NOVG: RL2 Tukhachevsky, RU8 NOVG
D  SMOL: RL2 Zinoviev
E  KURS: RL2 Voroshilov, RU6 KURS; RL1 Stalin
A  BOX: 4 PM
B  BOX: 3 PM
C  BOX: 3 PM
D  BOX: 3 PM
E  BOX: 2 PM
"""
POSITION = stands(LISTING)
EVEN = tracks(**{a + b: 4 for a in "ABCDE" for b in "ABCDE" if a < b} | {"AB": 2, "AE": 6})
PURGES, RESTS = Rolled(4), Rolled(2)
FANATICS = all_fanatics("ABCDE")


def plots(
    dice: dict[str, int], seats: Seats = FANATICS, position: Position = POSITION, known: Tracks = EVEN, board=BOARD
) -> list[Conspiracy]:
    rolled = {p: PURGES if p == "A" else RESTS for p in seats if seats[p] is Style.FANATIC}
    return conspiracies(board, position, known, Draws(dice), seats, rolled)


def test_who_joins_is_whose_die_reaches_the_track() -> None:
    """A gives a marker to C, the second friendliest, which warms C from 4 to 2; D rolls a 3 against 4."""
    (plot,) = plots({"A/committee/B": 2, "A/committee/C": 2, "A/committee/D": 3, "A/committee/E": 6})
    assert plot.members == ("A", "B", "C", "E")
    assert plot.object == "D"
    assert plot.markers == {"A": 3, "B": 3, "C": 4, "E": 2}


def test_the_object_is_the_worst_enemy_who_is_not_on_the_committee() -> None:
    (plot,) = plots({"A/committee/B": 6, "A/committee/C": 6, "A/committee/D": 1, "A/committee/E": 1})
    assert (plot.members, plot.object) == (("A", "B", "C"), "E")


def test_if_everybody_joins_nobody_is_purged() -> None:
    assert plots({f"A/committee/{p}": 6 for p in "BCDE"}) == []


def test_a_committee_without_eight_markers_gives_way_to_the_others_who_purge_its_founder() -> None:
    (plot,) = plots({f"A/committee/{p}": 1 for p in "BCDE"})
    assert (plot.initiator, plot.members, plot.object) == ("A", ("B", "C", "D", "E"), "A")


def test_a_pack_can_leave_the_answer_to_the_hostile() -> None:
    board = load_text('[fanatic]\nbackfire = "hostile"')
    dice = {f"A/committee/{p}": 1 for p in "BCDE"}
    assert plots({**dice, **{f"A/backfire/{p}": 6 for p in "BCD"}, "A/backfire/E": 6}, board=board) == []
    (plot,) = plots({**dice, **{f"A/backfire/{p}": 2 for p in "BCDE"}}, board=board)
    assert plot.object == "A"


@pytest.mark.parametrize(("die", "separately"), [(1, True), (2, True), (3, False), (6, False)])
def test_from_three_on_the_committee_purges_together(die: int, separately: bool) -> None:
    (plot,) = plots({"A/committee/B": 6, "A/committee/C": 6, "A/together": die})
    assert plot.separately is separately


def orders(seat: str, dice: dict[str, int], seats: Seats = FANATICS) -> list[str]:
    draws = Draws({**{f"{p}/strategy": 2 for p in "BCDE"}, "A/strategy": 4, **dice})
    sheet = choose(BOARD, POSITION, EVEN, seat, draws, seats)
    return [o.printed() for o in sheet.orders if isinstance(o, m.Purge | m.Counterpurge)]


TOGETHER = {"A/committee/B": 6, "A/committee/C": 6, "A/committee/D": 1, "A/committee/E": 1}


def test_every_member_files_an_order_that_agrees_with_the_others() -> None:
    ending = "DIVIDE A 1, B 1, C 1 TAKING Voroshilov, Stalin"
    assert orders("A", TOGETHER)[0] == f"PURGE E WITH B, C USING 3 PM {ending}"
    assert orders("B", TOGETHER)[0] == f"PURGE E WITH A, C USING 3 PM {ending}"
    assert orders("C", TOGETHER)[0] == f"PURGE E WITH A, B USING 4 PM {ending}"
    assert orders("D", TOGETHER) == ["COUNTERPURGE STRONGEST"]


def test_the_victim_strikes_back_at_whoever_began_it() -> None:
    assert orders("E", TOGETHER) == ["COUNTERPURGE A IF PURGED BY A", "COUNTERPURGE STRONGEST"]


def test_a_founder_who_falls_victim_lets_the_dice_choose_whom_to_strike() -> None:
    draws = Draws({"A/strategy": 4, **{f"A/committee/{p}": 1 for p in "BCDE"}}, {"A/counterpurge": "D"})
    sheet = choose(BOARD, POSITION, EVEN, "A", draws, FANATICS)
    assert "COUNTERPURGE D IF PURGED BY D" in [o.printed() for o in sheet.orders]


@pytest.mark.parametrize(("die", "first"), [(1, "PM"), (2, "PM"), (3, "Voroshilov")])
def test_who_purges_alone_may_take_a_marker_before_a_leader(die: int, first: str) -> None:
    (purge, *_) = orders("A", {**TOGETHER, "A/together": 1, "A/spoils": die})
    assert f"TAKING {first}" in purge
    assert purge.endswith("SEPARATELY")


def test_people_are_on_no_committee_but_can_be_its_object() -> None:
    seats: Seats = {"A": Style.FANATIC, "B": Style.FANATIC, "C": Style.FANATIC}
    (plot,) = plots({f"A/committee/{p}": 6 for p in "BCDE"}, seats)
    assert (plot.members, plot.object) == (("A", "B", "C"), "E")


def test_a_commander_joins_what_other_stand_ins_agree_on_but_calls_no_committee() -> None:
    seats: Seats = {"A": Style.FANATIC, "B": Style.FANATIC, "C": Style.COMMANDER, "E": Style.COMMANDER}
    (plot,) = plots({f"A/committee/{p}": 6 for p in "BC"}, seats)
    assert (plot.members, plot.object) == (("A", "B", "C"), "E")
    draws = Draws({"A/strategy": 4, "B/strategy": 2, "A/committee/B": 6, "A/committee/C": 6, "A/committee/E": 1})
    sheet = choose(BOARD, POSITION, EVEN, "C", draws, seats, trials=0)
    (purge,) = [o for o in sheet.orders if isinstance(o, m.Purge)]
    assert purge.object == "E" and set(purge.partners) == {"A", "B"}


def test_nobody_is_in_two_purges_of_a_game_turn() -> None:
    rolled = dict.fromkeys("ABCDE", PURGES)
    dice = {f"{a}/committee/{b}": 6 for a in "ABCDE" for b in "ABCDE"} | {"A/committee/E": 1, "E/committee/D": 1}
    found = conspiracies(BOARD, POSITION, EVEN, Draws(dice), FANATICS, rolled)
    members = [p for plot in found for p in plot.members]
    assert len(members) == len(set(members))
    assert found[0].members == ("A", "B", "C", "D")


def test_the_adjudicator_takes_the_orders_for_a_purge() -> None:
    draws = Draws({**{f"{p}/strategy": 2 for p in "BCDE"}, "A/strategy": 4, **TOGETHER})
    sheets = {p: choose(BOARD, POSITION, EVEN, p, draws, FANATICS) for p in "ABCDE"}
    outcome = adjudicate(BOARD, POSITION, sheets, luck(1, POSITION))
    first = next(e for e in outcome.events if isinstance(e, PurgeRolled))
    assert (first.participants, first.object) == (("A", "B", "C"), "E")


CZAR = stands(
    """
    A  PETR: RL3 Lenin, RU8 PETR, CZAR
    A  NOVG: RL2 Tukhachevsky, RU8 NOVG
    A  SMOL: RL2 Zinoviev
    B  TVER: RL3 Trotsky
    C  KUBA: WL3 Denikin
    A  BOX: 6 PM
    B  BOX: 5 PM
    C  BOX: 4 PM
    """,
    turn=2,
    players="ABC",
)
FRIENDS = tracks(AB=2, AC=2, BC=2)


def executions(position: Position, seat: str, dice: dict[str, int]) -> list[str]:
    draws = Draws({"A/strategy": 2, "B/strategy": 2, "C/strategy": 2, **dice})
    sheet = choose(BOARD, position, FRIENDS, seat, draws, all_fanatics("ABC"))
    return [o.printed() for o in sheet.orders if isinstance(o, m.Execute | m.Comply | m.RefuseExecution)]


def test_a_red_player_has_the_czar_executed_if_ten_markers_agree_and_never_with_a_white_one() -> None:
    willing = {"A/execution/B": 6, "A/execution/C": 6}
    assert executions(CZAR, "A", willing) == ["COMPLY", "EXECUTE CZAR WITH B USING 6 PM"]
    assert executions(CZAR, "B", willing) == ["EXECUTE CZAR WITH A USING 5 PM"]
    assert executions(CZAR, "C", willing) == []
    assert executions(CZAR, "A", {"A/execution/B": 1}) == ["COMPLY"]


def test_not_in_the_first_game_turn() -> None:
    assert executions(replace(CZAR, turn=1), "A", {"A/execution/B": 6}) == ["COMPLY"]


def test_the_czar_is_really_executed() -> None:
    draws = Draws({"A/strategy": 2, "B/strategy": 2, "C/strategy": 2, "A/execution/B": 6})
    sheets = {p: choose(BOARD, CZAR, FRIENDS, p, draws, all_fanatics("ABC")) for p in "ABC"}
    outcome = adjudicate(BOARD, CZAR, sheets, luck(1, CZAR))
    assert [e.answer for e in outcome.events if isinstance(e, ExecutionOrdered)] == ["complied"]
