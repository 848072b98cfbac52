"""A Phase comes into being: its dice are drawn, later it opens with a deadline and its alarms are set."""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.adjudicator.chance import commitment
from gm.campaign.work import Work
from gm.position import Phase as PhaseName
from gm.position import Position, to_json
from gm.store.repositories import alarms, phases
from gm.store.tables import Dice, Phase


def prepare(work: Work, position: Position, erratum: str | None = None) -> Phase:
    """The Phase that begins with this position, pending, with its secret drawn: the Bell before it prints the hash."""
    name = position.phase.value
    ordinal, incarnation = phases.next_numbers(work.session, work.campaign.id, position.turn, name)
    phase = Phase(
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
    secret = work.services.entropy(32)
    work.session.add(
        Dice(
            **phases.key_of(phase)._asdict(),
            secret=secret.hex(),
            commitment=commitment(secret),
            drawn_at=work.now,
        )
    )
    return phase


def stand_at(work: Work, phase: Phase) -> None:
    """The campaign stands in this Phase from now on."""
    work.campaign.turn, work.campaign.phase, work.campaign.incarnation = phase.turn, phase.phase, phase.incarnation


def open_phase(work: Work, phase: Phase, deadline: datetime) -> None:
    phase.state = "open"
    phase.opened_at = work.now
    stand_at(work, phase)
    set_deadline(work, phase, deadline)
    work.audit("open", turn=phase.turn, phase=phase.phase, deadline=deadline.isoformat())


def set_deadline(work: Work, phase: Phase, deadline: datetime) -> None:
    """The Phase closes then: its reminders and its closing are set anew."""
    phase.deadline = deadline
    phase.grace_until = None
    phase.state = "open"
    key = phases.key_of(phase)
    work.silence(key, "remind", "close")
    for hours in sorted(set(work.options.reminders), reverse=True):
        at = deadline - timedelta(hours=hours)
        if at > work.now:
            work.alarm("remind", at, phase, hours=hours)
    work.alarm("close", deadline, phase)


def close_at(work: Work, phase: Phase, at: datetime) -> None:
    """Move the closing of an open Phase: earlier when all orders are in, back when somebody thought again."""
    if work.campaign.status != "paused":
        alarms.move_closing(work.session, phases.key_of(phase), at)
        work.wake(at)


def is_played(position: Position) -> bool:
    """Whether players have anything to order in the Phase that begins here."""
    return position.phase in (PhaseName.PREGAME, PhaseName.FIRST, PhaseName.SECOND)
