"""Parsing bounces: delivery status notifications (RFC 3464) and the less formal ones of other mail systems.
Anybody can write one, so it counts only with the key that our own mail carried (see identify/recognise.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email import message_from_string
from email.message import Message
from email.policy import compat32

from flufl.bounce import all_failures

from gm.mail.parse import headers

KEY_HEADER = "X-Kolokol-Key"
_STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")
_CODE = re.compile(r"(?:^|[^\d.])(5\d\d)[ -]")
_KEY = re.compile(rf"^{KEY_HEADER}:\s*([a-z2-7-]{{8,80}})\s*$", re.I | re.M)
_ID = re.compile(r"^Message-ID:\s*(<[^<>\s]{3,300}>)", re.I | re.M)
MAX_SCAN = 200_000  # characters of the report, and of the head of the mail that came back
# What flufl.bounce may see of a mail. Its patterns cost the square or the cube of a line, and a nested field of
# addresses hours; a mail system tells of the failure in a few short lines, at the top.
JUDGED_LINES, JUDGED_WIDTH, JUDGED_PARTS, JUDGED_DEPTH = 200, 160, 12, 4
_JUDGED_FIELDS = ("From", "X-Mailer", "X-Failed-Recipients", "Content-Description", "Action")
_JUDGED_RECIPIENTS = ("Original-Recipient", "Final-Recipient")
_LONG_WORD = re.compile(r"(\S{100})\S+")


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

    def judged(self, verdict: bool | None) -> Bounce:
        """With the verdict of `fails_for_good`, if there is one."""
        if self.action and self.status.startswith("4"):  # given up today; the address may be good tomorrow
            verdict = False
        return self if verdict is None else replace(self, permanent=verdict)


def read_bounce(message: Message) -> Bounce:
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
            original += "\n" + _head(part) if len(original) < MAX_SCAN else ""
    text = _plain(message)
    everything = original or text
    if not status:
        status = _first(_STATUS, text) or ("5.0.0" if _CODE.search(text) else "")
    told = action == "failed" or status.startswith("5")
    return Bounce(
        recipient=recipient,
        status=status,
        action=action,
        detail=(detail or _first_words(text))[:300],
        message_id=_first(_ID, everything),
        key=_first(_KEY, everything).lower(),
        permanent=told and not (action and status.startswith("4")),
    )


def fails_for_good(message: Message) -> bool | None:
    """flufl.bounce's verdict, which knows the words of many mail systems; None if it finds no failure in the mail."""
    try:
        temporary, permanent = all_failures(_to_be_judged(message, iter(range(JUDGED_LINES)), JUDGED_DEPTH))
    except Exception:  # a stranger's mail: whatever a detector stumbles over, it gives no verdict then
        return None
    return bool(permanent) if permanent or temporary else None


def _to_be_judged(message: Message, room: Iterator[int], depth: int) -> Message:
    """A copy of the same shape with short lines, few of them, and only the fields that a detector looks at."""
    copy = Message(policy=compat32)
    for name in (*_JUDGED_FIELDS, *_JUDGED_RECIPIENTS):
        if value := headers.raw(message, name)[:JUDGED_WIDTH]:
            copy[name] = _LONG_WORD.sub(r"\1", value) if _is_tame(value) else ""
    copy["Content-Type"] = message.get_content_type()
    payload = message.get_payload()
    if message.get_content_type() == "message/rfc822" or not depth:
        copy.set_payload("")  # the mail that came back tells nothing of why it did
    elif isinstance(payload, list):
        parts = [part for part in payload[:JUDGED_PARTS] if isinstance(part, Message)]
        copy.set_payload([_to_be_judged(part, room, depth - 1) for part in parts])
    else:
        lines = (_LONG_WORD.sub(r"\1", line[:JUDGED_WIDTH]) for line in _body(message).split("\n"))
        copy.set_payload("\n".join(line for line, _ in zip(filter(_is_tame, lines), room, strict=False)) + "\n")
    return copy


def _is_tame(line: str) -> bool:
    return all(line.count(sign) <= 4 for sign in "<([@,;=")


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
    blocks = re.split(r"\n[ \t]*\n", _body(part), maxsplit=20)[:20] if isinstance(payload, str) else []
    return [message_from_string(block[:10_000], policy=compat32) for block in blocks]


def _head(part: Message) -> str:
    payload = part.get_payload()
    if isinstance(payload, list) and payload and isinstance(payload[0], Message):
        return "\n".join(f"{name}: {headers.one_line(str(value))}" for name, value in payload[0].items()[:200])
    return _body(part)


def _body(part: Message) -> str:
    data = part.get_payload(decode=True)
    return data[:MAX_SCAN].decode("utf-8", "replace").replace("\r\n", "\n") if isinstance(data, bytes) else ""


def _plain(message: Message) -> str:
    text = ""
    for part in _walk(message):
        if part.get_content_type() == "text/plain" and len(text) < MAX_SCAN:
            text += _body(part) + "\n"
    return text[:MAX_SCAN]


def _typed(value: str) -> str:
    """`rfc822; lenin@example.org` -> `lenin@example.org`."""
    return value.split(";", 1)[-1].strip()


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group(1) if found else ""


def _first_words(text: str) -> str:
    return " ".join(text.split())[:200]
