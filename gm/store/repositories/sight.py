"""Queries of the web's busiest pages: only the columns that a page shows, never a position or an outcome by the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from gm.store.base import PhaseKey
from gm.store.tables import Adjudication, Bell, Campaign, Dice, Phase, Player, Seat, Submission, Wait

_PHASE = (
    Phase.turn,
    Phase.phase,
    Phase.incarnation,
    Phase.state,
    Phase.opened_at,
    Phase.deadline,
    Phase.grace_until,
    Phase.published_at,
)


def campaign_and_phase(session: Session, campaign_id: str) -> Any:
    """The campaign's row with the state and the dice commitment of the Phase in which it stands."""
    columns = (
        Campaign.id,
        Campaign.name,
        Campaign.paper,
        Campaign.status,
        Campaign.options,
        Campaign.gm_name,
        Campaign.gm_letter,
        Campaign.next_bell,
        *_PHASE,
        Dice.commitment,
    )
    same = (
        (Phase.campaign_id == Campaign.id)
        & (Phase.turn == Campaign.turn)
        & (Phase.phase == Campaign.phase)
        & (Phase.incarnation == Campaign.incarnation)
    )
    rolled = (
        (Dice.campaign_id == Phase.campaign_id)
        & (Dice.turn == Phase.turn)
        & (Dice.phase == Phase.phase)
        & (Dice.incarnation == Phase.incarnation)
    )
    query = select(*columns).join(Phase, same).outerjoin(Dice, rolled).where(Campaign.id == campaign_id)
    return session.execute(query).first()


def seats(session: Session, campaign_id: str) -> Sequence[Any]:
    query = select(Seat.letter, Seat.status, Player.name, Player.zone).outerjoin(Player, Seat.player_id == Player.id)
    return session.execute(query.where(Seat.campaign_id == campaign_id).order_by(Seat.letter)).all()


def own_orders(session: Session, key: PhaseKey, letter: str) -> Any:
    query = select(
        Submission.version,
        Submission.raw,
        Submission.canonical,
        Submission.receipt,
        Submission.received_at,
        Submission.status,
    ).where(
        Submission.campaign_id == key.campaign_id,
        Submission.turn == key.turn,
        Submission.phase == key.phase,
        Submission.incarnation == key.incarnation,
        Submission.letter == letter,
        Submission.status.in_(("taken", "withdrawn")),
    )
    return session.execute(query.order_by(Submission.version.desc()).limit(1)).first()


def waits(session: Session, key: PhaseKey, letter: str) -> bool:
    return session.get(Wait, (*key, letter)) is not None


def position(session: Session, key: PhaseKey) -> dict[str, Any] | None:
    query = select(Phase.position).where(
        Phase.campaign_id == key.campaign_id,
        Phase.turn == key.turn,
        Phase.phase == key.phase,
        Phase.incarnation == key.incarnation,
    )
    return session.scalar(query)


def phases(session: Session, campaign_id: str) -> Sequence[Any]:
    """Every Phase that counts, oldest first, with its points if it was adjudicated."""
    same = (
        (Adjudication.campaign_id == Phase.campaign_id)
        & (Adjudication.turn == Phase.turn)
        & (Adjudication.phase == Phase.phase)
        & (Adjudication.incarnation == Phase.incarnation)
    )
    query = select(*_PHASE, Adjudication.points).outerjoin(Adjudication, same)
    return session.execute(
        query.where(Phase.campaign_id == campaign_id, Phase.state != "void").order_by(Phase.ordinal)
    ).all()


def bell_mark(session: Session, campaign_id: str, number: int) -> Any:
    """What identifies a printed issue for ever, and the number of the campaign's last one."""
    last = select(func.max(Bell.number)).where(Bell.campaign_id == campaign_id).scalar_subquery()
    query = select(Bell.turn, Bell.phase, Bell.kind, Bell.chain, Bell.published_at, last.label("last"))
    return session.execute(query.where(Bell.campaign_id == campaign_id, Bell.number == number)).first()


def proofs(session: Session, campaign_id: str) -> Sequence[Any]:
    """Secrets, seals and outcomes of every published Phase, oldest first."""
    rolled = (
        (Dice.campaign_id == Phase.campaign_id)
        & (Dice.turn == Phase.turn)
        & (Dice.phase == Phase.phase)
        & (Dice.incarnation == Phase.incarnation)
    )
    query = (
        select(*_PHASE, Phase.orders_digest, Dice.secret, Dice.commitment, Campaign.dice_name)
        .join(Campaign, Campaign.id == Phase.campaign_id)
        .join(Dice, rolled)
        .where(Phase.campaign_id == campaign_id, Phase.state == "published", Phase.orders_digest.is_not(None))
    )
    return session.execute(query.order_by(Phase.ordinal)).all()
