"""Read-only queries on one campaign: its state, orders on file, issues, history, audit log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from gm.adjudicator.outcome import Outcome
from gm.adjudicator.outcome_json import outcome_from_json
from gm.board.model import Board
from gm.campaign import boards, schedule
from gm.campaign.mailbox import gm_sight
from gm.campaign.options import CampaignOptions, with_defaults
from gm.campaign.phase import awaited
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.transaction import CampaignView, campaign_row, display_name
from gm.errors import NotAllowed, NotFound
from gm.position import Position, from_json
from gm.reports.proof.fairness import played_text
from gm.store.base import PhaseKey
from gm.store.repositories import campaigns, mail, paper, people, phases, submissions
from gm.store.tables import Bell, PhaseRow


@dataclass(frozen=True, slots=True)
class SeatState:
    letter: str
    name: str
    address: str
    zone: str
    status: str
    ordered: bool
    version: int  # of the seat's orders; 0 without
    missing: bool  # orders are expected and not there
    waiting: bool  # asked not to close early
    ready: bool
    nmr_count: int
    standin: bool
    style: str | None  # of the stand-in, if not the campaign's
    held: bool  # by a person
    bounce: str | None
    told: bool = True  # whether who reads this may know if it has ordered and is ready; if not, nothing says so


@dataclass(frozen=True, slots=True)
class CampaignState:
    id: str
    name: str
    paper: str
    status: str
    options: CampaignOptions
    turn: int
    phase: str
    incarnation: int
    phase_state: str
    opened_at: datetime | None
    deadline: datetime | None  # that holds
    full_deadline: datetime | None  # what it was before everybody was ready
    closes_at: datetime | None
    paused_at: datetime | None
    pause_reason: str | None
    bell_number: int  # of the last published, 0 before the first
    position: Position
    seats: tuple[SeatState, ...]
    commitment: str
    gm_name: str
    gm_address: str
    gm_letter: str | None
    plays_against_others: bool  # the Gamesmaster
    chain: str
    halted: str | None
    board: Board
    mails: dict[str, int]  # queued, failed
    headline: str | None
    lead: str | None
    column: str
    farewell: str

    def seat(self, letter: str) -> SeatState:
        return next(seat for seat in self.seats if seat.letter == letter)


@dataclass(frozen=True, slots=True)
class CampaignLine:
    id: str
    name: str
    status: str
    turn: int
    phase: str
    phase_state: str
    deadline: datetime | None
    public: bool
    gm_name: str
    gm_address: str


@dataclass(frozen=True, slots=True)
class PhaseLine:
    turn: int
    phase: str
    incarnation: int
    state: str
    opened_at: datetime | None
    deadline: datetime | None
    published_at: datetime | None
    bell: int | None


def overview(services: Services) -> list[CampaignLine]:
    with services.store.read() as session:
        lines = []
        for row in campaigns.every(session):
            if not isinstance(row.options, dict):
                continue
            state, deadline = phases.state_of(session, phases.current_key(row))
            lines.append(
                CampaignLine(
                    row.id,
                    row.name,
                    row.status,
                    row.turn,
                    row.phase,
                    state,
                    deadline,
                    bool(row.options.get("public")),
                    row.gm_name,
                    row.gm_address,
                )
            )
        return lines


def state(services: Services, campaign: str) -> CampaignState:
    """The present state of the campaign."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        work = CampaignView(services, session, row)
        phase = work.phase
        clock = campaigns.peek_clock(session)
        return CampaignState(
            id=row.id,
            name=row.name,
            paper=row.paper,
            status=row.status,
            options=work.options,
            turn=row.turn,
            phase=row.phase,
            phase_state=phase.state,
            incarnation=phase.incarnation,
            opened_at=phase.opened_at,
            deadline=phase.deadline,
            full_deadline=phase.full_deadline,
            closes_at=schedule.closing(work.options, phase.deadline, phase.grace_until),
            paused_at=row.paused_at,
            pause_reason=row.pause_reason,
            bell_number=row.next_bell - 1,
            position=work.position(),
            seats=_seats(work),
            commitment=phases.dice(session, work.key).commitment,
            gm_name=row.gm_name,
            gm_address=row.gm_address,
            gm_letter=row.gm_letter,
            plays_against_others=people.gm_plays_against_others(session, row),
            chain=row.chain,
            halted=clock.halted_reason if clock is not None else None,
            board=work.board,
            mails=_counted(mail.heaps(session, campaign)),
            headline=phase.headline,
            lead=phase.lead,
            column=(phase.editorial or {}).get("column", ""),
            farewell=(phase.editorial or {}).get("farewell", ""),
        )


def state_for_gm(services: Services, campaign: str) -> CampaignState:
    """The same as far as the campaign's Gamesmaster may see it."""
    found = state(services, campaign)
    if found.gm_letter is None:
        return found
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        mails = _counted(heap for heap in mail.heaps(session, campaign) if gm_sight.shows_mail(row, heap))
        untold = not gm_sight.shows_ready(row)
    shown = (_untold(seat) if untold and seat.letter != found.gm_letter else seat for seat in found.seats)
    return replace(found, seats=tuple(shown), mails=mails)


def _counted(heaps: Iterable[mail.Heap]) -> dict[str, int]:
    found = {"queued": 0, "failed": 0}
    for heap in heaps:
        found[heap.state] += heap.mails
    return found


def _untold(seat: SeatState) -> SeatState:
    return replace(seat, ordered=False, version=0, missing=False, waiting=False, ready=False, told=False)


def seats(services: Services, campaign: str) -> tuple[SeatState, ...]:
    """Who sits where, who has ordered and who is ready: a part of `state`, in half the time."""
    with services.store.read() as session:
        return _seats(CampaignView(services, session, campaign_row(session, campaign)))


def _seats(work: CampaignView) -> tuple[SeatState, ...]:
    found, phase = [], work.phase
    open_now = phase.deadline is not None and phase.state in ("open", "grace")
    roll = awaited.roll_call(work, phase) if open_now or phase.state in ("sealed", "adjudicated") else None
    for seat, holder in work.table:
        orders = roll.orders.get(seat.letter) if roll is not None else None
        found.append(
            SeatState(
                letter=seat.letter,
                name=display_name(seat, holder),
                address=holder.address if holder else "",
                zone=holder.zone if holder else "UTC",
                status=seat.status,
                ordered=orders is not None,
                version=orders.version if orders is not None else 0,
                missing=open_now and roll is not None and seat.letter in roll.missing,
                waiting=roll is not None and seat.letter in roll.waiting,
                ready=open_now and roll is not None and seat.letter in roll.ready,
                nmr_count=seat.nmr_count,
                standin=seat.standin,
                style=seat.style,
                held=holder is not None,
                bounce=seat.bounce,
            )
        )
    return tuple(found)


def options_of(services: Services, campaign: str) -> CampaignOptions:
    with services.store.read() as session:
        return with_defaults(campaign_row(session, campaign).options)


def bells(services: Services, campaign: str) -> list[Any]:
    """All issues without their content: number, kind, turn, phase, subject, headline, published_at, void."""
    with services.store.read() as session:
        campaign_row(session, campaign)
        return list(paper.bell_lines(session, campaign))


def bell(services: Services, campaign: str, number: int) -> Bell:
    with services.store.read() as session:
        campaign_row(session, campaign)
        found = paper.bell(session, campaign, number)
        if found is None:
            raise NotFound("bell", f"{campaign} has printed no issue {number}", "the archive lists those there are")
        return found


def latest_bell(services: Services, campaign: str) -> Bell | None:
    with services.store.read() as session:
        campaign_row(session, campaign)
        return paper.latest_bell(session, campaign)


def history(services: Services, campaign: str) -> list[PhaseLine]:
    """Every Phase there was, void ones too, oldest first."""
    with services.store.read() as session:
        campaign_row(session, campaign)
        issues = {(b.turn, b.phase, b.incarnation): b.number for b in paper.bell_lines(session, campaign)}
        return [
            PhaseLine(
                row.turn,
                row.phase,
                row.incarnation,
                row.state,
                row.opened_at,
                row.deadline,
                row.published_at,
                issues.get((row.turn, row.phase, row.incarnation)),
            )
            for row in phases.history(session, campaign)
        ]


def _published(session: Session, campaign: str, turn: int, phase: str) -> PhaseRow:
    row = phases.latest_incarnation(session, campaign, turn, phase)
    if row is None or row.state != "published":
        raise NotFound("phase", f"{campaign} has published no {phase} Phase of turn {turn}", "see its history")
    return row


def outcome(services: Services, campaign: str, turn: int, phase: str) -> Outcome:
    """What a published Phase came to."""
    with services.store.read() as session:
        board = boards.board_of(session, campaign_row(session, campaign))
        row = _published(session, campaign, turn, phase)
        found = phases.adjudication(session, phases.key_of(row))
        if found is None:
            raise NotFound("phase", f"nothing was adjudicated in the {phase} Phase of turn {turn}", "see its history")
        return outcome_from_json(board, found.outcome)


def outcome_of_bell(services: Services, campaign: str, number: int) -> Outcome:
    """What the Phase came to on which an issue reports."""
    printed = bell(services, campaign, number)
    with services.store.read() as session:
        found = phases.adjudication(session, PhaseKey(campaign, printed.turn, printed.phase, printed.incarnation))
        if found is None:
            raise NotFound("phase", f"issue {number} of {campaign} reports no Phase", "see its history")
        return outcome_from_json(boards.board_of(session, campaign_row(session, campaign)), found.outcome)


def position_at(services: Services, campaign: str, turn: int, phase: str) -> Position:
    """The position with which a Phase began, once players may know it."""
    with services.store.read() as session:
        board = boards.board_of(session, campaign_row(session, campaign))
        row = phases.latest_incarnation(session, campaign, turn, phase)
        if row is None or row.state == "pending":
            raise NotFound("phase", f"{campaign} has had no {phase} Phase of turn {turn}", "see its history")
        return from_json(board, row.position)


def orders_of(services: Services, campaign: str, reader: str) -> dict[str, dict[str, Any]]:
    """Orders on file for the present Phase: a player's own; all of them for a Gamesmaster who does not play."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        if reader == GM and row.gm_letter is not None:
            raise NotAllowed("gm-plays", "a Gamesmaster who plays sees nobody's orders", "they are public in the Bell")
        work = CampaignView(services, session, row)
        phase = work.phase
        found: dict[str, dict[str, Any]] = {}
        if phase.state in ("open", "grace"):
            for letter, entry in awaited.roll_call(work, phase).orders.items():
                sent = submissions.get(session, entry.id)
                assert sent is not None
                found[letter] = {"text": sent.canonical, "version": sent.version, "source": sent.source}
        else:
            for sealed in phases.sealed(session, work.key):
                text = played_text(sealed.text, sealed.counted)
                found[sealed.letter] = {"text": text, "version": sealed.version, "source": sealed.source}
        return {letter: found[letter] for letter in sorted(found) if reader in (GM, letter)}


def clock_doubt(services: Services) -> str | None:
    """Why the clock is in doubt, so that no alarm is handled; None if it is not."""
    with services.store.read() as session:
        clock = campaigns.peek_clock(session)
        return clock.halted_reason if clock is not None else None


@dataclass(frozen=True, slots=True)
class AuditLine:
    at: datetime
    actor: str
    action: str
    data: Mapping[str, Any]


def audit(services: Services, campaign: str, limit: int = 200) -> list[AuditLine]:
    """Who did what, newest first, as far as the campaign's Gamesmaster may see it."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        lines = [(line, gm_sight.shown_data(row, line)) for line in campaigns.audit_log(session, campaign, limit)]
        return [AuditLine(line.at, line.actor, line.action, data) for line, data in lines if data is not None]
