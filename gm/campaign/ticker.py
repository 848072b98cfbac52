"""Running due alarms (tick): each exactly once, even with several processes or late; retries and clock checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zlib import crc32

from sqlalchemy.orm import Session

from gm.campaign import keys, schedule
from gm.campaign.beacon import rounds
from gm.campaign.manage import deadlines
from gm.campaign.notices import render_notice
from gm.campaign.phase import adjudication, awaited, publishing, sealing
from gm.campaign.ports import Mail
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.transaction import Busy, Transaction, at_work, queue_in, record
from gm.errors import GmError, NotNow
from gm.processes import Ended
from gm.store.repositories import alarms, campaigns, mail, phases
from gm.store.tables import Alarm, PhaseRow

SKEW = timedelta(seconds=5)  # between the clocks of several machines
PLAIN_AFTER = 3  # tries with the real renderer before the fallback prints
RETRY_MINUTES = (1, 2, 5, 10, 30, 60)  # between tries
SETTLE_TRIES = 3
ASKING = timedelta(minutes=1)
SOON = timedelta(seconds=3)
MAILBOX_WAIT = timedelta(minutes=15)  # so long a deadline waits for a mailbox that cannot be reached
SHARE = 8  # alarms that a worker handles before it looks again what is left: others take some meanwhile
IN_A_ROW = 25  # tries after which the Gamesmaster must see to it


@dataclass
class TickReport:
    done: list[tuple[str, str]] = field(default_factory=list)  # (kind, campaign)
    failed: list[tuple[str, str, str]] = field(default_factory=list)  # (kind, campaign, error)
    halted: str | None = None


def tick(
    services: Services, worker: str = "tick", limit: int = 1000, more: Callable[[int], object] = lambda number: None
) -> TickReport:
    """Handle every alarm that is due now. What one alarm leads to is done in the same tick.

    Any number of processes and threads may do this at the same time: each takes what no other has. `more` is told how
    much is due whenever it is more than one thing, so that others can be called to help.
    """
    services = services.working_for(None)  # whoever asks for it: what is due is nobody's doing
    report = TickReport(halted=check_clock(services))
    if report.halted is not None:
        return report
    tried: set[int] = set()
    while len(tried) < limit:
        with services.store.read() as session:
            due = alarms.due(session, services.clock.now(), 50 + len(tried))
        fresh = [(alarm, campaign) for alarm, campaign in due if alarm not in tried]
        if not fresh:
            return report
        if len(fresh) > 1:
            more(len(fresh))
        busy: list[tuple[int, str]] = []
        for alarm_id, campaign in _share(fresh, worker):
            tried.add(alarm_id)
            try:
                _handle_safely(services, alarm_id, campaign, worker, report, wait=False)
            except Busy:
                busy.append((alarm_id, campaign))
        for alarm_id, campaign in busy:  # the other process was perhaps only taking orders
            _handle_safely(services, alarm_id, campaign, worker, report, wait=True)
    return report


def _share(due: list[tuple[int, str]], worker: str) -> list[tuple[int, str]]:
    """Some of many alarms, each worker beginning at another place: two that go through the same list see everything
    twice."""
    if len(due) <= SHARE:
        return due
    start = crc32(worker.encode()) % len(due)
    return (due[start:] + due[:start])[:SHARE]


def _handle_safely(
    services: Services, alarm_id: int, campaign: str, worker: str, report: TickReport, wait: bool
) -> None:
    try:
        kind = handle_alarm(services, alarm_id, campaign, worker, wait)
    except Busy:
        raise
    except Exception as error:
        kind = _safely_noted(services, alarm_id, campaign, error)
        if kind is not None:
            report.failed.append((kind, campaign, f"{type(error).__name__}: {error}"))
        return
    if kind is not None:
        report.done.append((kind, campaign))


def _safely_noted(services: Services, alarm_id: int, campaign: str, error: Exception) -> str | None:
    try:
        return _failed(services, alarm_id, campaign, error)
    except Exception as worse:  # the campaign itself cannot be read: the others go on
        return _put_off(services, alarm_id, worse)


class MailWaits(Exception):
    """Mail that was received before the Phase closes is not dealt with yet."""

    def __init__(self, before: datetime) -> None:
        super().__init__(before)
        self.before = before


def handle_alarm(services: Services, alarm_id: int, campaign: str, worker: str, wait: bool = True) -> str | None:
    """Handle one alarm. None if there was nothing to do (any more)."""
    settled: datetime | None = None
    for _ in range(SETTLE_TRIES):
        try:
            return _handle_locked(services, alarm_id, campaign, worker, wait, settled)
        except MailWaits as waits:
            reached = services.settle(services, waits.before)
            late = services.clock.now() >= waits.before + MAILBOX_WAIT
            settled = waits.before if reached or late else None
            if settled is None:
                break
    with at_work(services, campaign, worker) as work:  # another process reads it, or the mailbox is away: soon again
        alarm = alarms.claim(work.session, alarm_id)
        if alarm is not None and alarm.done_at is None:
            alarm.due_at = work.now + SOON
            work.wake(alarm.due_at)
    return None


def _handle_locked(
    services: Services, alarm_id: int, campaign: str, worker: str, wait: bool, settled: datetime | None
) -> str | None:
    with at_work(services, campaign, worker, wait=wait) as work:
        alarm = alarms.claim(work.session, alarm_id)
        phase = _still_due(work, alarm)
        if alarm is None or phase is None or work.campaign.status == "paused":
            return None
        if alarm.kind == "close" and phase.state in ("open", "grace"):
            _wait_for_mail(work, phase, settled)
        round = rounds.awaited(work, phase) if alarm.kind == "adjudicate" else None
        thinks = round is None and alarm.kind == "adjudicate" and sealing.asked_of_standins(work, phase) is not None
        if round is not None:
            alarm.due_at = work.now + ASKING  # nobody else need ask meanwhile
        elif thinks:
            alarm.due_at = work.now + adjudication.THINKING
        elif alarm.kind == "publish":
            # Rendering takes its time: nobody else need begin it until this lease ends.
            lease = work.services.settings.render_lease_seconds
            alarm.due_at = work.now + timedelta(seconds=lease)
            attempts = alarm.attempts
        else:
            again = _BY_KIND[alarm.kind](work, phase, alarm, worker)
            if not again:
                alarm.done_at = work.now
            return alarm.kind
    if round is not None:
        return _ask_beacon(services, alarm_id, campaign, worker, round)
    if thinks:
        return _think(services, alarm_id, campaign, worker)
    return _publish(services, campaign, worker, attempts)


def _ask_beacon(services: Services, alarm_id: int, campaign: str, worker: str, round: int) -> str | None:
    """Ask for the round that the dice wait for, while no transaction is open, and adjudicate. None: later again."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        chain = rounds.chain_of(row) if row is not None else None
    assert services.beacon is not None and chain is not None
    found, away = None, ""
    try:
        found = services.beacon.value(chain, round)
    except NotNow as error:
        away = str(error)
    with at_work(services, campaign, worker) as work:
        alarm, phase = alarms.claim(work.session, alarm_id), work.phase
        if alarm is None or alarm.done_at is not None or rounds.awaited(work, phase) != round:
            return None
        if found is None:
            _note_failure(alarm, work.now, away)
            work.wake(alarm.due_at)
            rounds.tell_away(work, phase, round, alarm.attempts, away)
            return None
        rounds.note(work, phase, found)
        if work.campaign.status == "paused":
            return None
        if sealing.asked_of_standins(work, phase) is None:
            adjudication.adjudicate(work, phase, worker)
            alarm.done_at = work.now
            return alarm.kind
        alarm.due_at = work.now + adjudication.THINKING
    return _think(services, alarm_id, campaign, worker)


def _think(services: Services, alarm_id: int, campaign: str, worker: str) -> str | None:
    """Stand-ins write and the Phase is adjudicated: beside what else is due, where there is room for that."""

    def beside(its: Services) -> None:
        try:
            adjudication.after_standins(its, campaign, worker)
        except Ended:  # the service stops: it begins again with the lease
            pass
        except Exception as error:
            _safely_noted(its, alarm_id, campaign, error)

    if services.beside(campaign, beside):
        return None
    return "adjudicate" if adjudication.after_standins(services, campaign, worker) else None


def _wait_for_mail(work: Transaction, phase: PhaseRow, settled: datetime | None) -> None:
    """A mail counts for the Phase in which it was received: first every mail from before the closing time is read."""
    closing = schedule.closing(work.options, phase.deadline, phase.grace_until) or work.now
    before = min(work.now, closing)
    if settled is None or mail.is_unsettled(work.session, before):
        raise MailWaits(before)


def _still_due(work: Transaction, alarm: Alarm | None) -> PhaseRow | None:
    """Check again with the campaign locked: the alarm may be done, moved, or for a Phase that became void."""
    if alarm is None or alarm.done_at is not None or alarm.due_at is None or alarm.due_at > work.now:
        return None
    phase = phases.get(work.session, phases.key_of(alarm))
    if phase is None or phase.state == "void" or phases.key_of(phase) != work.key:
        alarm.done_at = work.now
        return None
    return phase


def _remind(work: Transaction, phase: PhaseRow, alarm: Alarm, worker: str) -> bool:
    if phase.state == "open":
        deadlines.remind(work, phase, awaited.roll_call(work, phase).missing, f"{alarm.hours}h")
    return False


def _close(work: Transaction, phase: PhaseRow, alarm: Alarm, worker: str) -> bool:
    if phase.state not in ("open", "grace"):
        return False
    return not sealing.close(work, phase)  # not sealed: the same alarm is handled again later


def _adjudicate(work: Transaction, phase: PhaseRow, alarm: Alarm, worker: str) -> bool:
    if phase.state == "sealed":
        adjudication.adjudicate(work, phase, worker)
    return False


def _draft(work: Transaction, phase: PhaseRow, alarm: Alarm, worker: str) -> bool:
    if phase.state == "adjudicated":
        key = keys.of_phase(phase)
        by_itself = [a.due_at for a in alarms.waiting(work.session, phases.key_of(phase), "publish")]
        work.tell_gm("draft", key, publishes_at=by_itself[0] if by_itself else None)
    return False


_BY_KIND: dict[str, Callable[[Transaction, PhaseRow, Alarm, str], bool]] = {
    "remind": _remind,
    "close": _close,
    "adjudicate": _adjudicate,
    "draft": _draft,
}


def _publish(services: Services, campaign: str, worker: str, attempts: int) -> str | None:
    """Rendering may fail: it happens outside, and the result is stored only if it still fits."""
    renderer = services.fallback if attempts >= PLAIN_AFTER else None
    try:
        publishing.publish(services, campaign, worker, renderer)
    except GmError as error:
        if error.code in ("nothing-to-print", "status"):  # printed by hand meanwhile, or paused
            return None
        raise
    return "publish"


def _note_failure(alarm: Alarm, now: datetime, error: str) -> None:
    """One try more, with what went wrong; the next is later each time."""
    alarm.attempts, alarm.error = alarm.attempts + 1, error[:2000]
    alarm.due_at = now + timedelta(minutes=RETRY_MINUTES[min(alarm.attempts, len(RETRY_MINUTES)) - 1])


def _failed(services: Services, alarm_id: int, campaign: str, error: Exception) -> str | None:
    """Note a failure and set the next try; the Gamesmaster is told at the first failure and at the last try."""
    with at_work(services, campaign, "worker") as work:
        alarm = alarms.claim(work.session, alarm_id)
        if alarm is None or alarm.done_at is not None:
            return None
        _note_failure(alarm, work.now, f"{type(error).__name__}: {error}")
        if alarm.attempts >= IN_A_ROW:
            alarm.due_at = None
        if alarm.attempts in (1, IN_A_ROW):
            key = keys.once(str(alarm.id), alarm.attempts)
            work.tell_gm("trouble", key, kind=alarm.kind, detail=alarm.error, last=alarm.attempts >= IN_A_ROW)
        work.audit("trouble", kind=alarm.kind, error=alarm.error, attempts=alarm.attempts)
        return alarm.kind


def _put_off(services: Services, alarm_id: int, error: Exception) -> str | None:
    """Try it later, without a look at the campaign."""
    now = services.clock.now()
    with services.store.write() as session:
        alarm = alarms.claim(session, alarm_id)
        if alarm is None or alarm.done_at is not None:
            return None
        _note_failure(alarm, now, f"{type(error).__name__}: {error}")
        if alarm.attempts >= IN_A_ROW:
            alarm.due_at = None
        record(session, alarm.campaign_id, now, "worker", "trouble", kind=alarm.kind, error=alarm.error)
        return alarm.kind


def retry(services: Services, campaign: str, actor: str = GM) -> int:
    """Make alarms that were given up, or wait for their next try, due now. Returns how many."""
    with at_work(services, campaign, actor, "inviting", "running") as work:
        tried = [alarm for alarm in alarms.waiting(work.session, work.key) if alarm.attempts > 0]
        for alarm in tried:
            alarm.attempts, alarm.due_at = 0, work.now
            work.wake(work.now)
        work.audit("retry", kinds=[alarm.kind for alarm in tried])
        return len(tried)


# --- the clock


def check_clock(services: Services) -> str | None:
    """Why no alarm may be handled; None if the clock can be trusted. Notes the time of this check."""
    with services.store.write() as session:
        clock = campaigns.clock(session)
        newest = campaigns.newest_event(session)
        now = services.clock.now()  # read last: whoever waited for the lock must not compare a time of before
        if clock.halted_reason is None:
            reason = _doubt(services, now, clock.last_tick_at, newest)
            if reason is not None:
                clock.halted_at, clock.halted_reason = now, reason
                record(session, None, now, "worker", "clock-halted", reason=reason)
                _tell_gamesmasters(services, session, now, reason)
        if clock.halted_reason is None or clock.last_tick_at is None or now > clock.last_tick_at:
            clock.last_tick_at = now
        return clock.halted_reason


def _doubt(services: Services, now: datetime, last: datetime | None, newest: datetime | None) -> str | None:
    jump = timedelta(minutes=services.settings.clock_jump_minutes)
    if last is not None and abs(now - last) > jump:
        return f"the clock went from {last:%Y-%m-%d %H:%M} to {now:%Y-%m-%d %H:%M} UTC between two looks"
    recorded = max((moment for moment in (last, newest) if moment is not None), default=None)
    if recorded is not None and now < recorded - SKEW:
        return f"the clock says {now:%Y-%m-%d %H:%M} UTC, but something happened at {recorded:%Y-%m-%d %H:%M} UTC"
    return None


def _tell_gamesmasters(services: Services, session: Session, now: datetime, reason: str) -> None:
    mails = []
    for campaign, name, address in campaigns.unfinished_gm_addresses(session):
        subject, text = render_notice("clock", name=name, campaign=campaign, reason=reason)
        key = keys.of_campaign(campaign, "clock", now.isoformat())
        mails.append(Mail(key, "clock", address, name, subject, text, campaign, GM))
    if mails:
        queue_in(services, session, mails, now)


def accept_clock(services: Services, actor: str = GM) -> str | None:
    """Trust the clock again. Returns why it was in doubt."""
    now = services.clock.now()
    with services.store.write() as session:
        clock = campaigns.clock(session)
        doubt = clock.halted_reason
        clock.halted_at = clock.halted_reason = None
        clock.last_tick_at = now
        record(session, None, now, actor, "clock-accepted", reason=doubt)
    services.wake(now, False)
    return doubt
