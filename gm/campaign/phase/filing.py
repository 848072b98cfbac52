"""Filing an order sheet: checking it against the orders on file, storing it, orders for a Phase not yet open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.structs import replace

from gm.campaign import keys, schedule
from gm.campaign.mailbox import letters
from gm.campaign.phase import awaited, sheets
from gm.campaign.phase.opening import bring_nearer, close_at, is_played, move_back
from gm.campaign.transaction import CampaignView, Transaction
from gm.gamedate import phase_name
from gm.orders.check.checker import check
from gm.orders.check.politics import NEEDS_OTHERS
from gm.orders.check.vetting import vet_suggestions
from gm.orders.kinds import Hold, Sheet, Unread
from gm.orders.problems import Family, Problem
from gm.orders.receipt import as_read, receipt_text, serious
from gm.position import Player, Position
from gm.reports.proof.fairness import receipt_of, salt_of
from gm.store.base import PhaseKey
from gm.store.repositories import campaigns, paper, phases, submissions
from gm.store.repositories.submissions import AHEAD, KEPT, NOBODY_IS_READY_BY, SubmissionEntry
from gm.store.tables import PhaseRow, Submission
from gm.wording import fold

HOUR = timedelta(hours=1)
MOVES_AN_HOUR = 6  # of a deadline, nearer and back


@dataclass(frozen=True, slots=True)
class Basis:
    """What the problems of a sheet follow from: as long as it is the same, so are they."""

    phase: PhaseKey  # its position is written once
    names: tuple[tuple[str, Player], ...]
    added_to: int | None  # the submission before


@dataclass(frozen=True)
class WorkedOut:
    """A sheet against what is on file."""

    position: Position
    read: sheets.ParsedSheet
    sheet: Sheet  # all that stands after this
    canonical: str
    problems: tuple[Problem, ...]
    entries: list[SubmissionEntry]  # what came in for the Phase before it
    known: SubmissionEntry | None  # the submission that it replaces or adds to
    basis: Basis
    added_to: int = 0  # how many orders stood before those that ADD added
    dropped: tuple[str, ...] = ()  # orders on file that a shorter sheet leaves out

    @property
    def on_file(self) -> int | None:
        return self.known.id if self.known is not None else None

    @property
    def unread(self) -> bool:
        """A line of it, or of what it is added to, was not understood."""
        return any(problem.family is Family.NOT_UNDERSTOOD for problem in self.problems)

    @property
    def withdraws(self) -> bool:
        """CANCEL ALL with nothing behind it; a sheet without any line is a sheet: "I hold"."""
        return self.read.sheet.cancel and not self.read.sheet.orders


def work_out(
    work: CampaignView,
    letter: Player,
    text: str,
    early: WorkedOut | None = None,
    entries: list[SubmissionEntry] | None = None,
    limit: Callable[[Sheet], object] = lambda sheet: None,
) -> WorkedOut:
    """Work out a sheet in the present Phase of the campaign.

    `early`: what came of it a moment ago, before the campaign was locked; `entries`: what came in for the Phase, if the
    caller knows; `limit`: refuses what stands in the text, and then all that would stand, before it is checked.
    """
    board, phase, session = work.board, work.phase, work.session
    position = work.position(phase)
    names = tuple(work.names.items())
    read = early.read if early and early.basis.names == names else sheets.read(board, text, work.names)
    limit(read.sheet)
    entries = submissions.entries(session, phases.key_of(phase)) if entries is None else entries
    known = awaited.counting(entries).get(letter)
    on_file = sheets.on_file(board, submissions.canonical(session, known.id), work.names) if known is not None else None
    added_to = on_file if read.sheet.add and not read.sheet.cancel else None
    text_before = work.orders_before(phase).get(letter)
    before = sheets.sheet_of(board, text_before, position.players) if text_before else None
    sheet = sheets.effective(before, added_to.sheet if added_to else None, read.sheet)
    limit(sheet)
    basis = Basis(phases.key_of(phase), names, known.id if known is not None and added_to is not None else None)
    same = early is not None and early.basis == basis
    return WorkedOut(
        position=position,
        read=read,
        sheet=sheet,
        canonical=read.canonical if sheet.orders == read.sheet.orders else sheets.canonical(sheet),
        problems=early.problems if early and same else problems(work, position, letter, read, added_to),
        entries=entries,
        known=known,
        basis=basis,
        added_to=len(added_to.sheet.orders) if added_to is not None else 0,
        dropped=_dropped(work, letter, on_file.sheet, sheet) if on_file is not None else (),
    )


def _dropped(work: CampaignView, letter: Player, before: Sheet, now: Sheet) -> tuple[str, ...]:
    """What stood on file and does so no more, if fewer stand than before: perhaps a line was to be added. What could
    not have been carried out is not offered again."""
    if len(now.orders) >= len(before.orders):
        return ()
    left = Counter(now.orders)
    left.subtract(before.orders)
    refused = {p.order for p in serious(check(work.board, work.position(), letter, before))}
    return tuple(
        order.printed()
        for number, order in enumerate(before.orders, start=1)
        if left[order] < 0 and not isinstance(order, Unread) and number not in refused
    )


def problems(
    work: CampaignView,
    position: Position,
    letter: Player,
    read: sheets.ParsedSheet,
    added_to: sheets.ParsedSheet | None = None,
) -> tuple[Problem, ...]:
    """All problems of a sheet; if it is added to another, of all that then stands."""
    sheet, found = read.sheet, read.problems
    if added_to is not None:
        number = len(added_to.sheet.orders)
        sheet = replace(sheet, orders=(*added_to.sheet.orders, *sheet.orders))
        found = (*added_to.problems, *read.behind(number).problems)
    if not is_played(position):
        return found
    judged = _untold(work, letter, sheet, check(work.board, position, letter, sheet))
    guarded = sheet.guard is not None and (sheet.guard.turn, sheet.guard.phase) != (position.turn, position.phase)
    return (*found, *judged) if guarded else vet_suggestions(work.board, position, letter, sheet, (*found, *judged))


def _untold(work: CampaignView, letter: Player, sheet: Sheet, found: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Without the notes that partners must order too where they know it: the order is a side of a proposal."""
    if not any(p.code in NEEDS_OTHERS for p in found):
        return found
    offered = paper.sides_offered(work.session, work.key, letter)
    told = {n for n, order in enumerate(sheet.orders, start=1) if order.printed() in offered}
    return tuple(p for p in found if p.code not in NEEDS_OTHERS or p.order not in told)


def file(
    work: Transaction,
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
    """Store the sheet, whether accepted or not."""
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
            "unread": done.unread,
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
        letters.file_from_sheet(work, letter, done.read.press, row.id)
    return row


def _next_version(work: Transaction, done: WorkedOut, letter: Player, target: PhaseKey) -> int:
    if target.incarnation == AHEAD:
        return submissions.next_version(work.session, target, letter)
    return max((entry.version for entry in done.entries if entry.letter == letter), default=0) + 1


def _salt(work: Transaction, target: PhaseKey, letter: Player, version: int, status: str) -> str:
    if status not in ("taken", "withdrawn"):
        return ""
    return salt_of(work.secret(target), work.campaign.dice_name, target.turn, target.phase, letter, version)


def _take(work: Transaction, done: WorkedOut, row: Submission) -> None:
    if done.on_file is not None and not done.read.sheet.add:
        letters.withdraw(work, done.on_file)
    letters.file_from_sheet(work, row.letter, done.read.press, row.id)
    if row.unread and phases.said(work.session, work.key).get(row.letter):
        phases.say_ready(work.session, work.key, row.letter, None, work.now)  # said of another sheet than this
    clear = not row.unread and bool(row.canonical or done.read.holds) and row.source not in NOBODY_IS_READY_BY
    entry = SubmissionEntry(row.letter, row.version, row.status, row.id, row.unread, clear)
    consider_early_close(work, work.phase, [*done.entries, entry])


def consider_early_close(
    work: Transaction, phase: PhaseRow, entries: list[SubmissionEntry] | None = None, tell: bool = True
) -> None:
    """Everybody ready: a nearer deadline. Somebody ready no more: the full time again. In grace: when nobody is
    missing."""
    roll = work.roll = awaited.roll_call(work, phase, entries)
    if phase.deadline is None:
        if roll.settled and roll.expected:
            work.alarm("close", work.now, phase)
        return
    if work.campaign.status == "paused":
        return
    if phase.grace_until is not None:
        close_at(work, phase, work.now if awaited.ends_grace(work, phase, roll) else phase.grace_until)
        return
    if not (work.options.early_close and roll.all_ready):
        if phase.full_deadline is not None:
            move_back(work, phase)
        return
    nearer = schedule.early(work.options, work.now)
    if phase.full_deadline is not None or nearer >= phase.deadline:
        return
    if not _is_restless(work) and not awaited.hurried(work, phase):
        bring_nearer(work, phase, nearer, tell)


def _is_restless(work: Transaction) -> bool:
    """The deadline went to and fro within the hour, and everybody was told each time: then the full time holds."""
    return campaigns.times_audited(work.session, work.campaign.id, "closing", work.now - HOUR) >= MOVES_AN_HOUR


def take_filed_ahead(work: Transaction, phase: PhaseRow) -> None:
    """Orders that were sent before their Phase opened are judged now that it has."""
    for row in submissions.filed_ahead(work.session, work.campaign.id, phase.turn, phase.phase):
        seat, _ = work.seat(row.letter)
        row.status, row.reason = "withdrawn", "filed"  # once: a Phase that is rolled back does not find it again
        if seat.status in awaited.LEAVING:
            continue
        done = work_out(work, row.letter, row.raw)
        filed = file(
            work,
            done,
            row.letter,
            row.raw,
            status="withdrawn" if done.withdraws else "taken",
            reason=None,
            source=row.source,
            key=keys.once("ahead", row.id, phase.incarnation),
            received_at=row.received_at,
            target=phases.key_of(phase),
        )
        if filed.status == "taken":
            _tell_that_it_counts(work, done, filed)


def _tell_that_it_counts(work: Transaction, done: WorkedOut, filed: Submission) -> None:
    """The receipt that could not be given before the Phase opened: judged on its positions, with the seal."""
    holds = done.read.holds or (() if done.sheet.orders else (Hold(),))  # what says nothing holds
    name = phase_name(filed.turn, filed.phase)
    shown = as_read(work.board, done.position, filed.letter, done.sheet, done.problems, phase=name, holds=holds)
    work.tell(
        filed.letter,
        "counts_now",
        keys.of_phase(work.phase),
        phase_name=name,
        again=filed.source == KEPT,
        receipt=fold(receipt_text(shown)).strip(),
        deadline=work.phase.deadline if work.campaign.status != "paused" else None,
        seal=filed.receipt,
        early=work.options.early_close and filed.source == KEPT,
    )


def file_ahead(work: Transaction, letter: Player, text: str, turn: int, phase: str, key: str) -> None:
    """Orders that were sealed once, on file for the Phase that is to open again."""
    done = work_out(work, letter, text)
    target = PhaseKey(work.campaign.id, turn, phase, AHEAD)
    file(
        work,
        done,
        letter,
        text,
        status="ahead",
        reason=None,
        source=KEPT,
        key=key,
        received_at=work.now,
        target=target,
    )
