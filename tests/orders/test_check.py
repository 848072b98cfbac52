"""The checker: what it says about trades, stacks, Imperial units, assassins and committees."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.orders import kinds as m
from gm.orders.check.checker import check, unordered
from gm.orders.problems import Problem, Severity
from gm.orders.receipt import on_file_sentence, receipt_text, review
from gm.orders.wording import words_for
from gm.position import Phase, Position
from tests.orders.samples import BOARD, PLAYERS, position, read, sheets
from tests.strategies import positions
from tests.support import examples

STANDS = """
A  PETR: RL3 Lenin, RU8 PETR
A  TULA: RL1 Kamenev, RL1 Sorokin, RU4 TULA
A  OMSK: WL2 Kolchak, WU3 OMSK, GOLD
A  KHER: WL1 Kappel
B  EKAT: RL1 Blucher, RU2 EKAT, CZAR
B  OMSK: GU2 IRKU
B  TVER: RL3 Trotsky, RU8 TVER
C  VLAD: BU3 CHEL/CZ
-  OMSK: GU2 CHIT
-  TULA: RU3 KALU
A  BOX: 4 PM
B  BOX: 5 PM, 2 AM
C  BOX: 6 PM, CZ control
"""
FIRST = position(STANDS)
SECOND = position(STANDS, phase=Phase.SECOND)
PREGAME = position(STANDS, turn=0, phase=Phase.PREGAME)


def said(text: str, stands: Position = FIRST, player: str = "A") -> list[tuple[int, str, str]]:
    parsed = read(text)
    assert parsed.problems == ()
    return [(p.order, p.code, p.severity.value) for p in check(BOARD, stands, player, parsed.sheet)]


def codes(text: str, stands: Position = FIRST, player: str = "A") -> list[str]:
    return [code for _, code, severity in said(text, stands, player) if severity != "note"]


def test_a_sound_sheet_has_nothing_said_against_it() -> None:
    assert said("MOVE Lenin, RU8 PETR: PETR-PSKO\nATTACH RU3 KALU TO Kamenev\nGIVE 1 PM TO B\nVOTE CONTINUE") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("GIVE 3 PM TO B\nGIVE 2 PM TO C", "cannot-pay"),
        ("GIVE 1 AM TO B", "cannot-pay"),
        ("GIVE 1 PM TO B FOR 3 AM", "other-cannot-pay"),
        ("GIVE 3 PM TO B FOR 1 AM\nGIVE 2 PM TO C", "perhaps-cannot-pay"),
        ("GIVE Lenin TO B", "leaders-only-before"),
        ("ACCEPT Trotsky FROM B", "wrong-phase"),
        ("REFUSE GIFTS FROM A", "not-a-partner"),
        ("SEIZE GU2 CHIT WITH Kolchak", "not-anothers"),
        ("SEIZE GU2 IRKU WITH Lenin", "no-gold"),
        ("SEIZE RU2 EKAT WITH Kolchak", "not-there"),
        ("SEIZE GU2 IRKU WITH Blucher", "not-his"),
        ("MOVE RU8 PETR: PETR-PSKO", "no-mover"),
        ("MOVE BU3 CHEL/CZ: VLAD-BLAG", "not-his"),
        ("MOVE Lenin: PETR-PSKO(-RU8 PETR)", "not-in-force"),
        ("MOVE Lenin: PETR", "nowhere"),
        ("MOVE Kamenev, RU4 TULA, RU3 KALU: TULA-KALU", "over-capacity"),
        ("MOVE Lenin: PETR-PSKO\nMOVE Lenin: PETR-NOVG", "moved-already"),
        ("MOVE Lenin: PETR-PSKO", "left-behind"),
        ("STACK PETR: Lenin, Kamenev", "stack-missing"),
        ("STACK TULA: Kamenev, RU3 KALU", "not-his"),
        ("STACK TULA: Kamenev, RU4 TULA\nSTACK TULA: Sorokin, RU4 TULA", "stacked-twice"),
        ("EMIGRATE Gold FROM KHER", "no-imperial"),
        ("EMIGRATE Gold FROM OMSK", "no-port"),
        ("EMIGRATE Czar FROM KHER", "no-imperial"),
        ("EXIT BU3 CHEL/CZ", "not-his"),
        ("ASSASSINATE Trotsky WITH ALL", "no-markers"),
        ("ASSASSINATE Denikin WITH 1", "no-target"),
        ("PURGE B WITH B USING 4 PM DIVIDE A 1, B 1", "committee-member"),
        ("PURGE B WITH C USING 4 PM DIVIDE A 1, D 1", "division-stranger"),
        ("PURGE B WITH C USING 6 PM DIVIDE A 1, C 1", "more-than-held"),
        ("PURGE B WITH C USING 4 PM DIVIDE A 1, C 1 TAKING Kolchak", "not-purgeable"),
        ("PURGE B WITH C USING 4 PM DIVIDE A 1, C 1 TAKING Lenin", "not-the-objects"),
        ("COUNTERPURGE A", "no-such-object"),
        ("EXECUTE CZAR USING 4 PM", "too-few-for-execution"),
        ("VOTE END\nVOTE CONTINUE", "contradiction"),
        ("COMPLY\nREFUSE EXECUTION", "contradiction"),
        ("RESIGN", "resigning"),
    ],
)
def test_what_cannot_be_done_is_said(text: str, code: str) -> None:
    assert code in codes(text)


def test_the_trade_step_comes_before_movement_so_what_is_seized_may_move_along() -> None:
    text = "MOVE Kolchak, WU3 OMSK, GU2 IRKU, Gold: OMSK-BARN"
    assert codes(text) == ["not-his"]
    assert codes(f"{text}\nSEIZE GU2 IRKU WITH Kolchak") == []


def test_the_gold_lets_a_leader_pick_up_green_units_and_pass() -> None:
    assert codes("MOVE Kolchak, WU3 OMSK, GU2 CHIT, Gold: OMSK-BARN") == []
    assert codes("MOVE Kolchak, WU3 OMSK, GU2 CHIT: OMSK-BARN") == ["no-gold"]


def test_units_that_another_leader_takes_over_are_not_left_behind() -> None:
    stands = position("A PETR: RL3 Lenin, RU8 PETR\nA NOVG: RL1 Gai")
    moves = "MOVE Lenin: PETR-PSKO\nMOVE Gai: NOVG-PETR"
    assert codes(moves, stands) == ["left-behind"]
    assert codes(f"{moves}\nSTACK PETR: Gai, RU8 PETR", stands) == []


def test_markers_that_may_still_come_in_only_give_a_warning() -> None:
    (found,) = said("ASSASSINATE Trotsky WITH 1")
    assert found == (1, "no-markers", "warning")


def test_the_czar_may_yet_be_picked_up_in_the_first_phase_but_not_in_the_second() -> None:
    white = "A EKAT: WL2 Kolchak, CZAR\nA BOX: 10 PM"
    assert said("EXECUTE CZAR USING 10 PM", position(white)) == [(1, "czar-not-red", "warning")]
    stands = position(white, phase=Phase.SECOND)
    assert said("EXECUTE CZAR USING 10 PM", stands) == [(1, "czar-not-red", "problem")]


def test_after_a_purge_in_the_first_phase_there_is_none_in_the_second() -> None:
    order = "PURGE B WITH C USING 4 PM DIVIDE A 1, C 1"
    assert codes(order, SECOND) == []
    assert codes(order, replace(SECOND, purge_done=True)) == ["one-purge-a-turn"]


def test_before_the_game_an_exchange_is_told_what_its_mirror_must_be() -> None:
    parsed = read("GIVE Lenin TO B FOR Trotsky, 1 PM\nGIVE Kappel TO C")
    mirror, accept = check(BOARD, PREGAME, "A", parsed.sheet)
    assert (mirror.code, mirror.data["mirror"]) == ("needs-mirror", "GIVE Trotsky, 1 PM TO A FOR Lenin")
    assert (accept.code, accept.data["mirror"]) == ("needs-accept", "ACCEPT Kappel FROM A")
    assert codes("GIVE Trotsky TO B", PREGAME) == ["leader-not-his"]
    for problem in (mirror, accept):
        told = words_for(problem)
        assert told.startswith(f"{problem.data['other']} is not told of this order") and "PROPOSE" in told


def test_whoever_needs_others_is_told_that_an_order_tells_them_nothing() -> None:
    (gift,) = check(BOARD, PREGAME, "C", read("ACCEPT Kappel FROM A").sheet)
    assert (gift.code, gift.data["mirror"]) == ("needs-mirror", "GIVE Kappel TO C")
    (purge,) = check(BOARD, SECOND, "A", read("PURGE B WITH C USING 4 PM DIVIDE A 1, C 1").sheet)
    assert purge.severity is Severity.NOTE and words_for(purge).startswith(
        "Nobody else is told of this order; PROPOSE in front of it would tell C."
    )
    (refused,) = check(BOARD, PREGAME, "A", read("GIVE Trotsky TO C").sheet)
    assert words_for(refused).startswith("RL3 Trotsky is B's, and what comes to you")


def test_a_route_left_to_the_gamesmaster_is_shown() -> None:
    (note,) = check(BOARD, FIRST, "A", read("MOVE Lenin, RU8 PETR TO LIVO").sheet)
    assert (note.code, note.severity, note.data["route"]) == ("route", Severity.NOTE, "PETR-ESTO-LIVO")


def test_odds_are_told_for_every_attack() -> None:
    stands = position("A LIVO: RL3 Lenin, RU8 PETR\nB LIVO: WL1 Yudenich, WU2 LIVO", phase=Phase.SECOND)
    (note,) = check(BOARD, stands, "A", read("ATTACK Yudenich IN LIVO WITH Lenin").sheet)
    assert (note.code, note.data["odds"]) == ("odds", "3-1")
    (problem,) = check(BOARD, stands, "B", read("ATTACK Lenin IN LIVO WITH Yudenich").sheet)
    assert (problem.code, problem.data["attack"], problem.data["defence"]) == ("below-half", 3, 11)


def test_reds_attack_beside_nobody_else_and_twins_are_counted_one_by_one() -> None:
    listing = "A  KHAR: RL1 Stalin, RU6 KURS; WL1 Sidorin\n-  KHAR: GU2 KHAR"
    stands = position(listing, phase=Phase.SECOND)
    assert codes("ATTACK GU2 KHAR IN KHAR WITH Stalin, Sidorin", stands) == ["not-friends"]
    listing = "A  TAUR: BU2 KHER/FR; BU2 KHER/FR\nA  BOX: FR control\nB  TAUR: RL1 Stalin, RU4 TULA"
    stands = position(listing, phase=Phase.SECOND)
    assert codes("ATTACK Stalin IN TAUR WITH 2 BU2 KHER/FR", stands) == []
    assert codes("ATTACK Stalin IN TAUR WITH BU2 KHER/FR, BU2 KHER/FR", stands) == []
    assert codes("ATTACK Stalin IN TAUR WITH BU2 KHER/FR", stands) == ["below-half"]


def test_no_stack_attacks_or_is_attacked_twice_by_one_player() -> None:
    stands = position("A LIVO: RL3 Lenin; RL1 Gai\nB LIVO: WL1 Yudenich; WL1 Miller", phase=Phase.SECOND)
    first = "ATTACK Yudenich IN LIVO WITH Lenin"
    assert codes(f"{first}\nATTACK Miller IN LIVO WITH Lenin", stands) == ["attacked-already"]
    assert codes(f"{first}\nATTACK Yudenich IN LIVO WITH Gai", stands) == ["same-target-twice"]


def test_an_attack_that_a_subversion_below_it_comes_before_is_told_so_and_the_subversion_too() -> None:
    stands = position("A CHER: RL3 Lenin\nA KURS: RL1 Gai\nB CHER: BU2 CHER/GE; BU2 POLT/GE", phase=Phase.SECOND)
    subversion = "SUBVERT BU2 CHER/GE IN CHER WITH Gai"
    sheet = read(f"ATTACK BU2 CHER/GE IN CHER WITH Lenin\n{subversion}").sheet
    first, second = (p for p in check(BOARD, stands, "A", sheet) if p.code != "odds")
    assert (first.order, first.code, second.order, second.code) == (1, "same-target-twice", 2, "comes-first")
    assert "Subversion comes first" in words_for(first) and "in order 2" in words_for(first)
    assert "before order 1" in words_for(second) and second.severity is Severity.WARNING
    assert codes(f"ATTACK BU2 POLT/GE IN CHER WITH Lenin\n{subversion}", stands) == []


def test_orders_for_a_later_phase_wait_and_those_for_a_past_one_are_refused() -> None:
    attack = "ATTACK WU2 SARA IN SARA WITH Lenin"
    assert said(f"ORDERS June 1918 Second Phase\n{attack}") == [(0, "filed-ahead", "note")]
    assert said(f"ORDERS June 1918 First Phase\n{attack}", SECOND) == [(0, "guard-mismatch", "problem")]
    assert said("ORDERS before the game\nVOTE END") == [(0, "guard-mismatch", "problem")]
    assert said("ORDERS before the game\nGIVE 1 PM TO B", PREGAME) == []


def test_standing_orders_may_be_filed_in_any_phase() -> None:
    assert said("STANDING LOSE RU8 PETR") == []
    assert codes("LOSE RU8 PETR") == ["wrong-phase"]


def test_whoever_has_left_and_whoever_comes_too_late_is_told() -> None:
    assert codes("VOTE END", replace(FIRST, quitters=("A",))) == ["quitter"]
    assert codes("VOTE END", replace(FIRST, phase=Phase.FINISHED)) == ["game-over"]


def test_pieces_without_orders_are_listed() -> None:
    def idle(text: str, stands: Position = FIRST) -> list[str]:
        found = unordered(BOARD, stands, "A", read(text).sheet)
        return [f"{i.stack.province}: {', '.join(p.bell for p in i.stack.pieces)}" for i in found]

    assert idle("MOVE Lenin, RU8 PETR: PETR-PSKO\nMOVE Sorokin: TULA-KALU") == [
        "KHER: WL1 Kappel",
        "OMSK: WL2 Kolchak, WU3 OMSK, GOLD",
        "TULA: RL1 Kamenev, RU4 TULA",
    ]
    assert idle("", SECOND) == ["OMSK: WL2 Kolchak, WU3 OMSK, GOLD"]


def test_what_could_subvert_and_has_no_orders_is_listed_with_where() -> None:
    """8.31, 8.32: Reds next to Blue, alone or together, over a border that they can pass; not with them (8.23)."""
    stands = position(
        """
        A  PSKO: RL3 Lenin, RU8 PETR
        A  SMOL: RL1 Sytin
        A  KALU: WL1 Kappel
        B  VITE: BU2 VITE/GE
        """,
        phase=Phase.SECOND,
    )

    def told(text: str, on: Position = stands) -> str:
        return receipt_text(review(BOARD, on, "A", read(text)))

    assert "Without orders, though an enemy is in reach:" in told("")
    assert "    PSKO: RL3 Lenin, RU8 PETR (could subvert VITE)" in told("")
    assert "    SMOL: RL1 Sytin (could subvert VITE)" in told("") and "KALU" not in told("")
    ordered = told("SUBVERT BU2 VITE/GE IN VITE WITH Lenin, Sytin")
    assert "NOT ALLOWED" not in ordered and "Without orders" not in ordered
    (idle,) = unordered(BOARD, stands, "A", read("SUBVERT BU2 VITE/GE IN VITE WITH Lenin").sheet)
    assert (idle.stack.province, idle.subvertible) == ("SMOL", ("VITE",))
    assert unordered(BOARD, stands, "B", read("").sheet) == ()
    own = position("A  PSKO: RL3 Lenin\nA  VITE: BU2 VITE/GE", phase=Phase.SECOND)
    assert unordered(BOARD, own, "A", read("").sheet) == ()


def test_what_nothing_can_change_in_this_phase_is_not_said_to_be_so_as_things_stand() -> None:
    """J5: what comes in a Phase cannot be given on in it."""
    given = review(BOARD, PREGAME, "A", read("GIVE Trotsky TO C"))
    text = receipt_text(given) + on_file_sentence(given.sheet, given.problems)
    assert "NOT ALLOWED (line 1): RL3 Trotsky is B's, and what comes to you in this Phase cannot be given on" in text
    assert "but it cannot be carried out." in text and "as things stand" not in text
    theirs = receipt_text(review(BOARD, PREGAME, "A", read("GIVE Trotsky TO B")))
    assert "RL3 Trotsky is B's already: there is nothing to give." in theirs
    other = review(BOARD, FIRST, "A", read("GIVE 1 AM TO B\nMOVE Trotsky: TVER-TULA"))
    said = on_file_sentence(other.sheet, other.problems)
    assert "2 cannot be carried out as things stand." in said


def test_an_example_is_of_the_forces_that_somebody_may_have_meant() -> None:
    stands = position("A  ARCH: WL1 Miller, WU2 ARCH\nA  DCOS: WL1 Krasnov, WU8 DCOS")
    text = receipt_text(review(BOARD, stands, "A", read("MOVE my cossacks to Moscow")))
    assert "There is no piece “my cossacks”. Moscow lies in TVER." in text
    assert "Such an order is written like this: MOVE Krasnov, WU8 DCOS TO TVER" in text
    text = receipt_text(review(BOARD, stands, "A", read("MOVE my cossacks to Vladivostok")))
    assert "Such an order is written like this: MOVE Krasnov, WU8 DCOS: DCOS-" in text


def test_the_checker_says_the_same_whoever_holds_what_the_player_cannot_see() -> None:
    """It is given a Position and the player's own sheet: there is nothing else that it could tell."""
    names = check.__code__.co_varnames[: check.__code__.co_argcount]
    assert names == ("board", "position", "player", "sheet")


@given(positions(players=PLAYERS), sheets, st.sampled_from(PLAYERS))
@settings(max_examples=examples(500, here=20), deadline=None)
def test_any_sheet_on_any_position_can_be_checked(stands: Position, sheet: m.Sheet, player: str) -> None:
    before = stands.digest
    found = check(BOARD, stands, player, replace(sheet, guard=None))
    assert stands.digest == before
    assert [p.order for p in found] == sorted(p.order for p in found)
    for problem in found:
        assert isinstance(problem, Problem)
        assert problem.words == problem.text[slice(*problem.span)]


@pytest.mark.parametrize("line", ["PURGE B WITH C USING 4 PM DIVIDE A 1, C 1", "EXECUTE CZAR WITH C USING 4 PM"])
def test_markers_that_the_same_sheet_gives_away_are_warned_about(line: str) -> None:
    """Trades come first, wherever the lines stand."""
    for text in (f"GIVE 2 PM TO C\n{line}", f"{line}\nGIVE 2 PM TO C"):
        found = [p for p in check(BOARD, FIRST, "A", read(text).sheet) if p.code == "given-away"]
        assert [(p.severity, p.data["left"]) for p in found] == [(Severity.WARNING, 2)], text
    assert "given-away" not in {p.code for p in check(BOARD, FIRST, "A", read(line).sheet)}
