"""Intake of orders by mail, web or the Gamesmaster: accepted, or refused with the reason, and always stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from gm.board.model import Board
from gm.campaign import keys, schedule
from gm.campaign.phase import adjudication, awaited, filing, sheets
from gm.campaign.ports import Attachment
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.tokens import strike_secrets
from gm.campaign.transaction import CampaignView, RollCall, Transaction, at_work, campaign_row
from gm.errors import Invalid, NotAllowed, NotNow
from gm.gamedate import phase_name
from gm.orders import effort
from gm.orders.kinds import Guard, Hold, Press, Sheet, Unread
from gm.orders.language.guard import by_phase
from gm.orders.problems import Family, Problem
from gm.orders.receipt import Review, as_read, on_file_sentence
from gm.position import Player, Position
from gm.store.base import PhaseKey
from gm.store.repositories import campaigns, phases, submissions
from gm.store.repositories.submissions import AHEAD, NOBODY_IS_READY_BY
from gm.store.tables import PhaseRow, Submission

MAX_LINES = 1500  # of a sheet; the game has fewer than two hundred counters
MOST_PHASES = 10  # with orders in one mail
MAX_CHARACTERS = 60_000  # of a sheet with its press
MAX_VERSIONS = 1_200  # that one seat sends in a Phase
SOME_VERSIONS, MAX_FILED = 50, 3_000_000  # from so many sheets on: characters of all of them together
NEWEST = 50  # versions that a list shows
READ_FIRST_CHARACTERS = 5_000  # a longer sheet is read and checked before the campaign is locked


@dataclass(frozen=True)
class Submitted:
    """What became of a sheet."""

    status: str  # taken, withdrawn, ahead, late, refused
    reason: str | None  # sealed, closed, guard, no-phase, earlier, quit, finished, unread, enough
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
    ready: bool | None = None  # whether the seat is; None: it makes no difference
    nearer: bool = False  # everybody is who is waited for, and the deadline came nearer
    due: bool = False  # the deadline is here, so that nothing can be changed any more
    unawaited: tuple[tuple[str, str], ...] = ()  # then: who is not waited for, and why
    unready: tuple[Player, ...] = ()  # who is not, where the campaign shows it
    paused: bool = False  # the deadline does not count
    press: tuple[Press, ...] = ()  # in the sheet
    position: Position | None = None  # that it was read against
    replaced: bool = False  # the seat had orders on file
    added_to: int = 0  # with ADD: how many orders stood before
    dropped: tuple[str, ...] = ()  # orders on file that this shorter sheet leaves out
    holds: tuple[Hold, ...] = ()
    played: bool = False  # at once: there is no deadline, and nobody else is waited for
    entry: tuple[Attachment, ...] = ()  # for the calendar of whoever is answered, if the deadline was moved by this

    @property
    def unread(self) -> int:
        return sum(isinstance(order, Unread) for order in self.sheet.orders)

    @property
    def truth(self) -> str:
        """What of it is on file, in a sentence."""
        return on_file_sentence(self.sheet, self.problems)

    def review(self, board: Board, letter: Player) -> Review:
        """For the receipt, by whichever way it is sent."""
        position = self.position
        here = position is not None and (self.turn, self.phase) == (position.turn, position.phase.value)
        return as_read(
            board,
            position if here else None,
            letter,
            self.sheet,
            self.problems,
            phase=phase_name(self.turn, self.phase),
            holds=self.holds,
            added_to=self.added_to,
            dropped=self.dropped if self.status == "taken" else (),
            press=tuple(piece.printed() for piece in self.press) if self.status in ("taken", "late") else (),
        )


@dataclass(frozen=True)
class Preview:
    sheet: Sheet
    canonical: str
    problems: tuple[Problem, ...]
    read: sheets.ParsedSheet  # the text alone, without what is on file


def _no_orders_by_a_player() -> NotAllowed:
    what = "a Gamesmaster who plays enters nobody's orders"
    return NotAllowed("gm-plays", what, "the keeper of the installation can, or a stand-in plays")


class OtherPhase(NotNow):
    """It was written for a Phase that is over."""


def must_be_now(work: CampaignView, phase_id: str) -> None:
    """Raises OtherPhase where something was written in another Phase than the present one (`keys.of_phase`); nothing
    is known of what comes without it."""
    if phase_id and phase_id != keys.of_phase(work.phase):
        what = "this was written for an earlier Phase, and nothing of it was taken"
        raise OtherPhase("other-phase", what, "look at the new positions, and send it again if you still mean it")


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
    ready: bool | None = None,
    plays: bool = False,
    phase_id: str = "",
) -> Submitted:
    """Take a sheet of orders for a seat: read it, check it, store it under its status, and adjudicate at once where
    there is no deadline and nobody else is waited for. The same key again changes nothing and gives the same answer.

    `ready`: the player says so, or says that they are not, together with the sheet.
    `phase_id`: the Phase that was open where it was written (`must_be_now`).
    `plays`: where nobody else is waited for, the caller lets stand-ins write (`adjudication.after_standins`).
    """
    _bounded(text)
    received_at = received_at or services.clock.now()  # whoever waits for the lock is not late by it
    letter, text = letter.upper(), sheets.without_addresses(strike_secrets(text))  # The Bell prints it
    early = _work_out_early(services, campaign, letter, text) if len(text) > READ_FIRST_CHARACTERS else None
    with at_work(services, campaign, actor or letter) as work:
        if key is not None:
            known = submissions.by_key(work.session, campaign, key)
            if known is not None:
                return _again(work, known)
        must_be_now(work, phase_id)
        work.seat(letter)
        work.answering = letter if source == "mail" else None
        if source == "gm" and work.actor == GM and work.campaign.gm_letter not in (None, letter):
            raise _no_orders_by_a_player()
        done = _read_and_check(work, letter, text, early)
        sent = _Sent(letter, text, source, received_at, key, inbox_id, ready, plays)
        return _take_in(work, done, sent)


def change(work: Transaction, letter: Player, text: str, source: str) -> Submitted:
    """Take a sheet that follows from what stands on file, in the transaction in which that was read. Raises NotNow
    where it is not taken."""
    _bounded(text)
    done = _read_and_check(work, letter, text)
    found = _take_in(work, done, _Sent(letter, text, source, work.now))
    if found.status not in ("taken", "withdrawn"):
        raise NotNow("closed", "no orders are taken at present", "try it when the next Phase is open")
    return found


@dataclass(frozen=True, slots=True)
class _Sent:
    """A sheet as it came. The fields are those of `submit`."""

    letter: Player
    text: str
    source: str
    received_at: datetime
    key: str | None = None
    inbox_id: int | None = None
    ready: bool | None = None
    plays: bool = False


def _take_in(work: Transaction, done: filing.WorkedOut, sent: _Sent) -> Submitted:
    _bounded_with_what_stands(done)
    status, reason, target = _verdict(work, done, sent.letter, sent.received_at)
    row = filing.file(
        work,
        done,
        sent.letter,
        sent.text,
        status=status,
        reason=reason,
        source=sent.source,
        key=sent.key or keys.new(sent.source, work.services.entropy(12)),
        received_at=sent.received_at,
        target=target,
        inbox_id=sent.inbox_id,
    )
    if status == "taken" and (sent.ready is False or (sent.ready and not row.unread)):
        _say_ready(work, sent.letter, sent.ready)
    settled = work.phase.deadline is None and work.roll is not None and work.roll.settled
    played = status == "taken" and sent.source not in NOBODY_IS_READY_BY and settled
    if played:
        lease = adjudication.THINKING if sent.plays else timedelta()
        adjudication.at_once(work, work.phase, lease)  # nobody else is waited for
    if sent.source == "gm":
        work.tell(
            sent.letter,
            "on_behalf",
            keys.once(str(row.id)),
            text=row.canonical,
            status=status,
            phase_name=phase_name(row.turn, row.phase),
            receipt=row.receipt,
        )
    return replace(
        _submitted(work, row, done.sheet, done.problems, done.read),
        position=done.position,
        replaced=done.on_file is not None,
        added_to=done.added_to,
        dropped=done.dropped,
        played=played,
        entry=work.entry,
    )


def _read_and_check(
    work: CampaignView, letter: Player, text: str, early: filing.WorkedOut | None = None
) -> filing.WorkedOut:
    """Read and check a sheet, if there is room for it and it is not beyond all measure."""
    entries = submissions.entries(work.session, work.key)
    _must_have_room(work, entries, letter)
    return filing.work_out(work, letter, text, early, entries, _bounded_sheet)


def _must_have_room(work: CampaignView, entries: Sequence[submissions.SubmissionEntry], letter: Player) -> None:
    """Nobody fills the disk with sheets."""
    sent = sum(entry.letter == letter for entry in entries)
    if sent < SOME_VERSIONS:
        return
    if sent >= MAX_VERSIONS or submissions.characters(work.session, work.key, letter) >= MAX_FILED:
        what = f"{sent} sheets of yours are on file for this Phase, and the last of them stands"
        raise NotNow("versions", what, "write to the Gamesmaster", letter=letter)


def submit_each(
    services: Services, campaign: str, letter: Player, text: str, *, key: str | None = None, **facts: Any
) -> list[Submitted]:
    """A text with the orders of several Phases, each under its ORDERS line: a sheet for each."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
    parts = by_phase(text, Guard(row.turn, row.phase))
    if len(parts) > MOST_PHASES:
        raise Invalid("phases", f"orders for more than {MOST_PHASES} Phases at once are not read", "send fewer")
    named = [key if key is None or not number else keys.once(key, number + 1) for number in range(len(parts))]
    return [submit(services, campaign, letter, p, key=k, **facts) for p, k in zip(parts, named, strict=True)]


def lines_of(text: str) -> int:
    return sum(1 for line in text.split("\n") if line.strip())


def _bounded(text: str) -> None:
    """Nobody's sheet may keep the others waiting."""
    if len(text) > MAX_CHARACTERS:
        raise Invalid("long", f"a sheet of more than {MAX_CHARACTERS} characters is not read", "send less at a time")
    if lines_of(text) > MAX_LINES:
        raise Invalid("long", f"a sheet of more than {MAX_LINES} lines is not read", "the game has fewer counters")


def _bounded_sheet(sheet: Sheet) -> Sheet:
    """Before it is checked: ADD upon ADD makes no sheet that could not be sent at once."""
    if len(sheet.orders) > MAX_LINES:
        raise _too_much_with_what_stands()
    return effort.bounded(sheet)


def _bounded_with_what_stands(done: filing.WorkedOut) -> None:
    if len(done.canonical) > MAX_CHARACTERS:
        raise _too_much_with_what_stands()


def _too_much_with_what_stands() -> Invalid:
    return Invalid("long", f"with what is on file that is more than {MAX_LINES} orders", "send a sheet without ADD")


def _work_out_early(services: Services, campaign: str, letter: Player, text: str) -> filing.WorkedOut:
    """A long sheet is read and checked before the campaign is locked, on what stands now, in case that changes."""
    with services.store.read() as session:
        work = CampaignView(services, session, campaign_row(session, campaign))
        work.seat(letter)
        return _read_and_check(work, letter, text)


def _verdict(
    work: Transaction, done: filing.WorkedOut, letter: Player, received: datetime
) -> tuple[str, str | None, PhaseKey]:
    """(status, reason, for which Phase)."""
    phase = work.phase
    key = phases.key_of(phase)
    seat, _ = work.seat(letter)
    if work.campaign.status == "finished":
        return "refused", "finished", key
    if seat.status in awaited.LEAVING:
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
    if guard is None and phase.opened_at is not None and received < phase.opened_at.replace(microsecond=0):
        return "refused", "earlier", key  # it was meant for what was open then; mailboxes know whole seconds only
    limit = schedule.closing(work.options, phase.deadline, phase.grace_until)
    runs = work.campaign.status != "paused"  # while it is paused nothing closes, as everybody was told
    if runs and limit is not None and received >= limit and _time_is_trusted(work):
        return "late", "closed", key
    if phase.deadline is None and any(p.family is Family.NOT_UNDERSTOOD for p in done.problems):
        return "refused", "unread", key  # it would be played at once, without what was not understood
    if phase.deadline is None and not adjudication.has_time(work):
        return "refused", "enough", key
    return "withdrawn" if done.withdraws else "taken", None, key


def _following(phase: PhaseRow) -> Guard:
    if phase.phase == "setup":
        return Guard(0, "pregame")
    if phase.phase == "first":
        return Guard(phase.turn, "second")
    return Guard(phase.turn + 1, "first")


def _time_is_trusted(work: Transaction) -> bool:
    """While the clock is in doubt nobody is too late for a Phase that is still open."""
    clock = campaigns.peek_clock(work.session)
    if clock is None or clock.last_tick_at is None:
        return True
    gap = timedelta(minutes=work.services.settings.clock_jump_minutes)
    return clock.halted_at is None and work.now - clock.last_tick_at <= gap


def _again(work: CampaignView, row: Submission) -> Submitted:
    """The same mail again, perhaps because the process died before it answered: the same answer, nothing changes."""
    board, position = work.board, work.position()
    read = sheets.read(board, row.raw, work.names)
    if read.sheet.add:
        read = sheets.on_file(board, row.canonical, work.names)
    same = (row.turn, row.phase) == (position.turn, position.phase)
    problems = filing.problems(work, position, row.letter, read) if same else read.problems
    found = _submitted(work, row, sheets.sheet_of(board, row.canonical, position.players), problems, read)
    at_once = position.solitaire is not None or not work.options.deadlines
    return replace(found, position=position, played=at_once and row.status == "taken" and not same)


def _submitted(
    work: CampaignView, row: Submission, sheet: Sheet, problems: tuple[Problem, ...], read: sheets.ParsedSheet
) -> Submitted:
    phase = work.phase
    same = (phase.turn, phase.phase) == (row.turn, row.phase) and phase.state in ("open", "grace")
    roll = work.roll = (work.roll or awaited.roll_call(work, phase)) if same else None
    matters = roll is not None and work.options.early_close and phase.state == "open" and phase.deadline is not None
    return Submitted(
        status=row.status,
        reason=row.reason,
        version=row.version,
        turn=row.turn,
        phase=row.phase,
        canonical=row.canonical,
        sheet=sheet,
        problems=problems,
        receipt=row.receipt,
        salt=row.salt,
        closes_at=schedule.closing(work.options, phase.deadline, phase.grace_until) if same else None,
        deadline=(phase.grace_until or phase.deadline) if same else None,
        submission_id=row.id,
        resign_asked=row.resigns,
        missing=roll.missing if roll is not None else (),
        ready=row.letter in roll.ready if roll is not None and matters else None,
        nearer=phase.full_deadline is not None,
        due=same and _is_due(work),
        unawaited=_unawaited(work) if same else (),
        unready=roll.unready if roll is not None and matters and work.options.show_ready else (),
        paused=work.campaign.status == "paused",
        press=read.press,
        holds=read.holds,
    )


def _is_due(work: CampaignView) -> bool:
    due = work.phase.grace_until or work.phase.deadline
    return work.campaign.status != "paused" and due is not None and due <= work.services.clock.now()


def _unawaited(work: CampaignView) -> tuple[tuple[str, str], ...]:
    """By name and why, where the deadline is nearer without them."""
    if work.phase.full_deadline is None:
        return ()
    return tuple((name, why) for _, name, why in awaited.unawaited(work, work.phase))


def preview_orders(services: Services, campaign: str, letter: Player, text: str) -> Preview:
    """What would be understood; nothing is written."""
    _bounded(text)
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        work = CampaignView(services, session, row)
        work.seat(letter.upper())
        first = by_phase(text, Guard(row.turn, row.phase))[0]
        done = filing.work_out(work, letter.upper(), first, limit=effort.bounded)
    _bounded_with_what_stands(done)
    return Preview(done.sheet, done.canonical, done.problems, done.read)


def submitted_again(services: Services, campaign: str, letter: Player, submission: int) -> Submitted | None:
    """What became of a sheet, told again; None if this seat sent no such sheet."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        found = submissions.get(session, submission)
        if found is None or (found.campaign_id, found.letter) != (campaign, letter.upper()):
            return None
        return _again(CampaignView(services, session, row), found)


def current_orders(services: Services, campaign: str, letter: Player) -> Submission | None:
    """The version that counts now, if there is one."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        found = submissions.current_of(session, phases.current_key(row), letter.upper())
        return found if found is not None and found.status == "taken" else None


def current_sheet(work: Transaction, letter: Player) -> Sheet | None:
    """The orders of a seat that count now, read."""
    found = submissions.current_of(work.session, work.key, letter)
    if found is None or found.status != "taken":
        return None
    return sheets.sheet_of(work.board, found.canonical, work.position().players)


def versions(services: Services, campaign: str, letter: Player, newest: int | None = None) -> list[Submission]:
    """Everything that this seat sent for the present Phase, or the newest of it, oldest first."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        return submissions.versions(session, phases.current_key(row), letter.upper(), newest)


def version(services: Services, campaign: str, letter: Player, number: int) -> Submission | None:
    """One sheet that this seat sent for the present Phase."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        return submissions.version(session, phases.current_key(row), letter.upper(), number)


@dataclass(frozen=True)
class Readiness:
    """Where a Phase stands after a player has said that they are ready, or not."""

    ready: bool
    on_file: bool  # orders of theirs are there: nobody is ready without
    early_close: bool  # whether it makes a difference at all
    nearer: bool  # everybody is ready who is waited for, and the deadline came nearer
    unawaited: tuple[tuple[str, str], ...]  # then: who is not waited for, and why
    awaited: tuple[Player, ...]  # who is not ready yet
    deadline: datetime | None
    due: bool  # the deadline is here, so that nothing can be changed any more
    entry: tuple[Attachment, ...] = ()  # for the calendar of whoever is answered, if the deadline was moved by this


def say_ready(
    services: Services,
    campaign: str,
    letter: Player,
    ready: bool | None,
    actor: str | None = None,
    by_mail: bool = False,
    phase_id: str = "",
) -> Readiness:
    """A player is ready, or wants the full time (False), or takes back what they said (None)."""
    letter = letter.upper()
    with at_work(services, campaign, actor or letter, "running", "paused") as work:
        phase = work.phase
        must_be_now(work, phase_id)
        if phase.state not in ("open", "grace"):
            raise NotNow("closed", f"the Phase is {phase.state}", "say it when the next one is open")
        if work.seat(letter)[0].status in awaited.LEAVING:
            raise NotNow("quit", f"{letter} has left the game", "nothing is left to do")
        work.answering = letter if by_mail else None
        roll = _say_ready(work, letter, ready)
        return Readiness(
            ready=letter in roll.ready,
            on_file=letter in roll.orders,
            early_close=work.options.early_close,
            nearer=phase.full_deadline is not None,
            unawaited=_unawaited(work),
            awaited=roll.unready if work.options.show_ready else (),
            deadline=None if work.campaign.status == "paused" else phase.grace_until or phase.deadline,
            due=_is_due(work),
            entry=work.entry,
        )


def _say_ready(work: Transaction, letter: Player, ready: bool | None) -> RollCall:
    phases.say_ready(work.session, work.key, letter, ready, work.now)
    filing.consider_early_close(work, work.phase)
    work.audit("ready", letter=letter, ready=ready)
    assert work.roll is not None
    return work.roll
