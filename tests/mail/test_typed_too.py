"""Commands that were typed, and that stand in a mail of ours too, perhaps because another player saw to it."""

from __future__ import annotations

import pytest

from gm.campaign.reads import lookups
from tests.mail.post import Post

LETTER = "LETTER TO A:\nYou may use the word\n\n{word}\n\nbefore your orders.\n\nYours, Boris\nEND"
TRIES = "Dear Gregor,\n\nplease only try these:\n\nWHATIF\n\nGIVE 2 PM TO C\n\nbest wishes\nAnna"
GOOD = "GIVE 1 PM TO B"


def is_ready(post: Post, letter: str) -> bool:
    return next(s for s in lookups.state(post.services, post.campaign).seats if s.letter == letter).ready


@pytest.fixture
def told(post: Post) -> Post:
    """Anna has orders on file, and a letter of Boris that has a command on a line of its own."""
    post.write("A", GOOD)
    return post


@pytest.mark.parametrize(
    "letter",
    [
        LETTER.format(word="WHATIF"),
        "LETTER TO A:\nDear Gregor,\nWHATIF\nbest wishes\nAnna\nEND",
        "LETTER TO A:\nplease only try these:\nWHATIF\nGIVE 2 PM TO C\nEND.\nbest wishes\nAnna\nEND",
    ],
)
@pytest.mark.parametrize("with_secret", [True, False])
def test_a_what_if_is_never_filed_because_another_wrote_the_word(told: Post, letter: str, with_secret: bool) -> None:
    told.write("B", letter)
    told.clock.advance(minutes=1)
    if with_secret:
        answers = told.write("A", TRIES, Subject="what would happen")
    else:
        (question,) = told.write("A", TRIES, Subject="what would happen", To="orders@bell.test")
        assert "| WHATIF" in question.text
        told.clock.advance(minutes=1)
        answers = told.write("A", "CONFIRM", In_Reply_To=question.message_id)
        before = told.newest()
        told.desk.sweep()
        told.desk.answer_questions()
        answers = told.since(before)
    assert told.orders_of("A") == GOOD
    assert any("GIVE 2 PM TO C" in row.text and row.kind == "answer" for row in answers)


def test_a_what_if_in_answer_to_a_bell_with_the_word_in_its_press(first_phase: Post) -> None:
    post = first_phase
    post.write("B", "PRESS\nDear Gregor,\nWHATIF\nbest wishes\nEND")
    (bell, *_) = [row for row in post.since(0) if row.kind == "bell" and row.letter == "A"][-1:]
    with post.services.store.write() as session:  # as it would be printed in the next issue
        row = session.merge(bell)
        row.text += "\n| Dear Gregor,\n| WHATIF\n| best wishes\n"
    before = post.orders_of("A")
    post.write("A", "Dear Gregor,\nWHATIF\n\nREFUSE GIFTS\n\nbest wishes\nAnna", In_Reply_To=bell.message_id)
    assert post.orders_of("A") == before


def test_not_ready_is_heard_though_another_wrote_it(told: Post) -> None:
    told.write("A", "READY")
    assert is_ready(told, "A")
    told.write("B", LETTER.format(word="NOT READY"))
    words = "Dear Gregor,\n\nI must think again.\n\nNOT READY\n\nbest wishes\nAnna\n"
    told.write("A", words, Subject="a change")
    assert not is_ready(told, "A")


def test_what_was_asked_about_and_confirmed_is_done(post: Post) -> None:
    words = "Dear Gregor,\n\nGIVE 2 PM TO C\n\nREADY\n\nSTATUS\n\nHELP MOVE\n\nbest wishes\nAnna"
    (question,) = post.write("A", words, Subject="orders", To="orders@bell.test")
    assert all(f"| {word}" in question.text for word in ("GIVE 2 PM TO C", "READY", "STATUS", "HELP MOVE"))
    post.clock.advance(minutes=1)
    post.write("A", "CONFIRM", In_Reply_To=question.message_id)
    before = post.newest()
    post.desk.sweep()
    (receipt,) = post.since(before)
    assert post.orders_of("A") == "GIVE 2 PM TO C" and is_ready(post, "A")
    assert "Your orders: version" in receipt.text and "not taken" not in receipt.text
