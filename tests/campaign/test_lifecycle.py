"""From invitation to the final standings, on both engines."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import drafting, intake, publishing
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.roles import KEEPER
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import Conflict, Invalid, NotAllowed, NotFound, NotNow
from gm.orders.kinds import Give, Goods, Sheet
from gm.store.base import PhaseKey
from gm.store.repositories import phases
from tests.campaign_fixtures import FIVE, FakeClock, let_pass, new_campaign, start, tick


def kinds(services: Services, campaign: str) -> list[str]:
    return [mail.kind for mail in reversed(outbox.listing(services, campaign, limit=1000))]


def order_all(services: Services, campaign: str, text: str = "", letters: str = "ABCDE") -> None:
    for letter in letters:
        assert intake.submit(services, campaign, letter, text, source="web").status == "taken"


def test_a_campaign_is_made_from_names_and_addresses_and_everyone_is_invited(services: Services) -> None:
    campaign = new_campaign(services)
    state = lookups.state(services, campaign)
    assert campaign == "june-1918"
    assert state.status == "inviting" and [seat.status for seat in state.seats] == ["invited"] * 5
    invitations = [mail for mail in outbox.listing(services, campaign) if mail.kind == "invitation"]
    assert {mail.address for mail in invitations} == {player.address for player in FIVE}
    assert all(state.commitment in mail.text for mail in invitations), "the dice of the deal are committed to"


def test_options_are_shown_to_the_players_in_their_invitation(services: Services) -> None:
    campaign = new_campaign(services, grace_hours=7)
    assert all(
        "for 7 hours more" in " ".join(mail.text.split())
        for mail in outbox.listing(services, campaign)
        if mail.kind == "invitation"
    )


def test_the_last_acceptance_deals_and_prints_the_first_bell(services: Services) -> None:
    campaign = new_campaign(services)
    for letter in "ABCD":
        assert not creation.accept(services, campaign, letter)
    assert creation.accept(services, campaign, "E")
    tick(services)
    state = lookups.state(services, campaign)
    assert (state.status, state.turn, state.phase, state.phase_state) == ("running", 0, "pregame", "open")
    assert state.bell_number == 1 and len(state.position.stacks) > 50
    assert kinds(services, campaign).count("bell") == 6, "the players and the Gamesmaster"


def test_a_deal_waits_for_everyone_unless_it_is_forced(services: Services) -> None:
    campaign = new_campaign(services)
    creation.accept(services, campaign, "A")
    with pytest.raises(NotNow, match="B, C, D, E"):
        creation.deal(services, campaign)
    creation.deal(services, campaign, force=True)
    tick(services)
    assert lookups.state(services, campaign).phase == "pregame"


def test_accepting_twice_changes_nothing(services: Services) -> None:
    campaign = start(services)
    assert not creation.accept(services, campaign, "A")
    assert lookups.state(services, campaign).bell_number == 1


def test_phases_follow_one_another_by_the_calendar(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    seen = []
    for _ in range(3):
        state = lookups.state(services, campaign)
        seen.append((state.turn, state.phase))
        assert state.deadline is not None and state.deadline.hour == 20
        let_pass(services, clock, days=(state.deadline - clock.now()).days + 2)
    assert seen == [(0, "pregame"), (1, "first"), (1, "second")]
    assert lookups.state(services, campaign).turn == 2
    assert [line.kind for line in lookups.bells(services, campaign)] == ["deal", "trades", "phase", "phase"]


def test_a_phase_closes_early_when_all_orders_are_in_and_nobody_waits(services: Services, clock: FakeClock) -> None:
    campaign = start(services, ready="automatic", early_close_hours=0)
    order_all(services, campaign, "VOTE END")
    assert tick(services) == [], "there is a little time to think better of it"
    let_pass(services, clock, minutes=11)
    assert lookups.state(services, campaign).phase == "first"


def test_a_phase_does_not_close_early_while_a_player_asks_to_wait(services: Services, clock: FakeClock) -> None:
    campaign = start(services, ready="automatic", early_close_hours=0)
    intake.say_ready(services, campaign, "C", False)
    order_all(services, campaign, "VOTE END")
    let_pass(services, clock, hours=5)
    assert lookups.state(services, campaign).phase == "pregame"
    intake.say_ready(services, campaign, "C", None)
    let_pass(services, clock, hours=1)
    assert lookups.state(services, campaign).phase == "first"


def test_withdrawn_orders_keep_the_phase_open(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    order_all(services, campaign)
    assert intake.submit(services, campaign, "B", "CANCEL ALL", source="web").status == "withdrawn"
    let_pass(services, clock, hours=5)
    state = lookups.state(services, campaign)
    assert state.phase == "pregame" and state.seat("B").missing


def test_reminders_go_to_who_has_not_ordered_and_only_once(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    order_all(services, campaign, letters="ABC")
    deadline = lookups.state(services, campaign).deadline
    assert deadline is not None
    clock.set(deadline - timedelta(hours=47))
    tick(services)
    tick(services)
    clock.set(deadline - timedelta(hours=5))
    tick(services)
    reminders = [mail.letter for mail in outbox.listing(services, campaign) if mail.kind == "reminder"]
    assert sorted(reminders) == ["D", "D", "E", "E"]


def test_grace_is_given_before_a_player_without_orders_holds(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    order_all(services, campaign, letters="ABCD")
    deadline = lookups.state(services, campaign).deadline
    assert deadline is not None
    clock.set(deadline)
    tick(services)
    state = lookups.state(services, campaign)
    assert (state.phase, state.phase_state) == ("pregame", "grace")
    assert "grace" in kinds(services, campaign) and "grace_gm" in kinds(services, campaign)
    clock.advance(hours=12)
    tick(services)
    state = lookups.state(services, campaign)
    assert state.phase == "first" and state.seat("E").nmr_count == 1 and state.seat("A").nmr_count == 0


def test_orders_in_the_time_of_grace_count_and_close_the_phase_at_once(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    order_all(services, campaign, letters="ABCD")
    deadline = lookups.state(services, campaign).deadline
    assert deadline is not None
    clock.set(deadline)
    tick(services)
    order_all(services, campaign, letters="E")
    tick(services)
    assert lookups.state(services, campaign).phase == "first"
    assert lookups.state(services, campaign).seat("E").nmr_count == 0


def test_after_two_phases_without_orders_the_gamesmaster_is_told_to_find_a_standby(
    services: Services, clock: FakeClock
) -> None:
    campaign = start(services)
    for days in (8, 5):
        order_all(services, campaign, letters="ABCD")
        let_pass(services, clock, days=days)
    told = [mail for mail in outbox.listing(services, campaign, limit=1000) if mail.kind == "find_standby"]
    assert len(told) == 1 and told[0].address == "gm@players.test" and "Elena" in told[0].text


def test_the_stand_in_plays_for_who_sends_nothing_where_the_campaign_wants_it(services: Services) -> None:
    def generous(board, position, tracks, seat, chance, seats, previous) -> Sheet:
        return Sheet((Give(what=Goods(pm=1), to="B" if seat == "A" else "A"),))

    able = replace(services, standin=generous)
    campaign = start(able, nmr="standin")
    order_all(able, campaign, letters="BCDE")
    deadlines.close_early(able, campaign)
    assert lookups.orders_of(able, campaign, "GM")["B"]["source"] == "submitted"
    tick(able)
    with able.store.read() as session:
        sealed = {row.letter: row for row in phases.sealed(session, PhaseKey(campaign, 0, "pregame", 0))}
    assert (sealed["A"].text, sealed["A"].source) == ("GIVE 1 PM TO B", "standin")


def test_where_there_is_no_stand_in_nobody_is_promised_one(services: Services) -> None:
    services = replace(services, standin=None)
    with pytest.raises(Invalid, match="stand-in"):
        start(services, nmr="standin")
    campaign = start(services)
    with pytest.raises(Invalid, match="stand-in"):
        holders.set_standin(services, campaign, "A", True)


def test_extending_moves_the_deadline_and_tells_everybody(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    old = lookups.state(services, campaign).deadline
    assert old is not None
    new = deadlines.extend(services, campaign, hours=48, reason="Easter")
    assert new == old + timedelta(hours=48) == lookups.state(services, campaign).deadline
    told = [mail for mail in outbox.listing(services, campaign) if mail.kind == "extended"]
    assert all("SEQUENCE:" in mail.attachments[0]["data"] for mail in told)  # moves the entry in their calendars
    assert len(told) == 6 and all("Easter" in mail.text for mail in told)
    clock.set(old + timedelta(hours=13))
    tick(services)
    assert lookups.state(services, campaign).phase == "pregame"


def test_an_extension_takes_back_the_time_of_grace(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    deadline = lookups.state(services, campaign).deadline
    assert deadline is not None
    clock.set(deadline)
    tick(services)
    assert lookups.state(services, campaign).phase_state == "grace"
    deadlines.extend(services, campaign, hours=72)
    state = lookups.state(services, campaign)
    assert state.phase_state == "open" and state.deadline == deadline + timedelta(hours=72)


def test_a_deadline_cannot_be_moved_into_the_past(services: Services) -> None:
    campaign = start(services)
    with pytest.raises(Invalid):
        deadlines.extend(services, campaign, until=datetime(2020, 1, 1, tzinfo=UTC))


def test_nothing_happens_in_a_pause_but_orders_are_taken(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    old = lookups.state(services, campaign).deadline
    assert old is not None
    clock.advance(days=1)
    deadlines.pause(services, campaign, "moving house")
    order_all(services, campaign)
    assert let_pass(services, clock, days=30) == []
    deadline = deadlines.resume(services, campaign)
    assert deadline == old + timedelta(days=30)
    assert lookups.state(services, campaign).status == "running"
    let_pass(services, clock, days=7)
    assert lookups.state(services, campaign).phase == "first"


def test_the_gamesmaster_can_close_a_phase_himself(services: Services) -> None:
    campaign = start(services)
    deadlines.close_early(services, campaign)
    tick(services)
    assert lookups.state(services, campaign).phase == "first"


def test_a_nudge_reminds_who_is_missing(services: Services) -> None:
    campaign = start(services)
    order_all(services, campaign, letters="ABD")
    assert deadlines.nudge(services, campaign) == ("C", "E")
    assert deadlines.nudge(services, campaign, ["E"]) == ("E",)


def test_a_draft_waits_for_the_gamesmaster_and_goes_out_by_itself_in_the_end(
    services: Services, clock: FakeClock
) -> None:
    campaign = start(services, publish="draft", draft_hours=24)
    deadlines.close_early(services, campaign)
    tick(services)
    assert lookups.state(services, campaign).phase_state == "adjudicated"
    publishing.set_draft(services, campaign, headline="Quiet on all fronts", lead="Nothing stirs.", actor="GM")
    publishing.decide(services, campaign, "C may trade late", "the post was on strike", "GM")
    preview = drafting.preview(services, campaign).document
    assert "Quiet on all fronts" in preview.text and "the post was on strike" in preview.text
    assert lookups.state(services, campaign).bell_number == 1
    let_pass(services, clock, hours=25)
    bell = lookups.bell(services, campaign, 2)
    assert "Quiet on all fronts" in bell.text and lookups.state(services, campaign).phase == "first"


def test_who_ordered_is_still_told_while_the_draft_waits(services: Services) -> None:
    campaign = start(services, publish="manual")
    order_all(services, campaign, letters="ABD")
    deadlines.close_early(services, campaign)
    tick(services)
    state = lookups.state(services, campaign)
    assert state.phase_state == "adjudicated"
    assert [seat.letter for seat in state.seats if seat.ordered] == ["A", "B", "D"]
    assert not any(seat.missing for seat in state.seats), "nobody is waited for any more"


def test_a_manual_campaign_waits_for_ever(services: Services, clock: FakeClock) -> None:
    campaign = start(services, publish="manual")
    deadlines.close_early(services, campaign)
    let_pass(services, clock, days=20)
    assert lookups.state(services, campaign).phase_state == "adjudicated"
    assert publishing.publish(services, campaign, "GM") == 2
    assert lookups.state(services, campaign).phase == "first"
    with pytest.raises(NotNow):
        publishing.publish(services, campaign, "GM")


def test_a_gamesmaster_who_plays_sees_no_draft_and_no_orders(services: Services) -> None:
    campaign = creation.create(
        services, name="Own", players=FIVE, gm_name="Anna", gm_address=FIVE[0].address, gm_letter="A",
        options={"publish": "manual"},
    )  # fmt: skip
    creation.deal(services, campaign, force=True)
    tick(services)
    with pytest.raises(NotAllowed):
        lookups.orders_of(services, campaign, "GM")
    deadlines.close_early(services, campaign, KEEPER)
    assert [kind for kind, _ in tick(services)] == ["adjudicate", "publish"], "the service publishes by itself"


def test_players_see_their_own_orders_only_and_the_gamesmaster_all(services: Services) -> None:
    campaign = start(services)
    order_all(services, campaign, "GIVE 1 PM TO B", letters="AC")
    assert set(lookups.orders_of(services, campaign, "A")) == {"A"}
    assert set(lookups.orders_of(services, campaign, "B")) == set()
    assert set(lookups.orders_of(services, campaign, "GM")) == {"A", "C"}


def test_a_campaign_ended_by_the_gamesmaster_has_a_last_bell(services: Services) -> None:
    campaign = start(services)
    creation.finish(services, campaign, "We must part.")
    tick(services)
    state = lookups.state(services, campaign)
    assert state.status == "finished" and state.bell_number == 2
    bell = lookups.latest_bell(services, campaign)
    assert bell is not None and bell.kind == "final" and "We must part." in bell.text
    with pytest.raises(NotNow):
        deadlines.pause(services, campaign)
    assert intake.submit(services, campaign, "A", "", source="web").reason == "finished"


def test_a_removed_player_leaves_after_the_phase(services: Services, clock: FakeClock) -> None:
    campaign = start(services, ready="automatic", early_close_hours=0)
    holders.remove(services, campaign, "D", "silence", "GM")
    assert intake.submit(services, campaign, "D", "", source="web").reason == "quit"
    order_all(services, campaign, "VOTE END", letters="ABCE")
    let_pass(services, clock, hours=1)
    state = lookups.state(services, campaign)
    assert state.phase == "first" and state.position.quitters == ("D",) and state.seat("D").status == "quit"
    order_all(services, campaign, "VOTE END", letters="ABCE")
    let_pass(services, clock, hours=1)
    assert lookups.state(services, campaign).phase == "second", "nothing is expected of him any more"


def test_a_seat_outlives_its_holder_and_the_old_reply_address_dies(services: Services) -> None:
    campaign = start(services)
    order_all(services, campaign, "GIVE 1 PM TO A", letters="B")
    old = holders.seat_token(services, campaign, "B")
    holders.replace(services, campaign, "B", NewPlayer("Bertha", "bertha@players.test", "Europe/Paris"))
    new = holders.seat_token(services, campaign, "B")
    assert holders.seat_by_token(services, old) is None
    seat = holders.seat_by_token(services, new.upper())
    assert seat is not None and (seat.letter, seat.name) == ("B", "Bertha")
    briefing = next(mail for mail in outbox.listing(services, campaign) if mail.kind == "briefing")
    assert briefing.address == "bertha@players.test" and "GIVE 1 PM TO A" in briefing.text
    assert briefing.attachments[0]["name"] == "bell-1.txt"
    assert lookups.state(services, campaign).seat("B").ordered, "what was on file stays"


def test_a_resignation_can_be_caught_by_a_replacement(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    holders.resign(services, campaign, "E")
    assert "leaving" in kinds(services, campaign)
    holders.replace(services, campaign, "E", NewPlayer("Egon", "egon@players.test"))
    order_all(services, campaign)
    let_pass(services, clock, hours=1)
    assert lookups.state(services, campaign).position.quitters == ()


def test_everything_that_is_wrong_with_a_new_campaign_is_said_at_once(services: Services) -> None:
    with pytest.raises(Invalid) as refusal:
        creation.create(
            services, name=" ", players=[NewPlayer("A", "no address"), NewPlayer("", "b@x.test", "Mars/Base")],
            gm_name="G", gm_address="g",
        )  # fmt: skip
    assert len(refusal.value.data["problems"]) == 6  # type: ignore[arg-type]


def test_an_id_is_given_once(services: Services) -> None:
    new_campaign(services)
    assert new_campaign(services) != "june-1918"
    with pytest.raises(Conflict):
        creation.create(services, id="june-1918", name="x", players=FIVE, gm_name="G", gm_address="g@x.test")


def test_what_is_not_there_is_said_in_one_line_with_what_to_do(services: Services) -> None:
    for call in (lookups.state, lookups.bells, lookups.history, deadlines.pause):
        with pytest.raises(NotFound) as refusal:
            call(services, "nowhere")
        assert "\n" not in str(refusal.value) and refusal.value.hint


def test_everything_the_gamesmaster_does_is_in_the_audit_log(services: Services) -> None:
    campaign = start(services)
    deadlines.extend(services, campaign, hours=1, actor="GM")
    deadlines.pause(services, campaign, actor="GM")
    deadlines.resume(services, campaign, actor="GM")
    holders.add_standby(services, campaign, NewPlayer("S", "s@x.test"), "GM")
    deadlines.close_early(services, campaign, "GM")
    done = {row.action for row in lookups.audit(services, campaign) if row.actor == "GM"}
    assert {"create", "extend", "pause", "resume", "standby", "close-early"} <= done


def test_every_mail_of_a_campaign_is_worded_and_has_a_message_id_of_its_own(
    services: Services, clock: FakeClock
) -> None:
    campaign = start(services)
    let_pass(services, clock, days=9)
    mails = outbox.listing(services, campaign, limit=1000)
    assert len({mail.message_id for mail in mails}) == len(mails) == len({mail.key for mail in mails})
    for mail in mails:
        assert mail.subject and mail.text and "{{" not in mail.text and "{%" not in mail.text
        assert mail.message_id.endswith("@bell.test>")


def test_loading_the_present_state_does_not_grow_with_the_history(sqlite_services: Services, clock: FakeClock) -> None:
    services = sqlite_services
    campaign = start(services)

    def queries() -> int:
        from sqlalchemy import event

        seen: list[str] = []

        def note(connection, cursor, statement, *_) -> None:
            seen.append(statement)

        event.listen(services.store.engine, "before_cursor_execute", note)
        lookups.state(services, campaign)
        event.remove(services.store.engine, "before_cursor_execute", note)
        return len(seen)

    before = queries()
    for _ in range(3):
        deadlines.close_early(services, campaign)
        tick(services)
    assert queries() == before


def test_a_campaign_in_trouble_does_not_stop_the_others(sqlite_services: Services) -> None:
    def broken(board, position, orders, chance, masses):
        if "bad" in broken.names:
            raise RuntimeError("no rule for this")
        return sqlite_services.adjudicate(board, position, orders, chance, masses)

    broken.names = ["bad"]
    good = start(sqlite_services, "good")
    bad = start(sqlite_services, "bad")
    deadlines.close_early(sqlite_services, bad)
    report = ticker.tick(replace(sqlite_services, adjudicate=broken))
    assert [(kind, campaign) for kind, campaign, _ in report.failed] == [("adjudicate", bad)]
    assert lookups.state(sqlite_services, bad).phase_state == "sealed", "nothing is lost"
    assert any(mail.kind == "trouble" for mail in outbox.listing(sqlite_services, bad))
    deadlines.close_early(sqlite_services, good)
    assert tick(sqlite_services) == [("adjudicate", good), ("publish", good)]
    broken.names = []
    sqlite_services.clock.advance(minutes=2)  # type: ignore[attr-defined]
    assert ticker.tick(replace(sqlite_services, adjudicate=broken)).done == [("adjudicate", bad), ("publish", bad)]


def test_what_was_given_up_can_be_tried_again(sqlite_services: Services, clock: FakeClock) -> None:
    def broken(*_):
        raise RuntimeError("no rule for this")

    campaign = start(sqlite_services)
    deadlines.close_early(sqlite_services, campaign)
    for _ in range(ticker.IN_A_ROW + 3):
        ticker.tick(replace(sqlite_services, adjudicate=broken))
        clock.advance(hours=1)
    told = [mail for mail in outbox.listing(sqlite_services, campaign) if mail.kind == "trouble"]
    assert len(told) == 2 and "gm campaign retry" in told[0].text, "at the first failure, and when it is given up"
    assert tick(sqlite_services) == []
    assert ticker.retry(sqlite_services, campaign) == 1
    assert tick(sqlite_services) == [("adjudicate", campaign), ("publish", campaign)]


def test_a_draft_has_its_hours_again_after_a_pause(services: Services, clock: FakeClock) -> None:
    campaign = start(services, publish="draft", draft_hours=10)
    deadlines.close_early(services, campaign)
    tick(services)
    deadlines.pause(services, campaign)
    let_pass(services, clock, days=3)
    deadlines.resume(services, campaign)
    let_pass(services, clock, hours=9)
    assert lookups.state(services, campaign).phase_state == "adjudicated"
    let_pass(services, clock, hours=2)
    assert lookups.state(services, campaign).phase == "first"
