"""Idempotency keys of mails, letters and submissions: making and parsing them.

What has a key happens once. A mail's Message-ID is made from its key, so the form of a key never changes: an answer to
a mail that went out before the change would not be known for one.
"""

from __future__ import annotations

import re

from gm.store.tables import PhaseRow

_INBOX = re.compile(r"inbox/(\d+)/(.*)", re.DOTALL)


def once(kind: str, *about: object) -> str:
    return "/".join(map(str, (kind, *about)))


def of_campaign(campaign: str, kind: str, *about: object) -> str:
    """Of a mail that a campaign sends: `kind` is its template, the last of `about` its reader."""
    return once(campaign, kind, *about)


def of_phase(phase: PhaseRow) -> str:
    """The part of a key that says in which Phase; after a rollback it is another one."""
    return once(str(phase.turn), phase.phase, phase.incarnation)


def of_inbox(mail: int, what: str) -> str:
    """Of something that a mail which came in has done: `orders`, `letter/2`, `answer`, `held`."""
    return once("inbox", mail, what)


def inbox_number(key: str, what: str | None = None) -> int | None:
    """The mail that has done this; None if none has, or if it was something else than `what`."""
    found = _INBOX.fullmatch(key)
    return int(found[1]) if found and what in (None, found[2]) else None


def new(kind: str, entropy: bytes) -> str:
    """Of something that comes without a name by which it could be known again."""
    return once(kind, entropy.hex())
