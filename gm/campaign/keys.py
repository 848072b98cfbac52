"""Idempotency keys of mails, letters and submissions: making and parsing them; Message-IDs.

What has a key happens once. A mail's Message-ID is made from its key and the secret of the installation: nobody can
name a mail that they did not get, or that is yet to be written. Until November 2026 it was made from the key alone.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime
from typing import Protocol

_INBOX = re.compile(r"inbox/(\d+)/(.*)", re.DOTALL)


def once(kind: str, *about: object) -> str:
    """The parts with strokes between them: `letter/12/B`."""
    return "/".join(map(str, (kind, *about)))


def of_campaign(campaign: str, kind: str, *about: object) -> str:
    """The key of a mail that a campaign sends: `kind` is its template, the last of `about` its reader."""
    return once(campaign, kind, *about)


class InPhase(Protocol):
    """What names a Phase."""

    @property
    def turn(self) -> int: ...

    @property
    def phase(self) -> str: ...

    @property
    def incarnation(self) -> int: ...


def of_phase(phase: InPhase) -> str:
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


def message_id(secret_key: bytes, key: str, domain: str) -> str:
    """The Message-ID of the mail with this key: the same however often it is sent."""
    return f"<{hmac.digest(secret_key, b'message-id|' + key.encode(), 'sha256').hex()[:32]}@{domain}>"


def thread_id(campaign: str, domain: str) -> str:
    """What all mails of a campaign refer to, so that mail programs show them together. No mail has it."""
    return open_message_id(of_campaign(campaign, "thread"), domain)


def open_message_id(key: str, domain: str) -> str:
    """As Message-IDs were made once, and as anybody can make them: it proves nothing."""
    return f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@{domain}>"
