"""Changing deadlines: extend, pause, resume, close early, remind; players' requests for extensions and absences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from gm.campaign import keys, schedule
from gm.campaign.mailbox import gm_sight
from gm.campaign.manage.creation import needs_standin
from gm.campaign.manage.who_plays import must_not_play
from gm.campaign.phase import awaited, filing
from gm.campaign.phase.opening import close_at, set_deadline, tell_deadline
from gm.campaign.phase.sealing import seal, without_orders
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.tokens import strike_secrets
from gm.campaign.transaction import LEAVING, Transaction, at_work, campaign_row, display_name
from gm.errors import Invalid, NotFound, NotNow
from gm.gamedate import phase_name
from gm.store.repositories import alarms, paper
from gm.store.tables import DecisionRow, PhaseRow, Request
from gm.wording import word_list

FARTHEST = timedelta(days=366)  # that a deadline is set to, or an absence told of
EXAMPLE = 48  # hours more, as the mail about such a request reckons them
MOST_ABSENCES = 10  # absences of one seat that wait for an answer


def _open_phase(work: Transaction) -> PhaseRow:
    phase = work.phase
    if phase.state not in ("open", "grace") or phase.deadline is None:
        raise _not_open(work)
    return phase


def _not_open(work: Transaction) -> NotNow:
    return NotNow("not-open", f"the Phase of {work.campaign.id} is {work.phase.state}", "wait until one is open")


def extend(
    services: Services,
    campaign: str,
    *,
    hours: float | None = None,
    until: datetime | None = None,
    reason: str = "",
    shorten: bool = False,
    actor: str = GM,
) -> datetime:
    """Move the deadline of the open Phase and tell everybody. Gives the new one."""
    with at_work(services, campaign, actor, "running", "paused") as work:
        if (hours is None) == (until is None):
            raise Invalid("extend", "say by how many hours, or until when", "--hours or --until, not both")
        return _extend(work, until or _later(work, hours), reason, shorten)


def _holds(phase: PhaseRow) -> datetime:
    """Until when orders for an open Phase are taken, as everybody was told."""
    assert phase.deadline is not None
    return phase.grace_until or phase.deadline


def _later(work: Transaction, hours: float | None) -> datetime:
    """So many hours after the deadline that was set, also if there is grace now: its time of day is the usual one."""
    phase = _open_phase(work)
    assert phase.deadline is not None
    return phase.deadline + timedelta(hours=hours or 0)


def _extend(
    work: Transaction, new: datetime, reason: str, shorten: bool = False, asked_by: str | None = None
) -> datetime:
    phase = _open_phase(work)
    old = _holds(phase)
    if new <= work.now:
        raise Invalid("past", f"{new:%Y-%m-%d %H:%M} UTC is past", "choose a time to come")
    if new > work.now + FARTHEST:
        raise Invalid("far", f"{new:%Y-%m-%d} is more than a year away", "choose a nearer time, or pause the campaign")
    if new == old:
        raise Invalid("same", f"the deadline is {new:%Y-%m-%d %H:%M} UTC already", "choose another time")
    if new < old and not (shorten and reason.strip()):
        what = f"{new:%Y-%m-%d %H:%M} UTC is before the deadline that everybody was told, {old:%Y-%m-%d %H:%M} UTC"
        raise Invalid("shorter", what, "a deadline is a promise: to break it, give --shorten and a --reason")
    if new < old:
        must_not_play(work)
    full = phase.full_deadline
    set_deadline(work, phase, new)
    if full is not None and old < new < full:  # NOT READY still brings the full time back
        phase.full_deadline = full
    work.campaign.paused_at = None  # a deadline that is set in a pause stands after it
    key = keys.once(new.isoformat(), work.now.isoformat())
    asker = display_name(*work.seat(asked_by)) if asked_by else ""
    roll = awaited.roll_call(work, phase)
    facts = {"deadline": new, "old": old, "reason": reason, "asked_by": asked_by, "asker": asker}
    facts |= {"ordered": tuple(roll.orders), "missing": roll.missing}
    tell_deadline(work, phase, "extended", key, **facts)
    work.audit("extend", old=old.isoformat(), new=new.isoformat(), reason=reason)
    return new


def pause(services: Services, campaign: str, reason: str = "", actor: str = GM) -> None:
    """Pause a campaign: no alarm is handled until it is resumed. Orders are still taken."""
    with at_work(services, campaign, actor, "running") as work:
        work.campaign.status = "paused"
        work.campaign.paused_at = work.now
        work.campaign.pause_reason = reason
        for alarm in alarms.waiting(work.session, work.key):
            alarm.due_at = None
        phase = work.phase
        left = _holds(phase) - work.now if phase.state in ("open", "grace") and phase.deadline else None
        days, hours = divmod(int(left.total_seconds() // 3600), 24) if left else (0, 0)
        facts = {"reason": reason, "left": left, "days": days, "hours": hours}
        tell_deadline(work, phase, "paused", work.now.isoformat(), **facts)
        work.audit("pause", reason=reason)


def resume(services: Services, campaign: str, actor: str = GM) -> datetime | None:
    """Resume a paused campaign: at least as much time is left as was, to the time of day that was set, and what
    players said stands. Returns the deadline."""
    with at_work(services, campaign, actor, "paused") as work:
        since = work.campaign.paused_at
        work.campaign.status = "running"
        work.campaign.paused_at = None
        work.campaign.pause_reason = None
        phase = work.phase
        if phase.state == "open" and phase.deadline is not None:
            set_deadline(
                work, phase, schedule.resumed(work.options, phase.full_deadline or phase.deadline, since, work.now)
            )
            filing.consider_early_close(work, phase, tell=False)  # everybody is told below
        elif phase.state == "grace" and phase.grace_until is not None:
            phase.grace_until = schedule.after_pause(phase.grace_until, since or work.now, work.now)
            close_at(work, phase, phase.grace_until)
        for alarm in alarms.waiting(work.session, work.key, "adjudicate", "draft", "publish"):
            looks = alarm.kind == "publish" and phase.state == "adjudicated" and work.options.publish == "draft"
            alarm.due_at = work.now + timedelta(hours=work.options.draft_hours if looks else 0)
            work.wake(alarm.due_at)
        holds = _holds(phase) if phase.deadline and phase.state in ("open", "grace") else None
        roll = awaited.roll_call(work, phase)
        facts: dict[str, object] = {
            "deadline": holds,
            "nearer": phase.full_deadline is not None,
            "grace": phase.state == "grace",
        }
        early = work.options.early_close and phase.state == "open"
        facts |= {"ordered": tuple(roll.orders), "missing": roll.missing, "early": early}
        facts["ready"] = roll.ready if early else ()
        facts["late"] = [display_name(*work.seat(letter)) for letter in roll.missing]
        tell_deadline(work, phase, "resumed", work.now.isoformat(), **facts)
        work.audit("resume", deadline=holds.isoformat() if holds else None)
        return holds


def close_early(services: Services, campaign: str, actor: str = GM, reason: str = "") -> None:
    """Seal the Phase now, whoever is missing. What was sent before counts. The Bell prints that and why."""
    services.settle(services.working_for(None), services.clock.now())
    with at_work(services, campaign, actor, "running") as work:
        phase = work.phase if work.phase.deadline is None else _open_phase(work)
        if phase.state not in ("open", "grace"):
            raise _not_open(work)
        must_not_play(work)
        _print_that_closed(work, phase, reason.strip())
        seal(work, phase)
        work.audit("close-early", turn=phase.turn, phase=phase.phase, reason=reason)


def _print_that_closed(work: Transaction, phase: PhaseRow, reason: str) -> None:
    if phase.deadline is None or work.now >= _holds(phase):
        return
    words, zone = word_list("bell/words"), work.options.zone
    told = {"at": schedule.local(work.now, zone), "deadline": schedule.local(_holds(phase), zone)}
    text = words["closed_early" if work.actor == GM else "closed_early_by_keeper"].format(**told)
    row = DecisionRow(**work.key._asdict(), text=text, reason=reason or words["no_reason"], at=work.now)
    work.session.add(row)


def nudge(services: Services, campaign: str, letters: Sequence[str] | None = None, actor: str = GM) -> tuple[str, ...]:
    """Remind now who has not ordered. Gives their letters."""
    with at_work(services, campaign, actor, "running", "paused") as work:
        phase = _open_phase(work)
        missing = awaited.roll_call(work, phase).missing
        chosen = tuple(letter for letter in missing if letters is None or letter in letters)
        remind(work, phase, chosen, keys.once("nudge", work.now.isoformat()))
        work.audit("nudge", letters=list(chosen))
        return chosen


def remind(work: Transaction, phase: PhaseRow, letters: Sequence[str], key: str) -> None:
    assert phase.deadline is not None
    name = phase_name(phase.turn, phase.phase)
    full = keys.once(keys.of_phase(phase), phase.deadline.isoformat(), key)
    until = phase.grace_until or phase.deadline
    facts = {
        "phase_name": name,
        "deadline": until,
        "left": round((until - work.now).total_seconds() / 3600),
        "grace": 0 if phase.grace_until else work.options.grace_hours,
    }
    for letter in letters:
        work.tell(letter, "reminder", full, fate=without_orders(work, phase, letter), **facts)


# --- what players ask


def ask_extension(services: Services, campaign: str, letter: str, reason: str, key: str | None = None) -> int:
    """A player asks for more time; the Gamesmaster is told."""
    with at_work(services, campaign, letter, "running", "paused") as work:
        row = _request(work, "extension", letter, reason, key)
        return row.id


def absent(
    services: Services,
    campaign: str,
    letter: str,
    start: date,
    end: date,
    note: str = "",
    standin: bool = False,
    key: str | None = None,
) -> int:
    """A player will be away; the Gamesmaster is told, and the stand-in may play for them."""
    if standin:
        needs_standin(services)
    if not _near(services, start) or not _near(services, end):
        raise Invalid("dates", "that is more than a year away", "give days of this year or the next")
    if end < start:
        raise Invalid("dates", "the absence ends before it begins", "give the first day first")
    with at_work(services, campaign, letter) as work:
        row = _request(work, "absence", letter, note, key, start, end, standin)
        return row.id


def _near(services: Services, day: date) -> bool:
    return abs(day - services.clock.now().date()) <= FARTHEST


def _request(
    work: Transaction,
    kind: str,
    letter: str,
    note: str,
    key: str | None,
    starts: date | None = None,
    ends: date | None = None,
    standin: bool = False,
) -> Request:
    full_key = key or keys.new(kind, work.services.entropy(12))
    known = paper.request_by_key(work.session, work.campaign.id, full_key)
    if known is not None:
        return known
    if (again := _asked_before(work, kind, letter)) is not None:
        again.note = strike_secrets(note).strip()
        return again
    seat, holder = work.seat(letter)
    if seat.status in LEAVING:
        raise NotNow("quit", "you are out of the game", "nobody waits for your orders")
    row = Request(
        campaign_id=work.campaign.id,
        letter=letter,
        kind=kind,
        note=strike_secrets(note).strip(),
        starts=starts,
        ends=ends,
        standin=standin,
        state="asked",
        key=full_key,
        at=work.now,
    )
    work.session.add(row)
    work.session.flush()
    who = holder.name if holder else letter
    facts = {"kind": kind, "who": who, "seat": letter, "note": row.note, "starts": starts, "ends": ends, "id": row.id}
    work.tell_gm("asked", keys.once(str(row.id)), **facts, **_to_decide_by(work))
    work.audit(kind, letter=letter, note=note, starts=str(starts or ""), ends=str(ends or ""))
    if kind == "absence":
        _reconsider(work)
    return row


def _to_decide_by(work: Transaction) -> dict[str, object]:
    """What a Gamesmaster needs to know who is asked for more time. One who plays knows no more than the others."""
    phase, paused = work.phase, work.campaign.status == "paused"
    due = phase.deadline if phase.state in ("open", "grace") else None
    told = due is not None and gm_sight.shows_ready(work.campaign)
    roll = awaited.roll_call(work, phase) if told else None
    names = {seat.letter: display_name(seat, holder) for seat, holder in work.table}
    hours = schedule.more_hours(due, _holds(phase), EXAMPLE) if due else EXAMPLE
    return {
        "phase_name": phase_name(phase.turn, phase.phase) if due else "",
        "deadline": due,
        "hours": hours,
        "later": due + timedelta(hours=hours) if due else None,
        "paused": paused,
        "ordered": [names[p] for p in roll.expected if p not in roll.missing] if roll else None,
        "missing": [names[p] for p in roll.missing] if roll else [],
    }


def _asked_before(work: Transaction, kind: str, letter: str) -> Request | None:
    """Who asks for more time twice in a Phase has one request, of which the Gamesmaster is told once."""
    asked = paper.requests(work.session, work.campaign.id, "asked")
    waiting = [row for row in asked if (row.kind, row.letter) == (kind, letter)]
    if kind == "extension":
        return next((row for row in waiting if row.at >= (work.phase.opened_at or row.at)), None)
    if len(waiting) >= MOST_ABSENCES:
        what = f"{len(waiting)} absences of yours wait for the Gamesmaster's answer"
        raise NotNow("absences", what, "wait for it", letter=letter)
    return None


def _reconsider(work: Transaction) -> None:
    """After a change of who is away: perhaps everybody who is waited for is ready now, or no longer."""
    work.forget_absences()
    if work.phase.state in ("open", "grace"):
        filing.consider_early_close(work, work.phase)


def requests(services: Services, campaign: str, state: str | None = None) -> list[Request]:
    with services.store.read() as session:
        campaign_row(session, campaign)
        return list(paper.requests(session, campaign, state))


def settle_request(
    services: Services,
    campaign: str,
    request_id: int,
    granted: bool,
    actor: str = GM,
    hours: float | None = None,
    until: datetime | None = None,
) -> datetime | None:
    """The Gamesmaster answers; the player is told. To grant more time is to extend: gives the new deadline."""
    with at_work(services, campaign, actor) as work:
        row = paper.request(work.session, request_id)
        if row is None or row.campaign_id != campaign:
            raise NotFound("request", f"{campaign} has no request {request_id}", "gm campaign show lists them")
        if row.state != "asked":
            raise NotNow(
                "settled", f"request {request_id} is {row.state} already", "gm campaign show lists what is open"
            )
        new = None
        if granted and row.kind == "extension":
            if (hours is None) == (until is None):
                what = "say how much more time: by how many hours, or until when"
                raise Invalid("extend", what, "--hours or --until, not both")
            new = _extend(work, until or _later(work, hours), "", asked_by=row.letter)
        row.state = "granted" if granted else "declined"
        if new is None:
            facts = {"kind": row.kind, "granted": granted, "starts": row.starts, "ends": row.ends}
            due = _holds(work.phase) if work.phase.state in ("open", "grace") and work.phase.deadline else None
            work.tell(row.letter, "answered", keys.once(str(row.id), row.state), deadline=due, **facts)
            work.session.flush()
            _reconsider(work)
        work.audit("settle", request=request_id, granted=granted)
        return new
