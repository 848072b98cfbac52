"""Idempotency keys of mails, letters and submissions: making and parsing them; Message-IDs.

What has a key happens once. A mail's Message-ID is made from its key, so the form of a key never changes: an answer to
a mail that went out before the change would not be known for one.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from gm.store.tables import PhaseRow

_INBOX = re.compile(r"inbox/(\d+)/(.*)", re.DOTALL)


def once(kind: str, *about: object) -> str:
    """The parts with strokes between them: `letter/12/B`."""
    return "/".join(map(str, (kind, *about)))


def of_campaign(campaign: str, kind: str, *about: object) -> str:
    """The key of a mail that a campaign sends: `kind` is its template, the last of `about` its reader."""
    return once(campaign, kind, *about)


def of_phase(phase: PhaseRow) -> str:
    """The part of a key that names a Phase; after a rollback it is another one."""
    return once(str(phase.turn), phase.phase, phase.incarnation)


def of_inbox(mail: int, what: str) -> str:
    """The key of what is done for a mail from the inbox: `what` is `orders`, `letter/2`, `answer` or `held`."""
    return once("inbox", mail, what)


def inbox_number(key: str, what: str | None = None) -> int | None:
    """The inbox number in a key made by `of_inbox`; None for any other key, or if it was made for something else."""
    found = _INBOX.fullmatch(key)
    return int(found[1]) if found and what in (None, found[2]) else None


def new(kind: str, entropy: bytes) -> str:
    """A random key, for what cannot be recognised when it comes again (a form without a key of its own)."""
    return once(kind, entropy.hex())


def quarter_of_an_hour(now: datetime) -> int:
    """The part of a key that lets a mail go out once in that time, however often somebody asks for it."""
    return int(now.timestamp()) // 900


def message_id(key: str, domain: str) -> str:
    """The Message-ID of the mail with this key: the same however often it is sent."""
    return f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@{domain}>"
