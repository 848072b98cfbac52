"""Phases, their dice, sealed orders and outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from gm.store.base import PhaseKey, run
from gm.store.tables import Adjudication, Campaign, Decision, Dice, Phase, SealedOrders, Wait


def key_of(row: Any) -> PhaseKey:
    """The key of a Phase from any row that has one."""
    return PhaseKey(row.campaign_id, row.turn, row.phase, row.incarnation)


def current_key(campaign: Campaign) -> PhaseKey:
    return PhaseKey(campaign.id, campaign.turn, campaign.phase, campaign.incarnation)


def get(session: Session, key: PhaseKey) -> Phase | None:
    return session.get(Phase, tuple(key))


_PHASE = select(Phase).where(
    Phase.campaign_id == bindparam("campaign_id"),
    Phase.turn == bindparam("turn"),
    Phase.phase == bindparam("phase"),
    Phase.incarnation == bindparam("incarnation"),
)


def current(session: Session, campaign: Campaign) -> Phase:
    key = current_key(campaign)
    return session.scalars(_PHASE, key._asdict()).one()


def latest_incarnation(session: Session, campaign_id: str, turn: int, phase: str) -> Phase | None:
    query = select(Phase).where(Phase.campaign_id == campaign_id, Phase.turn == turn, Phase.phase == phase)
    return session.scalar(query.order_by(Phase.incarnation.desc()).limit(1))


def next_ordinal(session: Session, campaign_id: str) -> int:
    highest = session.scalar(select(func.max(Phase.ordinal)).where(Phase.campaign_id == campaign_id))
    return 0 if highest is None else highest + 1


def history(session: Session, campaign_id: str, *states: str) -> Sequence[Phase]:
    query = select(Phase).where(Phase.campaign_id == campaign_id)
    if states:
        query = query.where(Phase.state.in_(states))
    return session.scalars(query.order_by(Phase.ordinal)).all()


def since(session: Session, campaign_id: str, ordinal: int) -> Sequence[Phase]:
    query = select(Phase).where(Phase.campaign_id == campaign_id, Phase.ordinal >= ordinal)
    return session.scalars(query.order_by(Phase.ordinal)).all()


def before(session: Session, phase: Phase) -> Phase | None:
    """The Phase that led to this one: the last before it that was not rolled back."""
    query = select(Phase).where(
        Phase.campaign_id == phase.campaign_id, Phase.ordinal < phase.ordinal, Phase.state != "void"
    )
    return session.scalar(query.order_by(Phase.ordinal.desc()).limit(1))


def dice(session: Session, key: PhaseKey) -> Dice:
    return session.get_one(Dice, tuple(key))


def adjudication(session: Session, key: PhaseKey) -> Adjudication | None:
    return session.get(Adjudication, tuple(key))


_SECRET = select(Dice.secret).where(
    Dice.campaign_id == bindparam("campaign_id"),
    Dice.turn == bindparam("turn"),
    Dice.phase == bindparam("phase"),
    Dice.incarnation == bindparam("incarnation"),
)


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


def sealed(session: Session, key: PhaseKey) -> Sequence[SealedOrders]:
    query = select(SealedOrders).where(
        SealedOrders.campaign_id == key.campaign_id,
        SealedOrders.turn == key.turn,
        SealedOrders.phase == key.phase,
        SealedOrders.incarnation == key.incarnation,
    )
    return session.scalars(query.order_by(SealedOrders.letter)).all()


def past(session: Session, campaign_id: str) -> Sequence[tuple[Phase, dict[str, Any]]]:
    """Every published Phase with its running points, oldest first."""
    query = select(Phase, Adjudication.points).join(
        Adjudication,
        (Adjudication.campaign_id == Phase.campaign_id)
        & (Adjudication.turn == Phase.turn)
        & (Adjudication.phase == Phase.phase)
        & (Adjudication.incarnation == Phase.incarnation),
    )
    rows = session.execute(
        query.where(Phase.campaign_id == campaign_id, Phase.state == "published").order_by(Phase.ordinal)
    )
    return [(row[0], row[1]) for row in rows]


_WAITS = (
    select(Wait.letter)
    .where(
        Wait.campaign_id == bindparam("campaign_id"),
        Wait.turn == bindparam("turn"),
        Wait.phase == bindparam("phase"),
        Wait.incarnation == bindparam("incarnation"),
    )
    .order_by(Wait.letter)
)


def waiting(session: Session, key: PhaseKey) -> Sequence[str]:
    """Who asked that the Phase should not close early."""
    return run(session, _WAITS, key._asdict()).scalars().all()


def wait_of(session: Session, key: PhaseKey, letter: str) -> Wait | None:
    return session.get(Wait, (*key, letter))


def waits(session: Session, key: PhaseKey) -> Sequence[Wait]:
    found = (wait_of(session, key, letter) for letter in waiting(session, key))
    return [row for row in found if row is not None]


def decisions(session: Session, key: PhaseKey) -> Sequence[Decision]:
    query = select(Decision).where(
        Decision.campaign_id == key.campaign_id,
        Decision.turn == key.turn,
        Decision.phase == key.phase,
        Decision.incarnation == key.incarnation,
    )
    return session.scalars(query.order_by(Decision.id)).all()


def state_of(session: Session, key: PhaseKey) -> tuple[str, datetime | None]:
    """State and deadline of a Phase, without its position."""
    query = select(Phase.state, Phase.deadline).where(
        Phase.campaign_id == key.campaign_id,
        Phase.turn == key.turn,
        Phase.phase == key.phase,
        Phase.incarnation == key.incarnation,
    )
    row = session.execute(query).one()
    return row[0], row[1]
