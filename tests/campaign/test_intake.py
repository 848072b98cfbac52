"""Orders come in by every way, and each sheet is taken or refused with the reason; all are kept."""

from datetime import timedelta

import pytest

from gm.board.load import standard_board
from gm.board.model import Color
from gm.campaign import ticker
from gm.campaign.mailbox import letters, outbox
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.errors import NotFound
from gm.position import Stack
from tests.campaign_fixtures import FakeClock, let_pass, mails, start, tick


def first_phase(services: Services, **options: object) -> str:
    campaign = start(services, **options)
    deadlines.close_early(services, campaign)
    tick(services)
    return campaign


def a_move(services: Services, campaign: str, letter: str) -> str:
    """A legal move of one of his Leaders, as he would write it."""
    position = lookups.state(services, campaign).position

    def movable(stack: Stack) -> bool:
        return stack.pieces[0].is_leader and bool(standard_board().neighbours(stack.province, stack.color))

    stack = next(stack for stack in position.owned(letter) if movable(stack))
    step = standard_board().neighbours(stack.province, stack.color)[0]
    return f"MOVE {stack.pieces[0].name}: {stack.province}-{step}"


def test_the_receipt_of_the_shorter_game_says_what_it_does_without(services: Services) -> None:
    campaign = first_phase(services, masses=True)
    done = intake.submit(services, campaign, "A", "PURGE B USING 8 PM\nCOUNTERPURGE STRONGEST", source="mail")
    found = [(p.order, p.code, p.severity.value, p.rules) for p in done.problems]
    assert found == [(1, "not-in-masses", "problem", ("J38",)), (2, "no-occasion", "note", ("J38",))]
    deadlines.close_early(services, campaign)
    tick(services)
    position = lookups.state(services, campaign).position
    blue = next(stack for stack in position.stacks if stack.color is Color.BLUE)
    red = next(stack for stack in position.owned("A") if stack.color is Color.RED)
    order = f"SUBVERT {blue.pieces[0].bell} IN {blue.province} WITH {red.pieces[0].bell}"
    assert [p.code for p in intake.submit(services, campaign, "A", order, source="mail").problems] == ["not-in-masses"]
    deadlines.close_early(services, campaign)
    tick(services)
    judged = lookups.outcome(services, campaign, 1, "second").results
    assert [[why.code for why in result.reasons] for result in judged] == [["not-in-masses"]]


def test_a_sheet_is_echoed_in_canonical_form_with_its_seal(services: Services) -> None:
    campaign = first_phase(services)
    order = a_move(services, campaign, "A")
    done = intake.submit(services, campaign, "a", f"  1) {order.lower()}.", source="mail")
    assert (done.status, done.version, done.canonical) == ("taken", 1, order)
    assert len(done.receipt) == 64 and len(done.salt) == 32
    assert done.missing == ("B", "C", "D", "E")


def test_a_later_sheet_replaces_the_earlier_one_and_add_adds_to_it(services: Services) -> None:
    campaign = first_phase(services)
    order = a_move(services, campaign, "A")
    intake.submit(services, campaign, "A", order, source="mail")
    added = intake.submit(services, campaign, "A", "ADD\nVOTE END", source="mail")
    assert added.canonical == f"{order}\nVOTE END"
    replaced = intake.submit(services, campaign, "A", "VOTE CONTINUE", source="web")
    assert (replaced.version, replaced.canonical) == (3, "VOTE CONTINUE")
    assert [row.version for row in intake.versions(services, campaign, "A")] == [1, 2, 3]
    current = intake.current_orders(services, campaign, "A")
    assert current is not None and current.canonical == "VOTE CONTINUE"


def test_the_sealed_orders_are_the_last_version_with_the_receipt_that_was_given(services: Services) -> None:
    campaign = first_phase(services)
    intake.submit(services, campaign, "A", "VOTE END", source="web")
    done = intake.submit(services, campaign, "A", a_move(services, campaign, "A"), source="web")
    deadlines.close_early(services, campaign)
    assert lookups.orders_of(services, campaign, "A")["A"]["text"] == done.canonical
    tick(services)
    assert done.receipt in lookups.bell(services, campaign, 3).text


def test_a_guard_for_another_phase_keeps_the_whole_sheet_out(services: Services) -> None:
    campaign = first_phase(services)
    done = intake.submit(services, campaign, "A", "ORDERS turn 4 phase 1\nVOTE END", source="mail")
    assert (done.status, done.reason) == ("refused", "guard")
    assert intake.current_orders(services, campaign, "A") is None
    assert intake.versions(services, campaign, "A")[0].raw.startswith("ORDERS turn 4"), "kept all the same"
    right = intake.submit(services, campaign, "A", "ORDERS June 1918 First Phase\nVOTE END", source="mail")
    assert right.status == "taken"


def test_orders_may_be_filed_ahead_for_the_next_phase(services: Services, clock: FakeClock) -> None:
    campaign = first_phase(services)
    done = intake.submit(services, campaign, "A", "ORDERS June 1918 Second Phase\nVOTE END", source="mail")
    assert done.status == "ahead" and intake.current_orders(services, campaign, "A") is None
    later = intake.submit(services, campaign, "A", "ORDERS turn 1 phase 2\nVOTE CONTINUE", source="mail")
    assert later.status == "ahead"
    deadlines.close_early(services, campaign)
    tick(services)
    current = intake.current_orders(services, campaign, "A")
    assert current is not None and current.canonical == "VOTE CONTINUE" and current.status == "taken"
    (told,) = mails(services, campaign, "counts_now")
    assert told.letter == "A" and "A1  VOTE CONTINUE" in told.text and current.receipt in told.text


def test_who_filed_ahead_is_told_what_is_wrong_with_it_once_the_positions_are_known(services: Services) -> None:
    campaign = first_phase(services)
    ahead = "ORDERS June 1918 Second Phase\nATTACK GU2 KHAR IN KHAR WITH Lenin"
    assert intake.submit(services, campaign, "A", ahead, source="mail").status == "ahead"
    assert not mails(services, campaign, "counts_now")
    deadlines.close_early(services, campaign)
    tick(services)
    (told,) = mails(services, campaign, "counts_now")
    assert "your orders for June 1918 Second Phase" in told.subject
    assert "ATTACK" in told.text and "Deadline:" in told.text and "Lenin" in told.text.split("ATTACK", 1)[1]


def test_orders_for_a_sealed_phase_are_late_and_kept(services: Services) -> None:
    campaign = start(services, publish="manual")
    deadlines.close_early(services, campaign)
    tick(services)
    done = intake.submit(services, campaign, "B", "GIVE 1 PM TO A", source="mail")
    assert (done.status, done.reason, done.receipt) == ("late", "sealed", "")
    assert intake.versions(services, campaign, "B")[0].status == "late"
    assert "GIVE 1 PM TO A" not in str(lookups.orders_of(services, campaign, "GM"))


def test_the_time_of_receipt_counts_even_before_a_worker_wakes_up(services: Services, clock: FakeClock) -> None:
    campaign = first_phase(services, grace_hours=2)
    deadline = lookups.state(services, campaign).deadline
    assert deadline is not None
    clock.set(deadline + timedelta(hours=3))
    on_time = deadline + timedelta(hours=1, minutes=59)
    assert intake.submit(services, campaign, "A", "", source="mail", received_at=on_time).status == "taken"
    too_late = deadline + timedelta(hours=2)
    done = intake.submit(services, campaign, "B", "", source="mail", received_at=too_late)
    assert (done.status, done.reason) == ("late", "closed")


def test_the_same_mail_twice_is_taken_once(services: Services) -> None:
    campaign = first_phase(services)
    one = intake.submit(services, campaign, "A", "VOTE END", source="mail", key="inbox/7")
    two = intake.submit(services, campaign, "A", "VOTE END", source="mail", key="inbox/7")
    assert (one.submission_id, one.receipt) == (two.submission_id, two.receipt)
    assert len(intake.versions(services, campaign, "A")) == 1


def test_who_dies_before_he_has_answered_gives_the_whole_answer_later(services: Services) -> None:
    campaign = first_phase(services)
    text = "MOVE Nobody: PETR\nPURGE A USING 99 PM"
    one = intake.submit(services, campaign, "A", text, source="mail", key="inbox/7")
    two = intake.submit(services, campaign, "A", text, source="mail", key="inbox/7")
    assert {p.code for p in one.problems} > {"unknown-piece"}
    assert (two.problems, two.position, two.canonical) == (one.problems, one.position, one.canonical)


def test_standing_orders_stay_on_file_for_who_sends_nothing(services: Services) -> None:
    campaign = first_phase(services)
    intake.submit(services, campaign, "A", "STANDING COUNTERPURGE NEVER\nVOTE END", source="web")
    for _ in range(2):
        deadlines.close_early(services, campaign)
        tick(services)
    deadlines.close_early(services, campaign)
    sealed = lookups.orders_of(services, campaign, "A")["A"]
    assert sealed == {"text": "STANDING COUNTERPURGE NEVER\nVOTE END", "version": 0, "source": "standing"}


def test_orders_on_behalf_of_a_player_are_told_to_him(services: Services) -> None:
    campaign = first_phase(services)
    done = intake.submit(services, campaign, "C", "VOTE END", source="gm", actor="GM")
    mail = next(mail for mail in outbox.listing(services, campaign) if mail.kind == "on_behalf")
    assert mail.letter == "C" and "VOTE END" in mail.text and done.receipt in mail.text


def test_press_in_a_sheet_is_printed_once_and_replaced_with_the_sheet(services: Services) -> None:
    campaign = first_phase(services)
    intake.submit(services, campaign, "A", "VOTE END\nPRESS Long live the ruble!\nEND", source="mail")
    done = intake.submit(services, campaign, "A", 'VOTE END\nPRESS AS "Kiev" Bread is dear.\nEND', source="mail")
    assert done.canonical == "VOTE END", "press is no order and is not sealed"
    deadlines.close_early(services, campaign)
    tick(services)
    text = lookups.bell(services, campaign, 3).text
    assert text.count("Bread is dear.") == 1 and "ruble" not in text
    deadlines.close_early(services, campaign)
    tick(services)
    assert "Bread is dear." not in lookups.bell(services, campaign, 4).text


def test_private_press_goes_to_its_readers_only_and_once(services: Services) -> None:
    campaign = first_phase(services)
    for _ in range(2):
        intake.submit(services, campaign, "A", "VOTE END\nPRESS TO B, C Meet me in Tver.\nEND", source="mail")
    passed_on = [mail for mail in outbox.listing(services, campaign) if mail.kind == "letter"]
    assert sorted(mail.letter or "" for mail in passed_on) == ["B", "C"]
    assert all("anna@players.test" not in mail.text + str(mail.headers) for mail in passed_on)
    assert [len(letters.letters_of(services, campaign, letter)) for letter in "ABCD"] == [1, 1, 1, 0]


def test_a_resignation_in_a_sheet_is_asked_about_not_carried_out(services: Services) -> None:
    campaign = first_phase(services)
    done = intake.submit(services, campaign, "A", "VOTE END\nRESIGN", source="mail")
    assert done.resign_asked and done.canonical == "VOTE END"
    assert lookups.state(services, campaign).seat("A").status == "held"


def test_before_the_deal_there_is_nothing_to_order(services: Services) -> None:
    from tests.campaign_fixtures import new_campaign

    campaign = new_campaign(services)
    assert intake.submit(services, campaign, "A", "VOTE END", source="mail").reason == "no-phase"


def test_a_preview_writes_nothing(services: Services) -> None:
    campaign = first_phase(services)
    seen = intake.preview_orders(services, campaign, "a", "VOTE END\nfoo")
    assert seen.canonical.startswith("VOTE END") and seen.problems
    assert intake.versions(services, campaign, "A") == []


def test_nobody_is_late_while_the_clock_is_in_doubt(services: Services, clock: FakeClock) -> None:
    from dataclasses import replace

    strict = replace(services, settings=replace(services.settings, clock_jump_minutes=60))
    campaign = first_phase(services)
    clock.advance(days=40)
    assert ticker.tick(strict).halted is not None
    assert intake.submit(strict, campaign, "A", "", source="mail").status == "taken"


def test_a_very_long_sheet_is_read_like_any_other(services: Services) -> None:
    campaign = first_phase(services)
    done = intake.submit(services, campaign, "A", "VOTE END\n" * 1500, source="mail")
    assert done.status == "taken" and done.canonical.count("VOTE END") == 1500


def test_an_unknown_seat_is_refused(services: Services) -> None:
    campaign = first_phase(services)
    for call in (intake.submit, intake.preview_orders):
        with pytest.raises(NotFound):
            call(services, campaign, "Q", "", **({"source": "web"} if call is intake.submit else {}))


def test_a_phase_closes_by_itself_with_what_is_there(services: Services, clock: FakeClock) -> None:
    campaign = first_phase(services)
    intake.submit(services, campaign, "A", a_move(services, campaign, "A"), source="web")
    let_pass(services, clock, days=7)
    outcome = lookups.outcome(services, campaign, 1, "first")
    assert [result.player for result in outcome.results] == ["A"]
    assert lookups.position_at(services, campaign, 1, "second") == outcome.after


def test_everything_withdrawn_ahead_of_time_is_no_sheet_whatever_stands_from_before(services: Services) -> None:
    """CANCEL ALL for the next Phase withdraws, though a STANDING order is carried over."""
    campaign = first_phase(services)
    intake.submit(services, campaign, "A", "STANDING COUNTERPURGE STRONGEST", source="mail")
    ahead = intake.submit(services, campaign, "A", "ORDERS June 1918 Second Phase\nCANCEL ALL", source="mail")
    assert ahead.status == "ahead"
    deadlines.close_early(services, campaign)
    tick(services)
    assert lookups.state(services, campaign).phase == "second"
    assert intake.current_orders(services, campaign, "A") is None


@pytest.mark.parametrize("in_grace", [False, True])
def test_while_a_campaign_is_paused_nobody_is_too_late(services: Services, clock: FakeClock, in_grace: bool) -> None:
    campaign = first_phase(services, grace_hours=24)
    due = lookups.state(services, campaign).deadline
    assert due is not None
    clock.set(due + timedelta(hours=1) if in_grace else due - timedelta(hours=1))
    tick(services)
    deadlines.pause(services, campaign, "Illness.")
    clock.set(due + timedelta(days=9))
    done = intake.submit(services, campaign, "A", "VOTE END", source="mail")
    assert (done.status, done.reason) == ("taken", None)
    deadlines.resume(services, campaign)
    again = intake.submit(services, campaign, "B", "VOTE END", source="web")
    assert again.status == "taken"
    state = lookups.state(services, campaign)
    assert state.deadline is not None and (state.closes_at or state.deadline) > clock.now()
    assert intake.current_orders(services, campaign, "A") is not None


def test_a_deadline_that_was_set_in_a_pause_and_passed_in_it_closes_nothing(
    services: Services, clock: FakeClock
) -> None:
    campaign = first_phase(services, grace_hours=0)
    deadlines.pause(services, campaign)
    deadlines.extend(services, campaign, until=clock.now() + timedelta(hours=1), shorten=True, reason="In haste.")
    clock.advance(hours=2)
    assert intake.submit(services, campaign, "A", "VOTE END", source="mail").status == "taken"
    resumed = deadlines.resume(services, campaign)
    assert resumed is not None and resumed > clock.now()
    assert intake.submit(services, campaign, "B", "VOTE END", source="mail").status == "taken"
