"""Mail in: kept before it is acknowledged, taken once, never thrown away."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from gm.campaign.ports import Mail
from gm.campaign.services import Services
from gm.campaign.work import queue_in, record
from gm.errors import NotFound
from gm.store.mail_tables import Inbox
from gm.store.repositories import mail


@dataclass(frozen=True, slots=True)
class Stored:
    id: int
    new: bool
    mail: Inbound | None = None  # if it is new
    repeats: bool = False  # a mail of the same sender with the same Message-ID came before


@dataclass(frozen=True, slots=True)
class Inbound:
    id: int
    raw: bytes
    source: str
    received_at: datetime
    sender: str
    envelope_from: str
    envelope_to: str
    message_id: str
    state: str
    reason: str | None
    campaign: str | None
    letter: str | None
    attempts: int


@dataclass(frozen=True, slots=True)
class Slip:
    """A mail in the quarantine, without its content."""

    id: int
    source: str
    received_at: datetime
    sender: str
    envelope_to: str
    state: str
    reason: str | None
    campaign: str | None
    letter: str | None


def store(
    services: Services,
    raw: bytes,
    *,
    source: str,
    received_at: datetime | None = None,
    sender: str = "",
    envelope_from: str = "",
    envelope_to: str = "",
    message_id: str = "",
    attempts: int = 0,
) -> Stored:
    """Keep a mail. The same one again (same Message-ID and same content) is known and not new.
    `attempts`: 1 if whoever brings it deals with it at once."""
    digest = hashlib.sha256(message_id.encode("utf-8", "replace") + b"\0" + raw).hexdigest()
    values = {
        "digest": digest,
        "message_id": message_id,
        "raw": raw,
        "source": source,
        "sender": sender.strip().lower(),
        "envelope_from": envelope_from,
        "envelope_to": envelope_to,
        "received_at": received_at or services.clock.now(),
        "state": "new",
        "attempts": attempts,
    }
    try:
        with services.store.write() as session:
            row_id = mail.add_incoming(session, values)
            named = bool(attempts and values["sender"] and message_id)
            repeats = named and mail.came_before(session, row_id, str(values["sender"]), message_id)
    except IntegrityError:  # it is here already
        with services.store.read() as session:
            known = mail.incoming_by_digest(session, digest)
            assert known is not None
            return Stored(known.id, False)
    return Stored(row_id, True, Inbound(id=row_id, **_facts(values)), repeats)


def _facts(values: Mapping[str, Any]) -> dict[str, Any]:
    """What an Inbound tells of a row that was just made."""
    told = {name: value for name, value in values.items() if name != "digest"}
    return told | {"reason": None, "campaign": None, "letter": None}


def _inbound(row: Inbox) -> Inbound:
    return Inbound(
        row.id,
        row.raw,
        row.source,
        row.received_at,
        row.sender,
        row.envelope_from,
        row.envelope_to,
        row.message_id,
        row.state,
        row.reason,
        row.campaign_id,
        row.letter,
        row.attempts,
    )


def pending(services: Services, limit: int = 50) -> list[Inbound]:
    """What was kept but not dealt with yet: after a crash, all of it comes again."""
    with services.store.read() as session:
        return [_inbound(row) for row in mail.incoming_pending(session, limit)]


def get(services: Services, mail_id: int) -> Inbound:
    with services.store.read() as session:
        row = mail.incoming(session, mail_id)
        if row is None:
            raise _no_mail(mail_id)
        return _inbound(row)


def first_of(services: Services, this: Inbound) -> Inbound | None:
    """The mail that this one repeats: same sender, same Message-ID, came before."""
    if not this.message_id or not this.sender:
        return None
    with services.store.read() as session:
        row = mail.incoming_before(session, this.id, this.sender, this.message_id)
        return _inbound(row) if row is not None else None


def attempt(services: Services, mail_id: int) -> int:
    """Count a try before it is made, so that a mail that kills its reader is noticed. Gives the number."""
    with services.store.write() as session:
        row = _lock(session, mail_id)
        row.attempts += 1
        return row.attempts


def handled(services: Services, mail_id: int, campaign: str | None, letter: str | None, note: str = "") -> None:
    _set(services, mail_id, "handled", note, campaign, letter)


def answered(services: Services, mail_id: int, campaign: str, letter: str, note: str, answer: Mail | None) -> None:
    """Dealt with, and its answer in the outbox, in one transaction."""
    now = services.clock.now()
    with services.store.write() as session:
        _settle(session, mail_id, "handled", note, now, campaign, letter)
        if answer is not None:
            queue_in(services, session, [answer], now)
    if answer is not None:
        services.wake(None, True)


def quarantine(services: Services, mail_id: int, reason: str, campaign: str | None = None) -> None:
    """Put aside for the Gamesmaster to look at."""
    _set(services, mail_id, "quarantined", reason, campaign, None)


def hold(services: Services, mail_id: int, campaign: str, letter: str, reason: str) -> None:
    """Wait for a confirmation before it counts."""
    _set(services, mail_id, "held", reason, campaign, letter)


def release(
    services: Services, mail_id: int, actor: str, letter: str | None = None, campaign: str | None = None
) -> Inbound:
    """Take it out of quarantine or hold: it is new again, and its sender believed to be the seat that it names."""
    with services.store.write() as session:
        row = _lock(session, mail_id)
        row.state, row.reason, row.attempts = "new", f"released by {actor}", 0
        row.letter, row.campaign_id = letter or row.letter, campaign or row.campaign_id
        record(session, row.campaign_id, services.clock.now(), actor, "release", mail=mail_id)
    services.wake(services.clock.now(), False)
    return get(services, mail_id)


def in_state(services: Services, state: str, campaign: str | None = None, limit: int = 100) -> list[Slip]:
    with services.store.read() as session:
        rows = mail.incoming_in(session, state, campaign, limit)
        return [
            Slip(r.id, r.source, r.received_at, r.sender, r.envelope_to, r.state, r.reason, r.campaign_id, r.letter)
            for r in rows
        ]


def quarantined(services: Services, campaign: str | None = None, limit: int = 100) -> list[Slip]:
    return in_state(services, "quarantined", campaign, limit)


def _set(services: Services, mail_id: int, state: str, reason: str, campaign: str | None, letter: str | None) -> None:
    with services.store.write() as session:
        _settle(session, mail_id, state, reason, services.clock.now(), campaign, letter)


def _settle(
    session: Session, mail_id: int, state: str, reason: str, at: datetime, campaign: str | None, letter: str | None
) -> None:
    if not mail.settle_incoming(session, mail_id, state, reason or None, at, campaign, letter):
        raise _no_mail(mail_id)


def _no_mail(mail_id: int) -> NotFound:
    return NotFound("mail", f"there is no mail {mail_id} in the inbox", "gm mail quarantine lists them")


def _lock(session: Session, mail_id: int) -> Inbox:
    row = mail.lock_incoming(session, mail_id)
    if row is None:
        raise _no_mail(mail_id)
    return row
