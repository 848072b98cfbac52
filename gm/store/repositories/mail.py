"""The outbox and the inbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session, undefer

from gm.store.base import run
from gm.store.mail_tables import Inbox, Outbox

# Used with every mail that comes or goes, hence made once.
_KEEP = insert(Inbox).returning(Inbox.id)
_SAME = (
    select(Inbox.id)
    .where(
        Inbox.sender == bindparam("sender"), Inbox.message_id == bindparam("message_id"), Inbox.id < bindparam("before")
    )
    .limit(1)
)
_SETTLE = (
    update(Inbox)
    .where(Inbox.id == bindparam("mail"))
    .values({name: bindparam(name) for name in ("state", "reason", "handled_at")})
    .values(
        campaign_id=func.coalesce(bindparam("campaign", type_=Inbox.campaign_id.type), Inbox.campaign_id),
        letter=func.coalesce(bindparam("seat", type_=Inbox.letter.type), Inbox.letter),
    )
)
_QUEUE = {
    name: module.insert(Outbox).on_conflict_do_nothing(index_elements=[Outbox.key])
    for name, module in (("postgresql", postgresql), ("sqlite", sqlite))
}


def outgoing_by_message_id(session: Session, message_id: str) -> Outbox | None:
    return session.scalar(select(Outbox).where(Outbox.message_id == message_id))


def add_outgoing(session: Session, values: Sequence[Mapping[str, Any]]) -> None:
    """Put mails into the outbox, each unless one with its key is there."""
    run(session, _QUEUE[session.get_bind().dialect.name], values)


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
    return int(run(session, _KEEP, values).scalar_one())


def came_before(session: Session, mail_id: int, sender: str, message_id: str) -> bool:
    known = {"sender": sender, "message_id": message_id, "before": mail_id}
    return run(session, _SAME, known).first() is not None


def incoming_before(session: Session, mail_id: int, sender: str, message_id: str) -> Inbox | None:
    """The first mail of this sender with this Message-ID, if it came before."""
    query = select(Inbox).where(Inbox.sender == sender, Inbox.message_id == message_id, Inbox.id < mail_id)
    return session.scalar(query.order_by(Inbox.id).limit(1).options(undefer(Inbox.raw)))


def incoming_message_id(session: Session, mail_id: int) -> str | None:
    return session.scalar(select(Inbox.message_id).where(Inbox.id == mail_id)) or None


def lock_incoming(session: Session, mail_id: int) -> Inbox | None:
    return session.get(Inbox, mail_id, with_for_update=True, populate_existing=True)


def settle_incoming(
    session: Session,
    mail_id: int,
    state: str,
    reason: str | None,
    at: datetime,
    campaign: str | None,
    letter: str | None,
) -> bool:
    """What became of a mail, and whose it is if that was found out. False if there is no such mail."""
    values = {"state": state, "reason": reason, "handled_at": at, "campaign": campaign, "seat": letter}
    return run(session, _SETTLE, {"mail": mail_id, **values}).rowcount == 1


def incoming_pending(session: Session, limit: int) -> Sequence[Inbox]:
    query = select(Inbox).where(Inbox.state == "new").order_by(Inbox.id).limit(limit)
    return session.scalars(query.options(undefer(Inbox.raw))).all()


def incoming_in(session: Session, state: str, campaign_id: str | None, limit: int) -> Sequence[Inbox]:
    """Headers of mail in a state, newest first, without the content."""
    query = select(Inbox).where(Inbox.state == state)
    if campaign_id is not None:
        query = query.where(Inbox.campaign_id == campaign_id)
    return session.scalars(query.order_by(Inbox.id.desc()).limit(limit)).all()
