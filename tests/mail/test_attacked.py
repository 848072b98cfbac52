"""What the second attack found by mail: each of these did harm once."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.manage import deadlines
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.reads.metrics import figures_of
from gm.campaign.seats import holders
from gm.errors import GmError, NotNow
from gm.mail.identify.recognise import bounce_key
from gm.mail.parse.html import to_text
from gm.mail.parse.message import Envelope, open_mail, read
from gm.mail.wiring import builder_for
from gm.store.mail_tables import Outbox
from gm.store.repositories import phases
from tests.mail.post import LETTERS, Post
from tests.mail.test_undelivered import comes_back, send_all
from tests.stopwatch import within

HEAD = b"From: x@evil.test\nTo: orders@bell.test\nSubject: s\nMessage-ID: <a@evil.test>\nMIME-Version: 1.0\n"


def mixed(body: bytes, kind: bytes, parts: int) -> bytes:
    one = b"--xx\nContent-Type: " + kind + b"\n\n" + body + b"\n"
    return HEAD + b'Content-Type: multipart/mixed; boundary="xx"\n\n' + one * parts + b"--xx--\n"


# --- mail that never ends


@pytest.mark.parametrize("many", [1, 5, 60])
def test_letters_that_grow_when_lowered_do_not_hold_the_desk_nor_let_an_address_through(post: Post, many: int) -> None:
    """`İ` is two characters in lower case: an address looked for there was cut out elsewhere, or never."""
    words = f"LETTER TO B:\n{'İ' * many} {post.address('A').upper()} and {post.address('A')} {'x' * 300}\nEND\n"
    mails = post.write("A", words, Content_Type="text/plain; charset=utf-8")
    (letter,) = [mail for mail in mails if mail.kind == "letter"]
    assert "anna@" not in letter.text.lower() and letter.text.count("[address hidden]") == 2
    assert "İ" * many in letter.text


@pytest.mark.parametrize("line", [b"a\n", b"Date: 1\n", b"On 10:00 @ x yyyyyy:\n", b"> q\nq:\n"])
def test_many_parts_of_text_are_one_text_with_one_limit(line: bytes) -> None:
    within(3, lambda: read(mixed(line * (399_000 // len(line)), b"text/plain", 24)))


def test_many_parts_of_html_are_one_text_with_one_limit() -> None:
    within(3, lambda: read(mixed(b"<p>a" * 99_000, b"text/html", 24)))


def test_what_is_beyond_the_limit_of_a_mail_is_told_to_its_sender() -> None:
    whole, cut = read(mixed(b"HOLD\n" * 100, b"text/plain", 3)), read(mixed(b"HOLD\n" * 9_000, b"text/plain", 3))
    assert not whole.truncated and whole.body.count("HOLD") == 300
    assert cut.truncated and cut.body.count("HOLD") < 27_000


@pytest.mark.parametrize("line", [b"-" * 390, b"-" * 390 + b"x", b"_" * 200 + b" " * 190, b"-----BEGIN PGP -----"])
def test_drawn_lines_cost_no_more_than_others(line: bytes) -> None:
    """A line of nothing but dashes cost the square of its length, 0.4 MB of them half a minute."""
    within(4, lambda: read(HEAD + b"\n" + (line + b"\n") * (390_000 // (len(line) + 1))))


def test_the_words_of_a_stranger_are_not_read(post: Post) -> None:
    raw = mixed(b"Date: 1\n" * 40_000, b"text/plain", 3)
    opened = open_mail(raw)
    assert (opened.head.sender, opened.head.own.text, opened.head.body) == ("x@evil.test", "", "")
    within(0.5, lambda: post.hand_in(raw))


# --- questions


def asked(post: Post, words: str, **fields: str) -> tuple[int, Outbox]:
    """A mail in Anna's name, not to her secret address; and our question about it."""
    before = post.newest()
    number = post.hand_in(post.raw("A", words, To="orders@bell.test", Subject="Re: The Bell", **fields))
    (question,) = [mail for mail in post.since(before) if mail.kind == "held"]
    return number, question


def confirm(post: Post, number: int) -> list[Outbox]:
    before = post.newest()
    post.write("A", "CONFIRM", To=f"orders+{post.token('A')}-q{number}@bell.test", Subject="Re: Did you send this?")
    post.desk.sweep()
    return post.since(before)


def test_a_hundred_forged_mails_make_no_confirmation_void(post: Post) -> None:
    number, _ = asked(post, "GIVE 1 PM TO B")
    for letter in "AB":
        for serial in range(101):
            inbox_number = post.desk.take(post.raw(letter, f"HOLD # {serial}"), Envelope(source="pipe"))
            inbox.hold(post.services, inbox_number, post.campaign, letter, "no-token")
    confirm(post, number)
    assert post.state_of(number)[0] == "handled" and post.orders_of("A") == "GIVE 1 PM TO B"


def test_nobody_confirms_what_waits_for_another(post: Post) -> None:
    number, _ = asked(post, "GIVE 1 PM TO B")
    post.write("B", f"CONFIRM {number}")
    assert post.state_of(number)[0] == "held"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("CONFIRM LEAVE", "| CONFIRM LEAVE"),
        ("AGREE 3", "| AGREE 3"),
        ("READY", "| READY"),
        ("LETTER TO B:\nI yield Moscow to you.\nIt is yours.\nEND", "| to B, 2 lines"),
        ("LETTER ANONYMOUSLY TO B, C:\nHello.\nEND", "| to B, C, 1 line, unsigned"),
    ],
)
def test_our_question_says_all_that_a_mail_asks_for(post: Post, words: str, shown: str) -> None:
    _, question = asked(post, words)
    assert shown in question.text and "about: Re: The Bell" in question.text
    assert "Moscow" not in question.text, "a stranger's words to others are not repeated by us"


@pytest.mark.parametrize("words", ["CONFIRM LEAVE", "CONFIRM RESIGN"])
def test_a_mail_that_was_confirmed_blindly_gives_no_seat_away(post: Post, words: str) -> None:
    number, _ = asked(post, words)
    mails = confirm(post, number)
    seat = holders.seat_of(post.services, post.campaign, "A")
    assert (seat.address, seat.status) == ("anna@players.test", "held")
    assert any("/in#" in mail.text for mail in mails), "it is asked once more"


def test_a_mail_that_was_confirmed_confirms_no_other_and_answers_nobodys_question(post: Post) -> None:
    first, _ = asked(post, "GIVE 2 PM TO C")
    second, _ = asked(post, f"CONFIRM {first}")
    third = post.hand_in(
        post.raw("A", "CONFIRM", To=f"orders+{post.token('B')}-q{first}@bell.test", Message_ID="<q@evil.test>")
    )
    for number in (second, third):
        confirm(post, number)
    assert post.state_of(first)[0] == "held" and post.orders_of("A") == "-"


def test_when_questions_stop_the_player_is_told_once_and_what_to_do(post: Post) -> None:
    for serial in range(4):
        asked(post, f"HOLD # {serial}")
    before = post.newest()
    own = post.hand_in(post.raw("A", "GIVE 1 PM TO B", To="orders@bell.test"))
    post.hand_in(post.raw("A", "GIVE 1 PM TO C", To="orders@bell.test"))
    (told,) = post.since(before)
    assert told.address == "anna@players.test" and f"mail {own}" in told.text and "stopped asking" in told.subject
    post.write("A", f"CONFIRM {own}")
    post.desk.sweep()
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_only_a_signed_wish_takes_a_reader_off_the_list(post: Post) -> None:
    holders.add_standby(post.services, post.campaign, NewPlayer("Rita", "rita@readers.test"))
    head = b"From: Rita <rita@readers.test>\nTo: orders@bell.test\n"
    before = post.newest()
    for serial in range(3):
        post.hand_in(head + b"Message-ID: <%d@evil>\nSubject: UNSUBSCRIBE june-1918\n\n\n" % serial)
    (offer,) = post.since(before)
    assert (offer.address, offer.letter) == ("rita@readers.test", None) and "/in#" in offer.text
    assert [r.address for r in holders.readers(post.services, post.campaign)] == ["rita@readers.test"]
    ticket = offer.text.partition("/in#")[2].split()[0]
    wish = f"Message-ID: <u@r>\nSubject: UNSUBSCRIBE june-1918\n {ticket}\n\n\n".encode()
    number = post.hand_in(head + wish)
    assert post.state_of(number) == ("handled", "unsubscribed")
    assert not holders.readers(post.services, post.campaign)


def test_a_bell_to_a_reader_carries_the_signed_wish_for_their_mail_program(post: Post) -> None:
    holders.add_reader(post.services, post.campaign, NewPlayer("Rita", "rita@readers.test"))
    deadlines.close_early(post.services, post.campaign)
    assert not ticker.tick(post.services).failed
    claimed = [mail for some in iter(lambda: outbox.claim(post.services, "w", 50), []) for mail in some]
    bell = next(m for m in claimed if (m.address, m.kind) == ("rita@readers.test", "bell"))
    fields = message_from_bytes(builder_for(post.services).build(bell))["List-Unsubscribe"]
    assert "subject=UNSUBSCRIBE%20june-1918%20" in fields and "/in#" in fields


# --- who wrote unsigned


def answered(post: Post) -> Outbox:
    """Anna writes unsigned to Boris; gives his answer as it goes to her."""
    mails = post.write("A", "LETTER ANONYMOUSLY TO B:\nI know about Moscow.\nEND\n")
    (unsigned,) = [mail for mail in mails if mail.kind == "letter"]
    send_all(post)
    number = unsigned.headers["X-Kolokol-Letter"]
    address = f"orders+{post.token('B')}-{number}@bell.test"
    mails = post.write("B", "Who are you?", To=address, Subject="Re: A letter", In_Reply_To=unsigned.message_id)
    (answer,) = [mail for mail in mails if mail.kind == "letter"]
    assert answer.address == "anna@players.test"
    return answer


def in_all_words(post: Post, since: int) -> str:
    mails = [f"{mail.subject}\n{mail.text}" for mail in post.since(since)]
    return "\n".join([*mails, *(str(line.data) for line in lookups.audit(post.services, post.campaign, 5))])


@pytest.mark.parametrize("how", ["refused", "came back"])
def test_an_answer_that_does_not_arrive_names_nobody_who_wrote_unsigned(post: Post, how: str) -> None:
    answer = answered(post)
    before = post.newest()
    if how == "refused":
        send_all(post, "anna@players.test")
    else:
        send_all(post)
        comes_back(post, answer)
    (told,) = post.since(before)
    assert (told.kind, told.address) == ("letter_failed", "boris@players.test")
    assert "whoever wrote unsigned" in told.subject and "Who are you?" in told.text
    words = in_all_words(post, before)
    assert "Anna" not in words and "anna" not in words and "/A'" not in words and "'A'" not in words
    assert lookups.state(post.services, post.campaign).seat("A").bounce is None, "the mark would tell by its time"


# --- what a player can make the Gamesmaster read


def test_asking_for_more_time_again_and_again_is_one_request(post: Post) -> None:
    before = post.newest()
    for serial in range(5):
        post.write("A", f"EXTEND because {serial}")
    assert len([mail for mail in post.since(before) if mail.kind == "asked"]) == 1
    (request,) = deadlines.requests(post.services, post.campaign, "asked")
    assert "4" in request.note


def test_only_so_many_absences_wait_for_an_answer(post: Post) -> None:
    day = post.clock.now().date()
    for serial in range(deadlines.MOST_ABSENCES):
        deadlines.absent(post.services, post.campaign, "A", day, day, f"{serial}")
    with pytest.raises(NotNow):
        deadlines.absent(post.services, post.campaign, "A", day, day, "one more")


def test_html_that_is_all_indentation_takes_no_memory() -> None:
    """Ten such in one another made two hundred million blanks of a kilobyte."""
    nested = '<div style="padding-left:99999em">' * 10 + "GIVE 1 PM TO B" + "</div>" * 10
    assert len(to_text(nested)) < 1_000
    rows = "<tr><td>a</td></tr>" * 9_000
    assert len(to_text(f"<table><tr><td>{'x' * 90_000}</td></tr>{rows}</table>")) < 1_000_000


# --- mail that looks automatic


@pytest.mark.parametrize("subject", ["Away from Monday on, here are my orders", "Out of office next week", "Abwesend"])
def test_requests_under_a_subject_that_people_write_too_are_taken(post: Post, subject: str) -> None:
    (answer,) = post.write("A", "GIVE 1 PM TO B", Subject=subject)
    assert answer.kind == "receipt" and post.orders_of("A") == "GIVE 1 PM TO B"
    (answer,) = post.write("A", "STATUS", Subject=subject)
    assert "Deadline" in answer.text
    (asked,) = post.write("A", "CANCEL ALL", Subject=subject, To="orders@bell.test")
    assert asked.kind == "held" and "CANCEL ALL" in asked.text
    assert not post.write("A", "I am in the mountains.", Subject=subject)


AUTOMATIC = {
    "subject": {"Subject": "Automatic reply: The Bell #1"},
    "field": {"Auto-Submitted": "auto-generated"},
    "nobody": {"Return-Path": "<>"},
    "loop": {"X-Loop": "anna"},
    "report": {"Content-Type": "message/disposition-notification"},
}


@pytest.mark.parametrize("fields", [f for n, f in AUTOMATIC.items() if n != "report"], ids=str)
def test_requests_in_automatic_mail_are_asked_about_and_taken_when_confirmed(
    post: Post, fields: dict[str, str]
) -> None:
    (asked,) = post.write("A", "GIVE 1 PM TO B", **fields)
    assert asked.kind == "held" and "automatic" in asked.text and "| GIVE 1 PM TO B" in asked.text
    assert post.orders_of("A") == "-"
    confirm(post, max(m.id for m in inbox.in_state(post.services, "held")))
    assert post.orders_of("A") == "GIVE 1 PM TO B"


@pytest.mark.parametrize("fields", AUTOMATIC.values(), ids=AUTOMATIC)
def test_automatic_mail_without_a_request_or_without_the_secret_address_causes_none(
    post: Post, fields: dict[str, str]
) -> None:
    assert not post.write("A", "I am in the mountains.", **fields)
    assert not post.write("A", "GIVE 1 PM TO B", To="orders@bell.test", **fields)
    number, _ = asked(post, "GIVE 1 PM TO B")
    assert not post.write("A", "CONFIRM", To=f"orders+{post.token('A')}-q{number}@bell.test", **fields)
    assert post.state_of(number)[0] == "held"


def test_a_player_who_quotes_a_bounce_to_their_own_address_has_not_bounced(post: Post) -> None:
    send_all(post)
    bell = next(m for m in post.since(0) if m.letter == "A" and m.kind == "bell")
    key = bounce_key(post.services.secret_key, bell.message_id)
    quoted = "Hi. This is the qmail-send program.\n\n<anna@players.test>:\n550 no such user\n\n--- Below this line\n"
    words = f"GIVE 1 PM TO B\n\nMy wife got this:\n{quoted}Message-ID: {bell.message_id}\nX-Kolokol-Key: {key}\n"
    post.write("A", words)
    assert post.orders_of("A").startswith("GIVE 1 PM TO B")
    assert lookups.state(post.services, post.campaign).seat("A").bounce is None


# --- the same Message-ID


@pytest.mark.parametrize("first", [{}, {"Auto-Submitted": "auto-replied"}, {"X-Kolokol-Loop": "bell.test"}], ids=str)
def test_a_forged_mail_that_comes_first_with_the_same_message_id_keeps_no_true_one_out(
    post: Post, first: dict[str, str]
) -> None:
    name = {"Message-ID": "<one@players.test>"}
    post.write("A", "GIVE 3 PM TO E", To="orders@bell.test", **name, **first)
    post.write("A", "GIVE 1 PM TO B", **name)
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    number = post.hand_in(post.raw("A", "GIVE 1 PM TO B", **name, Received="from another way"))
    assert "the same mail as" in post.state_of(number)[1]
    before = post.newest()
    number = post.hand_in(post.raw("A", "GIVE 2 PM TO C", **name))
    assert post.state_of(number)[0] == "quarantined" and post.orders_of("A") == "GIVE 1 PM TO B"
    (told,) = [mail for mail in post.since(before) if mail.kind == "answer"]
    assert told.address == post.address("A") and "NOTHING IN IT WAS TAKEN" in " ".join(told.text.split())


def test_the_same_bytes_to_another_address_are_another_mail(post: Post) -> None:
    raw = post.raw("A", "GIVE 1 PM TO B", To="undisclosed-recipients:;")
    first = post.desk.take(raw, Envelope(rcpt_to=("orders@bell.test",)))
    second = post.desk.take(raw, Envelope(rcpt_to=(f"orders+{post.token('A')}@bell.test",)))
    assert first != second == post.desk.take(raw, Envelope(rcpt_to=(f"orders+{post.token('A')}@bell.test",)))
    post.desk.sweep()
    assert post.state_of(first)[0] == "held" and post.orders_of("A") == "GIVE 1 PM TO B"


# --- what is asked is what is done


def test_our_question_shows_orders_that_hide_between_lines_of_ours(post: Post) -> None:
    bell = next(m for m in post.since(0) if m.letter == "A" and m.kind == "bell")
    lines = [line for line in bell.text.split("\n") if line.strip()][:30]
    hidden = "\n".join([*lines[:15], "GIVE 3 PM TO E", *lines[15:]])
    _, question = asked(post, f"Thanks.\n\n-----Original Message-----\n{hidden}", In_Reply_To=bell.message_id)
    assert "| GIVE 3 PM TO E" in question.text


def test_our_question_says_how_many_lines_it_leaves_out_and_that_a_letter_is_answered(post: Post) -> None:
    _, question = asked(post, "GIVE 1 PM TO B\n" * 70)
    assert "...and 10 lines more" in question.text
    letter = next(m for m in post.write("B", "LETTER TO A: Peace?\nEND") if m.kind == "letter")
    _, question = asked(post, "War!\nGIVE it a try", In_Reply_To=letter.message_id)
    assert "passed on to its author in your name" in question.text and "| GIVE" not in question.text


@pytest.mark.parametrize("fields", [{"Precedence": "list"}, {"List-Id": "<x.y>"}], ids=str)
def test_orders_that_went_through_a_list_are_asked_about(post: Post, fields: dict[str, str]) -> None:
    (question,) = post.write("A", "GIVE 1 PM TO B", **fields)
    assert question.kind == "held" and post.orders_of("A") == "-"


# --- READY


def test_ready_in_answer_to_an_earlier_phase_is_asked_about_and_none_from_before_it_counts(post: Post) -> None:
    old = [m for m in post.since(0) if m.kind == "bell" and m.letter == "A"][-1]
    held, _ = asked(post, "READY")
    for letter in LETTERS:
        post.write(letter, "VOTE CONTINUE\nREADY")
    post.clock.advance(hours=13)
    assert not ticker.tick(post.services).failed
    post.clock.advance(minutes=5)
    (question,) = post.write("A", "READY", In_Reply_To=old.message_id)
    assert "Do you mean this Phase?" in question.subject and "| READY" in question.text
    told = confirm(post, held)[-1]
    assert "before this Phase was opened" in " ".join(told.text.split())
    post.write("A", "VOTE END")
    assert "A" not in intake_ready(post)


def intake_ready(post: Post) -> set[str]:
    with post.services.store.read() as session:
        key = phases.key_of(phases.history(session, post.campaign)[-1])
        return {wait.letter for wait in phases.waits(session, key) if wait.ready}


def test_nobody_makes_the_deadline_go_to_and_fro_without_end(post: Post) -> None:
    for letter in LETTERS:
        post.write(letter, "VOTE CONTINUE\nREADY")
    before = post.newest()
    for _ in range(10):
        post.write("A", "NOT READY")
        post.write("A", "READY")
    assert len([m for m in post.since(before) if m.kind == "closing" and m.letter == "B"]) <= 6
    assert lookups.state(post.services, post.campaign).deadline is not None
    post.clock.advance(minutes=61)
    before = post.newest()
    post.write("A", "NOT READY")
    post.write("A", "READY")
    assert [m for m in post.since(before) if m.kind == "closing" and m.letter == "B"], "an hour later it may again"


# --- the disk


def test_of_all_strangers_together_only_so_much_is_kept(post: Post) -> None:
    def kept(number: int, size: int, to: str = "orders@bell.test") -> int:
        raw = f"From: x{number}@evil{number}.test\nTo: {to}\nMessage-ID: <{number}@x>\n\n".encode() + b"x" * size
        return len(inbox.get(post.services, post.desk.take(raw, Envelope(source="pipe"))).raw)

    assert kept(1, 3_000_000) < 70_000 and kept(2, 500_000) > 500_000
    assert kept(3, 3_000_000, f"orders+{post.token('A')}@bell.test") > 3_000_000, "it will be asked about"
    for number in range(210):
        kept(10 + number, 10)
    assert kept(4, 500_000) < 70_000


def test_the_oldest_mails_of_strangers_are_deleted_and_told(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "STRANGERS_MAILS", 5)
    monkeypatch.setattr("gm.mail.handle.handler.LOOK_AFTER", 1)
    ordered = post.hand_in(post.raw("A", "GIVE 1 PM TO B"))
    numbers = []
    for number in range(12):
        kind = "Auto-Submitted: auto-replied\n" if number % 2 else ""
        raw = f"From: x{number}@evil{number}.test\nTo: orders@bell.test\nMessage-ID: <d{number}@x>\n{kind}\nx".encode()
        numbers.append(post.hand_in(raw))
    for gone in numbers[:6]:
        with pytest.raises(GmError):
            inbox.get(post.services, gone)
    assert all(inbox.get(post.services, kept).raw for kept in [ordered, *numbers[-5:]])
    assert figures_of(post.services).dropped == 6
    monkeypatch.setattr(inbox, "STRANGERS_BYTES", 1)
    assert inbox.drop_strangers(post.services) == 6 and inbox.get(post.services, ordered).state == "handled"
