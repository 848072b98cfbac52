"""A mail that goes to two secret addresses of one person."""

from __future__ import annotations

import pytest

from gm.campaign import ticker
from gm.campaign.manage import creation
from gm.campaign.phase import intake
from gm.campaign.seats import holders
from gm.mail.parse.message import Envelope
from gm.mail.transport.smtp_in import Listener, SmtpHandler
from gm.rehearsal.crew import free_port
from gm.store.mail_tables import Outbox
from tests.campaign_fixtures import new_campaign
from tests.mail.line import Line
from tests.mail.post import LETTERS, Post


@pytest.fixture
def another(post: Post) -> str:
    """A second campaign of the same people."""
    campaign = new_campaign(post.services, "Later")
    for letter in LETTERS:
        creation.accept(post.services, campaign, letter)
    assert not ticker.tick(post.services).failed
    return campaign


def addresses(post: Post, another: str) -> tuple[str, str]:
    tokens = post.token("A"), holders.seat_token(post.services, another, "A")
    return tuple(f"orders+{token}@bell.test" for token in tokens)  # type: ignore[return-value]


def orders_in(post: Post, campaign: str) -> str:
    found = intake.current_orders(post.services, campaign, "A")
    return found.canonical.strip() if found else "-"


@pytest.mark.parametrize("source", ["lmtp", "imap"])
@pytest.mark.parametrize("turned", [False, True])
def test_orders_to_the_addresses_of_two_seats_are_taken_for_both(
    post: Post, another: str, source: str, turned: bool
) -> None:
    """Once they counted for the first alone, and nobody was told."""
    to = addresses(post, another)[:: -1 if turned else 1]
    before = post.newest()
    raw = post.raw("A", "GIVE 1 PM TO B", To=to[0], Cc=to[1])
    post.desk.take(raw, Envelope(source=source, rcpt_to=to if source == "lmtp" else ()))
    assert post.desk.sweep() == 2
    assert [orders_in(post, campaign) for campaign in (post.campaign, another)] == ["GIVE 1 PM TO B"] * 2
    assert {m.campaign_id for m in post.since(before) if m.kind == "receipt"} == {post.campaign, another}
    post.desk.take(raw, Envelope(source=source, rcpt_to=to if source == "lmtp" else ()))  # its server brings it again
    assert post.desk.sweep() == 0


def test_a_mail_of_which_we_ask_whether_it_is_theirs_is_asked_about_for_both(post: Post, another: str) -> None:
    before = post.newest()
    raw = post.raw("A", "GIVE 1 PM TO B", From="anna@elsewhere.test", To=", ".join(addresses(post, another)))
    post.desk.take(raw, Envelope(source="imap"))
    post.desk.sweep()
    assert {m.campaign_id for m in post.since(before) if m.kind == "held"} == {post.campaign, another}


@pytest.mark.parametrize("greets", ["EHLO", "LHLO"])
def test_brought_in_one_transaction_it_is_taken_for_both(post: Post, another: str, greets: str) -> None:
    to = addresses(post, another)
    known = [address[7:33] for address in to]

    def take(raw: bytes, road: Envelope) -> None:
        post.desk.take(raw, road)

    doorman = SmtpHandler("orders@bell.test", (), take, known.__contains__)
    door = Listener(doorman, "127.0.0.1", free_port(), 50_000, "mx.bell.test")
    door.start()
    try:
        with Line(door.port) as line:
            data = post.raw("A", "GIVE 1 PM TO B", To=to[0]).replace(b"\n", b"\r\n") + b".\r\n"
            assert line.begins(*to, greets=greets).sends(data)[:3] == b"250"
    finally:
        door.stop()
    assert post.desk.sweep() == 2
    assert [orders_in(post, campaign) for campaign in (post.campaign, another)] == ["GIVE 1 PM TO B"] * 2


def test_of_two_addresses_of_one_seat_the_first_counts_and_its_owner_is_told(post: Post) -> None:
    letter = next(m for m in post.write("B", "LETTER TO A:\nHello.\nEND") if m.kind == "letter")
    number, secret = letter.headers["X-Kolokol-Letter"], post.token("A")
    to = [f"orders+{secret}@bell.test", f"orders+{secret}-{number}@bell.test"]

    def told(mails: list[Outbox]) -> str:
        return next(" ".join(m.text.split()) for m in mails if m.address == post.address("A"))

    answers = post.write("A", "GIVE 1 PM TO C", To=", ".join(to))
    assert post.orders_of("A") == "GIVE 1 PM TO C" and not [m for m in answers if m.kind == "letter"]
    assert "taken as orders and requests, and NOT passed on as the answer to a letter" in told(answers)
    answers = post.write("A", "I shall think of it.", To=", ".join(to[::-1]))
    assert [m.address for m in answers if m.kind == "letter"] == [post.address("B")]
    assert "as the answer to the letter, and nothing in it as orders" in told(answers)
    assert "more than one" not in told(post.write("A", "GIVE 2 PM TO C", To=to[0], Cc=to[0]))


def test_the_subject_of_an_unsigned_letter_or_answer_is_ours(post: Post) -> None:
    """Once the subject that her mail program or her firm's server had put above it named who answered unsigned."""
    typed = "SV: [ACME-Kopenhagen] Re: A letter in June 1918 (Anna)"
    letters = [*post.write("A", "LETTER ANONYMOUSLY TO B:\nI know about Moscow.\nEND", Subject=typed)]
    letters += post.write("B", "Of whom?", To=f"orders+{post.token('B')}-1@bell.test", Subject="Re: A letter")
    letters += post.write("A", "Of all.", To=f"orders+{post.token('A')}-2@bell.test", Subject=typed)
    first, answer, again = [m for m in letters if m.kind == "letter"]
    assert [m.address for m in (first, answer, again)] == [post.address(x) for x in "BAB"]
    assert first.subject == again.subject == "A letter in June 1918" and answer.subject == "Re: A letter"
