"""The worst mails that anybody thought of: none takes a second, for a mail is read before it is known to be forged."""

from __future__ import annotations

import random
from base64 import encodebytes

import pytest

from gm.mail.compare.answered import compare
from gm.mail.handle.understand import Answered, understand
from gm.mail.parse.html import to_text
from gm.mail.parse.kind import MailKind
from gm.mail.parse.message import Incoming, open_mail, read_head
from tests.stopwatch import within

SECONDS = 1.0
MOVE = "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"


def mail(kind: str, body: str, **fields: str) -> bytes:
    head = {"From": "boris@players.test", "To": "orders@bell.test", "Subject": "x"} | fields
    lines = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in head.items())
    encoded = encodebytes(body.encode()).decode()
    return f"{lines}Content-Type: {kind}; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{encoded}".encode()


def dealt_with(raw: bytes, answered: Answered | None = None) -> Incoming:
    """All that is done with a mail before anything is asked of the database, as for a mail with a key of ours."""
    found = open_mail(raw, genuine=lambda _, __: True).whole()
    understand(found, ["boris@players.test"], answered)
    return found


HTML = {
    "quotations around many lines": "<blockquote>" * 135 + "<pre>" + "a\n" * 190_000 + "</pre>" + "</blockquote>" * 135,
    "white on long styles": ("<div style='" + "a:b;" * 375 + "'>") * 145 + "<font color=#fff>x</font>" * 7000,
    "tables in tables": "<table><tr><td>x" * 6600,
    "rows": "<table>" + "<tr><td>x<td>y<td>z" * 4900,
    "cells": "<table><tr>" + "<td>x" * 19_000,
    "spans of cells": "<table>" + ("<tr>" + "<td rowspan=1000 colspan=1000>x" * 100) * 190,
    "quotations": "<blockquote>x" * 140 + "</blockquote>" * 140 + "<blockquote>x</blockquote>" * 9000,
    "a list": "<ul><li>x" * 70 + "<li>x" * 19_000,
    "paragraphs": "<p>a" * 99_000,
    "orders": "<pre>" + f"{MOVE}\n" * 10_000,
    "styles": "<style>" + ".a{display:none}" * 500 + "</style>" + ("<p class='" + "b " * 50 + "'>x") * 3000,
    "rules for what stands in others": "<style>"
    + ".a .b .c .z{display:none}" * 4_000
    + "</style>"
    + "<div class=a>" * 100
    + "<p class=z>x</p>" * 9_000,
    "rules in rules": "<style>" + ".a,.b,.c{" * 9_000 + "display:none</style><p class=a>x",
    "strings and comments": "<style>" + "/*'\\\"" * 9_000 + "</style><p style='" + "/*" * 3_000 + "'>x",
    "tags that never end": "<div>" * 200 + "<br" * 15_000 + "a" * 300_000,
}


@pytest.mark.parametrize("source", HTML.values(), ids=HTML)
def test_html_is_read_in_no_time_and_stays_as_long_as_it_was(source: str) -> None:
    found = within(SECONDS, lambda: dealt_with(mail("text/html", source)))
    assert len(found.body) <= 400_000 and found.body.count("\n") <= 20_000


@pytest.mark.parametrize(
    "source",
    [
        "<p>Thanks!</p>" + "<div>" * 151 + f"<blockquote type=cite>Hi<br>{MOVE}</blockquote>",
        "<p>Thanks!</p>" + "<div>" * 151 + f"<span style='display:none'>{MOVE}</span>",
        f"<blockquote>{MOVE}</blockquote><table>" + "<tr><td>abcdefgh</td></tr>" * 3000 + "</table>",
        f"<blockquote>Hi &#xe0a2;<br>{MOVE}</blockquote>",
        f"<blockquote>Hi \ue0a2\ue0a2<br>{MOVE}</blockquote>",
        f"<blockquote><blockquote>a</blockquote></blockquote><blockquote>b<br>{MOVE}</blockquote>",
        f"<table><tr><td>x</td><td><blockquote>b<br>{MOVE}</blockquote></td></tr></table>",
        f'<div name="quote" style="border-left:2px">{MOVE}</div>',
        f"<del>{MOVE}</del><s>{MOVE}</s><strike>{MOVE}</strike>",
        f"<p style='text-decoration: line-through'>{MOVE}</p>",
        f"<p style='opacity:0.01'>{MOVE}</p><p style='font:0/0 a'>{MOVE}</p><p style='font-size:.1px'>{MOVE}</p>",
        f"<p style='transform:translateX(-9999px)'>{MOVE}</p>",
    ],
)
def test_what_is_quoted_or_hidden_stays_so_in_strange_html(source: str) -> None:
    assert not dealt_with(mail("text/html", source)).own.text.count("MOVE")
    assert "MOVE" in to_text(f"<table><tr><td>{MOVE}</td></tr></table>"), "and what was typed is read"


def words(seed: int, many: int, length: int) -> list[str]:
    dice = random.Random(seed)
    return ["".join(dice.choices("abcdefghij ", k=length)) for _ in range(many)]


LETTERS = "\n".join(words(1, 3000, 33))
ANSWERS = {
    "the same, again and again": ("\n".join(words(1, 3000, 33) * 4)[:338_000], LETTERS),
    "other lines": ("\n".join(words(2, 10_000, 33)), LETTERS),
    "one letter": ("x\na\n" * 10_000, "a\n" * 50_000),
    "nearly the same": (("a" * 37 + "b\n") * 9000, "a" * 100_000),
    "wrapped": (("abc\n" * 5 + "x\n") * 3000, "abc" * 33_000),
    "marked": ("> MOVE q\nq\n" * 9000, "\n".join(f"MOVE q{n % 50}\nq" for n in range(9000))),
}


@pytest.mark.parametrize(("text", "sent"), ANSWERS.values(), ids=ANSWERS)
def test_a_mail_is_compared_with_long_letters_in_no_time(text: str, sent: str) -> None:
    """Five letters of 20,000 characters and a mail of 338 KB took twenty seconds."""
    within(SECONDS / 2, lambda: compare(text, sent, own_orders=True))
    within(SECONDS, lambda: dealt_with(mail("text/plain", text), Answered(sent)))


TEXTS = {
    "nearly attributions": ("....On 1:00 " + "írta " * 21 + ":abc\n") * 2900,
    "attributions, quoted": "On 10:00 a@b.c wrote:\n> q\n" * 8000,
    "attributions of a phone": ("On 1.2. " + "a" * 330 + ":  x\n") * 1100,
    "fields": "Date: 1\n" * 20_000,
    "heads that are none": "From: x\nDate: 1\nMOVE\n" * 6600,
    "names and nothing": "Od:\n" * 20_000,
    "drawn": "---- x ----\n" * 20_000,
    "orders": f"{MOVE}\n" * 10_000,
    "orders that go on": "MOVE Lenin,\n" * 20_000,
    "nearly orders": "MVOE Lenin: PETR-PSKO\n" * 16_000,
    "press": "PRESS x\n\n" * 18_000,
    "letters": "LETTER TO B: x\n\n" * 10_000,
    "signatures": "--\nx\n" * 10_000,
    "signatures in one another": "-- \n" * 20_000,
    "quoted": "> x\nx:\n" * 10_000,
    "commands": "STATUS\n" * 20_000,
    "proposals": "PROPOSE GIVE 1 PM TO B\n" * 15_000,
    "long lines": ("x" * 3999 + "\n") * 100,
    "one line": "x " * 200_000,
    "one long order": "MOVE " + "Lenin, " * 55_000,
    "signed": "-----BEGIN PGP SIGNED MESSAGE-----\n" + "A: b\n" * 18_000,
    "forwards": "---------- Forwarded message ---------\nFrom: a@b.c\n\n" * 6000,
    "many addresses": "a@b.cc " * 57_000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("kind", ["text/plain", "text/plain; format=flowed"])
def test_text_is_read_in_no_time(text: str, kind: str) -> None:
    answered = Answered("\n".join(words(3, 600, 60)) + text[-60_000:], own_orders=True)
    within(SECONDS, lambda: dealt_with(mail(kind, text), answered))


HEAD = b"From: boris@players.test\nTo: orders@bell.test\nSubject: x\nMIME-Version: 1.0\n"
JUNK = random.Random(4).randbytes(3000).replace(b"\n", b" ")


def parts(part: bytes, many: int) -> bytes:
    return HEAD + b'Content-Type: multipart/mixed; boundary="xx"\n\n' + (b"--xx\n" + part + b"\n") * many + b"--xx--\n"


WHOLE = {
    "parts in no charset": parts(b"Content-Type: text/plain\n\n" + JUNK, 95),
    "pages in no charset": parts(b"Content-Type: text/html\n\n" + JUNK, 95),
    "sheets": parts(b"Content-Type: text/plain; name=a.txt\n\n" + f"{MOVE}\n".encode() * 110, 95),
    "mails": parts(b"Content-Type: message/rfc822\n\nFrom: a@b.c\n\n" + f"{MOVE}\n".encode() * 3000, 10),
    "empty parts": parts(b"\n", 19_000),
    "fields": HEAD + b"X: y\n" * 240_000 + b"\nx",
    "ways": HEAD + b"Received: x\n" * 150_000 + b"\nx",
    "recipients": HEAD + b"Cc: " + b"a@b.cc,\n " * 200_000 + b"\n\nx",
    "recipients, one by one": HEAD + b"To: a@b.cc\n" * 180_000 + b"\nx",
    "keys": HEAD + b"X-Kolokol-Key: abcdefgh2345\n\n" + b"X-Kolokol-Key:\nMessage-ID: <\n" * 60_000,
    "a report": HEAD
    + b'Content-Type: multipart/report; report-type=delivery-status; boundary="xx"\n\n--xx\n'
    + b"Content-Type: message/delivery-status\n\n"
    + b"A: b\n\n" * 120_000,
}


@pytest.mark.parametrize("raw", WHOLE.values(), ids=WHOLE)
def test_a_whole_mail_is_read_in_no_time(raw: bytes) -> None:
    within(SECONDS, lambda: dealt_with(raw))


@pytest.mark.parametrize(
    "cell",
    ["<pre>" + "x\n" * 50_000 + "</pre>", "x<br>" * 20_000, "<p>x</p>" * 15_000, "<pre>" + "x\n" * 590 + "</pre>"],
    ids=["pre", "br", "p", "just not flattened"],
)
def test_a_table_of_two_cells_is_set_in_no_time(cell: str) -> None:
    page = f"<table><tr><td>{cell}</td><td>{'y' * 100_000}</td></tr></table>"
    assert "yyy" in within(1, lambda: to_text(page))


def test_tables_in_one_another_are_set_in_no_time() -> None:
    cell = "<pre>" + "x\n" * 400 + "</pre>"
    page = "<table><tr><td>" * 40 + cell + "</td><td>" + "y" * 130_000 + "</td></tr></table>" * 40
    assert "yyy" in within(1, lambda: to_text(page))


def nested(field: bytes, levels: int, lines: bytes = b"", kind: bytes = b"multipart/mixed") -> bytes:
    """Parts inside one another; `field` is how each says where it ends, with the number of its level for `%d`."""
    parts = [b"Content-Type: " + kind + field.replace(b"%d", b"%d" % n) + b"\n\n--b%d\n" % n for n in range(levels)]
    return HEAD + b"".join(parts) + lines


BOUNDARIES = {
    "plain": b"; boundary=b%d",
    "blanks": b"; boundary" + b" " * 10 + b"=b%d",
    "many blanks": b"; boundary" + b" " * 60 + b"=" + b" " * 60 + b"b%d",
    "folded": b';\n boundary\n\t=\n "b%d"',
    "percent": b"; boundary*=us-ascii'en'%62%d",
    "pieces": b"; boundary*0=b; boundary*1=%d",
    "pieces, percent": b"; boundary*0*=''%62; boundary*1=%d",
    "many numbers": b"; boundary*0000000000000=b%d",
    "capitals": b"; BoUnDaRy =b%d",
    "quoted before": b'; x="a;b" ; boundary =b%d',
}


@pytest.mark.parametrize("field", BOUNDARIES.values(), ids=BOUNDARIES)
def test_parts_inside_one_another_are_counted_however_they_are_written(field: bytes) -> None:
    """Ten blanks before the sign were read by the parser and not by the count: 453 KB took nine seconds."""
    raw = nested(field, 800, b"x\n" * 200_000)
    found = within(0.3, lambda: dealt_with(raw))
    assert found.kind is MailKind.MALFORMED or not found.unread


def test_few_parts_around_many_lines_are_counted_together() -> None:
    raw = nested(BOUNDARIES["blanks"], 55, b"x\n" * 200_000)
    assert within(0.5, lambda: dealt_with(raw)).kind is MailKind.MALFORMED
    assert dealt_with(nested(BOUNDARIES["folded"], 5, f"\n\n{MOVE}\n".encode() * 1500)).own.text.count("MOVE") == 1500


def test_mails_inside_one_another_are_counted_whatever_they_are_called() -> None:
    raw = HEAD + b"Content-Type: message/x-other\n\n" * 900 + b"x\n" * 200_000
    assert within(0.3, lambda: dealt_with(raw)).kind is MailKind.MALFORMED


def test_a_field_behind_an_end_of_line_that_nobody_writes_is_counted() -> None:
    raw = HEAD + b"X: y\rContent-Type: multipart/mixed" + b'; a="b\\"' * 9000 + b"; boundary=x\n\nx\n"
    assert within(0.3, lambda: dealt_with(raw)).kind is MailKind.MALFORMED
    assert within(0.3, lambda: read_head(raw)).sender == "boris@players.test"
