"""Composing a mail (Outgoing) as bytes: headers and MIME. Written by hand: a thousand Bells are built while they are
sent, each with the same picture, and the library's generator would take longer than the sending."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.header import Header
from email.utils import format_datetime

from gm.campaign import keys
from gm.campaign.ports import Attachment, Outgoing
from gm.mail.identify.recognise import bounce_key, reply_address, subject_tag
from gm.mail.parse.bounce import KEY_HEADER
from gm.mail.parse.headers import one_line
from gm.mail.parse.kind import LOOP_HEADER
from gm.mail.parse.line_kind import barred, barred_page

_SAFE_NAME = re.compile(r"^[A-Za-z0-9 .,'()#&!/-]*$")
LONG_LINE = 900  # RFC 5321 ends at 998
_FIELD = re.compile(r"^[A-Za-z0-9-]{1,60}$")
_ADDRESS = re.compile(r"^[^\s<>@,;:\"\\()\[\]]+@[^\s<>@,;:\"\\()\[\]]+$")
# Set by us and by nobody else, whatever the campaign's own headers say.
_OURS = frozenset(
    ("from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references", "mime-version", "sender")
)


@dataclass(frozen=True, slots=True)
class MailIdentity:
    """What all mails of an installation have in common."""

    mail_from: str
    orders_address: str
    domain: str
    name: str
    secret_key: bytes
    base_url: str = ""
    tag_subjects: bool = False  # where the mail system loses what stands behind a +


@dataclass(frozen=True, slots=True)
class Context:
    """What one mail needs to know beyond its row: the reader's token, the paper's name, the author of a letter."""

    token: str | None = None
    from_name: str = ""
    unsubscribe: str | None = None  # link for a reader who plays no side


Pictures = Mapping[str, bytes]  # Content-ID -> PNG in base64


def compose(mail: Outgoing, identity: MailIdentity, context: Context, pictures: Callable[[], Pictures]) -> bytes:
    """`pictures` gives those of the Bell; what the HTML does not show is not sent."""
    _check(mail)
    wanted = mail.html is not None and "cid:" in mail.html
    shown = {cid: png for cid, png in pictures().items() if f"cid:{cid}" in (mail.html or "")} if wanted else {}
    head = _head(mail, identity, context)
    content_type, encoding, body = _body(mail, shown)
    head.append(f"Content-Type: {content_type}")
    if encoding:
        head.append(f"Content-Transfer-Encoding: {encoding}")
    return b"\r\n".join([_lines(head), b"", *body])


class Unsendable(ValueError):
    """The row of the outbox is broken: no server would take it, or its headers would be wrong."""


class NotTheirs(Unsendable):
    """Whoever it was written to holds the seat no more, and nothing in it is theirs."""


def _check(mail: Outgoing) -> None:
    if not _ADDRESS.match(mail.address) or not mail.address.isascii():
        raise Unsendable("the address cannot be mailed to")
    if any(not _FIELD.match(name) for name in mail.headers):
        raise Unsendable("a header field has an impossible name")


def _head(mail: Outgoing, identity: MailIdentity, context: Context) -> list[str]:
    reply_to = (
        reply_address(identity.orders_address, context.token, _tail(mail)) if context.token else identity.mail_from
    )
    subject = mail.subject
    if identity.tag_subjects and context.token:
        subject = f"{subject} {subject_tag(context.token)}"
    lines = [
        f"From: {person(context.from_name or identity.name, identity.mail_from)}",
        f"To: {person(mail.name, mail.address)}",
        f"Reply-To: {person(context.from_name or identity.name, reply_to)}",
        f"Subject: {words(subject, 9)}",
        f"Date: {format_datetime(mail.created_at)}",
        f"Message-ID: {mail.message_id}",
        "MIME-Version: 1.0",
    ]
    if mail.in_reply_to:
        lines.append(f"In-Reply-To: {_ids(mail.in_reply_to)}")
    references = list(dict.fromkeys([*mail.references, *([mail.in_reply_to] if mail.in_reply_to else [])]))
    if references:
        lines.append("References: " + "\r\n ".join(_ids(r) for r in references))
    lines += _automatic(mail)
    lines += _list_fields(mail, identity, context)
    lines += [
        f"{name}: {words(one_line(value), len(name) + 2)}"
        for name, value in mail.headers.items()
        if name.lower() not in _OURS
    ]
    lines.append(f"{LOOP_HEADER}: {identity.domain}")
    lines.append(f"{KEY_HEADER}: {bounce_key(identity.secret_key, mail.message_id)}")
    return lines


def _tail(mail: Outgoing) -> str:
    """What an answer may do: that to a letter goes to its author, that to a question says yes or no."""
    letter, question = mail.headers.get("X-Kolokol-Letter", ""), keys.inbox_number(mail.key, "held")
    return f"q{question}" if question is not None else letter if letter.isdecimal() else ""


def _automatic(mail: Outgoing) -> list[str]:
    """A letter is a person's; an answer answers; all else we say of our own accord (RFC 3834)."""
    if mail.kind == "letter":
        return []
    submitted = "auto-replied" if mail.kind in ("answer", "receipt") else "auto-generated"
    return [f"Auto-Submitted: {submitted}", "X-Auto-Response-Suppress: All"]


def _list_fields(mail: Outgoing, identity: MailIdentity, context: Context) -> list[str]:
    """A Bell comes like a newspaper (RFC 2369, RFC 2919); a reader can cancel it, a player resigns otherwise."""
    if mail.kind != "bell" or not mail.campaign:
        return []
    campaign = re.sub(r"[^a-z0-9-]", "-", mail.campaign.lower())
    lines = [
        f"List-Id: <{campaign}.{identity.domain}>",
        f"List-Help: <mailto:{identity.orders_address}?subject=HELP>",
    ]
    if identity.base_url:
        lines.append(f"List-Archive: <{identity.base_url.rstrip('/')}/c/{campaign}/>")
    if context.token is None:
        link = f"<{context.unsubscribe}>,\r\n " if context.unsubscribe else ""
        signed = "%20" + context.unsubscribe.partition("#")[2] if context.unsubscribe else ""
        targets = f"<mailto:{identity.orders_address}?subject=UNSUBSCRIBE%20{campaign}{signed}>"
        lines.append(f"List-Unsubscribe: {link}{targets}")
    return lines


def words(text: str, used: int) -> str:
    """A header's words: as they are if they are plain and short, else as encoded words, folded."""
    text = one_line(text)
    if text.isascii() and len(text) + used < 76 and "=?" not in text:
        return text
    charset = "us-ascii" if text.isascii() and "=?" not in text else "utf-8"
    return Header(text, charset, 76 - used).encode(linesep="\r\n")


def person(name: str, address: str) -> str:
    name = one_line(name)
    if not name:
        return f"<{address}>"
    if not name.isascii() or len(name) > 60:
        return f"{Header(name[:120], 'utf-8', 60).encode(linesep=chr(13) + chr(10))} <{address}>"
    if _SAFE_NAME.match(name) and not set(name) & set(".,()"):
        return f"{name} <{address}>"
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" <{address}>'


def _ids(message_id: str) -> str:
    return re.sub(r"[^\x21-\x7e]", "", message_id)[:500]


# Content-Type, transfer encoding, body: its pieces are put together once, for the picture in it is large.
Part = tuple[str, str, list[bytes]]


def _body(mail: Outgoing, pictures: Pictures) -> Part:
    text = _text_part(barred(mail.text), "plain")
    whole = text
    if mail.html:
        html = _text_part(barred_page(mail.html), "html")
        if pictures:
            html = _multipart(mail, "related", [html, *(_picture(*p) for p in pictures.items())], '; type="text/html"')
        whole = _multipart(mail, "alternative", [text, html])
    if mail.attachments:
        whole = _multipart(mail, "mixed", [whole, *(_attachment(a) for a in mail.attachments)])
    return whole


def _lines(lines: list[str]) -> bytes:
    return "\r\n".join(lines).encode("ascii")


def _picture(cid: str, png: bytes) -> Part:
    name = f"{cid.partition('@')[0]}.png"
    inline = f'base64\r\nContent-ID: <{cid}>\r\nContent-Disposition: inline; filename="{name}"'
    return f'image/png; name="{name}"', inline, [png]


def _multipart(mail: Outgoing, kind: str, parts: list[Part], params: str = "") -> Part:
    # Fixed by the Message-ID: the same mail sent twice is the same bytes.
    boundary = f"=_{kind[0]}{hashlib.sha256((kind + mail.message_id).encode()).hexdigest()[:24]}"
    pieces: list[bytes] = []
    for content_type, encoding, body in parts:
        head = [f"--{boundary}", f"Content-Type: {content_type}"]
        if encoding:
            head.append(f"Content-Transfer-Encoding: {encoding}")
        pieces += [_lines(head), b"", *body]
    pieces += [_lines([f"--{boundary}--", ""])]
    return f'multipart/{kind}; boundary="{boundary}"{params}', "", pieces


def _text_part(text: str, kind: str) -> Part:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if text.isascii() and max(map(len, text.split("\n"))) < LONG_LINE:
        return f"text/{kind}; charset=us-ascii", "7bit", [text.replace("\n", "\r\n").encode("ascii")]
    data = text.encode("utf-8", "replace")
    if (len(data) - len(text.encode("ascii", "ignore"))) * 3 > len(data):  # mostly Cyrillic: base64 is the shorter
        return f"text/{kind}; charset=utf-8", "base64", [encode(data)]
    quoted = binascii.b2a_qp(data, istext=True).replace(b"\n", b"\r\n")
    return f"text/{kind}; charset=utf-8", "quoted-printable", [quoted]


def _attachment(attachment: Attachment) -> Part:
    name = re.sub(r"[^A-Za-z0-9._-]", "_", attachment.name)[:80]
    kind = attachment.content_type if re.match(r"^[\w.+-]+/[\w.+-]+(;[\w =.+\"-]*)?$", attachment.content_type) else ""
    kind = kind or "application/octet-stream"
    data = attachment.data.encode("utf-8")
    if "charset" not in kind and kind.startswith("text/"):
        kind += "; charset=utf-8"
    return f'{kind}; name="{name}"', f'base64\r\nContent-Disposition: attachment; filename="{name}"', [encode(data)]


def encode(data: bytes) -> bytes:
    """Base64 in lines of 76, as mail wants it."""
    return base64.encodebytes(data).replace(b"\n", b"\r\n").rstrip(b"\r\n")
