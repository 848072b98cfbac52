"""The outbox and the inbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session, undefer

from gm.store.mail_tables import Inbox, Outbox

_KEEP = insert(Inbox).returning(Inbox.id)


def outgoing_by_message_id(session: Session, message_id: str) -> Outbox | None:
    return session.scalar(select(Outbox).where(Outbox.message_id == message_id))


def add_outgoing(session: Session, values: dict[str, Any]) -> None:
    """Put a mail into the outbox unless one with its key is there."""
    make = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    session.connection().execute(make(Outbox).on_conflict_do_nothing(index_elements=[Outbox.key]), values)


def outgoing(session: Session, mail_id: int, lock: bool = False) -> Outbox | None:
    return session.get(Outbox, mail_id, with_for_update=True if lock else None, populate_existing=lock)


def claim_outgoing(session: Session, now: datetime, limit: int) -> Sequence[Outbox]:
    """Mail that may be sent now, passing over what another worker holds."""
    query = select(Outbox).where(Outbox.state == "queued", Outbox.not_before <= now)
    query = query.order_by(Outbox.not_before, Outbox.id).limit(limit)
    return session.scalars(query.with_for_update(skip_locked=True)).all()


def outbox(session: Session, campaign_id: str | None, state: str | None, limit: int) -> Sequence[Outbox]:
    """The newest first."""
    query = select(Outbox)
    if campaign_id is not None:
        query = query.where(Outbox.campaign_id == campaign_id)
    if state is not None:
        query = query.where(Outbox.state == state)
    return session.scalars(query.order_by(Outbox.id.desc()).limit(limit)).all()


def outbox_counts(session: Session, campaign_id: str) -> dict[str, int]:
    """How many mails wait, and how many failed. What was sent grows for ever and is not counted."""
    found: dict[str, int] = {}
    for state in ("queued", "failed"):
        of_state = text(f"outbox.state = '{state}'")  # spelled out, as the partial indexes are
        query = select(func.count()).select_from(Outbox).where(of_state, Outbox.campaign_id == campaign_id)
        found[state] = session.scalar(query) or 0
    return found


def incoming_by_digest(session: Session, digest: str) -> Inbox | None:
    return session.scalar(select(Inbox).where(Inbox.digest == digest))


def incoming(session: Session, mail_id: int) -> Inbox | None:
    return session.scalar(select(Inbox).where(Inbox.id == mail_id).options(undefer(Inbox.raw)))


def add_incoming(session: Session, values: Mapping[str, Any]) -> int:
    """Straight into the table: a mail is stored before its sender is told so, and he waits."""
    return int(session.connection().execute(_KEEP, values).scalar_one())


def came_before(session: Session, mail_id: int, sender: str, message_id: str) -> bool:
    query = select(Inbox.id).where(Inbox.sender == sender, Inbox.message_id == message_id, Inbox.id < mail_id)
    return session.scalar(query.limit(1)) is not None


def incoming_before(session: Session, mail_id: int, sender: str, message_id: str) -> Inbox | None:
    """The first mail of this sender with this Message-ID, if it came before."""
    query = select(Inbox).where(Inbox.sender == sender, Inbox.message_id == message_id, Inbox.id < mail_id)
    return session.scalar(query.order_by(Inbox.id).limit(1).options(undefer(Inbox.raw)))


def incoming_message_id(session: Session, mail_id: int) -> str | None:
    return session.scalar(select(Inbox.message_id).where(Inbox.id == mail_id)) or None


def lock_incoming(session: Session, mail_id: int) -> Inbox | None:
    return session.get(Inbox, mail_id, with_for_update=True, populate_existing=True)


def incoming_pending(session: Session, limit: int) -> Sequence[Inbox]:
    query = select(Inbox).where(Inbox.state == "new").order_by(Inbox.id).limit(limit)
    return session.scalars(query.options(undefer(Inbox.raw))).all()


def incoming_in(session: Session, state: str, campaign_id: str | None, limit: int) -> Sequence[Inbox]:
    """Headers of mail in a state, newest first, without the content."""
    query = select(Inbox).where(Inbox.state == state)
    if campaign_id is not None:
        query = query.where(Inbox.campaign_id == campaign_id)
    return session.scalars(query.order_by(Inbox.id.desc()).limit(limit)).all()
