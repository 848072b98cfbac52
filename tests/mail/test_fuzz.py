"""The reader of raw mail never raises, always ends, and makes no order out of what is not there: 10,000 examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gm.mail.handle.sort_lines import sort_out
from gm.mail.handle.understand import Answered, understand
from gm.mail.parse import charset, headers
from gm.mail.parse.kind import MailKind
from gm.mail.parse.message import Envelope, read
from gm.mail.parse.quotes import separate
from tests.support import examples

HERE = Path(__file__).parent
SEEDS = [raw for p in sorted(HERE.glob("*/*.eml")) if len(raw := p.read_bytes()) < 3000]
FIELDS = ["From", "To", "Subject", "Content-Type", "Content-Transfer-Encoding", "Message-ID", "Received"]
VALUES = [
    "text/plain; charset=koi8-r",
    "text/html",
    'multipart/mixed; boundary="b"',
    "multipart/alternative; boundary=",
    "message/rfc822",
    "base64",
    "quoted-printable",
    "=?utf-8?b?SGFsbG8=?=",
    "=?x?q?=FF?=",
    "Anna <anna@players.test>",
    "a@b, c@d",
]
LINES = ["--b", "--b--", "> quoted", "-- ", "MOVE Lenin: PETR-PSKO", "PRESS x", "END", "From: x", "LETTER TO B:", ""]
LABELS = ["utf-16", "koi8-r", "hex", "zip"]
BLANK = b"\x00\xfe\xff\xef\xbb\xbf"  # nothing, and marks of the order of bytes


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A mail of the corpus after an accident: pieces cut out, doubled, or overwritten."""
    raw = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, max(0, len(raw) - 1)))
        end = min(len(raw), start + draw(st.integers(0, 200)))
        how = draw(st.sampled_from(["cut", "double", "noise", "nul"]))
        piece = bytes(raw[start:end])
        if how == "cut":
            del raw[start:end]
        elif how == "double":
            raw[start:start] = piece
        elif how == "noise":
            raw[start:end] = draw(st.binary(max_size=40))
        else:
            raw[start:end] = b"\x00" * min(len(piece), 5)
    return bytes(raw)


@st.composite
def invented(draw: st.DrawFn) -> bytes:
    """Headers and lines that mean something, in an order that does not."""
    text = st.one_of(st.sampled_from(VALUES), st.text(max_size=40))
    head = draw(st.lists(st.tuples(st.sampled_from(FIELDS), text), max_size=8))
    body = draw(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=60)), max_size=25))
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    lines = [f"{name}: {value}" for name, value in head] + [""] + body
    return newline.join(lines).encode(draw(st.sampled_from(["utf-8", "utf-16", "utf-7"])), "replace")


@pytest.mark.slow
@settings(max_examples=examples(10_000), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(damaged(), invented(), st.binary(max_size=400)), st.booleans())
def test_any_bytes_are_read_and_understood_as_something(raw: bytes, null_sender: bool) -> None:
    incoming = read(raw, Envelope(rcpt_to=("orders@bell.test",), null_sender=null_sender))
    assert isinstance(incoming.kind, MailKind)
    for value in (incoming.sender, incoming.subject, incoming.message_id, *incoming.recipients, *incoming.references):
        assert "\n" not in value and "\r" not in value and "\x00" not in value
    understood = understand(incoming, ["anna@players.test"], Answered("THE BELL #1", "<p>THE BELL #1</p>"))
    text = understood.wishes.orders + "".join(understood.wishes.talk)
    text.encode("utf-8")  # no lone surrogate ever goes on
    assert "\x00" not in text


@settings(max_examples=300)
@given(st.binary(max_size=300), st.one_of(st.none(), st.text(max_size=20), st.sampled_from(LABELS)))
def test_any_bytes_under_any_label_become_text(data: bytes, label: str | None) -> None:
    text = charset.decode(data, label)
    assert text.encode("utf-8").decode("utf-8") == text  # no lone surrogate
    assert text or not data.strip(BLANK)


@given(st.text("абвгдеёжзАБВ hello", max_size=60), st.sampled_from(["utf-8", "koi8-r", "windows-1251", "utf-16"]))
def test_text_under_its_own_label_is_read_as_it_was_written(text: str, label: str) -> None:
    data = text.encode(label)
    assume(label != "windows-1251" or data.isascii() or not is_utf8(data))  # two of its letters may be one of UTF-8
    assert charset.decode(data, label) == text


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@settings(max_examples=300)
@given(st.text(max_size=200))
def test_a_header_value_is_one_printable_line(value: str) -> None:
    shown = headers.words(headers.one_line(value))
    assert not any(c in shown for c in "\r\n\x00\u2028\u2029\u0085")


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*LINES, "hello there", "> MOVE Lenin: PETR-PSKO", "  LOSE RU2 KAZA"]), max_size=30))
def test_every_line_goes_to_exactly_one_place_and_quoted_orders_to_none(lines: list[str]) -> None:
    marked = [f"MOVE Lenin: PETR-PSKO # {n}" if line.startswith("MOVE") else line for n, line in enumerate(lines)]
    wishes = sort_out(separate("\n".join(marked)).text)
    said = "\n".join([wishes.orders, *wishes.talk, *(letter.text for letter in wishes.letters)]).split("\n")
    for line in marked:
        if line.startswith("> "):
            assert line[2:] not in wishes.orders.split("\n")
        elif line.startswith("MOVE"):
            assert [s.strip() for s in said].count(line) <= 1, line  # none below a signature
