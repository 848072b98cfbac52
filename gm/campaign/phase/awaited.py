"""Which players have to order in a Phase, which have, which are ready, and which are still awaited."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Protocol

from sqlalchemy.orm import Session

from gm.campaign.options import EARLY
from gm.campaign.roles import GM
from gm.campaign.transaction import LEAVING as LEAVING
from gm.campaign.transaction import CampaignView, RollCall, display_name
from gm.position import Player
from gm.standin.strategy import Style
from gm.store.repositories import campaigns, people, phases, submissions
from gm.store.repositories.submissions import SubmissionEntry
from gm.store.tables import PhaseRow, Request, SeatRow


def roll_call(work: CampaignView, phase: PhaseRow, entries: list[SubmissionEntry] | None = None) -> RollCall:
    """Who must order in a Phase, who has, who is missing, who is ready. `entries`: what came in, if it is known."""
    key = phases.key_of(phase)
    found = submissions.entries(work.session, key) if entries is None else entries
    away = away_until(phase.full_deadline or phase.deadline, work.absences)
    said = phases.said(work.session, key)
    seats = {seat.letter: seat for seat, _ in work.table}
    played = [seat.letter for seat, holder in work.table if seat.standin and holder is not None]
    return called(
        seats,
        work.position(phase).active,
        found,
        away,
        said,
        bound(work.session, work.campaign.id, work.campaign.gm_letter, played),
        automatic=work.options.ready == "automatic",
    )


def bound(session: Session, campaign: str, gm_letter: str | None, played: Collection[Player]) -> set[Player]:
    """Whose stand-in, of those who hold a seat that one plays, was set by a Gamesmaster who plays: the others do not
    lose the time to order themselves by that."""
    if gm_letter is None or not played:
        return set()
    return (campaigns.standins_set_by(session, campaign, GM) & set(played)) - {gm_letter}


def hurried(work: CampaignView, phase: PhaseRow) -> bool:
    """Whether a Gamesmaster who plays has changed, since the Phase opened, whom it waits for or how early it closes:
    then it has its full time."""
    if phase.opened_at is None or not people.gm_plays_against_others(work.session, work.campaign):
        return False
    done = campaigns.done_by(work.session, work.campaign.id, GM, ("removed", "leave", "charter"), phase.opened_at)
    return any(action != "charter" or not EARLY.isdisjoint(data) for action, data in done)


def ends_grace(work: CampaignView, phase: PhaseRow, roll: RollCall) -> bool:
    """Whether a Phase in its grace waits for nobody any more."""
    return roll.complete and not roll.bound and not hurried(work, phase)


class SeatAwaited(Protocol):
    """What of a seat decides whether it is waited for."""

    @property
    def status(self) -> str: ...

    @property
    def standin(self) -> bool: ...


def called(
    seats: Mapping[Player, SeatAwaited],
    active: Iterable[Player],
    entries: Iterable[SubmissionEntry],
    away: Collection[Player],
    said: Mapping[Player, bool],
    bound: Collection[Player],
    *,
    automatic: bool,
) -> RollCall:
    """The same from what was read: `active` players, `away`, what they `said` of being ready, who is `bound`."""
    on_file = counting(entries)
    there = [letter for letter in active if letter in seats and seats[letter].status not in LEAVING]
    there = [letter for letter in there if letter in on_file or letter not in away]
    expected = tuple(p for p in there if not seats[p].standin or (p in bound and p in on_file))
    missing = tuple(letter for letter in expected if letter not in on_file)
    ready = tuple(
        letter
        for letter in expected
        if letter in on_file
        if said.get(letter, letter in away or (automatic and on_file[letter].clear))
    )
    waiting = tuple(letter for letter, ready in said.items() if not ready)
    by_standins = tuple(p for p in there if p in bound and p not in on_file)
    return RollCall(expected, on_file, missing, waiting, ready, by_standins)


def unawaited(work: CampaignView, phase: PhaseRow) -> list[tuple[SeatRow, str, str]]:
    """Who plays and is not waited for, by name, and why: leaves, standin or away."""
    expected = work.roll.expected if work.roll is not None else ()
    active = work.position(phase).active
    found = ((seat, display_name(seat, holder)) for seat, holder in work.table if seat.letter in active)
    return [
        (seat, name, "leaves" if seat.status in LEAVING else "standin" if seat.standin else "away")
        for seat, name in found
        if seat.letter not in expected
    ]


def away_until(until: datetime | None, absences: Iterable[Request]) -> set[Player]:
    """Who is away from today to the deadline or longer: nobody waits for them."""
    if until is None:
        return set()
    return {row.letter for row in absences if row.ends is not None and row.ends >= until.date()}


def counting(entries: Iterable[SubmissionEntry]) -> dict[Player, SubmissionEntry]:
    """What counts of each seat: the latest version that was taken, unless it was withdrawn."""
    found: dict[Player, SubmissionEntry] = {}
    for entry in entries:
        if entry.status == "taken":
            found[entry.letter] = entry
        elif entry.status == "withdrawn":
            found.pop(entry.letter, None)
    return found


def standin_style(work: CampaignView, letter: Player) -> Style | None:
    """The style of the stand-in that gives this seat's orders if none came; None if none does."""
    if work.services.standin is None:
        return None
    seat, _ = work.seat(letter)
    absent = any(row.letter == letter and row.standin for row in work.absences)
    if not (seat.standin or work.options.nmr == "standin" or absent):
        return None
    return Style(seat.style or work.options.standin)


def on_leave(work: CampaignView, letter: Player) -> bool:
    return any(row.letter == letter for row in work.absences)
