"""Mail that costs much to read or to keep: its sender is told, and the rest of the house is spared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from gm.campaign.mailbox import inbox
from gm.campaign.tokens import strike_secrets
from gm.errors import NotFound
from gm.mail.handle.handler import MailHandler
from gm.mail.handle.understand import understand
from gm.mail.identify.rate_limit import DEFAULT
from gm.mail.parse.headers import HEAD
from gm.mail.parse.message import Envelope, read
from gm.processes import TooCostly
from tests.mail.post import Post
from tests.stopwatch import within

HEADER = b"From: a@players.test\nTo: orders@bell.test\nSubject: x\n\n"


def too_costly(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Stands for the process with limits."""
    if function.__name__ == "read" and b"Zoological" in args[0]:
        raise TooCostly(function.__name__)
    return function(*args, **kwargs)


@pytest.fixture
def bounded(post: Post) -> Iterator[Post]:
    post.desk = MailHandler(post.services, run=too_costly)
    yield post


# --- what becomes of it is told


def test_whose_mail_is_too_costly_is_told_that_nothing_of_it_was_taken(bounded: Post) -> None:
    bounded.write("A", "GIVE 1 PM TO B")
    (told,) = [mail for mail in bounded.write("A", "Zoological\nGIVE 2 PM TO B") if mail.letter == "A"]
    assert told.address == bounded.address("A") and told.kind == "answer"
    words = " ".join(told.text.split())
    assert "NOTHING IN IT WAS TAKEN" in words and "alone and as plain text" in words
    assert bounded.orders_of("A") == "GIVE 1 PM TO B"
    (aside,) = inbox.quarantined(bounded.services, bounded.campaign)
    assert aside.reason == "unreadable: TooCostly", "its Gamesmaster sees it"


@pytest.mark.parametrize("fields", [{"From": "Anna <anna@elsewhere.test>"}, {"To": "orders@bell.test"}])
def test_nobody_is_told_of_a_costly_mail_that_may_be_anothers(bounded: Post, fields: dict[str, str]) -> None:
    assert [mail for mail in bounded.write("A", "Zoological", **fields) if mail.letter == "A"] == []


def test_who_asked_what_if_in_a_costly_mail_is_told_that_the_rest_was_done(bounded: Post) -> None:
    number = bounded.desk.take(bounded.raw("A", "WHATIF\nGIVE 1 PM TO B"), Envelope(source="lmtp"))
    assert bounded.desk.sweep() == 1

    class Fails(MailHandler):
        def _question(self, mail: inbox.Inbound, opened: Any) -> str:
            raise TooCostly("try_out")

    before = bounded.newest()
    assert Fails(bounded.services).answer_questions() == 1
    (told,) = [mail for mail in bounded.since(before) if mail.letter == "A"]
    assert "what-if" in told.text and bounded.state_of(number)[0] == "quarantined"


# --- lines


@pytest.mark.parametrize("line", ["----x%d----", "MVOE %d:", "LETTER TO B %d", "a%d: b@c.test x"])
def test_of_one_mail_so_many_lines_are_read_and_no_more(line: str) -> None:
    """Twenty thousand lines of dashes took two to three seconds, and twelve such mails held all others for 80."""
    raw = HEADER + "\n".join(line % (number % 100) for number in range(20_000)).encode()
    found = within(1, lambda: read(raw))
    assert found.truncated and found.body.count("\n") <= 6_000
    assert "truncated" in [note.code for note in understand(found).notes]


def test_who_wrote_too_many_lines_is_told_that_some_were_not_taken(post: Post) -> None:
    (receipt,) = post.write("A", "GIVE 1 PM TO B\n-- \n" + "words\n" * 7_000 + "GIVE 1 PM TO C")
    assert "some of it was left out, and was NOT taken" in " ".join(receipt.text.split())


def test_whatever_ends_a_line_of_orders_ends_a_line_of_the_mail() -> None:
    ends = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
    head = HEADER.rstrip() + b"\nContent-Type: text/plain; charset=utf-8\n\n"
    words = "a".join(ends) + "a"
    assert read(head + words.encode()).body.count("\n") + 1 == len(words.splitlines())


# --- bytes


def test_of_one_persons_mail_so_much_is_kept_in_a_day(post: Post) -> None:
    """Twenty mails of ten megabytes made the database grow by 230 MB."""
    post.desk = MailHandler(post.services, replace(DEFAULT, bytes_a_day=200_000))
    kept = [post.desk.take(post.raw("A", "x" * 90_000), Envelope(source="lmtp")) for _ in range(4)]
    sizes = [len(inbox.get(post.services, number).raw) for number in kept]
    assert min(sizes[:2]) > 90_000 and max(sizes[2:]) < HEAD + 100
    before = post.newest()
    assert post.desk.sweep() == 4
    assert "so nothing in it was taken" in " ".join(post.since(before)[-1].text.split())
    (receipt,) = post.write("A", "GIVE 1 PM TO B")
    assert post.orders_of("A") == "GIVE 1 PM TO B", "ordinary mail is taken all the same"
    assert receipt.kind == "receipt"
    post.clock.advance(minutes=int(timedelta(days=1).total_seconds() // 60) + 60)
    later = post.desk.take(post.raw("A", "x" * 90_000), Envelope(source="lmtp"))
    assert len(inbox.get(post.services, later).raw) > 90_000


def test_the_mails_are_loaded_one_at_a_time(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [post.desk.take(post.raw("A", f"VOTE END {n}"), Envelope(source="lmtp")) for n in range(3)]
    loaded = inbox.waiting(post.services, ahead=True)
    assert loaded == numbers, "numbers alone, however much each holds"


def test_of_mails_held_for_one_seat_the_oldest_are_deleted(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "HELD_MAILS", 3)
    raws = [post.raw(letter, f"VOTE END {n}", To="orders@bell.test") for letter in "AB" for n in range(5)]
    numbers = [post.hand_in(raw) for raw in raws]
    released = post.hand_in(post.raw("A", f"CONFIRM {numbers[0]}"))
    post.desk.handle(numbers[0])
    assert inbox.drop_strangers(post.services) == 1 + 2
    gone = [number for number in numbers if _is_gone(post, number)]
    assert gone == [numbers[1], *numbers[5:7]], "what was confirmed stays, and each seat has its own"
    assert post.state_of(released)[0] == "handled"


def test_a_players_own_held_mail_is_not_displaced_by_what_a_stranger_sends_in_their_name(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hundred forged mails deleted it, and the answer to our question found nothing."""
    monkeypatch.setattr(inbox, "HELD_MAILS", 3)
    own = post.hand_in(post.raw("A", "GIVE 1 PM TO B", Precedence="bulk"))
    assert post.state_of(own)[0] == "held"
    forged = [post.hand_in(post.raw("A", f"VOTE END {n}", To="orders@bell.test")) for n in range(12)]
    assert inbox.drop_strangers(post.services) == 9
    assert [number for number in (own, *forged) if not _is_gone(post, number)] == [own, *forged[9:]]
    monkeypatch.setattr(inbox, "HELD_MAILS", 200)
    for n in range(12):
        post.hand_in(post.raw("A", f"VOTE END {n}", To="orders@bell.test"))
    assert own in inbox.held_for(post.services, post.campaign, "A"), "it is named before what anybody can have sent"
    post.write("A", f"CONFIRM {own}")
    post.desk.handle(own)
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def _is_gone(post: Post, number: int) -> bool:
    try:
        inbox.get(post.services, number)
    except NotFound:
        return True
    return False


# --- secrets


@pytest.mark.parametrize("broken", ["\xad", "\u200b", "\u2060"])
def test_a_secret_broken_by_what_nobody_sees_is_struck_all_the_same(broken: str) -> None:
    token = "abcdefghijklmnopqrstuvwx23"
    said = strike_secrets(f"write to {token[:13]}{broken}{token[13:]} please, orders+{token[:9]}-{token[9:]}@bell.test")
    assert said.startswith("write to [struck out] please, [struck out]")
