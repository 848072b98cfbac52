"""Words that a mail holds and that its sender did not type as orders: quoted without marks, inside a letter or press,
the tail of a wrapped quotation, conversation, or only wondered about."""

from __future__ import annotations

import pytest

from gm.campaign.mailbox import inbox
from gm.campaign.reads import lookups
from gm.campaign.tokens import strike_secrets
from gm.mail.parse.quotes import one_line_end, separate
from gm.store.mail_tables import Outbox
from tests.mail.post import Post

GOOD = "GIVE 1 PM TO B\nGIVE 1 AM TO C"
BORIS = "Boris Example <boris@private.example>"
HIS = "Dear Anna,\n\nyou only write:\n\nCANCEL ALL\nEXTEND\nABSENT until 3 December\nREADY\nGIVE 3 PM TO E\n\nBoris"
HEADS = {
    "groupwise": f">>> {BORIS} 18.11.2026 20:22 >>>",
    "groupwise, no address": '>>> "Boris Example" 11/18/2026 8:22 PM >>>',
    "notes": f"{BORIS}\n18.11.2026 20:22\n\n \n        To:     Anna <anna@players.test>\n        cc:     \n"
    "        Subject:        our bargain\n",
    "notes, no address below": f"{BORIS}\n18.11.2026 20:22\n\n \n        To:     Anna\n        cc:     \n"
    "        Subject:        our bargain\n",
    "name over date": f"{BORIS}\n18.11.2026 20:22\n",
    "date over name": f"Wed, 18 Nov 2026 20:22\n{BORIS}\n",
    "no colon": "Am Mittwoch, 18. November 2026, 20:22:11 CET schrieb Boris <boris@private.example>",
    "no colon, no address": "Am Mittwoch, 18. November 2026, 20:22:11 CET schrieb Boris",
    "one line": f"From: {BORIS} Sent: Wednesday, November 18, 2026 8:22 PM To: Anna Subject: our bargain",
    "one line, no address": "From: Boris Sent: Wednesday, November 18, 2026 8:22 PM To: Anna Subject: our bargain",
    "notes, dashes": "Boris Example ---18.11.2026 20:22:33---Let us stop this war\n\nFrom: Boris\nTo: Anna\n",
    "in no words that we know": f"[18-11-2026 // 20:22] {BORIS} +++",
}


def flat(mail: Outbox) -> str:
    return " ".join(mail.text.split())


def is_ready(post: Post, letter: str) -> bool:
    return next(s for s in lookups.state(post.services, post.campaign).seats if s.letter == letter).ready


@pytest.fixture
def filed(post: Post) -> Post:
    post.write("A", GOOD)
    return post


# --- quoted without marks


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("above", ["No, Boris.\n\n", "No, Boris.\n\n-- \nAnna\n\n"], ids=["", "signed"])
def test_what_another_wrote_directly_is_not_done(filed: Post, head: str, above: str) -> None:
    fields = {"Subject": "Re: our bargain", "In-Reply-To": "<abc@private.example>"}
    mails = filed.write("A", f"{above}{head}\n{HIS}", **fields)
    assert filed.orders_of("A") == GOOD and not is_ready(filed, "A")
    assert [m.address for m in mails] == ["anna@players.test"] and "CANCEL ALL" in mails[0].text


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_orders_above_such_a_head_are_taken_and_below_marks_as_well(filed: Post, head: str) -> None:
    fields = {"Subject": "Re: our bargain", "In-Reply-To": "<abc@private.example>"}
    filed.write("A", f"GIVE 2 PM TO B\n\n{head}\n{HIS}", **fields)
    assert filed.orders_of("A") == "GIVE 2 PM TO B"
    filed.write("A", f"{head.rstrip()}\n\n> Dear Anna\n> Boris\n\nGIVE 4 PM TO B", **fields)
    assert filed.orders_of("A") == ("GIVE 2 PM TO B" if "To:" in head else "GIVE 4 PM TO B")


@pytest.mark.parametrize(
    "words",
    [
        "I am away until 3.12.2026, 20:00.\n\nGIVE 2 PM TO B",
        "Anna <anna@players.test>, 18.11.2026 20:22\n\nGIVE 2 PM TO B",
        "Write to anna.new@players.example from now on.\n\nGIVE 2 PM TO B",
        "GIVE 2 PM TO B\n\nAnna\nboris@private.example says hello, 18.11.2026",
        "On 18 November 2026 at 20:22 Boris wrote that he agrees.\n\nGIVE 2 PM TO B",
        ">>> my orders >>>\n\nGIVE 2 PM TO B",
    ],
)
def test_what_people_type_is_no_such_head(filed: Post, words: str) -> None:
    filed.write("A", words, Subject="Re: The Bell")
    assert filed.orders_of("A") == "GIVE 2 PM TO B"


def test_an_address_and_a_date_say_nothing_in_a_mail_that_answers_none(filed: Post) -> None:
    filed.write("A", f"{BORIS}, 18.11.2026\n\nGIVE 2 PM TO B", Subject="orders")
    assert filed.orders_of("A") == "GIVE 2 PM TO B"


def test_an_indented_subject_is_not_nearly_an_order(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B\n\n        Subject:        our bargain")
    assert post.orders_of("A") == "GIVE 1 PM TO B"


# --- the tail of a line that a program wrapped


def of_columns(tail: str, columns: int = 70) -> str:
    words = "The garrison of the town denies all that was said of it and when it is quite done with that it"
    return f"{words[: columns - len(tail) - 1].rstrip():x<{columns - len(tail) - 1}} {tail}"


@pytest.mark.parametrize("tail", ["READY", "EXTEND", "CANCEL ALL"])
@pytest.mark.parametrize("behind", ["\n\nThat is what you think.", "\nThat is what you think.", ""])
def test_the_tail_of_the_last_quoted_line_of_ours_is_not_done(filed: Post, tail: str, behind: str) -> None:
    line = of_columns(tail)
    (letter,) = [m for m in filed.write("B", f"LETTER TO A:\n{line}\nEND") if m.kind == "letter"]
    assert line in letter.text
    quoted = f"> Yours\n> {line.removesuffix(tail).rstrip()}\n{tail}"
    # as an answer to The Bell, or to any mail of ours that has the line: that of a letter goes to its author
    with filed.services.store.write() as session:
        row = session.merge(letter)
        row.kind, row.key = "notice", "notice/x"
    mails = filed.write("A", f"On Wed, 18 Nov 2026, The Bell wrote:\n{quoted}{behind}", In_Reply_To=letter.message_id)
    assert filed.orders_of("A") == GOOD and not is_ready(filed, "A")
    assert [m.address for m in mails] == ["anna@players.test"] and tail in mails[0].text


def test_nor_of_a_mail_that_we_do_not_know(filed: Post) -> None:
    quoted = f"> {of_columns('READY').removesuffix(' READY')}\nREADY"
    fields = {"Subject": "Re: our bargain", "In-Reply-To": "<abc@private.example>"}
    (told,) = filed.write("A", f"Boris wrote on 18.11.2026:\n{quoted}\n\nNo.", **fields)
    assert not is_ready(filed, "A") and "I cannot tell who typed it there" in flat(told)


def test_what_is_typed_right_below_a_quotation_is_taken(filed: Post) -> None:
    fields = {"Subject": "Re: our bargain", "In-Reply-To": "<abc@private.example>"}
    filed.write("A", "Boris wrote on 18.11.2026:\n> Will you?\nGIVE 2 PM TO B", **fields)
    assert filed.orders_of("A") == "GIVE 2 PM TO B"
    long = "> " + of_columns("indeed.")
    filed.write("A", f"Boris wrote on 18.11.2026:\n{long}\nGIVE 3 PM TO B\nGIVE 1 AM TO D", **fields)
    assert filed.orders_of("A") == "GIVE 3 PM TO B\nGIVE 1 AM TO D"


# --- rarer ends of lines


@pytest.mark.parametrize("end", ["\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"], ids=repr)
def test_behind_the_mark_of_a_quotation_no_rare_sign_ends_a_line(end: str) -> None:
    assert separate(f"No.\n> My friends!{end}READY\n> B").text == "No."
    assert one_line_end(f"GIVE 1 PM TO B{end}READY\nx") == "GIVE 1 PM TO B\nREADY\nx"
    assert one_line_end(f"Hello{end}> He{end}READY\nx") == "Hello\n> He READY\nx"


def test_a_text_whose_lines_all_end_as_on_old_machines_is_read() -> None:
    assert separate("GIVE 1 PM TO B\r> quoted\rGIVE 1 PM TO C").text == "GIVE 1 PM TO B\nGIVE 1 PM TO C"


@pytest.mark.parametrize("end", ["=0D", "=C2=85", "=E2=80=A8"])
def test_nor_in_a_mail(filed: Post, end: str) -> None:
    fields = {"Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "quoted-printable"}
    filed.write("A", f"No.\n\n> My friends!{end}READY{end}CANCEL ALL\n> B", **fields)
    assert filed.orders_of("A") == GOOD and not is_ready(filed, "A")


# --- inside a letter or press

INSIDE = "this is what you could order:\n\nGIVE 3 PM TO E\nCANCEL ALL\n\nREADY\n\nThen all is ours.\nEND"


@pytest.mark.parametrize("what", ["LETTER TO B:", "PRESS", "press", 'PRESS AS "Tver"'])
@pytest.mark.parametrize("below", ["", "\n\nLETTER TO C:\nHello\nEND", "\n\nPRESS\nHello\nEND"])
def test_all_up_to_end_belongs_to_the_letter_or_press(filed: Post, what: str, below: str) -> None:
    mails = filed.write("A", f"{what}\nDear Boris, {INSIDE}{below}")
    assert filed.orders_of("A") == GOOD and not is_ready(filed, "A")
    (told,) = [m for m in mails if m.address == "anna@players.test"]
    assert "GIVE 3 PM TO E" in told.text and "Up to END all belongs" in flat(told)
    if "LETTER" in what:
        (letter,) = [m for m in mails if m.address == "boris@players.test"]
        assert "CANCEL ALL" in letter.text and "Then all is ours." in letter.text


@pytest.mark.parametrize("what", ["LETTER TO B:", "PRESS"])
def test_orders_outside_of_it_are_taken(post: Post, what: str) -> None:
    post.write("A", f"GIVE 1 PM TO B\n\n{what}\nDear Boris, {INSIDE}\n\nGIVE 1 AM TO C")
    assert "GIVE 1 PM TO B" in post.orders_of("A") and "GIVE 1 AM TO C" in post.orders_of("A")
    post.write("A", f"{what}\nHello\n\nGIVE 2 PM TO B\n\nLETTER TO C:\nHello\nEND")
    assert post.orders_of("A").split("\n")[-1] == "GIVE 2 PM TO B"


# --- conversation

TALK = [
    "Dear Gregor,\n\nAttack is the best defence, they say, but I wonder.\nHow are you?",
    "Stack of papers on my desk, so I write later.",
    "Hold Tver? Never!",
    "Hold Moscow and I will be happy.",
    "HOLD YOUR HORSES",
    "Vote end of the week.",
    "Lose no time, the man said.",
    "Execute and be done with it.",
    "Purge, purge, purge - is that all you print?",
    "Orders for June 1918 First Phase",
    "MVOE Lenin: PETR-PSKO",
]


@pytest.mark.parametrize("words", TALK)
def test_what_cannot_be_read_as_an_order_replaces_none(filed: Post, words: str) -> None:
    (told,) = filed.write("A", words)
    assert filed.orders_of("A") == GOOD
    if "NOT TAKEN" in told.text:
        assert "Nothing of this could be read as an order. YOUR ORDERS ON FILE STAND" in flat(told)
    (told,) = filed.write("A", f"{words}\nREADY")
    assert filed.orders_of("A") == GOOD and not is_ready(filed, "A") and "your READY was NOT noted" in flat(told)
    filed.write("A", f"{words}\nNOT READY\nPRESS\nHello\nEND")
    assert filed.orders_of("A") == GOOD


@pytest.mark.parametrize("words", TALK)
def test_one_readable_order_beside_it_is_enough(filed: Post, words: str) -> None:
    if "Orders" not in words:
        filed.write("A", f"{words}\nGIVE 2 PM TO B")
        assert "GIVE 2 PM TO B" in filed.orders_of("A") and "GIVE 1 PM" not in filed.orders_of("A")


@pytest.mark.parametrize(
    "words",
    [
        "HOLD",
        "Hold all.",
        "HOLD Lenin, RU8 PETR",
        "HOLD all forces in Moscow and PSKO",
        "HOLD everything!",
        "HOLD - May-Maevsky",
    ],
)
def test_who_holds_withdraws_what_was_ordered(filed: Post, words: str) -> None:
    filed.write("A", words)
    assert "GIVE" not in filed.orders_of("A")


# --- only wondered about


@pytest.mark.parametrize("words", ["What if I do this:\n", "- what  if\n", "What if we gave him something?\n\n"])
def test_what_if_above_orders_is_asked_about(filed: Post, words: str) -> None:
    (asked,) = filed.write("A", f"{words}GIVE 3 PM TO E\n")
    assert asked.kind == "held" and filed.orders_of("A") == GOOD
    assert "| GIVE 3 PM TO E" in asked.text and "whether you mean them or only wonder" in flat(asked)
    number = max(mail.id for mail in inbox.in_state(filed.services, "held"))
    filed.write("A", "CONFIRM", To=f"orders+{filed.token('A')}-q{number}@bell.test")
    filed.desk.sweep()
    assert filed.orders_of("A") == "GIVE 3 PM TO E"


@pytest.mark.parametrize("words", ["WHATIF I do this:\n", "WhatIf:  please try\n", "WHATIF "])
def test_whatif_with_more_words_is_a_what_if(filed: Post, words: str) -> None:
    (told,) = filed.write("A", f"{words}GIVE 3 PM TO E\n")
    assert filed.orders_of("A") == GOOD
    assert "GIVE 3 PM TO E" in told.text and "To file orders, send them without the word" in flat(told)


def test_what_if_below_the_orders_or_in_a_letter_changes_nothing(filed: Post) -> None:
    filed.write("A", "GIVE 3 PM TO E\n\nWhat if he does not pay?")
    assert filed.orders_of("A") == "GIVE 3 PM TO E"
    filed.write("A", "LETTER TO B:\nWhat if he does not pay?\nEND\n\nGIVE 2 PM TO E")
    assert filed.orders_of("A") == "GIVE 2 PM TO E"


# --- a secret that is broken


@pytest.mark.parametrize("sign", ["\u00ad", "\u200b", "\u2060", " ", "\n", "-", "*", "\n> ", "=\n"], ids=repr)
@pytest.mark.parametrize("at", [4, 13, 22])
def test_a_reply_address_is_struck_out_though_a_sign_stands_in_it(post: Post, sign: str, at: int) -> None:
    secret = post.token("B")
    broken = secret[:at] + sign + secret[at:]
    for text in (f"see {broken} there", f"> orders+{broken}@bell.test"):
        assert secret[:4] not in strike_secrets(text) and secret[-4:] not in strike_secrets(text)


def test_words_and_orders_are_no_secret() -> None:
    words = "counter-revolutionary terror, RU4 Petrograd; social-revolutionaries 1918: MOVE Lenin, RU8 PETR: PETR-PSKO"
    assert strike_secrets(words) == words and strike_secrets("no\u00adbody %61") == "no\u00adbody %61"
