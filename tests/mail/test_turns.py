"""Whoever sends much, or what costs much to read, makes others wait for one mail of theirs and no deadline for more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import inbox
from gm.campaign.reads import lookups
from gm.mail.handle.handler import MailHandler
from gm.mail.identify.rate_limit import DEFAULT, Spent
from gm.mail.parse.message import Envelope
from gm.mail.wiring import settle_inbox
from tests.mail.post import Post

REPORT = b"Content-Type: multipart/report; report-type=delivery-status; boundary=x"


class Noting:
    """What is read of whose mail, in order."""

    def __init__(self) -> None:
        self.read: list[tuple[str, str, int]] = []

    def __call__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if function.__name__ in ("read_head", "read"):
            subject = args[0].decode().partition("Subject: ")[2].partition("\n")[0]
            self.read.append((function.__name__, subject, len(args[0])))
        return function(*args, **kwargs)

    def whole(self) -> list[str]:
        return [subject for what, subject, _ in self.read if what == "read"]


@pytest.fixture
def noting() -> Noting:
    return Noting()


def take(post: Post, letter: str, subject: str, words: str = "GIVE 1 PM TO C", **fields: str) -> int:
    return post.desk.take(post.raw(letter, words, Subject=subject, **fields), Envelope(source="lmtp"))


def to_the_deadline(post: Post, seconds: float = 0) -> None:
    deadline = lookups.state(post.services, post.campaign).deadline
    assert deadline is not None
    post.clock.set(deadline - timedelta(seconds=seconds))


def states(post: Post, numbers: list[int]) -> list[str]:
    return [post.state_of(number)[0] for number in numbers]


# --- mail without a secret


def test_a_phase_is_sealed_though_mail_in_a_players_name_waits_that_bears_no_secret(post: Post) -> None:
    """Sixty mails of 62 KB from whoever knew an address held a deadline for 73 seconds."""
    to_the_deadline(post, 5)
    claimed = [take(post, "A", f"x{n}", To="orders@bell.test") for n in range(20)]
    own = take(post, "A", "mine", "GIVE 2 PM TO C")
    to_the_deadline(post)
    assert not ticker.tick(post.services).failed
    assert lookups.state(post.services, post.campaign).phase != "trade"
    assert states(post, claimed) == ["new"] * 20, "nothing of them can be orders of this Phase"
    assert states(post, [own]) == ["handled"]


def test_what_was_confirmed_before_the_deadline_counts_though_it_bears_no_secret(post: Post) -> None:
    to_the_deadline(post, 50)
    number = take(post, "A", "mine", "GIVE 2 PM TO C", To="orders@bell.test")
    assert post.desk.sweep() == 1 and states(post, [number]) == ["held"]
    to_the_deadline(post, 5)
    yes = take(post, "A", "Re: mine", f"CONFIRM {number}")
    to_the_deadline(post)
    assert not ticker.tick(post.services).failed
    assert states(post, [number, yes]) == ["handled", "handled"]
    assert post.state_of(number)[1] == "orders taken v1"


def test_when_nobody_is_asked_any_more_a_mail_without_a_secret_is_held_by_its_head(post: Post, noting: Noting) -> None:
    post.desk = MailHandler(post.services, run=noting)
    numbers = [take(post, "A", f"x{n}", To="orders@bell.test") for n in range(12)]
    assert post.desk.sweep() == 12
    assert states(post, numbers) == ["held"] * 12
    assert len(noting.whole()) == DEFAULT.questions_an_hour
    told = [mail for mail in post.since(0) if "I have stopped asking" in mail.subject]
    assert len(told) == 1
    post.write("A", f"CONFIRM {numbers[-1]}")
    assert post.desk.sweep() == 1 and post.orders_of("A") == "GIVE 1 PM TO C"


def test_beyond_an_hours_share_only_heads_are_read_of_mail_without_a_secret(post: Post, noting: Noting) -> None:
    post.desk = MailHandler(post.services, replace(DEFAULT, nobodys_seconds_an_hour=0), run=noting)
    stranger = b"From: x@evil.test\nTo: orders@bell.test\nSubject: key\n\nX-Kolokol-Key: " + b"y\n" * 5_000
    numbers = [
        post.desk.take(stranger, Envelope(source="lmtp")),
        post.desk.take(stranger.replace(b": key", b": returned\n" + REPORT), Envelope(source="lmtp", null_sender=True)),
        take(post, "A", "claimed", "GIVE 1 PM TO B\n" * 500, To="orders@bell.test"),
        take(post, "A", "own", "GIVE 2 PM TO B"),
    ]
    assert post.desk.sweep() == 4
    assert states(post, numbers) == ["quarantined", "quarantined", "held", "handled"]
    assert noting.whole() == ["own"]
    assert max(size for _, subject, size in noting.read if subject != "own") < 300
    assert any("I have stopped asking" in mail.subject for mail in post.since(0))


# --- mail with one


def test_players_take_turns_in_the_inbox(post: Post, noting: Noting) -> None:
    """Twelve mails of 240 KB of one player held the receipts of all others for 80 seconds."""
    post.desk = MailHandler(post.services, run=noting)
    for number in range(5):
        take(post, "B", f"b{number}")
    take(post, "A", "a0")
    take(post, "A", "a1")
    assert post.desk.sweep() == 7
    assert noting.whole()[:2] == ["b0", "a0"]
    assert [s for s in noting.whole() if s[0] == "b"] == [f"b{n}" for n in range(5)], "each one's in their order"
    assert noting.whole().index("a1") < 6


def test_whose_turn_it_is_is_told_by_the_secret_and_not_by_the_sender(post: Post, noting: Noting) -> None:
    for number in range(5):
        take(post, "B", f"b{number}", From=f"x{number}@evil.test")
    take(post, "A", "a0")
    MailHandler(post.services, run=noting).sweep()
    assert [s for s in noting.whole() if s in ("b0", "a0", "b1")] == ["b0", "a0", "b1"]
    assert noting.whole()[1] == "a0", "also in a process that did not take them in"


def test_an_empty_mail_stops_no_sweep(post: Post) -> None:
    """A database may give nothing for the beginning of nothing."""
    secret = f"orders+{post.token('B')}@bell.test"
    empty = [
        post.desk.take(b"", Envelope(source="lmtp")),
        post.desk.take(b"", Envelope(source="lmtp", rcpt_to=(secret,))),
    ]
    own = take(post, "A", "a0")
    assert MailHandler(post.services).sweep() == 3
    assert states(post, [*empty, own])[2] == "handled" and "new" not in states(post, empty)


def test_before_a_seal_they_take_turns_too_and_nobody_holds_it_longer_than_their_share(
    post: Post, noting: Noting
) -> None:
    desk = post.desk = MailHandler(post.services, replace(DEFAULT, seconds_an_hour=1e-9), run=noting)
    services = replace(post.services, settle=lambda services, before: settle_inbox(services, before, desk))
    to_the_deadline(post, 5)
    numbers = [take(post, "B", f"b{number}") for number in range(4)]
    own = take(post, "A", "a0", "GIVE 2 PM TO C")
    to_the_deadline(post)
    assert not ticker.tick(services).failed
    assert noting.whole() == ["b0", "a0"]
    assert lookups.state(post.services, post.campaign).phase != "trade"
    assert states(post, [*numbers, own]) == ["handled", "new", "new", "new", "handled"]
    before = post.newest()
    assert post.desk.sweep() == 3, "the rest is read afterwards"
    receipts = [mail for mail in post.since(before) if mail.letter == "B" and mail.kind == "receipt"]
    assert len(receipts) == 3 and all("before" in receipt.text for receipt in receipts), "and told to be late"


class Asked(MailHandler):
    def _question(self, mail: inbox.Inbound, opened: Any) -> str:
        asked.append(mail.letter or "")
        return self._note(mail, None, "answered")


asked: list[str] = []


def test_what_ifs_take_turns(post: Post) -> None:
    """Eight of one player held that of another for 75 seconds."""
    asked.clear()
    post.desk = Asked(post.services)
    for letter in "BBBBC":
        take(post, letter, "what if", "WHATIF\nGIVE 1 PM TO A")
    assert post.desk.sweep() == 5
    assert [post.desk.answer_questions(1) for _ in range(6)] == [1, 1, 1, 1, 1, 0]
    assert asked == ["B", "C", "B", "B", "B"]


# --- counting


def test_what_is_spent_is_forgotten_after_its_window() -> None:
    now = [0.0]
    spent = Spent(60, lambda: now[0])
    for second in range(0, 60, 10):
        now[0] = second
        spent.add("a", 2)
    assert (spent.of("a"), spent.of("b")) == (12, 0)
    now[0] = 65
    assert spent.of("a") == 10
    now[0] = 200
    assert spent.of("a") == 0


def test_a_lock_in_the_database_is_no_fault_of_the_mail(post: Post) -> None:
    number = take(post, "A", "a")
    for _ in range(6):
        assert inbox.claim(post.services, number) == 1
        inbox.let_go(post.services, number)
