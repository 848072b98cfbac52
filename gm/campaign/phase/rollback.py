"""Rolling back to the start of a Phase: everything since is void but kept; an erratum is printed, new dice drawn."""

from __future__ import annotations

from gm.campaign import keys
from gm.campaign.phase import filing
from gm.campaign.phase.opening import carry_farewell, prepare, stand_at
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.transaction import Transaction, at_work
from gm.errors import Invalid, NotAllowed, NotFound
from gm.store.repositories import people, phases
from gm.store.tables import PhaseRow


def rollback(
    services: Services,
    campaign: str,
    turn: int,
    phase: str,
    reason: str,
    actor: str = GM,
    keep_orders: bool = False,
) -> None:
    """Back to the start of a Phase. With keep_orders the orders that were sealed for it stand as first version."""
    if not reason.strip():
        raise Invalid("reason", "an erratum needs its reason", "say what went wrong: it is printed")
    with at_work(services, campaign, actor, "running", "paused", "finished") as work:
        if actor == GM and people.gm_plays_against_others(work.session, work.campaign):
            what = "a Gamesmaster who plays rolls nothing back: it is played again with other dice"
            raise NotAllowed("gm-plays", what, "whoever keeps the installation does it: gm campaign rollback")
        target = phases.latest_incarnation(work.session, campaign, turn, phase)
        if target is None or target.state in ("void", "pending") or phase == "finished":
            what = f"{campaign} has had no {phase} Phase of turn {turn}"
            raise NotFound("phase", what, "gm campaign show lists them")
        again = begin_again(work, target, reason.strip())
        work.campaign.status = "running"
        work.campaign.paused_at = work.campaign.pause_reason = None
        _bring_back_seats(work, again)
        if keep_orders:
            _file_again(work, target)
        work.alarm("publish", work.now, again)
        work.audit("rollback", turn=turn, phase=phase, incarnation=again.incarnation, reason=reason)


def begin_again(work: Transaction, target: PhaseRow, reason: str) -> PhaseRow:
    """Void a Phase and all since; prepare it again with other dice. The next issue says why, with the hash."""
    latest = work.phase
    _void(work, target)
    again = prepare(work, work.position(target), erratum=reason)
    carry_farewell(latest, again)
    again.corrections, again.corrected = target.corrections, target.corrected
    again.course = phases.course(work.session, phases.key_of(target))
    stand_at(work, again)
    return again


def _void(work: Transaction, target: PhaseRow) -> None:
    for row in phases.since(work.session, work.campaign.id, target.ordinal):
        work.silence(phases.key_of(row))
        row.state = "void"
        dice = phases.dice(work.session, phases.key_of(row))
        dice.revealed_at = dice.revealed_at or work.now  # it will never be rolled again


def _bring_back_seats(work: Transaction, again: PhaseRow) -> None:
    """Who left after that Phase is in the game again."""
    gone = work.position(again).quitters
    for seat, holder in work.table:
        if seat.status == "quit" and seat.letter not in gone:
            seat.status = "held"
            if holder is not None:
                holder.role = "player"
        seat.nmr_count = 0


def _file_again(work: Transaction, target: PhaseRow) -> None:
    """The old sealed orders wait, filed ahead, for the Phase to open."""
    for row in phases.sealed(work.session, phases.key_of(target)):
        if row.source == "submitted":
            key = keys.once("again", keys.of_phase(target), row.letter)
            filing.file_ahead(work, row.letter, row.text, target.turn, target.phase, key)
