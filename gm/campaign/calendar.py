"""The Gamesmaster's hand on the clock: extend, pause, resume, close early, nudge; and what players ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from gm.campaign import roll_call
from gm.campaign.lifecycle import needs_standin
from gm.campaign.opening import close_at, set_deadline
from gm.campaign.sealing import seal
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.campaign.work import Work, at_work, no_campaign
from gm.errors import Invalid, NotFound, NotNow
from gm.orders.calendar import phase_name
from gm.store.repositories import alarms, campaigns, paper
from gm.store.tables import Phase, Request


def _open_phase(work: Work) -> Phase:
    phase = work.phase
    if phase.state not in ("open", "grace") or phase.deadline is None:
        raise NotNow("not-open", f"the Phase of {work.campaign.id} is {phase.state}", "wait until one is open")
    return phase


def extend(
    services: Services,
    campaign: str,
    *,
    hours: float | None = None,
    until: datetime | None = None,
    reason: str = "",
    actor: str = GM,
) -> datetime:
    """Move the deadline of the open Phase and tell everybody. Gives the new one."""
    with at_work(services, campaign, actor, "running", "paused") as work:
        phase = _open_phase(work)
        assert phase.deadline is not None
        if (hours is None) == (until is None):
            raise Invalid("extend", "say by how many hours, or until when", "--hours or --until, not both")
        new = until if until is not None else phase.deadline + timedelta(hours=hours or 0)
        if new <= work.now:
            raise Invalid("past", f"{new:%Y-%m-%d %H:%M} UTC is past", "choose a time to come")
        old = phase.deadline
        set_deadline(work, phase, new)
        for seat, _ in work.table:
            work.tell(
                seat.letter,
                "extended",
                new.isoformat(),
                deadline=new,
                old=old,
                reason=reason,
                phase_name=phase_name(phase.turn, phase.phase),
            )
        work.audit("extend", old=old.isoformat(), new=new.isoformat(), reason=reason)
        return new


def pause(services: Services, campaign: str, reason: str = "", actor: str = GM) -> None:
    """Nothing happens by itself until it is resumed. Orders are still taken."""
    with at_work(services, campaign, actor, "running") as work:
        work.campaign.status = "paused"
        work.campaign.paused_at = work.now
        work.campaign.pause_reason = reason
        for alarm in alarms.waiting(work.session, work.key):
            alarm.due_at = None
        for seat, _ in work.table:
            work.tell(seat.letter, "paused", work.now.isoformat(), reason=reason)
        work.audit("pause", reason=reason)


def resume(services: Services, campaign: str, actor: str = GM) -> datetime | None:
    """Go on; the deadline moves by as long as the pause was. Gives the new one."""
    with at_work(services, campaign, actor, "paused") as work:
        assert work.campaign.paused_at is not None
        away = work.now - work.campaign.paused_at
        work.campaign.status = "running"
        work.campaign.paused_at = None
        work.campaign.pause_reason = None
        phase = work.phase
        if phase.state == "open" and phase.deadline is not None:
            set_deadline(work, phase, phase.deadline + away)
        elif phase.state == "grace" and phase.grace_until is not None:
            phase.grace_until += away
            close_at(work, phase, phase.grace_until)
        for alarm in alarms.waiting(work.session, work.key, "adjudicate", "draft", "publish"):
            looks = alarm.kind == "publish" and phase.state == "adjudicated" and work.options.publish == "draft"
            alarm.due_at = work.now + timedelta(hours=work.options.draft_hours if looks else 0)
            work.wake(alarm.due_at)
        for seat, _ in work.table:
            work.tell(seat.letter, "resumed", work.now.isoformat(), deadline=phase.deadline)
        work.audit("resume", deadline=phase.deadline.isoformat() if phase.deadline else None)
        return phase.deadline


def close_early(services: Services, campaign: str, actor: str = GM) -> None:
    """Seal the Phase now, whoever is missing."""
    with at_work(services, campaign, actor, "running") as work:
        phase = _open_phase(work)
        seal(work, phase)
        work.audit("close-early", turn=phase.turn, phase=phase.phase)


def nudge(services: Services, campaign: str, letters: Sequence[str] | None = None, actor: str = GM) -> tuple[str, ...]:
    """Remind now who has not ordered. Gives their letters."""
    with at_work(services, campaign, actor, "running", "paused") as work:
        phase = _open_phase(work)
        missing = roll_call.call(work, phase).missing
        chosen = tuple(letter for letter in missing if letters is None or letter in letters)
        remind(work, phase, chosen, f"nudge/{work.now.isoformat()}")
        work.audit("nudge", letters=list(chosen))
        return chosen


def remind(work: Work, phase: Phase, letters: Sequence[str], key: str) -> None:
    assert phase.deadline is not None
    name = phase_name(phase.turn, phase.phase)
    full = f"{phase.turn}/{phase.phase}/{phase.incarnation}/{phase.deadline.isoformat()}/{key}"
    for letter in letters:
        work.tell(letter, "reminder", full, phase_name=name, deadline=phase.grace_until or phase.deadline)


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
    """A player will be away; the Gamesmaster is told, and the stand-in may play for him."""
    if standin:
        needs_standin(services)
    if end < start:
        raise Invalid("dates", "the absence ends before it begins", "give the first day first")
    with at_work(services, campaign, letter) as work:
        row = _request(work, "absence", letter, note, key, start, end, standin)
        return row.id


def _request(
    work: Work,
    kind: str,
    letter: str,
    note: str,
    key: str | None,
    starts: date | None = None,
    ends: date | None = None,
    standin: bool = False,
) -> Request:
    full_key = key or f"{kind}/{work.services.entropy(12).hex()}"
    known = paper.request_by_key(work.session, work.campaign.id, full_key)
    if known is not None:
        return known
    _, holder = work.seat(letter)
    row = Request(
        campaign_id=work.campaign.id,
        letter=letter,
        kind=kind,
        note=note.strip(),
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
    work.tell_gm("asked", f"{row.id}", **facts)
    work.audit(kind, letter=letter, note=note, starts=str(starts or ""), ends=str(ends or ""))
    return row


def requests(services: Services, campaign: str, state: str | None = None) -> list[Request]:
    with services.store.read() as session:
        if campaigns.get(session, campaign) is None:
            raise no_campaign(campaign)
        return list(paper.requests(session, campaign, state))


def settle_request(services: Services, campaign: str, request_id: int, granted: bool, actor: str = GM) -> None:
    """The Gamesmaster answers; the player is told. Extending itself is a step of its own."""
    with at_work(services, campaign, actor) as work:
        row = paper.request(work.session, request_id)
        if row is None or row.campaign_id != campaign:
            raise NotFound("request", f"{campaign} has no request {request_id}", "gm campaign show lists them")
        row.state = "granted" if granted else "declined"
        work.tell(row.letter, "answered", f"{row.id}/{row.state}", kind=row.kind, granted=granted, note=row.note)
        work.audit("settle", request=request_id, granted=granted)
