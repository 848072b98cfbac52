"""What an archive keeps of a Phase, of the press and of the names; the Bell that goes to print binds it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from gm.campaign.transaction import display_name
from gm.reports.proof.fairness import press_digest, record_digest, void_digest
from gm.store.repositories import paper, people, phases
from gm.store.tables import Campaign, Letter, PhaseRow

PUBLIC_STATES = ("published", "void")


def phase_record(session: Session, phase: PhaseRow, over: bool) -> dict[str, Any]:
    """All of a Phase that is over; of one that is not, what players know."""
    key = phases.key_of(phase)
    dice = phases.dice(session, key)
    published = phase.corrections["position"] if phase.corrections else phase.position
    outcome = phases.adjudication(session, key) if over else None
    orders = phases.sealed(session, key) if over else ()
    return {
        "turn": phase.turn,
        "phase": phase.phase,
        "incarnation": phase.incarnation,
        "ordinal": phase.ordinal,
        "state": phase.state if over else "open",
        "erratum": phase.erratum,
        "position": published if over or phase.state in ("open", "grace", "sealed") else None,
        # Of a Phase that was judged they stand in the outcome's events.
        **({"corrections": phase.corrections["events"]} if phase.corrections and outcome is None else {}),
        "opened_at": _time(phase.opened_at),
        "deadline": _time(phase.deadline),
        "published_at": _time(phase.published_at),
        "commitment": dice.commitment,
        "secret": dice.secret if over else None,
        # Archives of campaigns without a beacon are written as they always were.
        **({"beacon_round": dice.beacon_round} if dice.beacon_round is not None else {}),
        **({"beacon": dice.beacon} if over and dice.beacon else {}),
        "orders_digest": phase.orders_digest if over else None,
        "orders": {
            row.letter: {
                "text": row.text,
                "version": row.version,
                "salt": row.salt,
                "receipt": row.receipt,
                "source": row.source,
                **({"counted": row.counted} if row.counted is not None else {}),
                # Which stand-in wrote them; people's orders are written as they always were.
                **({"style": row.style, "standin": row.standin} if row.standin is not None else {}),
            }
            for row in orders
        },
        "reading": outcome.reading if outcome is not None else None,
        "dice": outcome.dice if outcome is not None else None,
        "outcome": outcome.outcome if outcome is not None else None,
    }


def bound(session: Session, phase: PhaseRow) -> str:
    """The digest of a judged Phase's record, which its Bell prints; empty for a Phase that is only announced."""
    return record_digest(phase_record(session, phase, over=True)) if phase.state == "adjudicated" else ""


def void_unreported(session: Session, campaign: str) -> list[tuple[PhaseRow, str, bool]]:
    """Phases that became void since the last issue, unreported: what binds each, and whether it was judged.

    The issue that says why prints them: dice that were cast and came to nothing stay on record as they were.
    """
    last = paper.latest_bell(session, campaign)
    found = []
    for row in phases.history(session, campaign, "void"):
        voided = phases.dice(session, phases.key_of(row)).revealed_at
        if row.published_at is None and not (last and voided and voided < last.published_at):
            record = phase_record(session, row, over=True)
            found.append((row, void_digest(record), record["outcome"] is not None))
    return found


def press_lines(letters: Iterable[Letter], number: int | None = None) -> list[dict[str, Any]]:
    """What was printed of the players' press, as archives keep it. `number`: of the issue that prints it now."""
    return [
        {
            "sender": "" if letter.anonymous else letter.sender,
            "text": letter.text,
            "dateline": letter.dateline,
            "bell": letter.bell if number is None else number,
            "at": letter.at.isoformat(),
        }
        for letter in letters
    ]


def names(session: Session, campaign: Campaign) -> dict[str, Any]:
    """How the campaign and its people are called."""
    seats = people.seats_with_holders(session, campaign.id)
    return {
        "name": campaign.name,
        "paper": campaign.paper,
        "gamesmaster": campaign.gm_name,
        "gamesmaster_plays": campaign.gm_letter,
        "players": {seat.letter: display_name(seat, holder) for seat, holder in seats},
    }


def sealed_with(session: Session, campaign: Campaign, letters: Iterable[Letter]) -> dict[str, Any]:
    """What an issue seals beside itself: the press as the archive keeps it, and the names of the day."""
    return {"press": press_digest(press_lines(letters, campaign.next_bell)), "names": names(session, campaign)}


def _time(value: datetime | None) -> str | None:
    return value.isoformat() if value is not None else None
