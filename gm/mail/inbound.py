"""Raw bytes of a mail to an `Incoming`: who, what kind, and the sender's own words. Pure, and never raises."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from gm.mail import headers
from gm.mail.dsn import Bounce, read_bounce
from gm.mail.kinds import Kind, kind_of
from gm.mail.parts import Parts, collect
from gm.mail.quotes import Forwarded, Own, separate

MAX_SIZE = 12 * 1024 * 1024  # bytes that are read; of a larger mail only the head
HEAD = 64 * 1024
TRUNCATED = "X-Kolokol-Truncated"  # put before a mail of which only the head was kept; its value the true size
MAX_BOUNDARIES = 60  # a nest of more is a bomb; and parsing it costs depth times length
_FORWARD = re.compile(r"^\s*(?:fwd?|wg|tr|rv|enc|i|vs|vb|doorst|pd|fs|пересл)\s*:", re.I)
_PREFIX = r"(?:re|aw|sv|antw|odp|rif|r|ynt|fwd?|wg|tr|rv|enc|i|vs|vb|doorst|pd|ha|отв|пересл)(?:\[\d+\])?"
_REPLY = re.compile(rf"^\s*(?:{_PREFIX}\s*[:：]\s*)+", re.I)


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the transport knew: who it said it was, to whom, when it reached us."""

    mail_from: str = ""
    rcpt_to: tuple[str, ...] = ()
    received_at: datetime | None = None
    source: str = "pipe"
    null_sender: bool = False  # MAIL FROM:<>


@dataclass(frozen=True, slots=True)
class Incoming:
    kind: Kind
    sender: str  # address in From; "" if there is none or more than one
    name: str  # beside it
    recipients: tuple[str, ...]  # envelope first, then the fields that name us
    subject: str
    message_id: str
    references: tuple[str, ...]
    own: Own
    sheets: tuple[tuple[str, str], ...] = ()  # attached .txt files: name and text
    unread: tuple[str, ...] = ()  # attachments not looked into
    forwarded: tuple[Forwarded, ...] = ()
    bounce: Bounce | None = None
    why: str = ""  # for a mail that is not an ordinary one: what told
    auth_results: tuple[str, ...] = ()
    truncated: bool = False  # too many parts, or too deep inside one another, to be read whole
    encrypted: bool = False
    size: int = 0

    @property
    def plain_subject(self) -> str:
        return _REPLY.sub("", self.subject).strip()


NO_ENVELOPE = Envelope()


def read(raw: bytes, envelope: Envelope = NO_ENVELOPE) -> Incoming:
    """Never raises: what cannot be read comes back as MALFORMED with what could be read of its head."""
    try:
        return _read(raw, envelope)
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError, AssertionError, MemoryError) as error:
        return _unreadable(raw, envelope, Kind.MALFORMED, type(error).__name__)


def _read(raw: bytes, envelope: Envelope) -> Incoming:
    if len(raw) > MAX_SIZE:
        return _unreadable(raw, envelope, Kind.OVERSIZE, f"{len(raw)} bytes")
    if raw.lower().count(b"boundary=") > MAX_BOUNDARIES:
        return _unreadable(raw, envelope, Kind.MALFORMED, "too many parts inside one another")
    if not raw.strip():
        return _unreadable(raw, envelope, Kind.MALFORMED, "empty")
    message = message_from_bytes(_mbox_off(raw), policy=compat32)
    if size := headers.raw(message, TRUNCATED):
        return _unreadable(raw, envelope, Kind.OVERSIZE, f"{size[:20]} bytes")
    parts = collect(message)
    kind, why = kind_of(message, envelope.null_sender)
    bounce = read_bounce(message) if kind is Kind.BOUNCE else None
    subject = headers.text(message, "Subject")
    own = separate(parts.text, forward=bool(_FORWARD.match(subject)))
    return _incoming(message, raw, envelope, kind, why, own, parts, bounce)


def _incoming(
    message: Message,
    raw: bytes,
    envelope: Envelope,
    kind: Kind,
    why: str,
    own: Own,
    parts: Parts,
    bounce: Bounce | None,
) -> Incoming:
    ids = headers.message_ids(message, "Message-ID")
    answers = [*headers.message_ids(message, "In-Reply-To"), *headers.message_ids(message, "References")]
    inside = tuple(_read_inside(m) for m in parts.inside)
    return Incoming(
        kind=kind,
        sender=headers.sender(message),
        name=headers.sender_name(message),
        recipients=_recipients(message, envelope),
        subject=headers.text(message, "Subject"),
        message_id=ids[0] if ids else "",
        references=tuple(dict.fromkeys(answers)),
        own=own,
        sheets=tuple((a.name, a.text) for a in parts.sheets),
        unread=tuple(parts.unread),
        forwarded=own.forwarded + inside,
        bounce=bounce,
        why=why,
        auth_results=tuple(headers.all_raw(message, "Authentication-Results")),
        truncated=parts.truncated,
        encrypted=parts.encrypted or "-----BEGIN PGP MESSAGE-----" in own.text,
        size=len(raw),
    )


def _recipients(message: Message, envelope: Envelope) -> tuple[str, ...]:
    named = headers.addresses(message, "Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
    envelope_to = [headers.address(a) for a in envelope.rcpt_to]
    return tuple(dict.fromkeys(a for a in [*envelope_to, *named] if a))


def _read_inside(message: Message) -> Forwarded:
    own = separate(collect(message).text, depth=1)
    return Forwarded(headers.sender(message), own.text)


def _mbox_off(raw: bytes) -> bytes:
    """A pipe may put a `From ` line of an mbox in front."""
    if raw.startswith(b"From "):
        return raw.split(b"\n", 1)[-1]
    return raw


def _unreadable(raw: bytes, envelope: Envelope, kind: Kind, why: str) -> Incoming:
    head = re.split(rb"\r?\n\r?\n", raw[:HEAD], maxsplit=1)[0]
    message = message_from_bytes(head + b"\n\n", policy=compat32)
    own = Own("")
    return _incoming(message, raw[:HEAD], envelope, kind, why, own, Parts(), None)
