"""The small parts: dates, kinds of mail, bounces in their dialects, tokens, storms, words of one mail."""

from __future__ import annotations

import textwrap
from datetime import date
from email import message_from_string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.campaign.notices import listed
from gm.mail.compare.answered import compare
from gm.mail.handle.dates import period
from gm.mail.handle.sort_lines import sort_out
from gm.mail.identify.rate_limit import Answers, Limits, RateCounter
from gm.mail.identify.recognise import bounce_key, forged, is_our_bounce, reply_address, tokens_of
from gm.mail.parse.bounce import read_bounce
from gm.mail.parse.html import to_text
from gm.mail.parse.kind import MailKind, kind_of
from gm.mail.parse.message import read
from gm.mail.parse.parts import unflow
from gm.mail.parse.quotes import separate
from gm.wording import fill, fold, hang
from tests.stopwatch import within

TODAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("from 5 March to 12 March 2026", "2026-03-05", "2026-03-12"),
        ("2026-03-05 to 2026-03-12", "2026-03-05", "2026-03-12"),
        ("from March 5th to April 1", "2026-03-05", "2026-04-01"),
        ("5.3. - 12.3.2026", "2026-03-05", "2026-03-12"),
        ("vom 5. März bis 12. März", "2026-03-05", "2026-03-12"),
        ("until 12 March", "2026-03-01", "2026-03-12"),
        ("on 5 March", "2026-03-05", "2026-03-05"),
        ("13/5/2026 to 15/5/2026", "2026-05-13", "2026-05-15"),
        ("from 28 December to 3 January", "2026-12-28", "2027-01-03"),
    ],
)
def test_days_are_read_as_people_write_them(words: str, first: str, last: str) -> None:
    assert period(words, TODAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "words",
    [
        "3/5/2026 to 3/8/2026",
        "from tomorrow",
        "",
        "from 12 March to 5 March 2026",
        "30 February",
        "2024-01-01 to 2024-01-05",
        "from 1 March 2026 to 1 March 2027",
        "1 March to 2 March to 3 March",
    ],
)
def test_what_could_be_two_days_or_none_is_not_guessed(words: str) -> None:
    assert period(words, TODAY) is None


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("From: a@b.test\nSubject: orders", MailKind.ORDINARY),
        ("From: a@b.test\nAuto-Submitted: no", MailKind.ORDINARY),
        ("From: a@b.test\nX-Auto-Response-Suppress: OOF", MailKind.ORDINARY),
        ("From: a@b.test\nAuto-Submitted: auto-generated", MailKind.AUTO_REPLY),
        ("From: a@b.test\nSubject: Abwesenheitsnotiz: The Bell", MailKind.AUTO_REPLY),
        ("From: a@b.test\nSubject: =?utf-8?q?R=C3=A9ponse_automatique?=", MailKind.AUTO_REPLY),
        ("From: a@b.test\nX-Autoreply: yes", MailKind.AUTO_REPLY),
        ("From: noreply@b.test\nSubject: hello", MailKind.AUTO_REPLY),
        ("From: a@b.test\nPrecedence: junk", MailKind.BULK),
        ("From: a@b.test\nList-Id: <x.y>", MailKind.BULK),
        ("From: a@b.test\nX-Kolokol-Loop: bell.test", MailKind.LOOP),
        ("From: MAILER-DAEMON@b.test\nSubject: whatever", MailKind.BOUNCE),
        ("Return-Path: <>\nFrom: a@b.test\nSubject: Undeliverable: The Bell", MailKind.BOUNCE),
        (
            "From: a@b.test\nContent-Type: multipart/report; report-type=disposition-notification; boundary=x",
            MailKind.AUTO_REPLY,
        ),
    ],
)
def test_the_kind_of_a_mail(head: str, kind: MailKind) -> None:
    assert kind_of(message_from_string(head + "\n\n"), null_sender=False)[0] is kind


def test_a_bounce_in_the_manner_of_qmail_is_understood() -> None:
    lines = [
        "From: MAILER-DAEMON@mx.test",
        "Subject: failure notice",
        "",
        "Hi. This is the qmail-send program.",
        "<erik@telia.test>:",
        "Remote host said: 550 5.7.1 relaying denied",
        "--- Below this line is a copy of the message.",
        "Message-ID: <abc@bell.test>",
        "X-Kolokol-Key: abcdefgh2345",
    ]
    bounce = read_bounce(message_from_string("\n".join(lines)))
    assert (bounce.status, bounce.message_id, bounce.key) == ("5.7.1", "<abc@bell.test>", "abcdefgh2345")
    assert bounce.permanent


def test_a_bounce_with_the_whole_mail_inside_is_understood() -> None:
    report = 'From: postmaster@mx.test\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
    parts = [
        "Content-Type: text/plain\n\nSorry.\n",
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n"
        "Original-Recipient: rfc822; anna@players.test\nAction: failed\nStatus: 4.4.7\n\n",
        "Content-Type: message/rfc822\n\nMessage-ID: <abc@bell.test>\nX-Kolokol-Key: abcdefgh2345\n\ntext\n",
    ]
    bounce = read_bounce(message_from_string(report + "".join(f"--b\n{part}" for part in parts) + "--b--\n"))
    assert (bounce.recipient, bounce.message_id, bounce.key) == ("anna@players.test", "<abc@bell.test>", "abcdefgh2345")
    assert not bounce.permanent, "4.x.x is not for ever"


def test_nobody_else_can_make_the_key_of_a_mail() -> None:
    key = bounce_key(b"secret", "<abc@bell.test>")
    assert is_our_bounce(b"secret", "<abc@bell.test>", key.upper())
    assert not is_our_bounce(b"other", "<abc@bell.test>", key)
    assert not is_our_bounce(b"secret", "<abd@bell.test>", key)
    assert not is_our_bounce(b"secret", "", "")


def test_a_reply_address_is_read_back_whatever_its_case() -> None:
    token = "abcdefghijklmnopqrstuvwx23"
    assert tokens_of([reply_address("orders@bell.test", token, "q17").upper()]) == [(token, "q17")]
    assert tokens_of([reply_address("orders@bell.test", token)]) == [(token, "")]
    assert tokens_of(["orders@bell.test", "orders+short@bell.test", f"{token}@bell.test"]) == []


def test_counting_forgets_after_its_window_and_answers_stop_at_their_limit() -> None:
    now = [0.0]
    counter = RateCounter(60, lambda: now[0])
    assert [counter.add("a") for _ in range(3)] == [1, 2, 3]
    now[0] = 61.0
    assert counter.add("a") == 1
    answers = Answers(Limits(answers_a_minute=2, answers_an_hour=3), lambda: now[0])
    assert [answers.allow("a") for _ in range(3)] == [True, True, False]
    now[0] += 61
    assert [answers.allow("a") for _ in range(2)] == [True, False], "the hour's limit"
    assert answers.allow("b"), "nobody else is touched"


def test_press_ends_at_end_or_before_an_order_and_keeps_its_words() -> None:
    wishes = sort_out(
        "PRESS AS “Moscow” All is well – really…\n\nSecond paragraph: move along.\n\nMOVE Lenin: PETR-PSKO\nSTATUS"
    )
    assert wishes.orders.split("\n")[:4] == [
        "PRESS AS “Moscow” All is well – really…",
        "",
        "Second paragraph: move along.",
        "END",
    ]
    assert "MOVE Lenin: PETR-PSKO" in wishes.orders and [c.word for c in wishes.commands] == ["STATUS"]


@pytest.mark.parametrize(
    "line",
    [
        "Take care, all!",
        "Give my regards to Boris.",
        "History will judge us.",
        "Help me understand.",
        "Orders below:",
        "ORDERS OF PLAYER A:",
        "Map of my heart",
        "Exit stage left",
        "status quo is fine",
        "yes but no",
    ],
)
def test_ordinary_sentences_are_not_orders(line: str) -> None:
    wishes = sort_out(line)
    assert wishes.nothing and wishes.talk == (line,)


def test_wrapped_lines_are_joined_and_remarks_are_not() -> None:
    text = "MOVE Denikin, WU4 KUBA: KUBA-STAV-ASTR-KIRG-URAL(+WU2 URAL)-SAMA-UFA-\nEKAT\nThat should do it.\n"
    wishes = sort_out(text)
    assert wishes.orders == "MOVE Denikin, WU4 KUBA: KUBA-STAV-ASTR-KIRG-URAL(+WU2 URAL)-SAMA-UFA-EKAT"
    assert wishes.talk == ("That should do it.",)


def test_flowed_text_is_joined_but_never_into_an_order() -> None:
    assert (
        unflow("MOVE Lenin: \nPETR-PSKO\nVOTE END \nMOVE Gai: X-Y") == "MOVE Lenin: PETR-PSKO\nVOTE END\nMOVE Gai: X-Y"
    )
    assert unflow("> a \n> b\n>> c \nd") == "> a b\n>> c\nd"


def test_typed_between_the_lines() -> None:
    sent = "The Bell\nA  PETR: RL3 Lenin, RU8 PETR\nATTACK at dawn, says Pravda\n"
    below = "The   Bell\nMOVE Lenin: PETR-PSKO\nA PETR: RL3 Lenin,\nRU8 PETR\nATTACK at dawn, says Pravda\n"
    assert compare(below, sent).inserted == ("MOVE Lenin: PETR-PSKO",)


def test_nested_quotations_in_html_keep_their_depth() -> None:
    text = to_text("<p>me</p><blockquote type=cite><p>you</p><blockquote type=cite>me before</blockquote></blockquote>")
    assert [line for line in text.split("\n") if line.strip(" >")] == ["me", "> you", "> > me before"]
    assert separate(text).text == "me"


def test_words_are_laid_out_in_72_columns() -> None:
    assert fill("word " * 40).count("\n") == 2
    assert max(map(len, fold("GIVE          " + "trade markers " * 20).split("\n"))) <= 72
    assert hang("A  PETR: " + "RL3 Lenin, " * 12).split("\n")[1].startswith("         Lenin")
    assert (listed([]), listed(["A"]), listed(["A", "B", "C"])) == ("", "A", "A, B and C")


@given(st.text("ab:-  ", min_size=73, max_size=300), st.integers(0, 90))
def test_a_long_line_is_broken_where_textwrap_would_break_it(line: str, column: int) -> None:
    line = "x" * max(0, column - 2) + ":" + line.lstrip(": ")
    indent = " " * (line.index(":") + 2)
    wanted = textwrap.fill(line, 72, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
    assert hang(line) == wanted


FAILED = "spf=fail smtp.mailfrom=x@evil.test; dkim=fail header.d=players.test; dmarc=fail header.from=players.test"


@pytest.mark.parametrize(
    ("field", "told"),
    [
        (f"mx.bell.test; {FAILED}", "dmarc-fail"),
        ("mx.bell.test; spf=pass smtp.mailfrom=" + "a" * 3000 + f"@x.test; {FAILED}", "dmarc-fail"),
        ("mx.bell.test; spf=pass smtp.mailfrom=" + "a" * 30_000 + f"@x.test; {FAILED}", "verdict-unreadable"),
        (f'mx.bell.test; spf=pass smtp.mailfrom="a@b.c; {FAILED}', "verdict-unreadable"),
        (f"(our own) MX.bell.test 1; spf=pass (((; {FAILED}", "verdict-unreadable"),
        (f"mx.bell.test; spf=pass strange; {FAILED}", "dmarc-fail"),
        ("", "verdict-unreadable"),
        (f"mx.evil.test; spf=pass (((; {FAILED}", ""),
        ("mx.bell.test; spf=pass smtp.mailfrom=a@b.c; dkim=pass header.d=b.c; dmarc=pass p=none dis=none", ""),
        ("mx.bell.test; none", ""),
    ],
)
def test_what_our_own_server_said_counts_against_a_mail_also_where_it_cannot_be_read(field: str, told: str) -> None:
    raw = f"Authentication-Results: {field}\nAuthentication-Results: mx.bell.test; dmarc=pass\nFrom: a@b.c\n\nx\n"
    assert forged(read(raw.encode()), "mx.bell.test") == told


@pytest.mark.parametrize("label", ["idna", "punycode", "undefined", "utf-7", "hz", "unicode_escape", "rot13", "zlib"])
@pytest.mark.parametrize("form", ["charset={}", "charset*={}''{}", "charset*=''{}"])
def test_a_charset_that_is_none_is_taken_for_an_unknown_one(label: str, form: str) -> None:
    head = f"From: a@b.c\r\nContent-Type: text/plain; {form.replace('{}', label)}\r\n\r\n"
    for words in ("Grüße\r\nREADY\r\n".encode(), b"M\xfcnchen\r\nREADY\r\n", b"xn--\xff\r\nREADY\r\n"):
        found = read(head.encode() + words)
        assert found.kind is MailKind.ORDINARY and "READY" in found.own.text
    within(0.3, lambda: read(head.encode() + b"\xffabc" * 50_000))
    strange = f"From: a@b.c\r\nContent-Type: multipart/mixed; boundary*={label}''%ff%fe\r\n\r\nREADY\xff\r\n"
    assert read(strange.encode("latin-1")).kind is MailKind.ORDINARY


@pytest.mark.parametrize(
    ("words", "code"),
    [("Grüße aus Kraków", "utf-8"), ("Привет из Москвы, товарищи!", "koi8_r"), ("Grüße aus München", "cp1252")],
)
def test_a_subject_in_letters_that_nobody_encoded_is_read(words: str, code: str) -> None:
    """Once each byte beyond ASCII came back as a question mark in a box."""
    raw = b"From: Zo\xc3\xab <zoe@players.test>\nSubject: " + words.encode(code) + b"\n\nHello\n"
    found = read(raw)
    assert (found.subject, found.name, found.sender) == (words, "Zoë", "zoe@players.test")
