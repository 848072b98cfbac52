"""A player's sheet against what is on file: worked out before the campaign is locked, filed while it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from gm.board.model import Board
from gm.campaign import press, roll_call, sheets
from gm.campaign.opening import close_at
from gm.campaign.options import Options
from gm.campaign.work import Work
from gm.orders.model import Sheet
from gm.orders.problems import Problem
from gm.position import Phase as PhaseName
from gm.position import Player, Position, from_json
from gm.reports.fairness import receipt_of, salt_of
from gm.store.base import PhaseKey
from gm.store.repositories import people, phases, submissions
from gm.store.repositories.submissions import AHEAD
from gm.store.tables import Campaign, Phase, Submission


@dataclass(frozen=True)
class Basis:
    """What a sheet is read against. If it changed meanwhile, the sheet is read again."""

    key: PhaseKey
    state: str
    position: dict[str, object]
    names: tuple[tuple[str, Player], ...]
    on_file: tuple[int, str] | None  # submission and its text
    before: str | None  # sealed text of the Phase before


@dataclass(frozen=True)
class WorkedOut:
    basis: Basis
    position: Position
    read: sheets.Read
    sheet: Sheet  # all that stands after this
    canonical: str
    problems: tuple[Problem, ...]


def basis(session: Session, campaign: Campaign, letter: Player) -> Basis:
    phase = phases.current(session, campaign)
    key = phases.key_of(phase)
    on_file = submissions.standing_of(session, key, letter)
    before = phases.before(session, phase)
    sealed = phases.sealed_of(session, phases.key_of(before), letter) if before is not None else None
    table = people.seats_with_holders(session, campaign.id)
    return Basis(
        key,
        phase.state,
        phase.position,
        tuple((holder.name, seat.letter) for seat, holder in table if holder is not None),
        (on_file.id, on_file.canonical) if on_file is not None and on_file.status == "taken" else None,
        sealed.text if sealed is not None else None,
    )


def work_out(board: Board, against: Basis, letter: Player, text: str) -> WorkedOut:
    """Pure: no transaction need be open."""
    position = from_json(board, against.position)
    read = sheets.read(board, text, dict(against.names))
    on_file = sheets.sheet_of(board, against.on_file[1], position.players) if against.on_file else None
    before = sheets.sheet_of(board, against.before, position.players) if against.before else None
    sheet = sheets.effective(before, on_file, read.sheet)
    playable = position.phase in (PhaseName.PREGAME, PhaseName.FIRST, PhaseName.SECOND)
    judged = sheets.judge(board, position, letter, read.sheet) if playable else ()
    return WorkedOut(against, position, read, sheet, sheets.canonical(sheet), (*read.problems, *judged))


def closing(options: Options, phase: Phase) -> datetime | None:
    """Until when orders for a Phase are taken, if it is not sealed before."""
    if phase.deadline is None:
        return None
    return phase.grace_until or phase.deadline + timedelta(hours=options.grace_hours)


def file(
    work: Work,
    done: WorkedOut,
    letter: Player,
    text: str,
    *,
    status: str,
    reason: str | None,
    source: str,
    key: str,
    received_at: datetime,
    target: PhaseKey,
    inbox_id: int | None = None,
) -> Submission:
    """Keep it, whatever became of it."""
    version = submissions.next_version(work.session, target, letter)
    salt = _salt(work, target, letter, version, status)
    row = Submission(
        **target._asdict(),
        letter=letter,
        version=version,
        received_at=received_at,
        source=source,
        actor=work.actor,
        raw=text,
        canonical=done.canonical,
        problems=sheets.problems_json(done.problems),
        status=status,
        reason=reason,
        salt=salt,
        receipt=receipt_of(salt, done.canonical) if salt else "",
        resigns=done.read.resigns,
        key=key,
        inbox_id=inbox_id,
    )
    work.session.add(row)
    work.session.flush()
    if status in ("taken", "withdrawn"):
        _take(work, done, row)
    elif status == "late":
        press.file_from_sheet(work, letter, done.read.press, row.id)
    work.audit("orders", letter=letter, version=version, source=source, status=status, reason=reason)
    return row


def _salt(work: Work, target: PhaseKey, letter: Player, version: int, status: str) -> str:
    if status not in ("taken", "withdrawn"):
        return ""
    secret = bytes.fromhex(phases.dice(work.session, target).secret)
    return salt_of(secret, work.campaign.dice_name, target.turn, target.phase, letter, version)


def _take(work: Work, done: WorkedOut, row: Submission) -> None:
    if done.basis.on_file is not None and not done.read.sheet.add:
        press.withdraw(work, done.basis.on_file[0])
    press.file_from_sheet(work, row.letter, done.read.press, row.id)
    consider_early_close(work, work.phase)


def consider_early_close(work: Work, phase: Phase) -> None:
    """All orders in and nobody asked to wait: close soon. Otherwise at the time that was announced."""
    assert phase.deadline is not None
    roll = work.roll = roll_call.call(work, phase)
    until = phase.grace_until or phase.deadline
    if phase.state == "grace" and roll.complete:
        close_at(work, phase, work.now)
    elif work.options.early_close and roll.complete and not roll.waiting:
        close_at(work, phase, min(until, work.now + timedelta(minutes=work.options.early_delay_minutes)))
    else:
        close_at(work, phase, until)


def take_filed_ahead(work: Work, phase: Phase) -> None:
    """Orders that were sent before their Phase opened are judged now that it has."""
    for row in submissions.filed_ahead(work.session, work.campaign.id, phase.turn, phase.phase):
        seat, _ = work.seat(row.letter)
        if seat.status in roll_call.LEAVING:
            continue
        done = work_out(work.services.board, basis(work.session, work.campaign, row.letter), row.letter, row.raw)
        file(
            work,
            done,
            row.letter,
            row.raw,
            status="withdrawn" if done.read.sheet.cancel and not done.sheet.orders else "taken",
            reason=None,
            source=row.source,
            key=f"ahead/{row.id}/{phase.incarnation}",
            received_at=row.received_at,
            target=phases.key_of(phase),
        )


def file_ahead(work: Work, letter: Player, text: str, turn: int, phase: str, key: str) -> None:
    """Orders on file for a Phase that is still to open."""
    done = work_out(work.services.board, basis(work.session, work.campaign, letter), letter, text)
    target = PhaseKey(work.campaign.id, turn, phase, AHEAD)
    file(
        work,
        done,
        letter,
        text,
        status="ahead",
        reason=None,
        source="gm",
        key=key,
        received_at=work.now,
        target=target,
    )
