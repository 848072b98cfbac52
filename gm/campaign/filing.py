"""A player's sheet against what is on file, and into the file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from gm.campaign import press, roll_call, sheets
from gm.campaign.opening import close_at, is_played
from gm.campaign.options import Options
from gm.campaign.work import Work
from gm.orders.model import Sheet
from gm.orders.problems import Problem
from gm.position import Player, Position
from gm.reports.fairness import receipt_of, salt_of
from gm.store.base import PhaseKey
from gm.store.repositories import phases, submissions
from gm.store.repositories.submissions import AHEAD, Entry
from gm.store.tables import Phase, Submission


@dataclass(frozen=True)
class WorkedOut:
    """A sheet against what is on file."""

    position: Position
    read: sheets.Read
    sheet: Sheet  # all that stands after this
    canonical: str
    problems: tuple[Problem, ...]
    entries: list[Entry]  # what came in for the Phase before it
    on_file: int | None  # the submission that it replaces or adds to


def work_out(work: Work, letter: Player, text: str, read: sheets.Read | None = None) -> WorkedOut:
    """What a sheet comes to in the Phase in which the campaign stands."""
    board, phase, session = work.services.board, work.phase, work.session
    position = work.position(phase)
    read = read or sheets.read(board, text, work.names)
    entries = submissions.entries(session, phases.key_of(phase))
    known = roll_call.standing(entries).get(letter)
    added_to = None
    if read.sheet.add and known is not None:
        added_to = sheets.sheet_of(board, submissions.canonical(session, known.id), position.players)
    text_before = work.orders_before(phase).get(letter)
    before = sheets.sheet_of(board, text_before, position.players) if text_before else None
    sheet = sheets.effective(before, added_to, read.sheet)
    return WorkedOut(
        position,
        read,
        sheet,
        read.canonical if sheet.orders == read.sheet.orders else sheets.canonical(sheet),
        problems(work, position, letter, read),
        entries,
        known.id if known is not None else None,
    )


def problems(work: Work, position: Position, letter: Player, read: sheets.Read) -> tuple[Problem, ...]:
    """All that is to be said against a sheet."""
    judged = sheets.judge(work.services.board, position, letter, read.sheet) if is_played(position) else ()
    return (*read.problems, *judged)


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
    version = _next_version(work, done, letter, target)
    salt = _salt(work, target, letter, version, status)
    row = submissions.add(
        work.session,
        {
            **target._asdict(),
            "letter": letter,
            "version": version,
            "received_at": received_at,
            "source": source,
            "actor": work.actor,
            "raw": text,
            "canonical": done.canonical,
            "problems": sheets.problems_json(done.problems),
            "status": status,
            "reason": reason,
            "salt": salt,
            "receipt": receipt_of(salt, done.canonical) if salt else "",
            "resigns": done.read.resigns,
            "key": key,
            "inbox_id": inbox_id,
        },
    )
    work.audit("orders", letter=letter, version=version, source=source, status=status, reason=reason)
    if status in ("taken", "withdrawn"):
        _take(work, done, row)
    elif status == "late":
        press.file_from_sheet(work, letter, done.read.press, row.id)
    return row


def _next_version(work: Work, done: WorkedOut, letter: Player, target: PhaseKey) -> int:
    if target.incarnation == AHEAD:
        return submissions.next_version(work.session, target, letter)
    return max((entry.version for entry in done.entries if entry.letter == letter), default=0) + 1


def _salt(work: Work, target: PhaseKey, letter: Player, version: int, status: str) -> str:
    if status not in ("taken", "withdrawn"):
        return ""
    return salt_of(work.secret(target), work.campaign.dice_name, target.turn, target.phase, letter, version)


def _take(work: Work, done: WorkedOut, row: Submission) -> None:
    if done.on_file is not None and not done.read.sheet.add:
        press.withdraw(work, done.on_file)
    press.file_from_sheet(work, row.letter, done.read.press, row.id)
    consider_early_close(work, work.phase, [*done.entries, Entry(row.letter, row.version, row.status, row.id)])


def consider_early_close(work: Work, phase: Phase, entries: list[Entry] | None = None) -> None:
    """All orders in and nobody asked to wait: close soon. Otherwise at the time that was announced."""
    assert phase.deadline is not None
    roll = work.roll = roll_call.call(work, phase, entries)
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
        row.status, row.reason = "withdrawn", "filed"  # once: a Phase that is rolled back does not find it again
        if seat.status in roll_call.LEAVING:
            continue
        done = work_out(work, row.letter, row.raw)
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
    done = work_out(work, letter, text)
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
