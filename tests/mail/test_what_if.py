"""WHATIF before the orders of a mail: they are tried out, and nothing is filed."""

from __future__ import annotations

import threading
from dataclasses import replace

from gm.campaign import ticker
from gm.campaign.mailbox import inbox
from gm.errors import NotNow
from gm.mail.handle.handler import MailHandler
from gm.mail.parse.message import Envelope
from gm.mail.wiring import MailIn
from gm.whatif.question import Answer
from tests.mail.post import Post
from tests.support import wait_until

QUESTION = "WHATIF 20\nGIVE 1 PM TO B"


def test_orders_below_whatif_are_tried_and_not_filed(post: Post) -> None:
    (answer,) = post.write("A", "WHATIF 20\nGIVE 1 PM TO B\n\nGUESS B\nREFUSE GIFTS\n")
    assert "20 plays of this Phase" in " ".join(answer.text.split())
    assert "1. GIVE 1 PM TO B | Failed every time." in " ".join(answer.text.split())
    assert "You guessed for B; everybody else played as a stand-in would." in " ".join(answer.text.split())
    assert post.orders_of("A") == "-"
    assert [a["name"] for a in answer.attachments] == ["a-bell-as-it-might-read.txt"]


def test_the_word_in_a_sentence_is_talk(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B\n\nWhat if I were to march on Tver?")
    assert post.orders_of("A") == "GIVE 1 PM TO B"


# --- it takes long: nothing waits for it


def test_a_question_holds_neither_other_mail_nor_a_deadline(post: Post) -> None:
    """The mails are dealt with as the worker does it, while the question is being tried."""
    began, go_on = threading.Event(), threading.Event()

    def slow(*asked: object) -> Answer:
        began.set()
        assert go_on.wait(60)
        raise NotNow("whatif-long", "this took too long to try", "")

    services = replace(post.services, what_if=slow)
    desk = MailIn(services, MailHandler(services))
    asked = desk.handler.take(post.raw("A", QUESTION), Envelope(source="lmtp"))
    desk.start()
    try:
        assert began.wait(60)
        ordered = desk.handler.take(post.raw("B", "GIVE 2 PM TO A"), Envelope(source="lmtp"))
        wait_until(lambda: post.state_of(ordered)[0] == "handled", 30)
        post.clock.advance(hours=200)
        services = replace(services, settle=desk.settle)
        done = ticker.tick(services)
        assert ("close", post.campaign) in done.done and not done.failed
        assert post.state_of(asked) == ("new", inbox.ASKED)
        before = post.newest()
    finally:
        go_on.set()
        wait_until(lambda: post.state_of(asked)[0] == "handled", 30)
        desk.stop()
    (answer,) = [mail for mail in post.since(before) if mail.kind == "answer"]
    assert answer.address == post.address("A") and "this took too long to try" in answer.text


def test_a_question_is_answered_after_a_crash_and_its_letter_goes_once(post: Post) -> None:
    before = post.newest()
    number = post.desk.take(post.raw("A", f"LETTER TO B: Peace?\nEND\n{QUESTION}"), Envelope(source="lmtp"))
    assert post.desk.sweep() == 1 and post.desk.sweep() == 0
    assert inbox.claim(post.services, number) == 1 and post.desk.answer_questions() == 0, "another answers it"
    post.clock.advance(seconds=inbox.QUESTION_LEASE.total_seconds() + 1)
    assert post.desk.answer_questions() == 1 and post.desk.answer_questions() == 0
    mails = post.since(before)
    assert len([mail for mail in mails if mail.kind == "letter"]) == 1
    assert len([mail for mail in mails if "20 plays of this Phase" in " ".join(mail.text.split())]) == 1
    assert post.state_of(number) == ("handled", "what-if") and post.orders_of("A") == "-"


def test_a_question_that_its_sender_confirmed_is_answered(post: Post) -> None:
    number = post.hand_in(post.raw("A", QUESTION, To="orders@bell.test"))
    assert post.state_of(number)[0] == "held"
    inbox.release(post.services, number, "A")
    before = post.newest()
    post.desk.handle(number)
    (answer,) = post.since(before)
    assert "20 plays of this Phase" in " ".join(answer.text.split())
