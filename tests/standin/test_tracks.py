"""Political Identity and Cooperation (A1-A4): the article's tables and examples, and those of The Bell #1."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from gm.adjudicator.outcome import AssassinationTried, Fought, PurgeRolled, Traded
from gm.adjudicator.sequence import adjudicate
from gm.cases.reader import read_cases
from gm.orders.kinds import Goods
from gm.orders.parser import parse
from gm.position import Phase, Position, Stack
from gm.standin.record import PlayedPhase, tracks_after
from gm.standin.tracks import Outlook, Tracks, advance, begun, leadership, outlook, outlook_at, ranked, tracks_of
from tests.standin.draws import BOARD, Draws, stands, tracks

CASES = Path(__file__).parent.parent / "cases" / "published" / "bell.case"
RED, WHITE, UNDECIDED = Outlook.RED, Outlook.WHITE, Outlook.UNDECIDED


@cache
def bells() -> list:
    """The outcomes of the game of 1976, Bell by Bell."""
    cases = {case.id: case for case in read_cases(BOARD, [CASES])}
    position, found = Position(players=tuple("ABCDE"), phase=Phase.SETUP), []
    for name in ("bell-1", "bell-2", "bell-3", "bell-4"):
        sheets = {p: parse(BOARD, text, "ABCDE").sheet for p, text in cases[name].orders.items()}
        found.append(adjudicate(BOARD, position, sheets, cases[name].luck.chance()))
        position = found[-1].after
    return found


@pytest.mark.parametrize(
    ("turn", "white", "undecided", "red"),
    [(1, 0, 5, 6), (2, 0, 4, 5), (3, 0, 3, 4), (4, 0, 2, 3), (5, 0, 1, 2), (6, 0, None, 1), (9, 0, None, 1)],
)
def test_the_room_of_the_undecided_shrinks_by_a_column_every_game_turn(
    turn: int, white: int, undecided: int | None, red: int
) -> None:
    assert outlook_at(white, turn) is WHITE
    assert outlook_at(white + 1, turn) is (UNDECIDED if undecided else RED)
    assert undecided is None or outlook_at(undecided, turn) is UNDECIDED
    assert outlook_at(red, turn) is RED


@pytest.mark.parametrize(
    ("bell", "expected"),
    [
        (1, {"A": (12, 2, RED), "B": (9, 3, RED), "C": (5, 9, WHITE), "D": (5, 6, WHITE), "E": (9, 5, UNDECIDED)}),
        (2, {"A": (12, 2, RED), "B": (9, 3, RED), "C": (1, 16, WHITE), "D": (9, 2, RED), "E": (9, 2, RED)}),
    ],
)
def test_the_outlooks_of_the_bell_before_and_after_its_trades(
    bell: int, expected: dict[str, tuple[int, int, Outlook]]
) -> None:
    position = bells()[bell - 1].after
    found = {p: (*leadership(position, p), outlook(BOARD, position, p)) for p in "ABCDE"}
    assert found == expected


def test_the_tracks_of_the_bell_begin_by_outlook_alone() -> None:
    """Bell #1: A and B Red, C and D White, E Undecided. After the trades all but C are Red."""
    dealt = begun(BOARD, bells()[0].after)
    assert [dealt.between(*pair) for pair in ("AB", "CD", "AC", "BD", "AE", "CE")] == [2, 2, 5, 5, 3, 3]
    traded = tracks_of(BOARD, bells()[:2])
    assert {pair: value for pair, value in traded.cooperation.items() if value != 2} == {
        ("A", "C"): 5,
        ("B", "C"): 5,
        ("C", "D"): 5,
        ("C", "E"): 5,
    }


def test_the_articles_own_example_of_a_first_setting() -> None:
    """A and C Red, B and E Undecided, D White."""
    listing = """
    A  PETR: RL3 Lenin
    A  SMOL: RL2 Zinoviev
    A  PSKO: RL1 Sablin
    B  KALU: RL1 Kalinin
    C  TVER: RL3 Trotsky
    C  NOVG: RL2 Tukhachevsky
    C  TULA: RL1 Kamenev
    D  KUBA: WL3 Denikin
    E  KAZA: RL1 Markin
    """
    found = begun(BOARD, stands(listing)).cooperation
    expected = {"AB": 3, "AC": 2, "AD": 5, "AE": 3, "BC": 3, "BD": 3, "BE": 2, "CD": 5, "CE": 3, "DE": 3}
    assert found == {(pair[0], pair[1]): value for pair, value in expected.items()}


LENIN = next(p for p in BOARD.leaders if p.name == "Lenin")


def fought(by: str, owner: str | None) -> Fought:
    target = Stack("PETR", owner, (LENIN,))
    data = {"attackers": (), "defender": target, "attack": 3, "defence": 3, "odds": "1-1", "die": 3, "result": "Ex"}
    return Fought(player=by, number=1, province="PETR", subversion=False, **data)


def tried(by: str, owner: str, success: bool) -> AssassinationTried:
    data = {"province": "PETR", "markers": 1, "dice": 7, "total": 4}
    return AssassinationTried(player=by, number=1, target=LENIN, owner=owner, success=success, **data)


def purged(participants: str, object_: str, counter: bool = False) -> PurgeRolled:
    data = {"leadership": {}, "markers": {}, "strength": 9, "dice": 7, "result": "C"}
    return PurgeRolled(participants=tuple(participants), object=object_, counter=counter, **data)


def traded(given: Goods, returned: Goods | None = None) -> Traded:
    return Traded(giver="A", receiver="B", given=given, returned=returned)


@pytest.mark.parametrize(
    ("event", "start", "expected"),
    [
        (fought("A", "B"), 3, 4),
        (fought("B", "A"), 3, 4),
        (fought("A", "B"), 7, 7),
        (fought("A", None), 3, 3),
        (fought("A", "A"), 3, 3),
        (tried("A", "B", True), 3, 4),
        (tried("A", "B", False), 3, 4),
        (purged("A", "B"), 3, 4),
        (purged("AC", "B"), 3, 4),
        (purged("B", "A", counter=True), 3, 4),
        (traded(Goods(am=1)), 5, 4),
        (traded(Goods(pm=1)), 5, 3),
        (traded(Goods(pm=1), Goods(am=1)), 5, 2),
        (traded(Goods(pm=3)), 5, 2),
    ],
)
def test_acts_shift_the_track_between_whoever_acts_and_whom_it_meets(event, start: int, expected: int) -> None:
    outcome = replace(bells()[2], events=(event,))
    after = advance(BOARD, tracks(AB=start, AC=3, BC=3), outcome)
    assert after.between("A", "B") == after.between("B", "A") == expected


def test_a_committee_makes_an_enemy_of_each_of_its_members() -> None:
    outcome = replace(bells()[2], events=(purged("AC", "B"),))
    after = advance(BOARD, tracks(AB=3, AC=3, BC=3), outcome)
    assert [after.between(*pair) for pair in ("AB", "BC", "AC")] == [4, 4, 3]


def test_a_change_of_outlook_alone_shifts_nothing() -> None:
    before = tracks_of(BOARD, bells()[:2])
    nothing = replace(bells()[2], events=())
    assert advance(BOARD, before, nothing).cooperation == before.cooperation


def test_a_game_that_was_taken_over_begins_with_the_positions_that_it_was_taken_over_with() -> None:
    """Bell #3 said of two who had done nothing to each other that they stood otherwise than in #2."""
    first = bells()[2]
    known = advance(BOARD, begun(BOARD, first.before), first)
    assert advance(BOARD, Tracks(), first).cooperation == known.cooperation
    assert tracks_after(BOARD, [PlayedPhase(first, {}, Draws())]) == advance(BOARD, Tracks(), first)
    assert tracks_after(BOARD, [PlayedPhase(first, {}, Draws())], version=1) == begun(BOARD, first.after), "as it was"


def test_equals_on_the_track_are_ranked_by_a_draw_and_the_rest_by_the_track() -> None:
    position = bells()[1].after
    order = ranked(position, tracks(AB=3, AC=2, AD=7, AE=3), "A", Draws())
    assert list(order) == ["C", "B", "E", "D"]


def test_without_a_history_nobody_knows_anything() -> None:
    assert Tracks().between("A", "B") == 3
