"""What the web's busiest pages show, each in one short read. Positions of a Phase never change, so they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from gm.campaign import kept
from gm.campaign.options import Options
from gm.campaign.services import Services
from gm.campaign.work import no_campaign
from gm.errors import NotFound
from gm.position import Position
from gm.store.base import PhaseKey
from gm.store.repositories import phases as phase_rows
from gm.store.repositories import sight


@dataclass(frozen=True, slots=True)
class Seen:
    letter: str
    name: str
    status: str
    zone: str
    generation: int
    held: bool = True


@dataclass(frozen=True, slots=True)
class OnFile:
    """A player's orders as they stand."""

    version: int
    raw: str
    canonical: str
    receipt: str
    received_at: datetime
    status: str


@dataclass(frozen=True, slots=True)
class Now:
    """Where a campaign stands."""

    id: str
    name: str
    paper: str
    status: str
    options: Options
    gm_name: str
    gm_letter: str | None
    gm_generation: int
    turn: int
    phase: str
    incarnation: int
    phase_state: str
    opened_at: datetime | None
    deadline: datetime | None
    closes_at: datetime | None
    bells: int
    commitment: str | None
    seats: tuple[Seen, ...]

    @property
    def key(self) -> PhaseKey:
        return PhaseKey(self.id, self.turn, self.phase, self.incarnation)

    @property
    def is_open(self) -> bool:
        return self.phase_state in ("open", "grace")

    @property
    def names(self) -> dict[str, str]:
        return {seat.letter: seat.name for seat in self.seats}


@dataclass(frozen=True, slots=True)
class Desk:
    now: Now
    position: Position
    orders: OnFile | None
    waits: bool


@dataclass(frozen=True, slots=True)
class PhaseSeen:
    turn: int
    phase: str
    incarnation: int
    state: str
    published_at: datetime | None
    points: dict[str, tuple[int, int]]  # Red, White; empty before adjudication


def now(services: Services, campaign: str) -> Now:
    with services.store.read() as session:
        return _now(session, campaign)


def position(services: Services, campaign: str) -> Position:
    """The positions that everybody knows: those with which the present Phase began."""
    with services.store.read() as session:
        return _position(services, session, _now(session, campaign).key)


def desk(services: Services, here: Now, letter: str) -> Desk:
    with services.store.read() as session:
        row = sight.own_orders(session, here.key, letter)
        orders = OnFile(*row) if row is not None and row.status == "taken" else None
        return Desk(here, _position(services, session, here.key), orders, sight.waits(session, here.key, letter))


def phases(services: Services, campaign: str) -> list[PhaseSeen]:
    """Every Phase that counts, oldest first. Points only of what was published."""
    with services.store.read() as session:
        return [
            PhaseSeen(row.turn, row.phase, row.incarnation, row.state, row.published_at, _points(row))
            for row in sight.phases(session, campaign)
        ]


@dataclass(frozen=True, slots=True)
class BellLine:
    number: int
    turn: int
    phase: str
    subject: str
    headline: str
    published_at: datetime


def bells(services: Services, campaign: str) -> list[BellLine]:
    """All issues in brief, the newest first."""
    with services.store.read() as session:
        return [BellLine(*row) for row in sight.bells(session, campaign)]


@dataclass(frozen=True, slots=True)
class SealedSheet:
    player: str
    salt: str
    orders: str
    receipt: str


@dataclass(frozen=True, slots=True)
class PhaseProof:
    """All that a reader needs to recompute the dice of a published Phase."""

    turn: int
    phase: str
    dice_name: str
    secret: str
    commitment: str
    digest: str
    sheets: tuple[SealedSheet, ...]
    rolls: tuple[dict[str, Any], ...]


def proofs(services: Services, campaign: str) -> list[PhaseProof]:
    with services.store.read() as session:
        return [_proof(session, campaign, row) for row in sight.proofs(session, campaign)]


def _proof(session: Session, campaign: str, row: Any) -> PhaseProof:
    key = PhaseKey(campaign, row.turn, row.phase, row.incarnation)
    sheets = tuple(SealedSheet(s.letter, s.salt, s.text, s.receipt) for s in phase_rows.sealed(session, key))
    found = phase_rows.adjudication(session, key)
    rolls = tuple(found.outcome.get("rolls", ())) if found is not None else ()
    return PhaseProof(
        row.turn, row.phase, row.dice_name, row.secret, row.commitment, row.orders_digest or "", sheets, rolls
    )


def _points(row: Any) -> dict[str, tuple[int, int]]:
    if row.state != "published" or not row.points:
        return {}
    return {player: (red, white) for player, (red, white) in sorted(row.points.items())}


def _now(session: Session, campaign: str) -> Now:
    found = read_now(session, campaign)
    if found is None:
        raise no_campaign(campaign)
    return found


def read_now(session: Session, campaign: str) -> Now | None:
    row = sight.campaign_and_phase(session, campaign)
    if row is None:
        return None
    options = kept.options(row.options)
    closes = None
    if row.deadline is not None:
        closes = row.grace_until or row.deadline + timedelta(hours=options.grace_hours)
    return Now(
        id=row.id,
        name=row.name,
        paper=row.paper,
        status=row.status,
        options=options,
        gm_name=row.gm_name,
        gm_letter=row.gm_letter,
        gm_generation=row.gm_generation,
        turn=row.turn,
        phase=row.phase,
        incarnation=row.incarnation,
        phase_state=row.state,
        opened_at=row.opened_at,
        deadline=row.deadline,
        closes_at=closes,
        bells=row.next_bell - 1,
        commitment=row.commitment,
        seats=tuple(
            Seen(r.letter, r.name or r.letter, r.status, r.zone or "UTC", r.generation, r.name is not None)
            for r in sight.seats(session, campaign)
        ),
    )


def _position(services: Services, session: Session, key: PhaseKey) -> Position:
    known = kept.last_position(services, key)
    if known is not None:
        return known
    stored = sight.position(session, key)
    if stored is None:
        raise NotFound("phase", f"{key.campaign_id} has had no such Phase", "see its history")
    return kept.position(services, key, stored)
