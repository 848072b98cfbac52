"""The deadline as an entry for the reader's calendar (iCalendar, RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime, time
from hashlib import sha256

from gm.reports.prose import Prose, standard_prose
from gm.reports.view import BellView
from gm.reports.view_input import Issue

OCTETS = 75  # of a line, without its end


def render_calendar(issue: Issue, view: BellView, prose: Prose | None = None) -> str | None:
    """One event at the deadline with a reminder the day before; None if nothing is due."""
    due = view.masthead.deadline
    if due is None:
        return None
    words, m = prose or standard_prose(), view.masthead
    facts = {"paper": m.paper, "campaign": m.campaign, "number": m.number, "what": due.what}
    key = "calendar.description" if issue.colophon.orders_to else "calendar.description_plain"
    stamp = datetime.combine(issue.published, time(), UTC)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Kolokol//The Bell//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        # The same Phase keeps its entry: an extension moves it instead of adding another.
        f"UID:{sha256(f'{m.campaign}/{issue.number}'.encode()).hexdigest()[:32]}@kolokol",
        f"DTSTAMP:{_utc(stamp)}",
        f"DTSTART:{_utc(due.at)}",
        f"DTEND:{_utc(due.at)}",
        f"SUMMARY:{_text(words.say('labels', 'calendar.summary', **facts))}",
        f"DESCRIPTION:{_text(words.say('labels', key, **facts, address=issue.colophon.orders_to))}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_text(words.say('labels', 'calendar.summary', **facts))}",
        "TRIGGER:-P1D",
        "END:VALARM",
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
