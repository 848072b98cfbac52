"""Counts for monitoring. Each is answered from an index, however long the history is."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from gm.store.mail_tables import Audit, Inbox, Outbox
from gm.store.tables import Alarm, Campaign, PhaseRow, Submission


def campaigns_by_status(session: Session) -> dict[str, int]:
    query = select(Campaign.status, func.count()).group_by(Campaign.status)
    return {row[0]: row[1] for row in session.execute(query)}


def present_phases_by_state(session: Session) -> dict[str, int]:
    """Of campaigns that are not finished: how far the Phase is in which each stands."""
    here = and_(
        PhaseRow.campaign_id == Campaign.id,
        PhaseRow.turn == Campaign.turn,
        PhaseRow.phase == Campaign.phase,
        PhaseRow.incarnation == Campaign.incarnation,
    )
    query = select(PhaseRow.state, func.count()).join(Campaign, here).where(Campaign.status != "finished")
    return {row[0]: row[1] for row in session.execute(query.group_by(PhaseRow.state))}


def inbox_by_state(session: Session) -> dict[str, int]:
    query = select(Inbox.state, func.count()).group_by(Inbox.state)
    return {row[0]: row[1] for row in session.execute(query)}


def unreadable_mails(session: Session, since: datetime) -> int:
    """Mails in quarantine because reading them failed."""
    query = select(func.count()).select_from(Inbox)
    put_aside = (Inbox.state == "quarantined", Inbox.reason.startswith("unreadable"), Inbox.received_at >= since)
    return session.scalar(query.where(*put_aside)) or 0


def dropped_mails(session: Session, action: str, since: datetime) -> int:
    """Mails of strangers that were deleted, as the audit log says."""
    query = select(Audit.data).where(Audit.campaign_id.is_(None), Audit.action == action, Audit.at >= since)
    return sum(data["mails"] for data in session.scalars(query))


def oldest_unread(session: Session) -> datetime | None:
    return session.scalar(select(func.min(Inbox.received_at)).where(Inbox.state == "new"))


def mails_ever(session: Session) -> int:
    return session.scalar(select(func.max(Outbox.id))) or 0


def failed_mails(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Outbox).where(Outbox.state == "failed")) or 0


def waiting_mails(session: Session) -> tuple[int, datetime | None]:
    """How many, and since when the longest may go out."""
    query = select(func.count(), func.min(Outbox.not_before)).where(Outbox.state == "queued")
    number, since = session.execute(query).one()
    return number, since


def overdue(session: Session, now: datetime) -> tuple[int, datetime | None]:
    """Alarms that should have rung by now, and when the longest was due."""
    query = select(func.count(), func.min(Alarm.due_at)).where(Alarm.done_at.is_(None), Alarm.due_at <= now)
    number, since = session.execute(query).one()
    return number, since


def given_up(session: Session) -> int:
    """Alarms that failed too often and are not retried: the Gamesmaster must see to them."""
    query = select(func.count()).select_from(Alarm).where(Alarm.done_at.is_(None), Alarm.due_at.is_(None))
    return session.scalar(query.where(Alarm.attempts > 0)) or 0


def submissions_by(session: Session) -> dict[str, int]:
    """Sheets ever sent, by what became of them and by which way they came. Reads them all: for rehearsals."""
    query = select(Submission.status, Submission.source, func.count()).group_by(Submission.status, Submission.source)
    return {f"{row[0]} by {row[1]}": row[2] for row in session.execute(query)}


def printing_seconds(session: Session) -> list[float]:
    """How long each published Phase took from the sealing of its orders to the Bell. Reads them all: for rehearsals."""
    query = select(PhaseRow.sealed_at, PhaseRow.published_at).where(PhaseRow.state == "published")
    return [(end - start).total_seconds() for start, end in session.execute(query) if start and end]
