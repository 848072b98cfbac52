"""Mail on SQLite and on PostgreSQL: the same."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from gm.campaign.mailbox import inbox, outbox
from gm.campaign.phase import intake
from gm.mail.handle.handler import MailHandler
from gm.mail.identify.rate_limit import Limits
from gm.mail.parse.message import Envelope
from tests.campaign_fixtures import FakeClock
from tests.mail.post import LETTERS, Post, begin, services_on

NO_LIMIT = Limits(10**6, 10**6, 10**6, 10**6, 10**6)


@pytest.fixture
def post(store_url: str) -> Iterator[Post]:
    clock = FakeClock()
    services = services_on(store_url, clock)
    yield Post(services, begin(services), clock, NO_LIMIT)
    services.close()


def test_orders_letters_questions_and_confirmations(post: Post) -> None:
    (receipt,) = post.write("A", "GIVE 1 PM TO B\nSTATUS")
    assert "are on file" in receipt.text and "Your orders: version 1" in receipt.text
    letter, _ = post.write("A", "LETTER TO B: hello\nEND")
    number = letter.headers["X-Kolokol-Letter"]
    back = post.write("B", "hello yourself", To=f"orders+{post.token('B')}-{number}@bell.test")
    assert [row.address for row in back] == ["anna@players.test"]
    (asked,) = post.write("C", "GIVE 1 PM TO D", To="orders@bell.test")
    assert post.orders_of("C") == "-"
    post.write("C", "CONFIRM", **{"In-Reply-To": asked.message_id})
    post.desk.sweep()
    assert post.orders_of("C") == "GIVE 1 PM TO D"


def test_the_same_mail_twice_is_taken_once(post: Post) -> None:
    raw = post.raw("A", "PRESS Hear, hear.\nEND")
    assert post.hand_in(raw) == post.hand_in(raw)
    assert len(inbox.in_state(post.services, "handled")) == 1


@pytest.mark.slow
def test_two_desks_that_reach_for_the_same_mails_do_everything_once(post: Post) -> None:
    """Two workers, or one killed half-way and its successor: an answer a mail, an order sheet a mail."""
    raws = [post.raw(letter, f"GIVE {n} PM TO B") for n in (1, 2, 3) for letter in LETTERS]
    mails = [post.desk.take(raw, Envelope(source="imap")) for raw in raws]
    desks = [MailHandler(post.services, NO_LIMIT) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda desk: desk.sweep(100), desks))
    assert {post.state_of(number)[0] for number in mails} == {"handled"}
    answers = [row.key for row in outbox.listing(post.services, None, limit=1000) if row.kind in ("answer", "receipt")]
    assert sorted(answers) == sorted(f"inbox/{number}/answer" for number in mails)
    for letter in LETTERS:
        assert [v.version for v in intake.versions(post.services, post.campaign, letter)] == [1, 2, 3]
