"""Votes and orders that wait for an occasion, in the box of the player who gave them; and what leaves with a player."""

from datetime import date

import pytest

from gm.adjudicator.sequence import adjudicate
from gm.cases.reader import read_text
from gm.orders.parser import parse
from gm.reports.build import build_view, for_reader
from gm.reports.issue import Issue, PlayerInfo, Reader
from gm.reports.view.model import BellView
from tests.reports.campaigns import BOARD

TWO = """
  A  PETR: RL3 Lenin, RU8 PETR
  A  BOX: 8 PM
  B  RYAZ: RL2 Tukhachevsky, RU8 NOVG
  B  KUBA: WL3 Denikin, WU4 KUBA
  B  FINL: GU6 FINL
  B  BOX: 6 PM, 2 AM, FN control
"""


def copy_of(player: str, phase: str, chance: str = "", position: str = TWO, **orders: str) -> BellView:
    """What a player reads of a Phase."""
    sheets = "".join(f"ORDERS {letter}\n  {lines}\n" for letter, lines in orders.items())
    luck = f"CHANCE\n  {chance}\n" if chance else ""
    head = f"CASE x-1  x\nRULES 1.0\nPLAYERS A B C\nPHASE {phase}\nPOSITION"
    text = f"{head}{position}{luck}{sheets}EXPECT\n  turn: 1\nEND\n"
    (case,) = read_text(BOARD, text)
    given = {letter: parse(BOARD, lines, case.players).sheet for letter, lines in case.orders.items()}
    outcome = adjudicate(BOARD, case.position, given, case.luck.chance())
    people = {"A": PlayerInfo("Ann Archer"), "B": PlayerInfo("Bob Baker"), "C": PlayerInfo("Cy Carr")}
    issue = Issue(number=5, outcome=outcome, campaign="Test", published=date(2026, 1, 2), players=people)
    return for_reader(BOARD, issue, build_view(BOARD, issue), Reader(player))


def told(view: BellView) -> tuple[str, str]:
    """The status of a player's first order, and its reasons."""
    assert view.own is not None
    line = view.own.orders[0]
    return line.status_text, " ".join(item.text for item in line.reasons)


@pytest.mark.parametrize(
    ("orders", "chance", "status", "words"),
    [
        (
            {"B": "COUNTERPURGE STRONGEST"},
            "",
            "not needed",
            "no Purge against you failed. The order counted for this Phase only.",
        ),
        ({"B": "STANDING COUNTERPURGE STRONGEST"}, "", "on file", "There was nothing to answer"),
        ({"B": "COUNTERPURGE STRONGEST", "A": "PURGE B USING 8 PM"}, "purge 12 6", "done", "answered with a Counter"),
        ({"B": "COUNTERPURGE NEVER", "A": "PURGE B USING 8 PM"}, "purge 12", "on file", "you did not answer it"),
        ({"B": "COMPLY"}, "", "not needed", "Nobody asked you"),
        ({"B": "REFUSE GIFTS"}, "", "not needed", "Nobody offered you"),
        ({"B": "REFUSE GIFTS", "A": "GIVE 1 PM TO B"}, "", "done", "turned a gift away"),
    ],
)
def test_what_waits_for_an_occasion_is_told_by_whether_there_was_one(
    orders: dict[str, str], chance: str, status: str, words: str
) -> None:
    view = copy_of("B", "1 first", chance, **orders)
    found, reasons = told(view)
    assert found == status and words in reasons and "Carried out" not in reasons


def test_of_several_counterpurge_orders_only_the_one_that_was_used_is_done() -> None:
    lines = "COUNTERPURGE C IF PURGED BY C\n  COUNTERPURGE STRONGEST"
    view = copy_of("B", "1 first", "purge 12 6", B=lines, A="PURGE B USING 8 PM")
    assert view.own is not None
    first, second = view.own.orders
    assert (first.status_text, second.status_text) == ("not needed", "done")
    assert "was not the order that decided" in first.reasons[0].text
    notes = [item.text for section in view.sections for item in section.items if "Counterpurge orders" in item.text]
    assert ["IF PURGED BY" in note for note in notes] == ["by which Purges were answered" not in note for note in notes]
    assert len(notes) == 2


@pytest.mark.parametrize(
    ("order", "status", "why"),
    [
        ("COUNTERPURGE C IF PURGED BY A", "without effect", "does not hold against Archer"),
        ("COUNTERPURGE NEVER", "on file", "the order of Baker (“B”) was “COUNTERPURGE NEVER”"),
        ("VOTE END", "on file", "had no order for one on file"),
    ],
)
def test_why_no_counterpurge_followed_is_told(order: str, status: str, why: str) -> None:
    view = copy_of("B", "1 first", "purge 12", B=order, A="PURGE B USING 8 PM")
    assert told(view)[0] == status
    notes = [item.text for section in view.sections for item in section.items]
    assert [why in note for note in notes if note.startswith("No Counterpurge followed")] == [True]
    assert not any("no occasion" in note for note in notes)


def test_an_order_never_to_counterpurge_waits_for_no_occasion() -> None:
    view = copy_of("B", "1 first", B="COUNTERPURGE NEVER")
    assert not any("Counterpurge" in item.text for section in view.sections for item in section.items)


def test_what_stands_there_under_another_is_not_said_to_stand_elsewhere() -> None:
    for position in (TWO, TWO.replace("RYAZ", "PETR")):
        status, reasons = told(copy_of("A", "1 first", position=position, A="STACK PETR: Lenin, Tukhachevsky"))
        assert status == "partly done" and reasons == "This player did not have RL2 Tukhachevsky at Petrograd."


def test_losses_that_nobody_asked_for_were_not_carried_out() -> None:
    assert told(copy_of("B", "1 second", B="LOSE RU8 NOVG")) == (
        "not needed",
        "You fought no exchange for which it was needed. The order counted for this Phase only.",
    )


def test_a_leader_whom_nobody_gave_was_not_accepted() -> None:
    status, reasons = told(copy_of("A", "0 pregame", A="ACCEPT Denikin FROM B"))
    assert status == "not needed" and "Baker (“B”) gave you no such Leader" in reasons
    given = copy_of("A", "0 pregame", A="ACCEPT Denikin FROM B", B="GIVE Denikin TO A")
    assert told(given) == ("done", "Rules:"), "that it was done its status says"


def test_who_leaves_in_the_phase_voted_with_the_markers_held_then_and_reads_apart_what_went_with_the_seat() -> None:
    view = copy_of("B", "1 second", A="VOTE END", B="VOTE END\n  RESIGN")
    status, reasons = told(view)
    assert status == "counted"
    assert "Votes for its end: Archer (“A”) and Baker (“B”), with 14 Politburo Markers." in reasons
    box = {item.kind: item.text for item in view.yours}
    assert "lost" not in box
    assert box["given_up"] == ("Given up with your seat [14.2]: GU6 FINL, 2 AM, the Finnish Control Marker and 6 PM.")
    assert "no points any more" in box["left"]


def test_what_a_leaver_drew_in_the_same_phase_went_too() -> None:
    view = copy_of("B", "1 second", "chit AM, AM, AM", position=f"{TWO}  RANDOMIZER: 3 AM\n", B="RESIGN")
    told = next(item.text for item in view.yours if item.kind == "given_up")
    assert "3 AM (1 of them came in this Phase)" in told and told.count("came in") == 1


def test_who_left_before_is_not_among_the_voters() -> None:
    gone = f"{TWO}  VOTES: B end\n  QUIT: B\n"
    _, reasons = told(copy_of("A", "2 second", position=gone, A="VOTE END"))
    assert "Votes for its end: Archer (“A”), with 8 Politburo Markers." in reasons


def test_a_vote_of_a_first_phase_is_not_counted_yet() -> None:
    status, reasons = told(copy_of("B", "1 first", B="VOTE END"))
    assert status == "on file" and reasons.startswith("It is counted at the end of the Game-Turn")


def test_a_trade_without_its_mirror_names_the_order_that_was_missing() -> None:
    _, reasons = told(copy_of("B", "1 second", B="GIVE 1 AM TO A FOR 2 PM"))
    needed = "Archer (“A”) did not send the order “GIVE 2 PM TO B FOR 1 AM” that it needed, so nothing changed hands."
    assert reasons == needed


def test_markers_can_be_traded_in_either_phase() -> None:
    for phase, words in (("1 first", "trade Markers, attack"), ("1 second", "trade Markers, move your forces")):
        item = next(item for item in copy_of("A", phase).yours if item.kind == "next")
        assert f"You may now, among other things, {words}" in item.text
    assert not [item for item in copy_of("C", "1 first").yours if item.kind == "next"], "nothing to move, use or trade"
