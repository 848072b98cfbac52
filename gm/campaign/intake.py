"""Orders come in, by mail, web or the Gamesmaster: taken, or refused with the reason, and always kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gm.campaign import filing, roll_call, sheets
from gm.campaign.services import Services
from gm.campaign.work import Work, at_work, no_campaign
from gm.errors import NotNow
from gm.orders.calendar import phase_name
from gm.orders.model import Guard, Sheet
from gm.orders.problems import Problem
from gm.position import Player, Position
from gm.store.base import PhaseKey
from gm.store.repositories import campaigns, people, phases, submissions
from gm.store.repositories.submissions import AHEAD
from gm.store.tables import Phase, Submission, Wait

LONG = 5_000  # characters of a sheet that is read before the campaign is locked


@dataclass(frozen=True)
class Submitted:
    """What became of a sheet."""

    status: str  # taken, withdrawn, ahead, late, refused
    reason: str | None  # sealed, closed, guard, no-phase, quit, finished
    version: int
    turn: int
    phase: str
    canonical: str  # all orders as they now stand
    sheet: Sheet
    problems: tuple[Problem, ...]
    receipt: str
    salt: str
    closes_at: datetime | None
    deadline: datetime | None
    submission_id: int
    resign_asked: bool
    missing: tuple[Player, ...]  # who has not ordered yet
    press: int = 0  # pieces of press in the sheet
    position: Position | None = None  # that it was read against
    replaced: bool = False  # orders of his were on file


@dataclass(frozen=True)
class Preview:
    sheet: Sheet
    canonical: str
    problems: tuple[Problem, ...]


def submit(
    services: Services,
    campaign: str,
    letter: Player,
    text: str,
    *,
    source: str,
    key: str | None = None,
    received_at: datetime | None = None,
    inbox_id: int | None = None,
    actor: str | None = None,
) -> Submitted:
    letter = letter.upper()
    early = _read_early(services, campaign, text) if len(text) > LONG else None
    with at_work(services, campaign, actor or letter) as work:
        if key is not None:
            known = submissions.by_key(work.session, campaign, key)
            if known is not None:
                return _again(work, known)
        work.seat(letter)
        done = filing.work_out(work, letter, text, early.get(tuple(work.names.items())) if early else None)
        received = received_at or work.now
        status, reason, target = _verdict(work, done, letter, received)
        row = filing.file(
            work,
            done,
            letter,
            text,
            status=status,
            reason=reason,
            source=source,
            key=key or f"{source}/{services.entropy(12).hex()}",
            received_at=received,
            target=target,
            inbox_id=inbox_id,
        )
        if source == "gm":
            work.tell(
                letter,
                "on_behalf",
                f"{row.id}",
                text=row.canonical,
                status=status,
                phase_name=phase_name(row.turn, row.phase),
                receipt=row.receipt,
            )
        submitted = _submitted(work, row, done.sheet, done.problems, len(done.read.press))
        return replace(submitted, position=done.position, replaced=done.on_file is not None)


def _read_early(services: Services, campaign: str, text: str) -> dict[tuple[tuple[str, Player], ...], sheets.Read]:
    """A very long sheet is read before the campaign is locked: under the names of now, in case they change."""
    with services.store.read() as session:
        table = people.seats_with_holders(session, campaign)
    names = {holder.name: seat.letter for seat, holder in table if holder is not None}
    return {tuple(names.items()): sheets.read(services.board, text, names)}


def _verdict(
    work: Work, done: filing.WorkedOut, letter: Player, received: datetime
) -> tuple[str, str | None, PhaseKey]:
    """(status, reason, for which Phase)."""
    phase = work.phase
    key = phases.key_of(phase)
    seat, _ = work.seat(letter)
    if work.campaign.status == "finished":
        return "refused", "finished", key
    if seat.status in roll_call.LEAVING:
        return "refused", "quit", key
    guard = done.read.sheet.guard
    if guard is not None and (guard.turn, guard.phase) != (phase.turn, phase.phase):
        if guard == _following(phase):
            return "ahead", None, PhaseKey(work.campaign.id, guard.turn, guard.phase, AHEAD)
        return "refused", "guard", key
    if phase.phase == "setup" or phase.state == "pending":
        return "refused", "no-phase", key
    if phase.state not in ("open", "grace"):
        return "late", "sealed", key
    limit = filing.closing(work.options, phase)
    if limit is not None and received >= limit and _time_is_trusted(work):
        return "late", "closed", key
    # CANCEL ALL with nothing behind it withdraws; a sheet without any line is a sheet: "I hold".
    return "withdrawn" if done.read.sheet.cancel and not done.read.sheet.orders else "taken", None, key


def _following(phase: Phase) -> Guard:
    if phase.phase == "setup":
        return Guard(0, "pregame")
    if phase.phase == "first":
        return Guard(phase.turn, "second")
    return Guard(phase.turn + 1, "first")


def _time_is_trusted(work: Work) -> bool:
    """While the clock is in doubt nobody is too late for a Phase that is still open."""
    clock = campaigns.peek_clock(work.session)
    if clock is None or clock.last_tick_at is None:
        return True
    gap = timedelta(minutes=work.services.settings.clock_jump_minutes)
    return clock.halted_at is None and work.now - clock.last_tick_at <= gap


def _again(work: Work, row: Submission) -> Submitted:
    """The same mail again, perhaps because we died before the answer: the same answer, and nothing else happens."""
    board, position = work.services.board, work.position()
    read = sheets.read(board, row.raw, work.names)
    same = (row.turn, row.phase) == (position.turn, position.phase)
    problems = filing.problems(work, position, row.letter, read) if same else read.problems
    found = _submitted(work, row, sheets.sheet_of(board, row.canonical, position.players), problems, len(read.press))
    return replace(found, position=position)


def _submitted(work: Work, row: Submission, sheet: Sheet, problems: tuple[Problem, ...], press: int) -> Submitted:
    phase = work.phase
    same = (phase.turn, phase.phase) == (row.turn, row.phase) and phase.state in ("open", "grace")
    return Submitted(
        row.status,
        row.reason,
        row.version,
        row.turn,
        row.phase,
        row.canonical,
        sheet,
        problems,
        row.receipt,
        row.salt,
        filing.closing(work.options, phase) if same else None,
        phase.deadline if same else None,
        row.id,
        row.resigns,
        (work.roll or roll_call.call(work, phase)).missing if same else (),
        press,
    )


def preview_orders(services: Services, campaign: str, letter: Player, text: str) -> Preview:
    """What would be understood; nothing is written."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        work = Work(services, session, row, letter)
        work.seat(letter.upper())
        done = filing.work_out(work, letter.upper(), text)
    return Preview(done.sheet, done.canonical, done.problems)


def current_orders(services: Services, campaign: str, letter: Player) -> Submission | None:
    """The version that counts now, if there is one."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        found = submissions.standing_of(session, phases.current_key(row), letter.upper())
        return found if found is not None and found.status == "taken" else None


def versions(services: Services, campaign: str, letter: Player) -> list[Submission]:
    """Everything that this seat sent for the present Phase, oldest first."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        return list(submissions.versions(session, phases.current_key(row), letter.upper()))


def wait(services: Services, campaign: str, letter: Player, on: bool = True) -> None:
    """A player asks that the Phase should not close before its deadline, or takes that back."""
    letter = letter.upper()
    with at_work(services, campaign, letter, "running", "paused") as work:
        phase = work.phase
        if phase.state not in ("open", "grace"):
            raise NotNow("closed", f"the Phase is {phase.state}", "ask when the next one is open")
        work.seat(letter)
        asked = phases.wait_of(work.session, work.key, letter)
        if on and asked is None:
            work.session.add(Wait(**work.key._asdict(), letter=letter, at=work.now))
        elif not on and asked is not None:
            work.session.delete(asked)
        work.session.flush()
        filing.consider_early_close(work, phase)
        work.audit("wait", letter=letter, on=on)
