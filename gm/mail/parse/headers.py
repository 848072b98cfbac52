"""Reading mail header fields as safe text: decoded, one line, no control characters, bounded. Never raises."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from functools import lru_cache

from gm.mail.parse.charset import decode

RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
MAX_VALUE = 2000
MAX_ADDRESSES = 50
MAX_COMMENTS = 10  # opening brackets in a field of addresses; each nests the parser one deeper
MAX_FIELDS = 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_ADDRESS = re.compile(r"^[^\s@<>\"(),:;\\\[\]\x00-\x1f]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$")
_MESSAGE_ID = re.compile(r"<[^<>\s@\x00-\x1f]{1,200}@[^<>\s@\x00-\x1f]{1,200}>")


def raw(message: Message, name: str) -> str:
    """A field as it stands, folded lines joined."""
    try:
        value = message.get(name)
    except (MessageError, ValueError, TypeError, LookupError):
        return ""
    return one_line(str(value)) if value is not None else ""


def all_raw(message: Message, name: str) -> list[str]:
    return [one_line(str(value)) for value in message.get_all(name, [])[:MAX_ADDRESSES]]


def one_line(text: str) -> str:
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return _CONTROL.sub(" ", text[:MAX_VALUE]).strip()


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
