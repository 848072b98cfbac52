"""Queries on submissions, the order sheets that players sent, and on sheets not sent yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, or_, select
from sqlalchemy.orm import Session, aliased, defer

from gm.store.base import PhaseKey, run
from gm.store.tables import Submission, UnsentSheet

KEPT, PROPOSED = "kept", "proposal"  # the source of orders that a rollback kept, of a side of a proposal
NOBODY_IS_READY_BY = (KEPT, PROPOSED)
AHEAD = -1  # the incarnation of orders for a Phase that is not there yet


class SubmissionEntry(NamedTuple):
    """That a seat sent something, without what it was."""

    letter: str
    version: int
    status: str
    id: int
    unread: bool  # not all of it was understood
    clear: bool


# There are orders in it (or HOLD, which is not sealed), sent for this Phase, and all of it was understood.
CLEAR = and_(
    Submission.unread.is_(False),
    or_(Submission.canonical != "", func.upper(Submission.raw).contains("HOLD")),
    Submission.source.not_in(NOBODY_IS_READY_BY),
)
# Asked with every sheet that comes in, hence made once.
_ENTRIES = (
    select(
        Submission.letter,
        Submission.version,
        Submission.status,
        Submission.id,
        Submission.unread,
        CLEAR,
    )
    .where(
        Submission.campaign_id == bindparam("campaign_id"),
        Submission.turn == bindparam("turn"),
        Submission.phase == bindparam("phase"),
        Submission.incarnation == bindparam("incarnation"),
    )
    .order_by(Submission.version)
)


def entries(session: Session, key: PhaseKey) -> list[SubmissionEntry]:
    """All that came in for a Phase, in the order of versions."""
    return list(map(SubmissionEntry._make, run(session, _ENTRIES, key._asdict()).all()))


def canonical(session: Session, submission_id: int) -> str:
    return session.scalars(select(Submission.canonical).where(Submission.id == submission_id)).one()


def _of(key: PhaseKey, row: type[Submission] = Submission) -> tuple[ColumnElement[bool], ...]:
    return (
        row.campaign_id == key.campaign_id,
        row.turn == key.turn,
        row.phase == key.phase,
        row.incarnation == key.incarnation,
    )


_BY_KEY = select(Submission.id).where(
    Submission.campaign_id == bindparam("campaign_id"), Submission.key == bindparam("key")
)


def by_key(session: Session, campaign_id: str, key: str) -> Submission | None:
    known = run(session, _BY_KEY, {"campaign_id": campaign_id, "key": key}).scalar()  # as a rule there is none
    return session.get_one(Submission, known) if known is not None else None


_ADD = insert(Submission).returning(Submission.id)


def add(session: Session, values: Mapping[str, Any]) -> Submission:
    """Written at once. What comes back is a value: the session does not hold it."""
    return Submission(id=run(session, _ADD, values).scalar_one(), **values)


def get(session: Session, submission_id: int) -> Submission | None:
    return session.get(Submission, submission_id)


def next_version(session: Session, key: PhaseKey, letter: str) -> int:
    highest = session.scalar(select(func.max(Submission.version)).where(*_of(key), Submission.letter == letter))
    return (highest or 0) + 1


def current_of(session: Session, key: PhaseKey, letter: str) -> Submission | None:
    query = select(Submission).where(
        *_of(key), Submission.letter == letter, Submission.status.in_(("taken", "withdrawn"))
    )
    return session.scalar(query.order_by(Submission.version.desc()).limit(1))


def versions(session: Session, key: PhaseKey, letter: str, newest: int | None = None) -> list[Submission]:
    """What a seat sent, or the newest of it, oldest first; without what was found wrong with it."""
    query = select(Submission).where(*_of(key), Submission.letter == letter).options(defer(Submission.problems))
    return list(session.scalars(query.order_by(Submission.version.desc()).limit(newest)))[::-1]


def version(session: Session, key: PhaseKey, letter: str, number: int) -> Submission | None:
    return session.scalar(
        select(Submission).where(*_of(key), Submission.letter == letter, Submission.version == number)
    )


def characters(session: Session, key: PhaseKey, letter: str) -> int:
    """How long all sheets are together that a seat sent."""
    query = select(func.sum(func.length(Submission.raw))).where(*_of(key), Submission.letter == letter)
    return int(session.scalar(query) or 0)


_ANY = PhaseKey(bindparam("campaign_id"), bindparam("turn"), bindparam("phase"), AHEAD)  # type: ignore[arg-type]
_LATER = aliased(Submission)
_NEWER = select(_LATER.id).where(
    *_of(_ANY, _LATER), _LATER.letter == Submission.letter, _LATER.version > Submission.version
)
_AHEAD = (
    select(Submission).where(*_of(_ANY), Submission.status == "ahead", ~_NEWER.exists()).order_by(Submission.letter)
)


def filed_ahead(session: Session, campaign_id: str, turn: int, phase: str) -> Sequence[Submission]:
    """The latest sheet of each seat for a Phase that was not there yet."""
    return session.scalars(_AHEAD, {"campaign_id": campaign_id, "turn": turn, "phase": phase}).all()


def all_of(session: Session, campaign_id: str) -> Sequence[Submission]:
    query = select(Submission).where(Submission.campaign_id == campaign_id)
    return session.scalars(query.order_by(Submission.id)).all()


def unsent(session: Session, key: PhaseKey, letter: str) -> UnsentSheet | None:
    """What a seat has typed for a Phase and not sent."""
    return session.get(UnsentSheet, (*key, letter))


def delete_unsent(session: Session, campaign_id: str, letter: str) -> None:
    session.execute(delete(UnsentSheet).where(UnsentSheet.campaign_id == campaign_id, UnsentSheet.letter == letter))
