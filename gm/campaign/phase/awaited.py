"""Which players have to order in a Phase, which have, which are ready, and which are still awaited."""

from __future__ import annotations

from gm.campaign.transaction import LEAVING as LEAVING
from gm.campaign.transaction import CampaignView, RollCall, display_name
from gm.position import Player
from gm.standin.strategy import Style
from gm.store.repositories import phases, submissions
from gm.store.repositories.submissions import SubmissionEntry
from gm.store.tables import PhaseRow, SeatRow


def roll_call(work: CampaignView, phase: PhaseRow, entries: list[SubmissionEntry] | None = None) -> RollCall:
    """Who must order in a Phase, who has, who is missing, who is ready. `entries`: what came in, if it is known."""
    key = phases.key_of(phase)
    seats = {seat.letter: seat for seat, _ in work.table}
    on_file = counting(submissions.entries(work.session, key) if entries is None else entries)
    away = _away(work, phase)
    expected = tuple(
        letter
        for letter in work.position(phase).active
        if letter in seats and seats[letter].status not in LEAVING and not seats[letter].standin
        if letter in on_file or letter not in away
    )
    missing = tuple(letter for letter in expected if letter not in on_file)
    said = phases.said(work.session, key)
    automatic = work.options.ready == "automatic"
    ready = tuple(
        letter
        for letter in expected
        if letter in on_file
        if said.get(letter, letter in away or (automatic and on_file[letter].clear))
    )
    waiting = tuple(letter for letter, ready in said.items() if not ready)
    return RollCall(expected, on_file, missing, waiting, ready)


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


def _away(work: CampaignView, phase: PhaseRow) -> set[Player]:
    """Who is away from today to the deadline or longer: nobody waits for them."""
    until = phase.full_deadline or phase.deadline
    if until is None:
        return set()
    return {row.letter for row in work.absences if row.ends is not None and row.ends >= until.date()}


def counting(entries: list[SubmissionEntry]) -> dict[Player, SubmissionEntry]:
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
