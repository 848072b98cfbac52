"""Parsing the raw bytes of a mail into an `Incoming`: sender, kind, the sender's own words. Pure; never raises."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from email.message import Message

from gm.mail.parse import headers
from gm.mail.parse.bounce import KEY_HEADER, Bounce, fails_for_good, read_bounce
from gm.mail.parse.headers import HEAD, MAX_PARTS
from gm.mail.parse.kind import MailKind, kind_of
from gm.mail.parse.parts import Budget, collect
from gm.mail.parse.quotes import Forwarded, Own, separate

MAX_SIZE = 12 * 1024 * 1024  # bytes that are read; of a larger mail only the head
TRUNCATED = "X-Kolokol-Truncated"  # put before a mail of which only the head was kept; its value the true size
MAX_LINES = 250_000  # MAX_SIZE in the lines of an attachment, and some more
BY_ITS_WORDS = "the words of a mail system"  # why a mail counts as one that came back, where nothing else told
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
    verdict: str | None = None  # of our own mail server, on who sent it
    truncated: bool = False  # too many parts, too deep inside one another, or too long to be read whole
    encrypted: bool = False
    size: int = 0

    def read_again(self, body: str, compared: bool = False) -> Incoming:
        """The same mail with another text, such as with more of it marked as quoted."""
        own = self.separated(body, compared)
        return replace(self, own=own, body=body, forwarded=own.forwarded + self.forwarded[len(self.own.forwarded) :])

    def separated(self, body: str, compared: bool = False) -> Own:
        known = {self.sender, *self.recipients} if self.is_answer or self.may_forward else None
        return separate(body, forward=self.is_forward, known=known, compared=compared)

    @property
    def words(self) -> str:
        """For its sender to look at, before they say that it is theirs."""
        sheets = [f"{name}\n\n{text}" for name, text in self.sheets]
        head = "\n".join(line for line in (self.sender, self.subject) if line)
        return "\n\n".join(part.strip() for part in (head, self.own.text, *sheets) if part.strip())

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
    """Never raises. Enough to know whose it is: the body, which a stranger may have made as costly as they like, is
    looked into only if this may be a mail of ours that came back."""
    try:
        message = headers.parse_head(_mbox_off(raw))
        kind, why = kind_of(message, envelope.null_sender)
        came_back = kind is MailKind.BOUNCE or KEY_HEADER.lower().encode() in raw.lower()
        if came_back or len(raw) > MAX_SIZE or not raw.strip() or headers.raw(message, TRUNCATED):
            return open_mail(raw, envelope, genuine).head
        return _head(message, envelope, kind, why, None, len(raw))
    except _FAILURES as error:
        return _unreadable(raw, envelope, MailKind.MALFORMED, type(error).__name__).head


def open_mail(raw: bytes, envelope: Envelope = NO_ENVELOPE, genuine: Genuine = no_key_is_genuine) -> Opened:
    """Never raises, as `read`. `genuine`: only what carries a mail of ours is asked whether it came back."""
    try:
        return _open(raw, envelope, genuine)
    except _FAILURES as error:
        return _unreadable(raw, envelope, MailKind.MALFORMED, type(error).__name__)


def _too_costly(raw: bytes) -> str:
    """Why a mail is not even parsed. Empty if it may be."""
    if raw.count(b"\n--") > MAX_PARTS:
        return "too many parts"
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
    try:
        message = headers.parse(_mbox_off(raw))
    except headers.TooCostly as error:
        return _unreadable(raw, envelope, MailKind.MALFORMED, str(error))
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
        verdict=headers.verdict(message),
        size=size,
    )


def _with_words(head: Incoming, message: Message) -> Incoming:
    parts = collect(message)
    body = parts.text
    own = head.separated(body)
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
    message = headers.parse_head(_mbox_off(raw))
    return Opened(_head(message, envelope, kind, why, None, min(len(raw), HEAD)), None)
