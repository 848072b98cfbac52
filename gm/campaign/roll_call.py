"""Who has to order in a Phase, who has, who is waited for."""

from __future__ import annotations

from gm.campaign.work import RollCall, Work
from gm.position import Player
from gm.store.repositories import phases, submissions
from gm.store.repositories.submissions import Entry
from gm.store.tables import Phase

LEAVING = ("resigning", "removed", "quit")  # seats of which nothing is expected any more


def call(work: Work, phase: Phase, entries: list[Entry] | None = None) -> RollCall:
    """From what came in so far (asked for unless the caller knows it)."""
    key = phases.key_of(phase)
    seats = {seat.letter: seat for seat, _ in work.table}
    on_file = standing(submissions.entries(work.session, key) if entries is None else entries)
    expected = tuple(
        letter
        for letter in work.position(phase).active
        if letter in seats and seats[letter].status not in LEAVING and not seats[letter].standin
    )
    missing = tuple(letter for letter in expected if letter not in on_file)
    return RollCall(expected, on_file, missing, tuple(phases.waiting(work.session, key)))


def standing(entries: list[Entry]) -> dict[Player, Entry]:
    """What counts of each seat: the latest version that was taken, unless it was withdrawn."""
    found: dict[Player, Entry] = {}
    for entry in entries:
        if entry.status == "taken":
            found[entry.letter] = entry
        elif entry.status == "withdrawn":
            found.pop(entry.letter, None)
    return found


def played_by_standin(work: Work, letter: Player) -> bool:
    """Whether the stand-in gives this player's orders if none came."""
    if work.services.standin is None:
        return False
    seat, _ = work.seat(letter)
    if seat.standin or work.options.nmr == "standin":
        return True
    return any(row.letter == letter and row.standin for row in work.absences)


def on_leave(work: Work, letter: Player) -> bool:
    return any(row.letter == letter for row in work.absences)
