"""Campaigns, the audit log, the clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from gm.store.base import run
from gm.store.mail_tables import Audit, Clock
from gm.store.tables import Campaign

Data = dict[str, Any]


def get(session: Session, campaign_id: str) -> Campaign | None:
    return session.get(Campaign, campaign_id)


# By whether to wait. Without the key: rows that refer to the campaign may be written meanwhile.
_LOCK = {
    wait: select(Campaign)
    .where(Campaign.id == bindparam("id"))
    .with_for_update(key_share=True, skip_locked=not wait)
    .execution_options(populate_existing=True)
    for wait in (True, False)
}


def lock(session: Session, campaign_id: str, wait: bool = True) -> Campaign | None:
    """The campaign, ours alone until the transaction ends. Without waiting: None if somebody else has it."""
    return session.scalar(_LOCK[wait], {"id": campaign_id})


_TOUCH = (
    update(Campaign)
    .where(Campaign.id == bindparam("of"), Campaign.last_event_at < bindparam("at"))
    .values(last_event_at=bindparam("at"))
)


def touch(session: Session, campaign: Campaign, now: datetime) -> None:
    """Something happened to it now."""
    run(session, _TOUCH, {"of": campaign.id, "at": now})
    set_committed_value(campaign, "last_event_at", max(campaign.last_event_at, now))


_GM_GENERATION = select(Campaign.gm_generation).where(Campaign.id == bindparam("id"))


def gm_generation(session: Session, campaign_id: str) -> int | None:
    return run(session, _GM_GENERATION, {"id": campaign_id}).scalar()


def every(session: Session) -> Sequence[Campaign]:
    return session.scalars(select(Campaign).order_by(Campaign.created_at, Campaign.id)).all()


def newest_event(session: Session) -> datetime | None:
    return session.scalar(select(func.max(Campaign.last_event_at)))


def unfinished_gm_addresses(session: Session) -> Sequence[tuple[str, str, str]]:
    """(campaign, GM's name, GM's address) of all that still run."""
    query = select(Campaign.id, Campaign.gm_name, Campaign.gm_address).where(Campaign.status != "finished")
    return [(row[0], row[1], row[2]) for row in session.execute(query.order_by(Campaign.id))]


def by_gm_token(session: Session, token_hash: str) -> Campaign | None:
    return session.scalar(select(Campaign).where(Campaign.gm_token_hash == token_hash))


def by_gm_address(session: Session, address: str) -> Sequence[Campaign]:
    query = select(Campaign).where(func.lower(Campaign.gm_address) == address)
    return session.scalars(query.order_by(Campaign.id)).all()


_RECORD = insert(Audit)


def record(session: Session, campaign_id: str | None, at: datetime, actor: str, action: str, data: Data) -> None:
    """A line more in the audit log."""
    known = {"campaign_id": campaign_id, "at": at, "actor": actor, "action": action, "data": data}
    run(session, _RECORD, known)


def audit_log(session: Session, campaign_id: str, limit: int | None = None) -> Sequence[Audit]:
    """The newest first."""
    query = select(Audit).where(Audit.campaign_id == campaign_id).order_by(Audit.id.desc())
    return session.scalars(query.limit(limit) if limit else query).all()


def clock(session: Session) -> Clock:
    """The one row of the clock, locked; made when it is first asked for."""
    row = session.get(Clock, 1, with_for_update=True, populate_existing=True)
    if row is None:
        insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        session.execute(insert(Clock).values(id=1).on_conflict_do_nothing())
        row = session.get_one(Clock, 1, with_for_update=True, populate_existing=True)
    return row


def peek_clock(session: Session) -> Clock | None:
    return session.get(Clock, 1)
