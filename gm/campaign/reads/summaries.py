"""Queries for the busiest web pages, each one short read. The position of a Phase is cached unless it was corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlalchemy.orm import Session

from gm.adjudicator.versions import DICE, READING
from gm.board.model import Board
from gm.campaign import boards, cache, keys, schedule
from gm.campaign.options import CampaignOptions
from gm.campaign.phase import awaited
from gm.campaign.services import Services
from gm.campaign.transaction import RollCall, no_campaign, seat_name
from gm.errors import NotFound
from gm.orders.language.sheet import adds
from gm.position import Position
from gm.store.base import PhaseKey
from gm.store.repositories import paper, submissions, summaries
from gm.store.repositories import phases as phase_rows

REPORTS = ("deal", "trades", "phase")  # kinds of issues that report a Phase


@dataclass(frozen=True, slots=True)
class SeatSummary:
    letter: str
    name: str
    status: str
    zone: str
    generation: int
    held: bool = True
    standin: bool = False  # a stand-in plays it


@dataclass(frozen=True, slots=True)
class OnFile:
    """A player's orders as they stand."""

    version: int
    raw: str
    canonical: str
    receipt: str
    received_at: datetime
    status: str
    clear: bool  # understood to the last line

    @property
    def text(self) -> str:
        """All that stands, to be edited: as it was typed, unless that only added to what stood."""
        return self.canonical if adds(self.raw) else self.raw


@dataclass(frozen=True, slots=True)
class CampaignSummary:
    """Where a campaign stands."""

    id: str
    name: str
    paper: str
    status: str
    options: CampaignOptions
    gm_name: str
    gm_letter: str | None
    gm_generation: int
    turn: int
    phase: str
    incarnation: int
    corrected: int  # how often the position of the Phase was corrected
    board: Board
    phase_state: str
    opened_at: datetime | None
    deadline: datetime | None  # that holds
    full_deadline: datetime | None  # what it was before everybody was ready
    closes_at: datetime | None
    bells: int
    commitment: str | None
    seats: tuple[SeatSummary, ...]

    @property
    def key(self) -> PhaseKey:
        return PhaseKey(self.id, self.turn, self.phase, self.incarnation)

    @property
    def phase_id(self) -> str:
        """The Phase that a form is filled in for: sent after it, nothing of it counts."""
        return keys.of_phase(self)

    @property
    def is_open(self) -> bool:
        return self.phase_state in ("open", "grace")

    @property
    def due(self) -> datetime | None:
        """When orders are due; after that, until when they are still taken."""
        return self.closes_at if self.phase_state == "grace" else self.deadline if self.is_open else None

    @property
    def may_close_early(self) -> bool:
        return self.options.early_close and self.phase_state == "open" and self.deadline is not None

    @property
    def names(self) -> dict[str, str]:
        return {seat.letter: seat.name for seat in self.seats}


@dataclass(frozen=True, slots=True)
class DeskSummary:
    now: CampaignSummary
    position: Position
    orders: OnFile | None
    said: bool | None  # READY, NOT READY, or nothing of either
    unsent: str | None = None  # what the player typed and did not send
    roll: RollCall | None = None  # who has orders on file and who is ready, where that brings the deadline nearer
    proposed: bool = False  # whether anybody has proposed anything in this Phase

    @property
    def ready(self) -> bool:
        if self.orders is None or self.said is not None:
            return self.orders is not None and bool(self.said)
        return self.orders.clear and self.now.options.ready == "automatic"


@dataclass(frozen=True, slots=True)
class PhaseSeen:
    turn: int
    phase: str
    incarnation: int
    state: str
    published_at: datetime | None
    points: dict[str, tuple[int, int]]  # Red, White; empty before adjudication


def now(services: Services, campaign: str) -> CampaignSummary:
    """The campaign as it stands now. Raises NotFound where there is none."""
    with services.store.read() as session:
        return _now(session, campaign)


def position(services: Services, campaign: str) -> Position:
    """The positions that everybody knows: those with which the present Phase began."""
    with services.store.read() as session:
        return _position(services, session, _now(session, campaign))


def desk(services: Services, here: CampaignSummary, letter: str) -> DeskSummary:
    with services.store.read() as session:
        orders = on_file(session, here.key, letter)
        said = phase_rows.said(session, here.key)
        stands = _position(services, session, here)
        return DeskSummary(
            here,
            stands,
            orders,
            said.get(letter),
            _unsent(session, here, letter, orders),
            _roll(services, session, here, stands, said) if here.may_close_early else None,
            here.is_open and summaries.proposed(session, here.key),
        )


def _roll(
    services: Services, session: Session, here: CampaignSummary, stands: Position, said: Mapping[str, bool]
) -> RollCall:
    absences = paper.absent_on(session, here.id, services.clock.now().date())
    return awaited.called(
        {seat.letter: seat for seat in here.seats},
        stands.active,
        submissions.entries(session, here.key),
        awaited.away_until(here.full_deadline or here.deadline, absences),
        said,
        awaited.bound(session, here.id, here.gm_letter, [s.letter for s in here.seats if s.held and s.standin]),
        automatic=here.options.ready == "automatic",
    )


def on_file(session: Session, key: PhaseKey, letter: str) -> OnFile | None:
    row = summaries.own_orders(session, key, letter)
    return OnFile(*row) if row is not None and row.status == "taken" else None


def _unsent(session: Session, here: CampaignSummary, letter: str, orders: OnFile | None) -> str | None:
    """Nothing that an earlier holder of the seat typed, nor what is older than the sheet on file."""
    row = summaries.unsent(session, here.key, letter)
    if row is None or row.generation != next(s.generation for s in here.seats if s.letter == letter):
        return None
    return None if orders is not None and row.at <= orders.received_at else str(row.text)


def phases(services: Services, campaign: str) -> list[PhaseSeen]:
    """Every Phase that counts, oldest first. Points only of what was published."""
    with services.store.read() as session:
        return [
            PhaseSeen(row.turn, row.phase, row.incarnation, row.state, row.published_at, _points(row))
            for row in summaries.phases(session, campaign)
        ]


@dataclass(frozen=True, slots=True)
class BellLine:
    number: int
    turn: int
    phase: str
    subject: str
    headline: str
    published_at: datetime
    void: bool  # what it reports was rolled back


def bells(services: Services, campaign: str) -> list[BellLine]:
    """All issues in brief, the newest first."""
    with services.store.read() as session:
        return [BellLine(*row) for row in summaries.bells(session, campaign)]


@dataclass(frozen=True, slots=True)
class SealedSheet:
    player: str
    salt: str
    orders: str
    receipt: str
    counted: str | None = None  # what keys the dice, from version 2 on


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
    reading: int = 1
    dice: int = 1
    opened_by: int | None = None  # the issue that had to print the hash; None: the invitation did
    beacon: dict[str, Any] | None = None  # the round that went into the dice


def proofs(services: Services, campaign: str) -> list[PhaseProof]:
    with services.store.read() as session:
        lines = paper.bell_lines(session, campaign)
        opened = {(b.turn, b.phase, b.incarnation): a.number for a, b in pairwise(lines) if b.kind in REPORTS}
        return [_proof(session, campaign, row, opened) for row in summaries.proofs(session, campaign)]


def _proof(session: Session, campaign: str, row: Any, opened: Mapping[tuple[int, str, int], int]) -> PhaseProof:
    key = PhaseKey(campaign, row.turn, row.phase, row.incarnation)
    sheets = tuple(SealedSheet(s.letter, s.salt, s.text, s.receipt, s.counted) for s in phase_rows.sealed(session, key))
    found = phase_rows.adjudication(session, key)
    return PhaseProof(
        row.turn,
        row.phase,
        row.dice_name,
        row.secret,
        row.commitment,
        row.orders_digest or "",
        sheets,
        tuple(found.outcome.get("rolls", ())) if found is not None else (),
        found.reading if found is not None else READING,
        found.dice if found is not None else DICE,
        _opened_by(session, campaign, row, opened.get((row.turn, row.phase, row.incarnation))),
        phase_rows.dice(session, key).beacon,
    )


def _opened_by(session: Session, campaign: str, row: Any, number: int | None) -> int | None:
    """The issue that had to print the hash: of the deal an erratum that begins it again; those of before did not."""
    if row.phase == "setup" and number is not None:
        bell = paper.bell(session, campaign, number)
        return number if bell is not None and row.commitment in bell.text else None
    return number


def _points(row: Any) -> dict[str, tuple[int, int]]:
    if row.state != "published" or not row.points:
        return {}
    return {player: (red, white) for player, (red, white) in sorted(row.points.items())}


def _now(session: Session, campaign: str) -> CampaignSummary:
    found = read_now(session, campaign)
    if found is None:
        raise no_campaign(campaign)
    return found


def read_now(session: Session, campaign: str) -> CampaignSummary | None:
    """The campaign as it stands now, within the caller's session; None where there is none."""
    row = summaries.campaign_and_phase(session, campaign)
    if row is None:
        return None
    options = cache.options(row.options)
    return CampaignSummary(
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
        corrected=row.corrected,
        board=boards.board_named(session, row.pack, row.options),
        phase_state=row.state,
        opened_at=row.opened_at,
        deadline=row.deadline,
        full_deadline=row.full_deadline,
        closes_at=schedule.closing(options, row.deadline, row.grace_until),
        bells=row.next_bell - 1,
        commitment=row.commitment,
        seats=tuple(
            SeatSummary(
                r.letter,
                seat_name(r.letter, r.name, r.standin),
                r.status,
                r.zone or "UTC",
                r.generation,
                r.name is not None,
                r.standin,
            )
            for r in summaries.seats(session, campaign)
        ),
    )


def _position(services: Services, session: Session, here: CampaignSummary) -> Position:
    key = here.key
    known = cache.last_position(services, key) if not here.corrected else None
    if known is not None:
        return known
    stored = summaries.position(session, key)
    if stored is None:
        raise NotFound("phase", f"{key.campaign_id} has had no such Phase", "see its history")
    return cache.position(services, here.board, key, stored)
