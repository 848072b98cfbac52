"""Queries on alarms: what is to be done at which time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from gm.store.base import PhaseKey, run
from gm.store.tables import Alarm

TO_PRINT = ("close", "adjudicate", "publish")  # kinds at whose end a Bell is printed


def due(session: Session, now: datetime, limit: int, kinds: Sequence[str] | None = None) -> Sequence[tuple[int, str]]:
    """(id, campaign) of what should have been done by now, longest overdue first."""
    query = select(Alarm.id, Alarm.campaign_id).where(Alarm.done_at.is_(None), Alarm.due_at <= now)
    if kinds is not None:
        query = query.where(Alarm.kind.in_(kinds))
    return [(row[0], row[1]) for row in session.execute(query.order_by(Alarm.due_at, Alarm.id).limit(limit))]


def is_crowded(session: Session, after: datetime, now: datetime, number: int) -> bool:
    """Whether Phases of so many campaigns have come due since then and are not printed yet."""
    query = select(Alarm.campaign_id).where(
        Alarm.done_at.is_(None), Alarm.due_at > after, Alarm.due_at <= now, Alarm.kind.in_(TO_PRINT)
    )
    return len(session.execute(query.distinct().limit(number)).all()) == number


_CLAIM = (
    select(Alarm)
    .where(Alarm.id == bindparam("id"))
    .with_for_update(skip_locked=True)
    .execution_options(populate_existing=True)
)


def claim(session: Session, alarm_id: int) -> Alarm | None:
    """The alarm, ours alone; None if another worker has it."""
    return session.scalar(_CLAIM, {"id": alarm_id})


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


_WAITING = update(Alarm).where(
    Alarm.campaign_id == bindparam("in_campaign"),
    Alarm.turn == bindparam("in_turn"),
    Alarm.phase == bindparam("in_phase"),
    Alarm.incarnation == bindparam("in_incarnation"),
    Alarm.done_at.is_(None),
)
_CLOSING = _WAITING.where(Alarm.kind == "close").values(due_at=bindparam("at"))
_FINISH = _WAITING.values(done_at=bindparam("at"))
_FINISH_SOME = _FINISH.where(Alarm.kind.in_(bindparam("kinds", expanding=True)))


def _in(key: PhaseKey) -> dict[str, Any]:
    """Under other names than the columns have: an UPDATE would take those for what to set."""
    return {f"in_{name.removesuffix('_id')}": value for name, value in key._asdict().items()}


def move_closing(session: Session, key: PhaseKey, at: datetime) -> None:
    """The Phase closes then. Alarms that are loaded already do not learn of it: ask for them anew."""
    run(session, _CLOSING, {**_in(key), "at": at})


def finish(session: Session, key: PhaseKey, kinds: Sequence[str], now: datetime) -> None:
    """Mark the waiting alarms of a Phase (of these kinds, or all) as done. Alarms already loaded are not updated."""
    known = {**_in(key), "at": now}
    if kinds:
        run(session, _FINISH_SOME, {**known, "kinds": list(kinds)})
    else:
        run(session, _FINISH, known)
