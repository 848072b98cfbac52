"""Outbox and inbox: nothing is lost, nothing is taken twice, patience has an end."""

import threading
from datetime import timedelta

import pytest

from gm.campaign.mailbox import failures, inbox, letters, outbox
from gm.campaign.ports import Mail, Outgoing, Sending
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import Invalid, NotAllowed, NotFound
from tests.campaign_fixtures import FakeClock, start


def letter_to_anna(services: Services, key: str = "k") -> str:
    return outbox.queue(services, Mail(key, "test", "anna@players.test", "Anna", "Hello", "A text"))


def test_the_same_mail_is_queued_once_and_keeps_its_message_id(services: Services) -> None:
    assert letter_to_anna(services) == letter_to_anna(services)
    assert len(outbox.listing(services, None)) == 1


def test_many_at_once_queue_the_same_mail_once(services: Services) -> None:
    threads = [threading.Thread(target=letter_to_anna, args=(services,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outbox.listing(services, None)) == 1


def test_a_claimed_mail_is_nobody_elses_until_the_lease_ends(services: Services, clock: FakeClock) -> None:
    letter_to_anna(services)
    (mine,) = outbox.claim(services, "one")
    assert mine.message_id.endswith("@bell.test>") and mine.attempts == 1
    assert outbox.claim(services, "two") == []
    clock.advance(seconds=services.settings.mail_lease_seconds)
    (again,) = outbox.claim(services, "two")
    assert again.message_id == mine.message_id and again.attempts == 2
    outbox.failed(services, mine.id, mine.lease, "too late to say so")
    outbox.sent(services, again.id, again.lease)
    assert outbox.listing(services, None)[0].state == "sent"


def test_two_workers_never_claim_the_same_mail(services: Services) -> None:
    for number in range(40):
        letter_to_anna(services, f"mail/{number}")
    claimed: list[int] = []

    def work(name: str) -> None:
        while mails := outbox.claim(services, name, limit=3):
            claimed.extend(mail.id for mail in mails)

    threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 40


def test_a_mail_is_tried_again_with_patience_and_then_given_up_and_told(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    while mails := outbox.claim(services, "clear the desk", 500):
        for mail in mails:
            outbox.sent(services, mail.id, mail.lease)
    seat = holders.seat_of(services, campaign, "A")
    outbox.queue(services, Mail("k", "test", seat.address, seat.name, "Hello", "text", campaign, "A"))
    waits = []
    for _ in range(len(outbox.RETRY_MINUTES) + 1):
        (mail,) = outbox.claim(services, "w")
        outbox.failed(services, mail.id, mail.lease, "451 try later")
        row = outbox.get(services, mail.id)
        assert row is not None
        waits.append(row.not_before - clock.now())
        clock.set(max(row.not_before, clock.now() + timedelta(seconds=1)))
    assert waits[:3] == [timedelta(minutes=m) for m in (1, 5, 15)]
    assert row.state == "failed" and row.error == "451 try later"
    told = [m for m in outbox.listing(services, campaign) if m.kind == "bounced"]
    assert len(told) == 1 and told[0].address == "gm@players.test"
    assert lookups.state(services, campaign).mails["failed"] == 1
    outbox.retry(services, row.id, "GM")
    assert row.id in {mail.id for mail in outbox.claim(services, "w")}


def test_what_can_never_arrive_is_given_up_at_once(services: Services) -> None:
    letter_to_anna(services)
    (mail,) = outbox.claim(services, "w")
    outbox.failed(services, mail.id, mail.lease, "550 no such user", permanent=True)
    assert outbox.listing(services, None)[0].state == "failed"


def test_send_due_notes_what_became_of_each(services: Services) -> None:
    for key in ("good", "bad"):
        letter_to_anna(services, key)

    class Sender:
        def send(self, mails: list[Outgoing]):
            for mail in mails:
                yield Sending(mail.id, mail.lease, mail.key == "good", "no luck")

    assert outbox.send_due(services, Sender(), "w") == 2
    assert {mail.key: mail.state for mail in outbox.listing(services, None)} == {"good": "sent", "bad": "queued"}


def test_the_same_incoming_mail_is_kept_once(services: Services) -> None:
    one = inbox.store(services, b"raw", source="imap", message_id="<a@b>", sender="X@Y.test")
    two = inbox.store(services, b"raw", source="lmtp", message_id="<a@b>", sender="x@y.test")
    three = inbox.store(services, b"other", source="imap", message_id="<a@b>")
    assert one.new and not two.new and one.id == two.id and three.new
    waiting = inbox.waiting(services, ahead=False)
    assert [inbox.get(services, number).raw for number in waiting] == [b"raw", b"other"]


def test_what_is_not_dealt_with_comes_again_and_quarantine_can_be_looked_into(
    services: Services, clock: FakeClock
) -> None:
    kept = inbox.store(services, b"\xff\xfe raw", source="pipe", sender="stranger@x.test")
    assert inbox.claim(services, kept.id) == 1
    assert inbox.claim(services, kept.id) is None, "one reader has it"
    inbox.let_go(services, kept.id)
    assert inbox.waiting(services, ahead=False) == [kept.id]
    inbox.quarantine(services, kept.id, "unknown sender")
    assert inbox.waiting(services, ahead=False) == []
    assert [(slip.id, slip.reason) for slip in inbox.quarantined(services)] == [(kept.id, "unknown sender")]
    assert inbox.get(services, kept.id).raw == b"\xff\xfe raw"
    released = inbox.release(services, kept.id, "GM")
    assert released.state == "new" and inbox.quarantined(services) == []
    with pytest.raises(NotFound):
        inbox.get(services, 999)


def test_anonymous_letters_only_where_the_campaign_allows_them(services: Services) -> None:
    campaign = start(services)
    with pytest.raises(NotAllowed):
        letters.add_letter(services, campaign, "A", ["B"], "psst", anonymous=True)
    free = start(services, "Free press", anonymous_letters=True)
    number = letters.add_letter(services, free, "A", ["B"], "psst", anonymous=True)
    (got,) = letters.letters_of(services, free, "B")
    assert got.sender is None and got.id == number
    (mail,) = [mail for mail in outbox.listing(services, free) if mail.kind == "letter"]
    assert "Anna" not in mail.text + mail.subject + str(mail.headers)


def test_a_letter_needs_a_reader_and_a_text(services: Services) -> None:
    campaign = start(services)
    for to, text in (([], "text"), (["A"], "text"), (["B"], "  "), (["B"], "x" * 20_001)):
        with pytest.raises(Invalid):
            letters.add_letter(services, campaign, "A", to, text)
    with pytest.raises(NotFound):
        letters.add_letter(services, campaign, "A", ["Z"], "text")


def test_a_letter_to_the_gamesmaster_reaches_him(services: Services) -> None:
    campaign = start(services)
    letters.add_letter(services, campaign, "A", ["GM"], "May I?", key="inbox/3")
    letters.add_letter(services, campaign, "A", ["GM"], "May I?", key="inbox/3")
    assert [m.address for m in outbox.listing(services, campaign) if m.kind == "letter"] == ["gm@players.test"]


def test_a_bounce_is_shown_at_the_seat_and_told_once(services: Services) -> None:
    campaign = start(services)
    first, second = [mail for mail in outbox.listing(services, campaign) if mail.letter == "B"][:2]
    failures.came_back(services, first.id, "mailbox full", permanent=False)
    assert lookups.state(services, campaign).seat("B").bounce is None
    for mail in (first, second, second):
        failures.came_back(services, mail.id, "550 gone", permanent=True)
    assert lookups.state(services, campaign).seat("B").bounce == "550 gone"
    assert sum(mail.kind == "bounced" for mail in outbox.listing(services, campaign)) == 1


def test_tokens_name_seats_and_the_gamesmaster_in_any_case(services: Services) -> None:
    campaign = start(services)
    for letter in ("A", "E", "GM"):
        token = holders.seat_token(services, campaign, letter)
        assert token.islower() and len(token) == 26 and token.isalnum()
        seat = holders.seat_by_token(services, token.upper())
        assert seat is not None and seat.letter == letter and seat.is_gm == (letter == "GM")
    assert holders.seat_by_token(services, "x" * 26) is None
    assert [seat.letter for seat in holders.seats_by_address(services, "ANNA@players.test")] == ["A"]
    assert [seat.letter for seat in holders.seats_by_address(services, "gm@players.test")] == ["GM"]


def test_readers_get_bells_until_they_want_no_more(services: Services) -> None:
    from gm.campaign.manage import deadlines
    from gm.campaign.ports import NewPlayer
    from tests.campaign_fixtures import tick

    campaign = start(services)
    holders.add_reader(services, campaign, NewPlayer("Rita", "rita@x.test"))
    deadlines.close_early(services, campaign)
    tick(services)
    assert holders.unsubscribe(services, campaign, "rita@x.test")
    assert not holders.unsubscribe(services, campaign, "anna@players.test"), "a player leaves by resigning"
    deadlines.close_early(services, campaign)
    tick(services)
    bells = [mail for mail in outbox.listing(services, campaign, limit=500) if mail.address == "rita@x.test"]
    assert [mail.kind for mail in bells] == ["bell"]
