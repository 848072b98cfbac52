"""Queries on sessions that have ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from gm.store.tables import EndedSession


def known(session: Session, hashed: str) -> bool:
    return session.get(EndedSession, hashed) is not None


def ended_at(session: Session, hashed: str) -> datetime | None:
    found = session.get(EndedSession, hashed)
    return found.ended_at if found is not None else None


def add(session: Session, hashes: Sequence[str], at: datetime) -> None:
    for hashed in hashes:
        session.merge(EndedSession(hash=hashed, ended_at=at))


def forget(session: Session, before: datetime) -> None:
    session.execute(delete(EndedSession).where(EndedSession.ended_at < before))
