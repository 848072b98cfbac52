"""Parsing a mail at a bounded cost, and reading its header fields as safe text: decoded, one line, no control
characters, bounded. Only `parse` raises."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Policy, compat32
from email.utils import getaddresses
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from gm.mail.parse.charset import decode

RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
HEAD = 64 * 1024  # bytes of a head that are read
MAX_NESTED = 60  # multiparts and mails inside a mail, inside one another or not; deeper nesting is an attack
MAX_COMPARED = 2_000_000  # lines times multiparts: Python's parser looks at each line once for each that is open
MAX_PARTS = 20_000
MAX_FIELD, MAX_TOLD = 8_000, 256_000  # bytes of a field that tells of a part, and of all of them
MAX_VALUE = 2000
MAX_VERDICT = 16_000  # characters of Authentication-Results; what is longer is not read, and that counts against it
MAX_ADDRESSES = 50
MAX_COMMENTS = 10  # opening brackets in a field of addresses; each nests the parser one deeper
MAX_FIELDS = 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_ADDRESS = re.compile(r"^[^\s@<>\"(),:;\\\[\]\x00-\x1f]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$")
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_MESSAGE_ID = re.compile(r"<[^<>\s@\x00-\x1f]{1,200}@[^<>\s@\x00-\x1f]{1,200}>")


class TooCostly(ValueError):
    """Why a mail is not parsed: it would take longer than in proportion to its length."""


class _Tally:
    """What the parser has found so far. It is counted as the parser finds it, for there are more ways to write a
    field (folded, with comments, blanks, in pieces) than a pattern knows."""

    def __init__(self, lines: int) -> None:
        self._lines = lines
        self._parts = self._nested = self._told = 0

    def part(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise TooCostly("too many parts")

    def nested(self) -> None:
        self._nested += 1
        if self._nested > MAX_NESTED or self._nested * self._lines > MAX_COMPARED:
            raise TooCostly("too many parts inside one another")

    def told(self, length: int) -> None:
        self._told += length
        if length > MAX_FIELD or self._told > MAX_TOLD:
            raise TooCostly("a header field that no mail program writes")


class _Part(Message):
    """A part of a mail, counted while the parser fills it."""

    def __init__(self, tally: _Tally, policy: Policy = compat32) -> None:
        super().__init__(policy)
        self._tally, self._asked = tally, False
        tally.part()

    def set_raw(self, name: str, value: str) -> None:
        if name.lower().startswith("content-"):
            self._tally.told(len(value))
        super().set_raw(name, value)

    def get_payload(self, *args: Any, **kwargs: Any) -> Any:
        """As it came: Python would decode text by whatever label it has, such as `punycode`, and stumble."""
        return super().get_payload(*args, **kwargs) if args or kwargs else vars(self)["_payload"]

    def get_boundary(self, failobj: Any = None) -> Any:
        try:
            return super().get_boundary(failobj)
        except (ValueError, LookupError, TypeError):  # in a charset that is none
            return failobj

    def get_content_maintype(self) -> str:
        kind = super().get_content_maintype()
        if kind in ("multipart", "message") and not self._asked:
            self._asked = True  # the parser asks first, before it looks inside
            self._tally.nested()
        return kind


class _Head(Message):
    """A head without the fields that would take long to read."""

    def set_raw(self, name: str, value: str) -> None:
        if not name.lower().startswith("content-") or len(value) <= MAX_FIELD:
            super().set_raw(name, value)


def parse(data: bytes) -> Message:
    """Raises TooCostly."""
    lines = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    return BytesParser(partial(_Part, _Tally(lines)), policy=compat32).parsebytes(data)


def parse_head(data: bytes) -> Message:
    """Nothing but the head, and of one that is too long its beginning. What stands in the body costs nothing."""
    head = _END_OF_HEAD.split(data[:HEAD], maxsplit=1)[0]
    if len(head) == HEAD:
        head = head.rpartition(b"\n")[0]
    return BytesHeaderParser(_Head, policy=compat32).parsebytes(head + b"\n\n")


def head_of(data: bytes) -> bytes:
    """A mail without its body."""
    end = _END_OF_HEAD.search(data, 0, HEAD)
    return data[: end.end()] if end is not None else data[:HEAD]


def is_head_too_long(data: bytes) -> bool:
    return len(data) > HEAD and _END_OF_HEAD.search(data, 0, HEAD) is None


def raw(message: Message, name: str) -> str:
    """A field as it stands, folded lines joined."""
    return next(iter(all_raw(message, name, 1)), "")


def all_raw(message: Message, name: str, most: int = MAX_ADDRESSES) -> list[str]:
    """Letters beyond ASCII may stand in it as they are (RFC 6532), or as programs wrote them before."""
    found = (str(value) for key, value in message.raw_items() if key.lower() == name.lower())
    return [one_line(_readable(value)) for value in islice(found, most)]


def _readable(value: str) -> str:
    """The parser keeps bytes beyond ASCII as lone surrogates."""
    if value.isascii():
        return value
    data = value[: 4 * MAX_VALUE].encode("utf-8", "surrogateescape")
    return decode(data.rpartition(b" ")[0] or data if len(value) > 4 * MAX_VALUE else data)


def verdict(message: Message) -> str | None:
    """The topmost Authentication-Results, which our own mail server wrote if any; longer than MAX_VERDICT: cut."""
    value = message.get("Authentication-Results")
    return one_line(str(value), MAX_VERDICT + 1) if value is not None else None


def one_line(text: str, most: int = MAX_VALUE) -> str:
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return _CONTROL.sub(" ", text[:most]).strip()


def text(message: Message, name: str) -> str:
    """A field for people (Subject, a display name), its encoded words read."""
    return words(raw(message, name))


def words(value: str) -> str:
    if "=?" not in value:
        return value
    try:
        pieces = decode_header(value)
    except (MessageError, ValueError, TypeError):  # binascii.Error is a ValueError
        return value
    out = "".join(decode(p, label) if isinstance(p, bytes) else p for p, label in pieces)
    # The line break that an encoded word smuggles in is taken out after decoding.
    return one_line(out)


def address(value: str) -> str:
    """A bare address in small letters, "" if it is none."""
    value = value.strip().strip("<>").strip()
    return value.lower() if len(value) <= 320 and _ADDRESS.match(value) else ""


@lru_cache(maxsize=32)  # the same fields of a mail are asked for again and again while it is read
def _pairs(values: tuple[str, ...]) -> list[tuple[str, str]]:
    """Names and addresses. What nobody writes, but costs the parser seconds or its stack, is not given to it."""
    values = tuple(v for v in values if v.count("(") <= MAX_COMMENTS and v.count("[") <= MAX_COMMENTS)
    try:
        return getaddresses(values[:MAX_FIELDS])
    except (ValueError, TypeError, IndexError, AttributeError, RecursionError):
        return []


def addresses(message: Message, *names: str) -> list[str]:
    """All addresses in these fields, in order, each once."""
    pairs = _pairs(tuple(v for name in names for v in all_raw(message, name)))
    found = [address(a) for _, a in pairs[:MAX_ADDRESSES]]
    return list(dict.fromkeys(a for a in found if a))


def sender(message: Message) -> str:
    """The one author. Two From fields, or two authors in it, count as none: forgers write that, people do not."""
    fields = all_raw(message, "From")
    if len(fields) != 1:
        return ""
    found = addresses(message, "From")
    return found[0] if len(found) == 1 else ""


def sender_name(message: Message) -> str:
    """The name beside the address in From."""
    pairs = _pairs((raw(message, "From"),))
    return words(pairs[0][0])[:100] if pairs else ""


def message_ids(message: Message, name: str) -> list[str]:
    """Message-IDs in a field, at most the last thirty."""
    return _MESSAGE_ID.findall(raw(message, name))[-30:]
