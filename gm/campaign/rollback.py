"""Begin a Phase again: everything since is void and kept, an erratum is printed, new dice are drawn."""

from __future__ import annotations

from gm.campaign import filing
from gm.campaign.opening import prepare, stand_at
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.campaign.work import Work, at_work
from gm.errors import Invalid, NotFound
from gm.store.repositories import phases
from gm.store.tables import Phase


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
        target = phases.latest_incarnation(work.session, campaign, turn, phase)
        if target is None or target.state in ("void", "pending") or phase == "finished":
            what = f"{campaign} has had no {phase} Phase of turn {turn}"
            raise NotFound("phase", what, "gm campaign show lists them")
        _void(work, target)
        again = prepare(work, work.position(target), erratum=reason.strip())
        stand_at(work, again)
        work.campaign.status = "running"
        work.campaign.paused_at = work.campaign.pause_reason = None
        _bring_back_seats(work, again)
        if keep_orders:
            _file_again(work, target)
        work.alarm("publish", work.now, again)
        work.audit("rollback", turn=turn, phase=phase, incarnation=again.incarnation, reason=reason)


def _void(work: Work, target: Phase) -> None:
    for row in phases.since(work.session, work.campaign.id, target.ordinal):
        work.silence(phases.key_of(row))
        row.state = "void"
        dice = phases.dice(work.session, phases.key_of(row))
        dice.revealed_at = dice.revealed_at or work.now  # it will never be rolled again


def _bring_back_seats(work: Work, again: Phase) -> None:
    """Who left after that Phase is in the game again."""
    gone = work.position(again).quitters
    for seat, _ in work.table:
        if seat.status == "quit" and seat.letter not in gone:
            seat.status = "held"
        seat.nmr_count = 0


def _file_again(work: Work, target: Phase) -> None:
    """The old sealed orders wait, filed ahead, for the Phase to open."""
    for row in phases.sealed(work.session, phases.key_of(target)):
        if row.source == "submitted":
            key = f"again/{target.turn}/{target.phase}/{target.incarnation}/{row.letter}"
            filing.file_ahead(work, row.letter, row.text, target.turn, target.phase, key)
