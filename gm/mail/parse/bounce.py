"""Parsing bounces: delivery status notifications (RFC 3464) and the less formal ones of other mail systems.
Anybody can write one, so it counts only with the key that our own mail carried (see identify/recognise.py)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from email.policy import compat32

from flufl.bounce import all_failures

from gm.mail.parse import headers
from gm.mail.parse.charset import decode

KEY_HEADER = "X-Kolokol-Key"
_STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")
_CODE = re.compile(r"(?:^|[^\d.])(5\d\d)[ -]")
_KEY = re.compile(rf"^{KEY_HEADER}:\s*([a-z2-7-]{{8,80}})\s*$", re.I | re.M)
_ID = re.compile(r"^Message-ID:\s*(<[^<>\s]{3,300}>)", re.I | re.M)
_FOLD = re.compile(rb"\r?\n[ \t]+")
MAX_SCAN = 200_000
MAX_JUDGED = 500_000


@dataclass(frozen=True, slots=True)
class Bounce:
    recipient: str  # "" if not told
    status: str  # "5.1.1"; "" if not told
    action: str  # failed | delayed | delivered | relayed | expanded | "" if not told
    detail: str  # what the other system said, one line
    message_id: str  # of the mail of ours that came back
    key: str  # as our mail carried it
    permanent: bool = False

    @property
    def harmless(self) -> bool:
        """A notice of success, or of a delay that is not yet a failure."""
        return self.action in ("delivered", "relayed", "expanded", "delayed")


def read_bounce(message: Message, judge: bool = True) -> Bounce:
    """`judge`: whether flufl.bounce may be asked (see `may_be_judged`)."""
    recipient = action = status = detail = ""
    original = ""
    for part in _walk(message):
        kind = part.get_content_type()
        if kind in ("message/delivery-status", "message/global-delivery-status"):
            for group in _groups(part):
                to = _typed(headers.raw(group, "Final-Recipient")) or _typed(headers.raw(group, "Original-Recipient"))
                if to and not recipient:
                    recipient = headers.address(to)
                    action = headers.raw(group, "Action").lower().split(" ")[0]
                    status = _first(_STATUS, headers.raw(group, "Status"))
                    detail = _typed(headers.raw(group, "Diagnostic-Code")) or headers.raw(group, "Status")
        elif kind in ("text/rfc822-headers", "message/rfc822", "message/rfc822-headers", "message/global"):
            original += "\n" + _head(part)
    text = _plain(message)
    everything = original or text
    if not status:
        status = _first(_STATUS, text) or ("5.0.0" if _CODE.search(text) else "")
    told = action == "failed" or status.startswith("5")
    verdict = fails_for_good(message) if judge else None
    if action and status.startswith("4"):  # given up today; the address may be good tomorrow
        verdict = False
    return Bounce(
        recipient=recipient,
        status=status,
        action=action,
        detail=(detail or _first_words(text))[:300],
        message_id=_first(_ID, everything),
        key=_first(_KEY, everything).lower(),
        permanent=told if verdict is None else verdict,
    )


def may_be_judged(raw: bytes) -> bool:
    """flufl.bounce reads addresses with a parser that a field of brackets holds up for hours; no mail system writes
    such a field, nor so long a report."""
    if len(raw) > MAX_JUDGED:
        return False
    lines = _FOLD.sub(b" ", raw).split(b"\n")
    return all(line.count(b"(") <= headers.MAX_COMMENTS and line.count(b"[") <= headers.MAX_COMMENTS for line in lines)


def fails_for_good(message: Message) -> bool | None:
    """flufl.bounce's verdict, which knows the words of many mail systems; None if it finds no failure in the mail."""
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # a stranger's mail: whatever a detector stumbles over, it gives no verdict then
        return None
    return bool(permanent) if permanent or temporary else None


def _walk(message: Message) -> list[Message]:
    """The parts, at most fifty and not into the mail that came back."""
    found: list[Message] = []
    queue = [message]
    while queue and len(found) < 50:
        part = queue.pop(0)
        found.append(part)
        payload = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(payload, list):
            queue += [p for p in payload if isinstance(p, Message)]
    return found


def _groups(part: Message) -> list[Message]:
    """The blocks of fields of a delivery-status part, however the parser took them."""
    payload = part.get_payload()
    if isinstance(payload, list):
        return [p for p in payload[:20] if isinstance(p, Message)]
    text = decode(part.get_payload(decode=True) or b"") if isinstance(payload, str) else ""  # type: ignore[arg-type]
    return [message_from_string(block, policy=compat32) for block in re.split(r"\n\s*\n", text[:MAX_SCAN])[:20]]


def _head(part: Message) -> str:
    payload = part.get_payload()
    if isinstance(payload, list) and payload and isinstance(payload[0], Message):
        return "\n".join(f"{name}: {headers.one_line(str(value))}" for name, value in payload[0].items()[:200])
    return _body(part)


def _body(part: Message) -> str:
    data = part.get_payload(decode=True)
    return decode(data[:MAX_SCAN]).replace("\r\n", "\n") if isinstance(data, bytes) else ""


def _plain(message: Message) -> str:
    return "\n".join(_body(p) for p in _walk(message) if p.get_content_type() == "text/plain")[:MAX_SCAN]


def _typed(value: str) -> str:
    """`rfc822; lenin@example.org` -> `lenin@example.org`."""
    return value.split(";", 1)[-1].strip()


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group(1) if found else ""


def _first_words(text: str) -> str:
    return " ".join(text.split())[:200]
