"""What stays on file."""

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.outcome import Status
from gm.adjudicator.sequence import adjudicate
from gm.orders.standing import carry
from tests.orders.samples import BOARD, position, read


def carried(previous: str, new: str) -> list[str]:
    return (carry(read(previous).sheet, read(new).sheet)).printed().splitlines()


def test_standing_orders_and_votes_stay_on_file_behind_the_new_ones() -> None:
    assert carried("STANDING COMPLY\nVOTE END\nMOVE Lenin TO PSKO", "MOVE Gai TO PSKO") == [
        "MOVE Gai TO PSKO",
        "STANDING COMPLY",
        "VOTE END",
    ]


def test_a_new_order_of_the_same_kind_changes_what_was_on_file() -> None:
    assert carried("STANDING COUNTERPURGE STRONGEST", "COUNTERPURGE NEVER") == ["COUNTERPURGE NEVER"]
    assert carried("VOTE END", "VOTE CONTINUE") == ["VOTE CONTINUE"]
    assert carried("STANDING LOSE Gai", "STANDING LOSE Lenin") == ["STANDING LOSE Lenin"]


def test_compliance_and_refusal_exclude_each_other() -> None:
    assert carried("STANDING COMPLY", "STANDING REFUSE EXECUTION") == ["STANDING REFUSE EXECUTION"]


def test_an_order_about_one_player_leaves_those_about_others_alone() -> None:
    previous = "STANDING REFUSE GIFTS FROM A\nSTANDING COUNTERPURGE A IF PURGED BY A"
    assert carried(previous, "STANDING REFUSE GIFTS FROM B") == ["STANDING REFUSE GIFTS FROM B", *previous.splitlines()]
    assert carried(previous, "REFUSE GIFTS\nCOUNTERPURGE NEVER") == ["REFUSE GIFTS", "COUNTERPURGE NEVER"]


def test_what_was_not_standing_is_forgotten() -> None:
    assert carried("COMPLY\nREFUSE GIFTS\nLOSE Gai\nRESIGN", "") == []


def test_of_two_standing_orders_of_a_kind_the_later_one_stays() -> None:
    assert carried("STANDING COMPLY\nSTANDING REFUSE EXECUTION\nVOTE END\nVOTE CONTINUE", "") == [
        "STANDING REFUSE EXECUTION",
        "VOTE CONTINUE",
    ]


def test_a_standing_order_waits_for_its_phase_without_a_reproach() -> None:
    stands = position("A PETR: RL3 Lenin, RU8 PETR")
    sheet = read("STANDING LOSE RU8 PETR\nLOSE RU8 PETR").sheet
    outcome = adjudicate(BOARD, stands, {"A": sheet}, ProvableChance(b"k" * 32, "c", 1, "first", "0" * 64))
    assert [r.status for r in outcome.results] == [Status.DONE, Status.FAILED]
