"""What is to be done, and when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from gm.store.base import PhaseKey
from gm.store.tables import Alarm


def due(session: Session, now: datetime, limit: int, kinds: Sequence[str] | None = None) -> Sequence[tuple[int, str]]:
    """(id, campaign) of what should have been done by now, longest overdue first."""
    query = select(Alarm.id, Alarm.campaign_id).where(Alarm.done_at.is_(None), Alarm.due_at <= now)
    if kinds is not None:
        query = query.where(Alarm.kind.in_(kinds))
    return [(row[0], row[1]) for row in session.execute(query.order_by(Alarm.due_at, Alarm.id).limit(limit))]


def claim(session: Session, alarm_id: int) -> Alarm | None:
    """The alarm, ours alone; None if another worker has it."""
    query = select(Alarm).where(Alarm.id == alarm_id).with_for_update(skip_locked=True)
    return session.scalar(query.execution_options(populate_existing=True))


def get(session: Session, alarm_id: int) -> Alarm | None:
    return session.get(Alarm, alarm_id)


def waiting(session: Session, key: PhaseKey, *kinds: str) -> Sequence[Alarm]:
    """What is still to be done for a Phase."""
    query = select(Alarm).where(
        Alarm.campaign_id == key.campaign_id,
        Alarm.turn == key.turn,
        Alarm.phase == key.phase,
        Alarm.incarnation == key.incarnation,
        Alarm.done_at.is_(None),
    )
    if kinds:
        query = query.where(Alarm.kind.in_(kinds))
    return session.scalars(query.order_by(Alarm.id)).all()


def next_due(session: Session) -> datetime | None:
    return session.scalar(select(func.min(Alarm.due_at)).where(Alarm.done_at.is_(None)))


_CLOSING = (
    update(Alarm)
    .where(
        Alarm.campaign_id == bindparam("in_campaign"),
        Alarm.turn == bindparam("in_turn"),
        Alarm.phase == bindparam("in_phase"),
        Alarm.incarnation == bindparam("in_incarnation"),
        Alarm.kind == "close",
        Alarm.done_at.is_(None),
    )
    .values(due_at=bindparam("at"))
    .execution_options(synchronize_session=False)
)


def move_closing(session: Session, key: PhaseKey, at: datetime) -> None:
    """The Phase closes then. Alarms that are loaded already do not learn of it: ask for them anew."""
    known = {f"in_{name.removesuffix('_id')}": value for name, value in key._asdict().items()}
    session.connection().execute(_CLOSING, {**known, "at": at})


def finish(session: Session, key: PhaseKey, kinds: Sequence[str], now: datetime) -> None:
    """What waits for a Phase (of these kinds, or all) needs doing no more."""
    query = update(Alarm).where(
        Alarm.campaign_id == key.campaign_id,
        Alarm.turn == key.turn,
        Alarm.phase == key.phase,
        Alarm.incarnation == key.incarnation,
        Alarm.done_at.is_(None),
    )
    if kinds:
        query = query.where(Alarm.kind.in_(kinds))
    session.execute(query.values(done_at=now).execution_options(synchronize_session=False))
