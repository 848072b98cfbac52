"""Phases, their dice, sealed orders and outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, select
from sqlalchemy.orm import Session

from gm.store.base import PHASE_KEY, PhaseKey, run
from gm.store.tables import Adjudication, Campaign, Decision, Dice, Phase, SealedOrders, Wait


def key_of(row: Any) -> PhaseKey:
    """The key of a Phase from any row that has one."""
    return PhaseKey(row.campaign_id, row.turn, row.phase, row.incarnation)


def current_key(campaign: Campaign) -> PhaseKey:
    return PhaseKey(campaign.id, campaign.turn, campaign.phase, campaign.incarnation)


def _of(row: Any) -> tuple[ColumnElement[bool], ...]:
    """Rows of one Phase; its key is given when the query is run. Queries that are asked often are made once."""
    return tuple(getattr(row, name) == bindparam(name) for name in PHASE_KEY)


_PHASE = select(Phase).where(*_of(Phase))


def current(session: Session, campaign: Campaign) -> Phase:
    return session.scalars(_PHASE, current_key(campaign)._asdict()).one()


def get(session: Session, key: PhaseKey) -> Phase | None:
    return session.scalar(_PHASE, key._asdict())


def latest_incarnation(session: Session, campaign_id: str, turn: int, phase: str) -> Phase | None:
    query = select(Phase).where(Phase.campaign_id == campaign_id, Phase.turn == turn, Phase.phase == phase)
    return session.scalar(query.order_by(Phase.incarnation.desc()).limit(1))


_HIGHEST = select(
    func.max(Phase.ordinal),
    func.max(case(((Phase.turn == bindparam("turn")) & (Phase.phase == bindparam("phase")), Phase.incarnation))),
).where(Phase.campaign_id == bindparam("campaign_id"))


def next_numbers(session: Session, campaign_id: str, turn: int, phase: str) -> tuple[int, int]:
    """The ordinal and the incarnation of a Phase that is about to be made; both count from 0."""
    known = {"campaign_id": campaign_id, "turn": turn, "phase": phase}
    ordinal, incarnation = run(session, _HIGHEST, known).one()
    return (0 if ordinal is None else ordinal + 1), (0 if incarnation is None else incarnation + 1)


def history(session: Session, campaign_id: str, *states: str) -> Sequence[Phase]:
    query = select(Phase).where(Phase.campaign_id == campaign_id)
    if states:
        query = query.where(Phase.state.in_(states))
    return session.scalars(query.order_by(Phase.ordinal)).all()


_SINCE = (
    select(Phase)
    .where(Phase.campaign_id == bindparam("campaign_id"), Phase.ordinal >= bindparam("ordinal"))
    .order_by(Phase.ordinal)
)


def since(session: Session, campaign_id: str, ordinal: int) -> Sequence[Phase]:
    return session.scalars(_SINCE, {"campaign_id": campaign_id, "ordinal": ordinal}).all()


def before(session: Session, phase: Phase) -> Phase | None:
    """The Phase that led to this one: the last before it that was not rolled back."""
    query = select(Phase).where(
        Phase.campaign_id == phase.campaign_id, Phase.ordinal < phase.ordinal, Phase.state != "void"
    )
    return session.scalar(query.order_by(Phase.ordinal.desc()).limit(1))


_DICE = select(Dice).where(*_of(Dice))


def dice(session: Session, key: PhaseKey) -> Dice:
    return session.scalars(_DICE, key._asdict()).one()


def adjudication(session: Session, key: PhaseKey) -> Adjudication | None:
    return session.get(Adjudication, tuple(key))


_SECRET = select(Dice.secret).where(*_of(Dice))


def secret(session: Session, key: PhaseKey) -> bytes:
    return bytes.fromhex(run(session, _SECRET, key._asdict()).scalar_one())


_BEFORE = (
    select(Phase.turn, Phase.phase, Phase.incarnation)
    .where(
        Phase.campaign_id == bindparam("campaign_id"),
        Phase.ordinal < bindparam("ordinal"),
        Phase.state != "void",
    )
    .order_by(Phase.ordinal.desc())
    .limit(1)
    .subquery()
)
_SEALED_BEFORE = select(SealedOrders.letter, SealedOrders.text).where(
    SealedOrders.campaign_id == bindparam("campaign_id"),
    SealedOrders.turn == _BEFORE.c.turn,
    SealedOrders.phase == _BEFORE.c.phase,
    SealedOrders.incarnation == _BEFORE.c.incarnation,
)


def sealed_before(session: Session, phase: Phase) -> dict[str, str]:
    """Each player's sealed orders of the Phase that led to this one."""
    known = {"campaign_id": phase.campaign_id, "ordinal": phase.ordinal}
    return {row[0]: row[1] for row in run(session, _SEALED_BEFORE, known)}


_SEALED = select(SealedOrders).where(*_of(SealedOrders)).order_by(SealedOrders.letter)


def sealed(session: Session, key: PhaseKey) -> Sequence[SealedOrders]:
    return session.scalars(_SEALED, key._asdict()).all()


_PAST = (
    select(Phase, Adjudication.points)
    .join(
        Adjudication,
        (Adjudication.campaign_id == Phase.campaign_id)
        & (Adjudication.turn == Phase.turn)
        & (Adjudication.phase == Phase.phase)
        & (Adjudication.incarnation == Phase.incarnation),
    )
    .where(Phase.campaign_id == bindparam("campaign_id"), Phase.state == "published")
    .order_by(Phase.ordinal)
)


def past(session: Session, campaign_id: str) -> Sequence[tuple[Phase, dict[str, Any]]]:
    """Every published Phase with its running points, oldest first."""
    return [(row[0], row[1]) for row in session.execute(_PAST, {"campaign_id": campaign_id})]


_WAITS = select(Wait.letter).where(*_of(Wait)).order_by(Wait.letter)


def waiting(session: Session, key: PhaseKey) -> Sequence[str]:
    """Who asked that the Phase should not close early."""
    return run(session, _WAITS, key._asdict()).scalars().all()


def wait_of(session: Session, key: PhaseKey, letter: str) -> Wait | None:
    return session.get(Wait, (*key, letter))


def waits(session: Session, key: PhaseKey) -> Sequence[Wait]:
    found = (wait_of(session, key, letter) for letter in waiting(session, key))
    return [row for row in found if row is not None]


_DECISIONS = select(Decision).where(*_of(Decision)).order_by(Decision.id)


def decisions(session: Session, key: PhaseKey) -> Sequence[Decision]:
    return session.scalars(_DECISIONS, key._asdict()).all()


_STATE = select(Phase.state, Phase.deadline).where(*_of(Phase))


def state_of(session: Session, key: PhaseKey) -> tuple[str, datetime | None]:
    """State and deadline of a Phase, without its position."""
    row = run(session, _STATE, key._asdict()).one()
    return row[0], row[1]
