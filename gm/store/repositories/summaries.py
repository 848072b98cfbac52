"""Queries of the busiest web pages: only the columns that a page shows, without positions and outcomes.

The statements are built once. Building one costs more than running it on these few rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, Select, Table, and_, bindparam, select
from sqlalchemy.orm import Session

from gm.store.base import PHASE_KEY, Base, PhaseKey
from gm.store.repositories.paper import VOID
from gm.store.repositories.submissions import CLEAR
from gm.store.tables import (
    Adjudication,
    Bell,
    Campaign,
    Dice,
    PhaseRow,
    PlayerRow,
    Proposal,
    SeatRow,
    Submission,
    UnsentSheet,
)


def _table(mapped: type[Base]) -> Table:
    found = mapped.__table__
    assert isinstance(found, Table)
    return found


CAMPAIGN, PHASE, DICE, SEAT, PLAYER = (_table(t) for t in (Campaign, PhaseRow, Dice, SeatRow, PlayerRow))
SUBMISSION, OUTCOME, BELL = (_table(t) for t in (Submission, Adjudication, Bell))
UNSENT, PROPOSAL = _table(UnsentSheet), _table(Proposal)

WHICH: BindParameter[str] = bindparam("campaign")


def _same(one: Table, other: Table) -> Any:
    return and_(*(one.c[name] == other.c[name] for name in PHASE_KEY))


def _of_phase(table: Table) -> Any:
    return and_(*(table.c[name] == bindparam(name) for name in PHASE_KEY))


_PHASE = [
    PHASE.c[name]
    for name in (
        "turn",
        "phase",
        "incarnation",
        "state",
        "opened_at",
        "deadline",
        "full_deadline",
        "grace_until",
        "published_at",
        "corrected",
    )
]
_CAMPAIGN = [
    CAMPAIGN.c[name]
    for name in (
        "id",
        "name",
        "paper",
        "status",
        "options",
        "gm_name",
        "gm_letter",
        "gm_generation",
        "next_bell",
        "pack",
    )
]

_HERE: Select[Any] = (
    select(*_CAMPAIGN, *_PHASE, DICE.c.commitment)
    .join(
        PHASE,
        and_(
            PHASE.c.campaign_id == CAMPAIGN.c.id,
            PHASE.c.turn == CAMPAIGN.c.turn,
            PHASE.c.phase == CAMPAIGN.c.phase,
            PHASE.c.incarnation == CAMPAIGN.c.incarnation,
        ),
    )
    .outerjoin(DICE, _same(DICE, PHASE))
    .where(CAMPAIGN.c.id == WHICH)
)
_SEATS: Select[Any] = (
    select(SEAT.c.letter, SEAT.c.status, SEAT.c.generation, SEAT.c.standin, PLAYER.c.name, PLAYER.c.zone)
    .outerjoin(PLAYER, SEAT.c.player_id == PLAYER.c.id)
    .where(SEAT.c.campaign_id == WHICH)
    .order_by(SEAT.c.letter)
)
_ORDERS: Select[Any] = (
    select(*(SUBMISSION.c[n] for n in ("version", "raw", "canonical", "receipt", "received_at", "status")), CLEAR)
    .where(
        _of_phase(SUBMISSION),
        SUBMISSION.c.letter == bindparam("letter"),
        SUBMISSION.c.status.in_(("taken", "withdrawn")),
    )
    .order_by(SUBMISSION.c.version.desc())
    .limit(1)
)
_UNSENT: Select[Any] = select(UNSENT.c.generation, UNSENT.c.text, UNSENT.c.at).where(
    _of_phase(UNSENT), UNSENT.c.letter == bindparam("letter")
)
_PROPOSED: Select[Any] = select(PROPOSAL.c.number).where(_of_phase(PROPOSAL)).limit(1)
_POSITION: Select[Any] = select(PHASE.c.position).where(_of_phase(PHASE))
_PHASES: Select[Any] = (
    select(*_PHASE, OUTCOME.c.points)
    .outerjoin(OUTCOME, _same(OUTCOME, PHASE))
    .where(PHASE.c.campaign_id == WHICH, PHASE.c.state != "void")
    .order_by(PHASE.c.ordinal)
)
_BELLS: Select[Any] = (
    select(*(BELL.c[n] for n in ("number", "turn", "phase", "subject", "headline", "published_at")), VOID)
    .where(BELL.c.campaign_id == WHICH)
    .order_by(BELL.c.number.desc())
)
_PROOFS: Select[Any] = (
    select(*_PHASE, PHASE.c.orders_digest, DICE.c.secret, DICE.c.commitment, CAMPAIGN.c.dice_name)
    .join(CAMPAIGN, CAMPAIGN.c.id == PHASE.c.campaign_id)
    .join(DICE, _same(DICE, PHASE))
    .where(PHASE.c.campaign_id == WHICH, PHASE.c.state == "published", PHASE.c.orders_digest.is_not(None))
    .order_by(PHASE.c.ordinal)
)


def campaign_and_phase(session: Session, campaign_id: str) -> Any:
    """The campaign's row with the state and the dice commitment of the Phase in which it stands."""
    return session.connection().execute(_HERE, {"campaign": campaign_id}).first()


def seats(session: Session, campaign_id: str) -> Sequence[Any]:
    return session.connection().execute(_SEATS, {"campaign": campaign_id}).all()


def unsent(session: Session, key: PhaseKey, letter: str) -> Any:
    return session.connection().execute(_UNSENT, key._asdict() | {"letter": letter}).first()


def proposed(session: Session, key: PhaseKey) -> bool:
    """Whether there is any proposal of the Phase."""
    return session.connection().execute(_PROPOSED, key._asdict()).first() is not None


def own_orders(session: Session, key: PhaseKey, letter: str) -> Any:
    return session.connection().execute(_ORDERS, key._asdict() | {"letter": letter}).first()


def position(session: Session, key: PhaseKey) -> dict[str, Any] | None:
    found: dict[str, Any] | None = session.connection().scalar(_POSITION, key._asdict())
    return found


def phases(session: Session, campaign_id: str) -> Sequence[Any]:
    """Every Phase that counts, oldest first, with its points if it was adjudicated."""
    return session.connection().execute(_PHASES, {"campaign": campaign_id}).all()


def bells(session: Session, campaign_id: str) -> Sequence[Any]:
    """All issues in brief, the newest first."""
    return session.connection().execute(_BELLS, {"campaign": campaign_id}).all()


def proofs(session: Session, campaign_id: str) -> Sequence[Any]:
    """Secrets, seals and outcomes of every published Phase, oldest first."""
    return session.connection().execute(_PROOFS, {"campaign": campaign_id}).all()
