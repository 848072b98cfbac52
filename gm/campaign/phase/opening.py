"""Preparing and opening a Phase: its dice secret is drawn; later it opens with a deadline and alarms; moving those."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from gm.adjudicator.chance import commitment
from gm.campaign import keys
from gm.campaign.phase import awaited
from gm.campaign.ports import Attachment
from gm.campaign.transaction import LEAVING, Transaction, display_name
from gm.gamedate import phase_name
from gm.position import Phase as PhaseName
from gm.position import Position, to_json
from gm.reports.render.ics import moved_deadline
from gm.store.repositories import alarms, paper, phases
from gm.store.tables import Dice, PhaseRow

EXAMPLE = 24  # hours more, as mails to the Gamesmaster reckon them


def prepare(work: Transaction, position: Position, erratum: str | None = None) -> PhaseRow:
    """The Phase that begins with this position, pending, with its secret drawn: the Bell before it prints the hash."""
    name = position.phase.value
    ordinal, incarnation = phases.next_numbers(work.session, work.campaign.id, position.turn, name)
    phase = PhaseRow(
        campaign_id=work.campaign.id,
        turn=position.turn,
        phase=name,
        incarnation=incarnation,
        ordinal=ordinal,
        state="pending",
        position=to_json(position),
        erratum=erratum,
    )
    work.session.add(phase)
    work.session.flush()
    dice = Dice(**phases.key_of(phase)._asdict())
    draw(work, dice)
    work.session.add(dice)
    return phase


def carry_farewell(earlier: PhaseRow, later: PhaseRow) -> None:
    """The farewell is written before anybody knows which issue is the last: it waits from Phase to Phase."""
    kept = earlier.editorial or {}
    if kept.get("farewell"):
        later.editorial = {"farewell": kept["farewell"], **(later.editorial or {})}


def draw(work: Transaction, dice: Dice) -> None:
    """Draw the secret of a Phase of which no hash was printed yet."""
    secret = work.services.entropy(32)
    dice.secret, dice.commitment, dice.drawn_at = secret.hex(), commitment(secret), work.now


def stand_at(work: Transaction, phase: PhaseRow) -> None:
    """Make this Phase the present one of the campaign."""
    work.campaign.turn, work.campaign.phase, work.campaign.incarnation = phase.turn, phase.phase, phase.incarnation


def open_phase(work: Transaction, phase: PhaseRow, deadline: datetime | None) -> None:
    """Open a Phase for orders. Without a deadline it ends when they are there."""
    phase.state = "open"
    phase.opened_at = work.now
    stand_at(work, phase)
    if deadline is not None:
        set_deadline(work, phase, deadline)
    work.audit("open", turn=phase.turn, phase=phase.phase, deadline=deadline.isoformat() if deadline else None)


def set_deadline(work: Transaction, phase: PhaseRow, deadline: datetime) -> None:
    """Set the deadline of a Phase, and its reminders and closing with it."""
    phase.deadline = deadline
    phase.full_deadline = phase.grace_until = None
    phase.state = "open"
    key = phases.key_of(phase)
    work.silence(key, "remind", "close")
    for hours in sorted(set(work.options.reminders), reverse=True):
        at = deadline - timedelta(hours=hours)
        if at > work.now:
            work.alarm("remind", at, phase, hours=hours)
    work.alarm("close", deadline, phase)


def bring_nearer(work: Transaction, phase: PhaseRow, at: datetime, tell: bool = True) -> None:
    """Everybody is ready: a nearer deadline holds, and all who could still change something are told."""
    full = phase.deadline
    set_deadline(work, phase, at)
    phase.full_deadline = full
    if tell:
        _tell_nearer(work, phase, full)


def move_back(work: Transaction, phase: PhaseRow) -> None:
    """Somebody is not ready any more: the full time holds again, and the same people are told."""
    assert phase.full_deadline is not None
    nearer = phase.deadline
    set_deadline(work, phase, phase.full_deadline)
    _tell_nearer(work, phase, nearer)


def _tell_nearer(work: Transaction, phase: PhaseRow, old: datetime | None) -> None:
    nearer = phase.full_deadline is not None
    key = keys.once(keys.of_phase(phase), f"{phase.deadline:%Y%m%dT%H%M}", work.now.isoformat())
    others, roll = awaited.unawaited(work, phase), work.roll
    facts = {
        "deadline": phase.deadline,
        "old": old,
        "nearer": nearer,
        "still": phase.deadline is not None and phase.deadline > work.now,
        "automatic": work.options.ready == "automatic",
        "unawaited": [(name, why) for _, name, why in others],
        "ready": roll.ready if roll is not None else (),
        "asked": _named(work, [p for p in roll.unready if p in roll.waiting]) if roll is not None else [],
        "unready": _named(work, [p for p in roll.unready if p not in roll.waiting]) if roll is not None else [],
        "shown": work.options.show_ready,
        "vacant": [(seat.letter, name) for seat, name, why in others if why == "leaves"],
        "hours": EXAMPLE,
        "later": phase.deadline + timedelta(hours=EXAMPLE) if phase.deadline is not None else None,
    }
    tell_deadline(work, phase, "closing", key, **facts)
    assert phase.deadline is not None
    work.audit("closing", deadline=phase.deadline.isoformat(), nearer=nearer)


def _named(work: Transaction, letters: Sequence[str]) -> list[str]:
    return [display_name(*work.seat(letter)) for letter in letters]


def tell_deadline(work: Transaction, phase: PhaseRow, template: str, key: str, **facts: object) -> None:
    """Tell all who play on, and the Gamesmaster, about the deadline, with an entry that replaces the one in their
    calendars. Whoever is being answered learns it by the answer."""
    work.entry = calendar_entry(work, phase) if template != "paused" else called_off(work, phase)
    tell_all(work, template, key, work.entry, phase_name=phase_name(phase.turn, phase.phase), **facts)


def tell_all(
    work: Transaction, template: str, key: str, attachments: tuple[Attachment, ...] = (), /, **facts: object
) -> None:
    """All who play on, but for the one who is being answered, and a Gamesmaster who does not play."""
    for seat, _ in work.table:
        if seat.status not in LEAVING and seat.letter != work.answering:
            work.tell(seat.letter, template, key, attachments, **facts)
    if work.campaign.gm_letter is None:
        work.tell_gm(template, key, attachments, **facts)


def calendar_entry(work: Transaction, phase: PhaseRow) -> tuple[Attachment, ...]:
    """The deadline that holds, in place of the one that the last Bell brought."""
    return _entry(work, phase, "deadline.ics") if phase.state == "open" else ()


def called_off(work: Transaction, phase: PhaseRow) -> tuple[Attachment, ...]:
    """Takes a deadline that is still to come out of calendars."""
    still = phase.deadline is not None and phase.deadline > work.now
    return _entry(work, phase, "no-deadline.ics", cancelled=True) if still else ()


def _entry(work: Transaction, phase: PhaseRow, name: str, cancelled: bool = False) -> tuple[Attachment, ...]:
    bell = paper.latest_bell(work.session, work.campaign.id)
    if bell is None or phase.deadline is None:
        return ()
    what = phase_name(phase.turn, phase.phase)
    about = (work.campaign.name, work.campaign.paper, bell.number, what, phase.deadline, work.now)
    return (Attachment(name, "text/calendar", moved_deadline(*about, cancelled=cancelled)),)


def close_at(work: Transaction, phase: PhaseRow, at: datetime) -> None:
    """Move the closing of a Phase in its grace: earlier when the last orders are in, back when they are withdrawn."""
    if work.campaign.status != "paused":
        alarms.move_closing(work.session, phases.key_of(phase), at)
        work.wake(at)


def is_played(position: Position) -> bool:
    """Whether players have anything to order in the Phase that begins here."""
    return position.phase in (PhaseName.PREGAME, PhaseName.FIRST, PhaseName.SECOND)
