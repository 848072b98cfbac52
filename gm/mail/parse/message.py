"""Parsing the raw bytes of a mail into an `Incoming`: sender, kind, the sender's own words. Pure; never raises."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from gm.mail.parse import headers
from gm.mail.parse.bounce import KEY_HEADER, Bounce, fails_for_good, read_bounce
from gm.mail.parse.kind import MailKind, kind_of
from gm.mail.parse.parts import Budget, collect
from gm.mail.parse.quotes import Forwarded, Own, separate

MAX_SIZE = 12 * 1024 * 1024  # bytes that are read; of a larger mail only the head
HEAD = 64 * 1024
TRUNCATED = "X-Kolokol-Truncated"  # put before a mail of which only the head was kept; its value the true size
MAX_BOUNDARIES = 60  # deeper nesting is an attack; parsing it costs depth times length
MAX_PARTS = 20_000
MAX_LINES = 250_000  # MAX_SIZE in the lines of an attachment, and some more
_BOUNDARY = re.compile(rb"boundary[*0-9]{0,6}\s{0,9}=", re.I)
_CONTENT = re.compile(rb"^content-[a-z-]{1,40}[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*", re.I | re.M)
BY_ITS_WORDS = "the words of a mail system"  # why a mail counts as one that came back, where nothing else told
MAX_FIELD, MAX_FIELDS = 8_000, 256_000  # bytes of a field that tells of a part, and of all of them
_FORWARD = re.compile(r"^\s*(?:fwd?|wg|tr|rv|enc|i|vs|vb|doorst|pd|fs|пересл)\s*:", re.I)
_SOME_PREFIX = re.compile(r"^\s{0,3}[^\W\d_]{1,14}\s?[:：]")
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
    kind: MailKind
    sender: str  # address in From; "" if there is none or more than one
    name: str  # beside it
    recipients: tuple[str, ...]  # envelope first, then the fields that name us
    subject: str
    message_id: str
    references: tuple[str, ...]
    own: Own
    body: str = ""  # of which `own` is the sender's part
    sheets: tuple[tuple[str, str], ...] = ()  # attached .txt files: name and text
    unread: tuple[str, ...] = ()  # attachments not looked into
    forwarded: tuple[Forwarded, ...] = ()
    bounce: Bounce | None = None
    why: str = ""  # for a mail that is not an ordinary one: what told
    auth_results: tuple[str, ...] = ()
    truncated: bool = False  # too many parts, too deep inside one another, or too long to be read whole
    encrypted: bool = False
    size: int = 0

    def read_again(self, body: str) -> Incoming:
        """The same mail with another text, such as with more of it marked as quoted."""
        own = separate(body, forward=self.is_forward)
        return replace(self, own=own, body=body, forwarded=own.forwarded + self.forwarded[len(self.own.forwarded) :])

    @property
    def is_forward(self) -> bool:
        return bool(_FORWARD.match(self.subject))

    @property
    def may_forward(self) -> bool:
        """The subject begins with `Fwd:`, or with a word before a colon that no program is known to answer with."""
        return self.is_forward or bool(_SOME_PREFIX.match(self.subject) and not _REPLY.match(self.subject))

    @property
    def is_answer(self) -> bool:
        return bool(self.references) or self.plain_subject != self.subject.strip()

    @property
    def plain_subject(self) -> str:
        return _REPLY.sub("", self.subject).strip()


NO_ENVELOPE = Envelope()
_FAILURES = (RecursionError, ValueError, LookupError, TypeError, AttributeError, AssertionError, MemoryError)


@dataclass(frozen=True, slots=True)
class Opened:
    """A mail of which no more than the head was read: enough to know whose it is."""

    head: Incoming  # without the sender's words
    message: Message | None  # None: no more than the head can be read

    def whole(self) -> Incoming:
        if self.message is None:
            return self.head
        try:
            return _with_words(self.head, self.message)
        except _FAILURES as error:
            return replace(self.head, kind=MailKind.MALFORMED, why=type(error).__name__)


Genuine = Callable[[str, str], bool]  # (Message-ID, key) -> whether a mail of ours went out with both


def no_key_is_genuine(_message_id: str, _key: str) -> bool:
    return False


def read(raw: bytes, envelope: Envelope = NO_ENVELOPE, genuine: Genuine = no_key_is_genuine) -> Incoming:
    """Never raises: what cannot be read comes back as MALFORMED with what could be read of its head."""
    return open_mail(raw, envelope, genuine).whole()


def read_head(raw: bytes, envelope: Envelope = NO_ENVELOPE, genuine: Genuine = no_key_is_genuine) -> Incoming:
    """Never raises. Enough to know whose it is: without the sender's words."""
    return open_mail(raw, envelope, genuine).head


def open_mail(raw: bytes, envelope: Envelope = NO_ENVELOPE, genuine: Genuine = no_key_is_genuine) -> Opened:
    """Never raises, as `read`. `genuine`: only what carries a mail of ours is asked whether it came back."""
    try:
        return _open(raw, envelope, genuine)
    except _FAILURES as error:
        return _unreadable(raw, envelope, MailKind.MALFORMED, type(error).__name__)


def _too_costly(raw: bytes) -> str:
    """Why a mail is not even parsed: parsing would take longer than in proportion to its length. Empty if it may be."""
    if sum(1 for _ in _BOUNDARY.finditer(raw)) > MAX_BOUNDARIES or raw.lower().count(b"/rfc822") > MAX_BOUNDARIES:
        return "too many parts inside one another"
    if raw.count(b"\n--") > MAX_PARTS:
        return "too many parts"
    told = [len(found.group()) for found in _CONTENT.finditer(raw)]
    if max(told, default=0) > MAX_FIELD or sum(told) > MAX_FIELDS:
        return "a header field that no mail program writes"
    if b"delivery-status" in raw.lower() and raw.count(b"\n\n") + raw.count(b"\n\r\n") > MAX_PARTS:
        return "a report that no mail system writes"
    if raw.count(b"\n") > MAX_LINES:
        return "more lines than a mail program writes"
    if raw.count(b"\r") - raw.count(b"\r\n") > MAX_PARTS:
        return "lines that end as no mail program ends them"
    return ""


def _open(raw: bytes, envelope: Envelope, genuine: Genuine) -> Opened:
    if len(raw) > MAX_SIZE:
        return _unreadable(raw, envelope, MailKind.OVERSIZE, f"{len(raw)} bytes")
    if why := _too_costly(raw):
        return _unreadable(raw, envelope, MailKind.MALFORMED, why)
    if not raw.strip():
        return _unreadable(raw, envelope, MailKind.MALFORMED, "empty")
    message = message_from_bytes(_mbox_off(raw), policy=compat32)
    if size := headers.raw(message, TRUNCATED):
        return _unreadable(raw, envelope, MailKind.OVERSIZE, f"{size[:20]} bytes")
    kind, why = kind_of(message, envelope.null_sender)
    carries_key = KEY_HEADER.lower().encode() in raw.lower()
    bounce = read_bounce(message) if carries_key or kind is MailKind.BOUNCE else None
    if bounce is not None and genuine(bounce.message_id, bounce.key):
        verdict = fails_for_good(message)
        bounce = bounce.judged(verdict)
        if kind is not MailKind.BOUNCE and verdict is not None:
            kind, why = MailKind.BOUNCE, BY_ITS_WORDS
    bounce = bounce if kind is MailKind.BOUNCE else None
    return Opened(_head(message, envelope, kind, why, bounce, len(raw)), message)


def _head(message: Message, envelope: Envelope, kind: MailKind, why: str, bounce: Bounce | None, size: int) -> Incoming:
    ids = headers.message_ids(message, "Message-ID")
    answers = [*headers.message_ids(message, "In-Reply-To"), *headers.message_ids(message, "References")]
    return Incoming(
        kind=kind,
        sender=headers.sender(message),
        name=headers.sender_name(message),
        recipients=_recipients(message, envelope),
        subject=headers.text(message, "Subject"),
        message_id=ids[0] if ids else "",
        references=tuple(dict.fromkeys(answers)),
        own=Own(""),
        bounce=bounce,
        why=why,
        auth_results=tuple(headers.all_raw(message, "Authentication-Results")),
        size=size,
    )


def _with_words(head: Incoming, message: Message) -> Incoming:
    parts = collect(message)
    body = parts.text
    own = separate(body, forward=head.is_forward)
    inside = tuple(_read_inside(m, parts.budget) for m in parts.inside)
    return replace(
        head,
        own=own,
        body=body,
        sheets=tuple((a.name, a.text) for a in parts.sheets),
        unread=tuple(parts.unread),
        forwarded=own.forwarded + inside,
        truncated=parts.truncated,
        encrypted=parts.encrypted or "-----BEGIN PGP MESSAGE-----" in own.text,
    )


def _recipients(message: Message, envelope: Envelope) -> tuple[str, ...]:
    named = headers.addresses(message, *headers.RECIPIENTS)
    envelope_to = [headers.address(a) for a in envelope.rcpt_to]
    return tuple(dict.fromkeys(a for a in [*envelope_to, *named] if a))


def _read_inside(message: Message, budget: Budget) -> Forwarded:
    own = separate(collect(message, budget).text, depth=1)
    return Forwarded(headers.sender(message), own.text)


def _mbox_off(raw: bytes) -> bytes:
    """A pipe may put a `From ` line of an mbox in front."""
    if raw.startswith(b"From "):
        return raw.split(b"\n", 1)[-1]
    return raw


def _unreadable(raw: bytes, envelope: Envelope, kind: MailKind, why: str) -> Opened:
    head = re.split(rb"\r?\n\r?\n", raw[:HEAD], maxsplit=1)[0]
    message = message_from_bytes(head + b"\n\n", policy=compat32)
    return Opened(_head(message, envelope, kind, why, None, min(len(raw), HEAD)), None)
