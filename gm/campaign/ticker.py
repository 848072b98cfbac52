"""What is due is done, exactly once, by however many processes look. Waking up late or twice does no harm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from gm.campaign import adjudication, calendar, publishing, roll_call, sealing
from gm.campaign.ports import Mail
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.campaign.words import word
from gm.campaign.work import Busy, Work, at_work, queue_in, record
from gm.errors import GmError
from gm.store.repositories import alarms, campaigns, phases
from gm.store.tables import Alarm, Phase

SKEW = timedelta(seconds=5)  # between the clocks of several machines
PLAIN_AFTER = 3  # tries with the real press before the plain one prints
PATIENCE = (1, 2, 5, 10, 30, 60)  # minutes between tries
IN_A_ROW = 25  # tries after which the Gamesmaster must see to it


@dataclass
class TickReport:
    done: list[tuple[str, str]] = field(default_factory=list)  # (kind, campaign)
    failed: list[tuple[str, str, str]] = field(default_factory=list)  # (kind, campaign, error)
    halted: str | None = None


def tick(services: Services, worker: str = "tick", limit: int = 1000) -> TickReport:
    """Everything that is due now. What one thing leads to is done in the same tick."""
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
        busy: list[tuple[int, str]] = []
        for alarm_id, campaign in fresh:
            tried.add(alarm_id)
            try:
                _attend(services, alarm_id, campaign, worker, report, wait=False)
            except Busy:
                busy.append((alarm_id, campaign))
        for alarm_id, campaign in busy:  # the other was perhaps only taking orders
            _attend(services, alarm_id, campaign, worker, report, wait=True)
    return report


def _attend(services: Services, alarm_id: int, campaign: str, worker: str, report: TickReport, wait: bool) -> None:
    try:
        kind = ring(services, alarm_id, campaign, worker, wait)
    except Busy:
        raise
    except Exception as error:
        kind = _failed(services, alarm_id, campaign, error)
        if kind is not None:
            report.failed.append((kind, campaign, f"{type(error).__name__}: {error}"))
        return
    if kind is not None:
        report.done.append((kind, campaign))


def ring(services: Services, alarm_id: int, campaign: str, worker: str, wait: bool = True) -> str | None:
    """Do what one alarm is for. None if there was nothing to do (any more)."""
    with at_work(services, campaign, worker, wait=wait) as work:
        alarm = alarms.claim(work.session, alarm_id)
        phase = _still_due(work, alarm)
        if alarm is None or phase is None or work.campaign.status == "paused":
            return None
        if alarm.kind == "publish":
            # Rendering takes its time: nobody else need begin it until this lease ends.
            lease = work.services.settings.render_lease_seconds
            alarm.due_at = work.now + timedelta(seconds=lease)
            attempts = alarm.attempts
        else:
            again = _BY_KIND[alarm.kind](work, phase, alarm, worker)
            if not again:
                alarm.done_at = work.now
            return alarm.kind
    return _publish(services, campaign, worker, attempts)


def _still_due(work: Work, alarm: Alarm | None) -> Phase | None:
    """Look again now that the campaign is ours: the alarm may be done, moved, or for a Phase that is no more."""
    if alarm is None or alarm.done_at is not None or alarm.due_at is None or alarm.due_at > work.now:
        return None
    phase = phases.get(work.session, phases.key_of(alarm))
    if phase is None or phase.state == "void" or phases.key_of(phase) != work.key:
        alarm.done_at = work.now
        return None
    return phase


def _remind(work: Work, phase: Phase, alarm: Alarm, worker: str) -> bool:
    if phase.state == "open":
        calendar.remind(work, phase, roll_call.call(work, phase).missing, f"{alarm.hours}h")
    return False


def _close(work: Work, phase: Phase, alarm: Alarm, worker: str) -> bool:
    if phase.state not in ("open", "grace"):
        return False
    return not sealing.close(work, phase)  # not sealed: the same alarm rings again later


def _adjudicate(work: Work, phase: Phase, alarm: Alarm, worker: str) -> bool:
    if phase.state == "sealed":
        adjudication.adjudicate(work, phase, worker)
    return False


def _draft(work: Work, phase: Phase, alarm: Alarm, worker: str) -> bool:
    if phase.state == "adjudicated":
        key = f"{phase.turn}/{phase.phase}/{phase.incarnation}"
        by_itself = [a.due_at for a in alarms.waiting(work.session, phases.key_of(phase), "publish")]
        work.tell_gm("draft", key, publishes_at=by_itself[0] if by_itself else None)
    return False


_BY_KIND: dict[str, Callable[[Work, Phase, Alarm, str], bool]] = {
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


def _failed(services: Services, alarm_id: int, campaign: str, error: Exception) -> str | None:
    """It will be tried again; the Gamesmaster is told at the first failure and when patience is at its end."""
    with at_work(services, campaign, "worker") as work:
        alarm = alarms.claim(work.session, alarm_id)
        if alarm is None or alarm.done_at is not None:
            return None
        alarm.attempts += 1
        alarm.error = f"{type(error).__name__}: {error}"[:2000]
        wait = PATIENCE[min(alarm.attempts, len(PATIENCE)) - 1]
        alarm.due_at = work.now + timedelta(minutes=wait)
        if alarm.attempts >= IN_A_ROW:
            alarm.due_at = None
        if alarm.attempts in (1, IN_A_ROW):
            key = f"{alarm.id}/{alarm.attempts}"
            work.tell_gm("trouble", key, kind=alarm.kind, detail=alarm.error, last=alarm.attempts >= IN_A_ROW)
        work.audit("trouble", kind=alarm.kind, error=alarm.error, attempts=alarm.attempts)
        return alarm.kind


def retry(services: Services, campaign: str, actor: str = GM) -> int:
    """The cause is gone: what was given up, or waits for its next try, is due now. Gives how many."""
    with at_work(services, campaign, actor, "inviting", "running") as work:
        tried = [alarm for alarm in alarms.waiting(work.session, work.key) if alarm.attempts > 0]
        for alarm in tried:
            alarm.attempts, alarm.due_at = 0, work.now
            work.wake(work.now)
        work.audit("retry", kinds=[alarm.kind for alarm in tried])
        return len(tried)


# --- the clock


def check_clock(services: Services) -> str | None:
    """Why nothing may happen by itself; None if the clock can be believed. Notes that it was looked at."""
    now = services.clock.now()
    with services.store.write() as session:
        clock = campaigns.clock(session)
        if clock.halted_reason is None:
            newest = campaigns.newest_event(session)
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
        subject, text = word("clock", name=name, campaign=campaign, reason=reason)
        key = f"{campaign}/clock/{now.isoformat()}"
        mails.append(Mail(key, "clock", address, name, subject, text, campaign, GM))
    if mails:
        queue_in(services, session, mails, now)


def accept_clock(services: Services, actor: str = GM) -> str | None:
    """The clock is right, go on. Gives what had been in doubt."""
    now = services.clock.now()
    with services.store.write() as session:
        clock = campaigns.clock(session)
        doubt = clock.halted_reason
        clock.halted_at = clock.halted_reason = None
        clock.last_tick_at = now
        record(session, None, now, actor, "clock-accepted", reason=doubt)
    services.wake(now, False)
    return doubt
