"""Queries on campaigns, the audit log and the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from gm.store.base import PhaseKey, run
from gm.store.mail_tables import Audit, ClockRow
from gm.store.tables import Campaign, PackRow

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
    """Note that the campaign changed now."""
    run(session, _TOUCH, {"of": campaign.id, "at": now})
    set_committed_value(campaign, "last_event_at", max(campaign.last_event_at, now))


_GM_GENERATION = select(Campaign.gm_generation).where(Campaign.id == bindparam("id"))


def gm_generation(session: Session, campaign_id: str) -> int | None:
    return run(session, _GM_GENERATION, {"id": campaign_id}).scalar()


_GM_KEYS = select(Campaign.gm_generation, Campaign.gm_address).where(Campaign.id == bindparam("id"))


def gm_keys(session: Session, campaign_id: str) -> tuple[int | None, str | None]:
    """The generation of the Gamesmaster's keys, and the address that they belong to."""
    row = run(session, _GM_KEYS, {"id": campaign_id}).first()
    return (row[0], row[1]) if row is not None else (None, None)


def pack(session: Session, pack_id: str | None) -> PackRow | None:
    """A pack of board files by its hash."""
    return session.get(PackRow, pack_id)


_PLAYED_ON = select(Campaign.pack, Campaign.options).where(Campaign.id == bindparam("id"))


def played_on(session: Session, campaign_id: str) -> Row[tuple[str | None, dict[str, Any]]] | None:
    """The pack and the options of a campaign."""
    return run(session, _PLAYED_ON, {"id": campaign_id}).one_or_none()


def every(session: Session) -> Sequence[Campaign]:
    """All campaigns that can be read: a broken row is skipped."""
    query = select(Campaign).order_by(Campaign.created_at, Campaign.id)
    try:
        return session.scalars(query).all()
    except ValueError:  # invalid JSON
        numbers = session.scalars(query.with_only_columns(Campaign.id)).all()
        return [row for number in numbers if (row := _readable(session, number)) is not None]


def _readable(session: Session, campaign_id: str) -> Campaign | None:
    try:
        return session.get(Campaign, campaign_id)
    except ValueError:
        return None


def of_gm_address(session: Session, address: str) -> Sequence[Campaign]:
    """The campaigns of a Gamesmaster, the newest first."""
    query = select(Campaign).where(Campaign.gm_address == address)
    return session.scalars(query.order_by(Campaign.created_at.desc(), Campaign.id)).all()


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


def lock_address(session: Session, address: str) -> None:
    """Until the end of the transaction nothing else is begun for this address; on SQLite the write lock sees to it."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(func.hashtext(address))))


_RECORD = insert(Audit)


def record(session: Session, campaign_id: str | None, at: datetime, actor: str, action: str, data: Data) -> None:
    """Add an entry to the audit log."""
    known = {"campaign_id": campaign_id, "at": at, "actor": actor, "action": action, "data": data}
    run(session, _RECORD, known)


def audit_log(session: Session, campaign_id: str, limit: int | None = None) -> Sequence[Audit]:
    """The newest first."""
    query = select(Audit).where(Audit.campaign_id == campaign_id).order_by(Audit.id.desc())
    return session.scalars(query.limit(limit) if limit else query).all()


def times_audited(session: Session, campaign_id: str, action: str, since: datetime) -> int:
    """How often something was done in a campaign."""
    done = select(func.count()).where(Audit.campaign_id == campaign_id, Audit.action == action, Audit.at > since)
    return session.scalar(done) or 0


def done_by(
    session: Session, campaign_id: str, actor: str, actions: Sequence[str], since: datetime
) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """What of these somebody has done in a campaign, and with what."""
    done = select(Audit.action, Audit.data).where(Audit.campaign_id == campaign_id, Audit.at >= since)
    rows = session.execute(done.where(Audit.actor == actor, Audit.action.in_(actions)))
    return [(action, data) for action, data in rows]


def standins_set_by(session: Session, campaign_id: str, actor: str) -> set[str]:
    """The seats whose stand-in this actor was the last to set."""
    query = select(Audit.actor, Audit.data).where(Audit.campaign_id == campaign_id, Audit.action == "standin")
    last = {str(data.get("letter")): who for who, data in session.execute(query.order_by(Audit.id))}
    return {letter for letter, who in last.items() if who == actor}


def who_rolled_back(session: Session, key: PhaseKey) -> str | None:
    """Who let a Phase be played again; None: nobody did, it was begun again on a new installation, say."""
    query = select(Audit.actor, Audit.data).where(Audit.campaign_id == key.campaign_id, Audit.action == "rollback")
    same = (key.turn, key.phase, key.incarnation)
    found = (
        actor for actor, data in session.execute(query) if (data["turn"], data["phase"], data["incarnation"]) == same
    )
    return next(found, None)


def audited(session: Session, gm_address: str, actions: Sequence[str], since: datetime) -> Sequence[Data]:
    """What was noted of such actions since then, in all campaigns of a Gamesmaster."""
    query = select(Audit.data).join(Campaign, Campaign.id == Audit.campaign_id)
    query = query.where(Campaign.gm_address == gm_address, Audit.action.in_(actions), Audit.at >= since)
    return session.scalars(query).all()


def clock(session: Session) -> ClockRow:
    """The one row of the clock, locked; made when it is first asked for."""
    row = session.get(ClockRow, 1, with_for_update=True, populate_existing=True)
    if row is None:
        insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        session.execute(insert(ClockRow).values(id=1).on_conflict_do_nothing())
        row = session.get_one(ClockRow, 1, with_for_update=True, populate_existing=True)
    return row


def peek_clock(session: Session) -> ClockRow | None:
    return session.get(ClockRow, 1)
