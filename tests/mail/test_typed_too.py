"""Commands that were typed, and that stand in a mail of ours too, perhaps because another player saw to it."""

from __future__ import annotations

import re
import textwrap

import pytest

from gm.campaign.mailbox import inbox
from gm.campaign.reads import lookups
from gm.mail.compare.answered import compare
from gm.mail.parse.html import to_text
from gm.mail.parse.line_kind import barred, barred_page
from gm.store.mail_tables import Outbox
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


def printed(post: Post, *press: str) -> Outbox:
    """Anna's Bell, with words of another player in its press."""
    bell = [row for row in post.since(0) if row.kind == "bell" and row.letter == "A"][-1]
    with post.services.store.write() as session:
        row = session.merge(bell)
        row.text += "\n== PRESS ====\n\n" + "\n\n".join(f"  {p}" for p in press) + "\n\n== COLOPHON ====\n"
        row.text += "".join(f"  Line {n} of the colophon, which nobody writes by chance.\n" for n in range(9))
        words = "".join(f"<p>{part}</p>" for part in press)
        footer = "".join(f"<p>Line {n} of the colophon, which nobody writes by chance.</p>" for n in range(9))
        row.html = f"<html><body><p>The Bell, issue two, and what it has to say.</p>{words}{footer}</body></html>"
    return next(row for row in post.since(0) if row.id == bell.id)


def test_what_another_has_printed_is_ordered_all_the_same_below_a_bell_that_is_quoted_with_marks(
    first_phase: Post,
) -> None:
    """Once press took orders out of the sheets of whoever answers below the quotation, and nobody was told."""
    post = first_phase
    bell = printed(post, "REFUSE GIFTS", "VOTE END", "COUNTERPURGE STRONGEST", "READY")
    quoted = "\n".join(f"> {line}" for line in barred(bell.text).split("\n"))
    head = "On Thu, 19 Nov 2026 at 04:00, The Bell <orders@bell.test> wrote:\n"
    post.write("A", f"{head}{quoted}\n\nREFUSE GIFTS\nVOTE END\nREADY\n", In_Reply_To=bell.message_id)
    assert post.orders_of("A") == "REFUSE GIFTS\nVOTE END" and is_ready(post, "A")


def test_below_a_quotation_without_marks_what_is_not_taken_is_told() -> None:
    orders = "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO\nVOTE END"
    lines = [f"Line {n} of an issue, long enough to be no chance at all" for n in range(9)]
    sent = "\n".join((*lines[:5], *(f"  {order}" for order in orders.split("\n")), *lines[5:]))
    found = compare(f"{sent}\n\n{orders}\n", sent)
    assert found.alone == tuple(orders.split("\n")) and found.found == 13


@pytest.mark.parametrize("above", ["", "(an introduction in a language that nobody knows)\n\n"])
def test_commands_in_the_press_do_nothing_however_a_program_changes_what_stands_around_them(
    first_phase: Post, above: str
) -> None:
    """Once they made whoever answered READY, and confirmed a forged mail in their name."""
    post = first_phase
    post.write("A", "VOTE END")
    post.write("A", "GIVE 4 PM TO B", To="orders@bell.test")
    (held,) = inbox.held_for(post.services, post.campaign, "A")
    words = ("READY", "ABSENT until 6 December STANDIN", f"CONFIRM {held}")
    between = [part for n, word in enumerate(words) for part in (f"http://a.test/{n} has more.", word)]
    bell = printed(post, *between, "http://a.test/9 has more.")
    page = re.sub(r"(http://\S+)", r"\1 <\1>", to_text(barred_page(bell.html or "")))
    for quoted in (page, page.replace("| ", "")):  # as it is mailed, and as it was before its press had bars
        post.write("A", f"Thank you all, more later.\n\n{above}{quoted}", In_Reply_To=bell.message_id)
        assert not is_ready(post, "A") and post.orders_of("A") == "VOTE END"
        assert inbox.held_for(post.services, post.campaign, "A") == [held]


def test_a_letter_ends_where_its_author_ended_it_whoever_wrote_end_to_them(told: Post) -> None:
    """Once orders that were only asked about in a letter were filed, for its END stood in a letter of another, too."""
    told.write("B", "LETTER TO A:\nClose a letter with the two lines\n| END\n| READY\nand all is well.\nEND")
    told.clock.advance(minutes=1)
    words = "LETTER TO C:\nDear Clara, should I order\n\nGIVE 4 PM TO B\n\nor be away, with\n\n"
    words += "ABSENT until 30 November STANDIN\n\nI have not decided.\nEND\nREADY\n"
    told.write("A", words, Subject="a letter")
    assert told.orders_of("A") == GOOD and is_ready(told, "A")
    (passed_on,) = [row for row in told.since(0) if row.kind == "letter" and row.letter == "C"]
    assert "I have not decided." in passed_on.text


@pytest.mark.parametrize("width", [73, 74, 75, 76])
@pytest.mark.parametrize("heading", ["On Thu, 19 Nov 2026 at 04:00, The Bell wrote:", "The Bell wrote:", ""])
def test_tails_of_lines_that_a_program_wraps_are_no_orders(first_phase: Post, width: int, heading: str) -> None:
    """Press of which every line begins an order once it is wrapped: it took the place of the sheet on file."""
    post = first_phase
    prose = "The stationmaster of Tver says that trains come and go by night and by"
    order = "HOLD Denikin, Ulagi, Rodzyanko, Kalinin, Markin, Kamenev, Budenny, Slavin"
    bell = printed(post, f"{prose} {order} GIVE 2 PM TO B.")
    with post.services.store.write() as session:  # as the text of a Bell folds it
        row = session.merge(bell)
        row.text = row.text.replace(f"{prose} {order} ", f"{prose}\n  {order}\n  ")
    post.write("A", "VOTE END")
    quoted = []
    for paragraph in to_text(barred_page(bell.html or "")).split("\n"):
        first, *rest = textwrap.wrap(f"> {paragraph}", width) or [">"]
        quoted += [first, *rest]
    answer = "\n".join((heading, *quoted))
    post.write("A", f"Nice press, Boris!\n\n{answer}\n", In_Reply_To=bell.message_id)
    assert post.orders_of("A") == "VOTE END"


def test_what_another_wrote_in_a_letter_takes_no_line_out_of_a_new_mail_without_a_word(told: Post) -> None:
    moves = "REFUSE GIFTS\nVOTE END\nCOUNTERPURGE STRONGEST"
    told.write("B", f"LETTER TO A:\nMy plan for you, in all its length and breadth:\n{moves}\nYours\nEND")
    told.clock.advance(minutes=1)
    words = f"GIVE 2 PM TO C\nMy plan for you, in all its length and breadth:\n{moves}\n"
    (answer,) = told.write("A", words, Subject="orders")
    on_file = told.orders_of("A")
    assert all(move in on_file or answer.text.count(move) for move in moves.split("\n"))


def test_a_letter_that_repeats_a_letter_is_passed_on_whole(told: Post) -> None:
    told.write("B", "LETTER TO A:\nI shall attack Clara in the summer, and she does not know it.\nTell nobody!\nEND")
    told.clock.advance(minutes=1)
    said = "Boris wrote to me this, word by word:\nI shall attack Clara in the summer, and she does not know it."
    told.write("A", f"LETTER TO C:\n{said}\nTell nobody!\nDo not believe him.\nI do not.\nAnna\nEND", Subject="news")
    (passed_on,) = [row for row in told.since(0) if row.kind == "letter" and row.letter == "C"]
    assert all(line in passed_on.text for line in (*said.split("\n"), "Tell nobody!", "Do not believe him."))
