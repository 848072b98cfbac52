"""A mailbox as a text that anybody can read and compare: every mail in order, without what differs from run to run."""

from __future__ import annotations

import os
import re
import textwrap
from email.message import EmailMessage
from pathlib import Path

from gm.store.mail_tables import Outbox
from tests.doors.house import text_of
from tests.month.stage import Month, read_by_imap

FOLDER = Path(__file__).parent / "mailboxes"
WRITE = os.environ.get("GOLDEN") == "write"  # `GOLDEN=write .venv/bin/pytest tests/month` writes them anew

_MASKS = (
    (re.compile(r"\b[0-9a-f]{64}\b"), "<64 hex digits>"),
    (re.compile(r"http://127\.0\.0\.1:8000/"), "https://bell.example/"),
    (re.compile(r"(https://bell\.example/in#)\S+"), r"\1<link>"),
    (re.compile(r"(orders\+)[a-z0-9.]+@"), r"\1<token>@"),
)
# Of an issue only what concerns its reader and the running of the campaign: its stories and tables change with every
# better wording and are compared elsewhere (tests/reports/golden).
_KEPT = ("COLOPHON", "FINAL STANDINGS")
_SECTION = re.compile(r"^== (.+?) =+$", re.M)
_BOX = re.compile(r"^\+\+ .*?^\+{72}$", re.M | re.S)
_SUBJECT = re.compile(r"^(Re: )?.* (\(The Bell #\d+, .*\))$")


def written(month: Month, name: str) -> str:
    """Somebody's mailbox, read by IMAP; in the order in which the service wrote the mails."""
    person = month.person(name)
    rows = {row.message_id: row for row in month.sent()}
    mails = {str(mail["Message-ID"]).strip(): mail for mail in read_by_imap(month, person.address)}
    assert set(mails) <= set(rows), "something came that the service does not know"
    ordered = sorted(mails, key=lambda identity: rows[identity].id)
    head = f"The mailbox of {name}, {person.address}: {len(ordered)} mails.\n"
    return "\n".join([head, *(_mail(n, mails[i], rows[i]) for n, i in enumerate(ordered, start=1))])


def _mail(number: int, mail: EmailMessage, row: Outbox) -> str:
    text, subject = text_of(mail).replace("\r", ""), str(mail["Subject"])
    subject = _bell_subject(text, subject)
    if row.kind == "bell":
        text = _bell(text)
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    lines = [
        f"{f'[{number}] {row.created_at:%A %d %B %Y, %H:%M} UTC ':=<88}",
        f"From:     {mail['From']}",
        f"Subject:  {subject}",
    ]
    files = [_file(part) for part in mail.iter_attachments()]
    lines += [f"Attached: {', '.join(files)}"] if files else []
    return "\n".join([*lines, "", textwrap.indent(text.strip("\n"), "  ", lambda line: bool(line.strip())), "", ""])


def _file(part: object) -> str:
    assert isinstance(part, EmailMessage)
    name, content = str(part.get_filename()), str(part.get_content())
    found = re.search(r"DTSTART:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)00Z", content)
    return f"{name} ({found[1]}-{found[2]}-{found[3]} {found[4]}:{found[5]} UTC)" if found else name


def _is_news(text: str) -> bool:
    return "ERRATUM:" not in text and "FINAL STANDINGS" not in text


def _bell_subject(text: str, subject: str) -> str:
    return _SUBJECT.sub(r"\1<headline> \2", subject) if _is_news(text) and "Erratum" not in subject else subject


def _bell(text: str) -> str:
    """Masthead and the reader's own box, what an erratum or a last issue says, and the colophon."""
    body, _, foot = text.partition("\n-- \n")
    first, *rest = _SECTION.split(body)
    masthead, _, front = first.partition("-" * 72)
    box = _BOX.search(front)
    assert box or "++ FOR YOUR EYES ONLY" not in front, "a box that this does not know to keep"
    stories = _BOX.sub("", front).strip("\n") if not _is_news(text) else "<the stories>"
    parts = [masthead.strip("\n"), box[0] if box else "", stories]
    for title, section in zip(rest[::2], rest[1::2], strict=True):
        parts.append(f"== {title}\n{section.strip(chr(10))}" if title in _KEPT else f"== {title}: <not kept here>")
    return "\n\n".join([part for part in parts if part] + [f"-- \n{foot}"] if foot else parts)
