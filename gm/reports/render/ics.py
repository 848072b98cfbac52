"""The deadline as an entry for the reader's calendar (iCalendar, RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from hashlib import sha256

from gm.reports.issue import Issue
from gm.reports.prose import Prose, standard_prose
from gm.reports.view.model import BellView

OCTETS = 75  # of a line, without its end
LASTS = timedelta(minutes=15)  # an entry must end after it starts (RFC 5545, 3.8.2.2)


def render_calendar(issue: Issue, view: BellView, prose: Prose | None = None) -> str | None:
    """One event at the deadline with a reminder the day before; None if nothing is due."""
    due = view.masthead.deadline
    if due is None:
        return None
    words, m = prose or standard_prose(), view.masthead
    facts = {"paper": m.paper, "campaign": m.campaign, "number": m.number, "what": due.what}
    return calendar_entry(
        name=m.campaign,
        number=issue.number,
        at=due.at,
        made=datetime.combine(issue.published, time(), UTC),
        sequence=0,
        summary=words.say("labels", "calendar.summary", **facts),
        description=words.say("labels", "calendar.description", **facts),
    )


def moved_deadline(
    name: str, paper: str, number: int, what: str, at: datetime, now: datetime, cancelled: bool = False
) -> str:
    """The entry that an issue brought, at its new time or called off. Its SEQUENCE is when it was made, so it always
    grows."""
    facts = {"paper": paper, "campaign": name, "number": number, "what": what}
    words = standard_prose()
    return calendar_entry(
        name=name,
        number=number,
        at=at,
        made=now,
        sequence=int(now.timestamp()) // 2,  # below 2**31 until 2106
        summary=words.say("labels", "calendar.summary", **facts),
        description=words.say("labels", "calendar.description", **facts),
        cancelled=cancelled,
    )


def calendar_entry(
    *,
    name: str,
    number: int,
    at: datetime,
    made: datetime,
    sequence: int,
    summary: str,
    description: str,
    cancelled: bool = False,
) -> str:
    alarm = [
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_text(summary)}",
        "TRIGGER:-P1D",
        "END:VALARM",
    ]
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Kolokol//The Bell//EN",
        f"METHOD:{'CANCEL' if cancelled else 'PUBLISH'}",
        "BEGIN:VEVENT",
        # The same Phase keeps its entry: an extension moves it instead of adding another.
        f"UID:{sha256(f'{name}/{number}'.encode()).hexdigest()[:32]}@kolokol",
        f"SEQUENCE:{sequence}",
        f"DTSTAMP:{_utc(made)}",
        f"DTSTART:{_utc(at)}",
        f"DTEND:{_utc(at + LASTS)}",
        f"SUMMARY:{_text(summary)}",
        f"DESCRIPTION:{_text(description)}",
        "TRANSP:TRANSPARENT",
        *(["STATUS:CANCELLED"] if cancelled else alarm),
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{fold(line)}\r\n" for line in lines)


def _utc(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    for sign, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\n")):
        text = text.replace(sign, escaped)
    return text


def fold(line: str) -> str:
    """Long lines go on after a blank; no character is cut in two."""
    parts: list[str] = []
    current, room = "", OCTETS
    for character in line:
        size = len(character.encode())
        if size > room:
            parts.append(current)
            current, room = "", OCTETS - 1
        current += character
        room -= size
    return "\r\n ".join([*parts, current])
