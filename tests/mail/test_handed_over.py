"""A seat that changes hands while mail waits: its keys go to whoever holds it when the mail is sent, not to former
holders, nor to who declined it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from gm.campaign.access import callers
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.ports import NewPlayer, Outgoing, Sending
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.errors import NotNow
from gm.mail.handle.handler import MailHandler
from gm.mail.parse.message import Envelope
from gm.mail.transport.smtp_out import MailboxSender, MessageBuilder
from gm.mail.wiring import builder_for
from tests.campaign_fixtures import FakeClock, new_campaign
from tests.mail.post import Post, services_on
from tests.web.meanwhile import Meanwhile

STEFAN = NewPlayer("Stefan", "stefan@players.test")
ANY_KEY = re.compile(r"\+[a-z2-7]{26}@|/in#\S+")


class Relay(MailboxSender):
    """Takes every mail, and keeps it as it goes over the wire."""

    def __init__(self, builder: MessageBuilder) -> None:
        super().__init__(builder)
        self.sent: list[EmailMessage] = []

    def send(self, mails: list[Outgoing]) -> Iterator[Sending]:  # type: ignore[override]
        for mail, result in zip(mails, super().send(mails), strict=True):
            if result.ok:
                made = message_from_bytes(self._builder.build(mail), policy=default)
                assert isinstance(made, EmailMessage)
                self.sent.append(made)
            yield result

    def to(self, address: str) -> list[str]:
        return [mail.as_string() for mail in self.sent if address in str(mail["To"])]


def flushed(post: Post) -> Relay:
    relay = Relay(builder_for(post.services))
    while outbox.send_due(post.services, relay, "test"):
        pass
    return relay


@pytest.fixture
def invited(tmp_path: Path) -> Iterator[Post]:
    clock = FakeClock()
    services = services_on(f"sqlite:///{tmp_path / 'invited.sqlite'}", clock)
    yield Post(services, new_campaign(services), clock)
    services.close()


def test_what_waited_for_a_former_holder_brings_nobody_elses_keys(post: Post) -> None:
    flushed(post)
    clara = post.address("C")
    post.write("C", "HELP MOVE")
    post.write("C", "GIVE 1 PM TO B")
    post.write("B", "LETTER TO C:\nShall we?\nEND")
    holders.replace(post.services, post.campaign, "C", STEFAN)
    relay = flushed(post)
    hers = relay.to(clara)
    assert len(hers) == 3, "two answers and the farewell; the letter is the new holder's"
    assert not any(ANY_KEY.search(mail) for mail in hers)
    assert any(f"+{post.token('C')}@" in mail for mail in relay.to("stefan@players.test"))
    (letter,) = outbox.listing(post.services, None, "cancelled")
    assert (letter.kind, letter.address) == ("letter", clara)
    assert not outbox.listing(post.services, None, "failed")


def test_a_bell_that_waited_is_not_sent_to_who_left(first_phase: Post) -> None:
    post, clara = first_phase, first_phase.address("C")
    holders.replace(post.services, post.campaign, "C", STEFAN)
    relay = flushed(post)
    assert not any(ANY_KEY.search(mail) for mail in relay.to(clara))
    assert {row.kind for row in outbox.listing(post.services, None, "cancelled")} >= {"bell"}


def test_a_seat_that_changes_hands_while_a_batch_is_sent(post: Post) -> None:
    flushed(post)
    clara = post.address("C")
    post.write("C", "HELP")
    post.write("C", "STATUS")
    claimed = outbox.claim(post.services, "test")
    holders.replace(post.services, post.campaign, "C", STEFAN)
    relay = Relay(builder_for(post.services))
    outbox.note(post.services, list(relay.send(claimed)))
    assert len(relay.to(clara)) == 2 and not any(ANY_KEY.search(mail) for mail in relay.to(clara))


def test_who_leaves_to_a_stand_in_gets_none_of_its_keys(post: Post) -> None:
    post.write("D", "LEAVE TO STANDIN")
    flushed(post)
    dmitri = post.address("D")
    for _ in range(3):
        post.write("D", "HELP")
    post.write("D", "CONFIRM LEAVE")
    hers = flushed(post).to(dmitri)
    assert hers and not any(ANY_KEY.search(mail) for mail in hers)


def test_a_failed_mail_is_not_tried_again_for_a_former_holder(post: Post) -> None:
    post.write("B", "LETTER TO C:\nShall we?\nEND")
    letter = next(row for row in outbox.listing(post.services, None) if row.kind == "letter")
    with post.services.store.write() as session:
        row = session.merge(letter)
        row.state = "failed"
    holders.replace(post.services, post.campaign, "C", STEFAN)
    with pytest.raises(NotNow, match="does not hold C any more"):
        outbox.retry(post.services, letter.id, "GM")


def test_new_keys_go_with_what_waits_for_the_same_holder(post: Post) -> None:
    post.write("C", "HELP")
    holders.new_keys(post.services, post.campaign, "C")
    mails = flushed(post).to(post.address("C"))
    assert all(f"+{post.token('C')}@" in mail for mail in mails)


def test_who_declines_gets_no_keys_of_the_seat(invited: Post) -> None:
    flushed(invited)
    ida, old = invited.address("B"), invited.token("B")
    invited.write("B", "No thanks, I decline.")
    (mail,) = flushed(invited).to(ida)
    assert "Thank you for saying so" in mail and not ANY_KEY.search(mail)
    declined = invited.token("B")
    assert callers.fingerprint(invited.services, invited.campaign, "B") is None, "nobody holds it, nobody signs in"
    holders.set_standin(invited.services, invited.campaign, "B", True)
    assert len({old, declined, invited.token("B")}) == 3
    assert lookups.state(invited.services, invited.campaign).seats[1].status == "held"


@pytest.mark.parametrize("writes", range(1, 6))
def test_a_mail_whose_seat_changes_hands_while_it_is_read_does_nothing_more_there(post: Post, writes: int) -> None:
    raw = post.raw("C", "ORDERS\nGIVE 1 PM TO B\n\nEXTEND because I am slow\nZONE Asia/Tokyo")
    store = Meanwhile(post.services, lambda s: holders.replace(s, post.campaign, "C", STEFAN), "write", writes)
    handler = MailHandler(replace(post.services, store=store))  # type: ignore[arg-type]
    store.armed = True
    handler.receive(raw, Envelope(source="pipe"))
    done = [(e.actor, e.action) for e in lookups.audit(post.services, post.campaign)]
    before = done[: done.index(("GM", "replace"))] if ("GM", "replace") in done else []
    assert not [action for actor, action in before if actor == "C"]


def test_what_a_former_holder_confirmed_is_not_done_for_the_new_one(post: Post) -> None:
    number = post.desk.take(post.raw("C", "GIVE 1 PM TO B"), Envelope(source="pipe"))
    inbox.hold(post.services, number, post.campaign, "C", "test")
    post.clock.advance(minutes=1)
    inbox.release(post.services, number, "C", "C")
    holders.replace(post.services, post.campaign, "C", STEFAN)
    assert post.desk.handle(number) == "quarantined"
    assert post.orders_of("C") == "-"
