"""Queries on Phases, their dice, sealed orders and outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, select
from sqlalchemy.orm import Session

from gm.store.base import PHASE_KEY, PhaseKey, run
from gm.store.tables import Adjudication, Campaign, DecisionRow, Dice, PhaseRow, SealedOrders, Wait


def key_of(row: Any) -> PhaseKey:
    """The key of a Phase from any row that has one."""
    return PhaseKey(row.campaign_id, row.turn, row.phase, row.incarnation)


def current_key(campaign: Campaign) -> PhaseKey:
    return PhaseKey(campaign.id, campaign.turn, campaign.phase, campaign.incarnation)


def _of(row: Any) -> tuple[ColumnElement[bool], ...]:
    """Rows of one Phase; its key is given when the query is run. Queries that are asked often are made once."""
    return tuple(getattr(row, name) == bindparam(name) for name in PHASE_KEY)


_PHASE = select(PhaseRow).where(*_of(PhaseRow))


def current(session: Session, campaign: Campaign) -> PhaseRow:
    return session.scalars(_PHASE, current_key(campaign)._asdict()).one()


def get(session: Session, key: PhaseKey) -> PhaseRow | None:
    return session.scalar(_PHASE, key._asdict())


def latest_incarnation(session: Session, campaign_id: str, turn: int, phase: str) -> PhaseRow | None:
    query = select(PhaseRow).where(PhaseRow.campaign_id == campaign_id, PhaseRow.turn == turn, PhaseRow.phase == phase)
    return session.scalar(query.order_by(PhaseRow.incarnation.desc()).limit(1))


_HIGHEST = select(
    func.max(PhaseRow.ordinal),
    func.max(
        case(((PhaseRow.turn == bindparam("turn")) & (PhaseRow.phase == bindparam("phase")), PhaseRow.incarnation))
    ),
).where(PhaseRow.campaign_id == bindparam("campaign_id"))


def next_numbers(session: Session, campaign_id: str, turn: int, phase: str) -> tuple[int, int]:
    """The ordinal and the incarnation of a Phase that is about to be made; both count from 0."""
    known = {"campaign_id": campaign_id, "turn": turn, "phase": phase}
    ordinal, incarnation = run(session, _HIGHEST, known).one()
    return (0 if ordinal is None else ordinal + 1), (0 if incarnation is None else incarnation + 1)


def history(session: Session, campaign_id: str, *states: str) -> Sequence[PhaseRow]:
    query = select(PhaseRow).where(PhaseRow.campaign_id == campaign_id)
    if states:
        query = query.where(PhaseRow.state.in_(states))
    return session.scalars(query.order_by(PhaseRow.ordinal)).all()


_SINCE = (
    select(PhaseRow)
    .where(PhaseRow.campaign_id == bindparam("campaign_id"), PhaseRow.ordinal >= bindparam("ordinal"))
    .order_by(PhaseRow.ordinal)
)


def deals(session: Session, campaign_id: str) -> Sequence[datetime | None]:
    """When the cards were sealed, each time that there was a deal; None: it is still to come."""
    return session.scalars(
        select(PhaseRow.sealed_at).where(PhaseRow.campaign_id == campaign_id, PhaseRow.phase == "setup")
    ).all()


def since(session: Session, campaign_id: str, ordinal: int) -> Sequence[PhaseRow]:
    return session.scalars(_SINCE, {"campaign_id": campaign_id, "ordinal": ordinal}).all()


def before(session: Session, phase: PhaseRow) -> PhaseRow | None:
    """The Phase that led to this one: the last before it that was not rolled back."""
    query = select(PhaseRow).where(
        PhaseRow.campaign_id == phase.campaign_id, PhaseRow.ordinal < phase.ordinal, PhaseRow.state != "void"
    )
    return session.scalar(query.order_by(PhaseRow.ordinal.desc()).limit(1))


_DICE = select(Dice).where(*_of(Dice))


def dice(session: Session, key: PhaseKey) -> Dice:
    return session.scalars(_DICE, key._asdict()).one()


def adjudication(session: Session, key: PhaseKey) -> Adjudication | None:
    return session.get(Adjudication, tuple(key))


_SECRET = select(Dice.secret).where(*_of(Dice))


def secret(session: Session, key: PhaseKey) -> bytes:
    return bytes.fromhex(run(session, _SECRET, key._asdict()).scalar_one())


_BEFORE = (
    select(PhaseRow.turn, PhaseRow.phase, PhaseRow.incarnation)
    .where(
        PhaseRow.campaign_id == bindparam("campaign_id"),
        PhaseRow.ordinal < bindparam("ordinal"),
        PhaseRow.state != "void",
    )
    .order_by(PhaseRow.ordinal.desc())
    .limit(1)
    .subquery()
)
_SEALED_BEFORE = select(SealedOrders.letter, SealedOrders.text).where(
    SealedOrders.campaign_id == bindparam("campaign_id"),
    SealedOrders.turn == _BEFORE.c.turn,
    SealedOrders.phase == _BEFORE.c.phase,
    SealedOrders.incarnation == _BEFORE.c.incarnation,
)


def sealed_before(session: Session, phase: PhaseRow) -> dict[str, str]:
    """Each player's sealed orders of the Phase that led to this one."""
    known = {"campaign_id": phase.campaign_id, "ordinal": phase.ordinal}
    return {row[0]: row[1] for row in run(session, _SEALED_BEFORE, known)}


_SEALED = select(SealedOrders).where(*_of(SealedOrders)).order_by(SealedOrders.letter)


def sealed(session: Session, key: PhaseKey) -> Sequence[SealedOrders]:
    return session.scalars(_SEALED, key._asdict()).all()


_COURSE = select(PhaseRow.course).where(*_of(PhaseRow))


def course(session: Session, key: PhaseKey) -> list[Any] | None:
    """The summary of earlier issues that a Phase holds."""
    return session.scalar(_COURSE, key._asdict())


_PAST = (
    select(PhaseRow, Adjudication.points)
    .join(
        Adjudication,
        (Adjudication.campaign_id == PhaseRow.campaign_id)
        & (Adjudication.turn == PhaseRow.turn)
        & (Adjudication.phase == PhaseRow.phase)
        & (Adjudication.incarnation == PhaseRow.incarnation),
    )
    .where(PhaseRow.campaign_id == bindparam("campaign_id"), PhaseRow.state == "published")
    .order_by(PhaseRow.ordinal)
)


def past(session: Session, campaign_id: str) -> Sequence[tuple[PhaseRow, dict[str, Any]]]:
    """Every published Phase with its running points, oldest first."""
    return [(row[0], row[1]) for row in session.execute(_PAST, {"campaign_id": campaign_id})]


_SAID = select(Wait.letter, Wait.ready).where(*_of(Wait)).order_by(Wait.letter)


def said(session: Session, key: PhaseKey) -> dict[str, bool]:
    """Who said that they are ready, and who that they are not."""
    return {row[0]: row[1] for row in run(session, _SAID, key._asdict())}


def say_ready(session: Session, key: PhaseKey, letter: str, ready: bool | None, now: datetime) -> None:
    """Note what a player says now; None: nothing any more."""
    row = session.get(Wait, (*key, letter))
    if row is not None and ready is None:
        session.delete(row)
    elif row is not None and row.ready != ready:
        row.ready, row.at = bool(ready), now
    elif row is None and ready is not None:
        session.add(Wait(**key._asdict(), letter=letter, ready=ready, at=now))
    session.flush()


_WAITS = select(Wait).where(*_of(Wait)).order_by(Wait.letter)


def waits(session: Session, key: PhaseKey) -> Sequence[Wait]:
    return session.scalars(_WAITS, key._asdict()).all()


_DECISIONS = select(DecisionRow).where(*_of(DecisionRow)).order_by(DecisionRow.id)


def decisions(session: Session, key: PhaseKey) -> Sequence[DecisionRow]:
    return session.scalars(_DECISIONS, key._asdict()).all()


_STATE = select(PhaseRow.state, PhaseRow.deadline).where(*_of(PhaseRow))


def state_of(session: Session, key: PhaseKey) -> tuple[str, datetime | None]:
    """State and deadline of a Phase, without its position."""
    row = run(session, _STATE, key._asdict()).one()
    return row[0], row[1]
