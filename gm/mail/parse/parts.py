"""The MIME parts of a mail: which is the text, an attached sheet of orders, or a forwarded mail.
Nothing is ever unpacked: an archive is named and left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message

from gm.mail.parse import html
from gm.mail.parse.charset import decode
from gm.mail.parse.line_kind import keyword, meant_for_us
from gm.mail.parse.quotes import one_line_end

MAX_PARTS = 100
MAX_DEPTH = 10
MAX_TEXT = 400_000  # characters of all text of a mail, and of all HTML; a thousand-line order sheet has a tenth of it
MAX_LINES = 6_000  # of the text; as many as MAX_TEXT has room for
MAX_TAGS = 20_000  # of the HTML
MAX_INSIDE = 3  # forwarded mails that are read
_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
# Whatever ends a line for the parser of orders ends one here.
_FLOWED_STUFFED = re.compile(r"^(>*) ?(.*)$", re.S)


@dataclass(frozen=True, slots=True)
class AttachedFile:
    name: str
    text: str


@dataclass(slots=True)
class Room:
    """How much more of a mail is read, whatever the number of its parts: the work is in proportion to it."""

    characters: int = MAX_TEXT
    marks: int = MAX_LINES  # ends of lines, or tags
    cut: bool = False

    def take(self, text: str, mark: str) -> str:
        kept = text[: self.characters]
        *lines, rest = kept.split(mark, self.marks)
        if len(lines) == self.marks:
            kept = kept[: len(kept) - len(rest)]
        self.cut |= len(kept) < len(text)
        self.characters -= len(kept)
        self.marks -= len(lines)
        return kept


@dataclass(slots=True)
class Budget:
    """Of a whole mail, with what is forwarded in it."""

    text: Room = field(default_factory=Room)
    html: Room = field(default_factory=lambda: Room(marks=MAX_TAGS))


@dataclass(slots=True)
class Parts:
    budget: Budget = field(default_factory=Budget)
    plain: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    sheets: list[AttachedFile] = field(default_factory=list)  # attached .txt
    unread: list[str] = field(default_factory=list)  # names of attachments that nobody looked into
    inside: list[Message] = field(default_factory=list)  # mails forwarded as attachments
    encrypted: bool = False
    too_many: bool = False  # parts, or too deep inside one another

    @property
    def truncated(self) -> bool:
        return self.too_many or self.budget.text.cut or self.budget.html.cut

    @property
    def text(self) -> str:
        """What the sender wrote, as text: the plain part, unless only the HTML part says anything to us."""
        plain = "\n".join(self.plain)
        if not self.html:
            return plain
        lines = plain.split("\n")[:2000]
        if any(map(meant_for_us, lines)) or (_is_long(plain) and any(map(_asks_if_unmarked, lines))):
            return plain  # what it marks as quoted the HTML may not
        rendered = self.budget.text.take("\n".join(html.to_text(source) for source in self.html), "\n")
        if not plain.strip() or any(map(meant_for_us, rendered.split("\n")[:2000])):
            return rendered
        return plain


def _is_long(plain: str) -> bool:
    """More than a program writes that only says that there is HTML."""
    return len(plain.strip()) > 200


def _asks_if_unmarked(line: str) -> bool:
    return meant_for_us(line.lstrip("> |"))


def collect(message: Message, budget: Budget | None = None) -> Parts:
    """`budget`: what is left of that of the mail around it."""
    parts = Parts(budget or Budget())
    for count, part in enumerate(_leaves(message, parts, 0)):
        if count >= MAX_PARTS:
            parts.too_many = True
            break
        _file(part, parts)
    return parts


def _leaves(message: Message, parts: Parts, depth: int) -> Iterator[Message]:
    if depth > MAX_DEPTH:
        parts.too_many = True
        return
    kind = message.get_content_type()
    if kind == "multipart/encrypted" or kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        parts.encrypted = True
        return
    payload = message.get_payload()
    if message.get_content_maintype() == "message" and isinstance(payload, list):
        parts.inside = [*parts.inside, *(m for m in payload if isinstance(m, Message))][:MAX_INSIDE]
        return
    if message.is_multipart() and isinstance(payload, list):
        for child in payload:
            if isinstance(child, Message):
                yield from _leaves(child, parts, depth + 1)
        return
    yield message


def _file(part: Message, parts: Parts) -> None:
    kind = part.get_content_type()
    name = _filename(part)
    attached = _disposition(part) == "attachment" or bool(name)
    if kind == "text/html" and not attached:
        parts.html.append(_text(part, parts.budget.html, "<"))
    elif kind == "text/plain" and not attached:
        parts.plain.append(_plain_text(part, parts.budget.text))
    elif name.lower().endswith((".txt", ".text")) or (kind == "text/plain" and attached):
        parts.sheets.append(AttachedFile(name or "orders.txt", _text(part, parts.budget.text)))
    elif kind == "text/enriched" and not attached:
        parts.plain.append(re.sub(r"<[^<>]*>", "", _text(part, parts.budget.text)))
    elif (name or attached) and kind not in _SIGNATURES:
        parts.unread.append(name or kind)


def _plain_text(part: Message, room: Room) -> str:
    """The text of a text/plain part, with format=flowed (RFC 3676) folded back into whole lines."""
    text = _text(part, room)
    if str(_param(part, "format")).lower() == "flowed":
        return unflow(text, delsp=str(_param(part, "delsp")).lower() == "yes")
    return text


def _text(part: Message, room: Room, mark: str = "\n") -> str:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, TypeError, AttributeError):
        data = None
    if data is None:
        raw = part.get_payload()
        data = raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""
    assert isinstance(data, bytes)
    label = _param(part, "charset")
    text = decode(data[: room.characters * 4 + 1], label)
    return room.take(one_line_end(text), mark)


def _param(part: Message, name: str) -> str | None:
    """A parameter of Content-Type, None also where the header cannot be read."""
    try:
        value = part.get_param(name)
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    if isinstance(value, tuple):
        value = value[2]
    return value if isinstance(value, str) else None


def _disposition(part: Message) -> str:
    try:
        return part.get_content_disposition() or ""
    except (ValueError, TypeError, AttributeError):
        return ""


def _filename(part: Message) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return "unnamed"
    name = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in name if c.isprintable())[:80].strip()


def unflow(text: str, delsp: bool = False) -> str:
    """Join what format=flowed broke. A line that opens an order is never joined to the one before."""
    out: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        found = _FLOWED_STUFFED.match(line)
        assert found
        marks, body = found.groups()
        depth = len(marks)
        joins = open_depth == depth and body != "-- " and keyword(body) is None
        if joins:
            previous = out[-1]
            out[-1] = (previous[:-1] if delsp else previous) + body
        else:
            out.append((marks + " " if marks else "") + body)
        open_depth = depth if body.endswith(" ") and body != "-- " else None
    return "\n".join(line if line.endswith("-- ") else line.rstrip() for line in out)
