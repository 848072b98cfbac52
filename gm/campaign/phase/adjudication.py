"""Adjudicating a sealed Phase once: compute and store the outcome, prepare the next Phase."""

from __future__ import annotations

from datetime import timedelta

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.corrections import with_corrections
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.outcome_json import decode, outcome_to_json
from gm.adjudicator.versions import BEACON_DICE, DICE, reading_of
from gm.campaign.beacon import rounds
from gm.campaign.phase import sheets
from gm.campaign.phase.opening import prepare
from gm.campaign.phase.sealing import WrittenOrders, asked_of_standins, complete, seal, think
from gm.campaign.services import Services
from gm.campaign.transaction import CampaignView, Transaction, at_work
from gm.position import from_json
from gm.reports.proof.beacon import line_of
from gm.reports.proof.fairness import played_text
from gm.store.repositories import alarms, campaigns, phases
from gm.store.tables import Adjudication, PhaseRow

THINKING = timedelta(minutes=5)  # nobody else need begin what stand-ins write


def adjudicate(work: Transaction, phase: PhaseRow, worker: str, written: WrittenOrders | None = None) -> None:
    """Handle the adjudication alarm: compute, store, draw the next Phase's dice, set the alarm for the Bell."""
    if phase.orders_digest is None:  # stand-ins have written; the round of the beacon is here, or given up
        complete(work, phase, written)
    outcome = compute(work, phase)
    if phase.corrections:
        events = [decode(work.board, event) for event in phase.corrections["events"]]
        published = from_json(work.board, phase.corrections["position"])
        outcome = with_corrections(work.board, outcome, published, events)
    work.session.add(
        Adjudication(
            **phases.key_of(phase)._asdict(),
            outcome=outcome_to_json(outcome),
            points={p: [points.red, points.white] for p, points in outcome.points.items()},
            reading=reading_of(phase.position),
            dice=dice_version(work, phase),
            worker=worker,
            at=work.now,
        )
    )
    work.session.flush()  # a second outcome violates the primary key here, before anything follows from it
    phase.state = "adjudicated"
    phase.adjudicated_at = work.now
    for letter in outcome.after.quitters:
        work.seat(letter)[0].status = "quit"
    prepare(work, outcome.after)
    _set_bell_alarm(work, phase)
    work.audit("adjudicate", turn=phase.turn, phase=phase.phase, worker=worker, after=outcome.after.digest)


def dice_version(work: Transaction, phase: PhaseRow) -> int:
    """The version of the digest under which the orders were sealed, perhaps before an upgrade."""
    sealed = phases.sealed(work.session, phases.key_of(phase))
    if any(row.counted is None for row in sealed):
        return 1
    return BEACON_DICE if line_of(rounds.record_of(work, phase)) else DICE


def at_once(work: Transaction, phase: PhaseRow, lease: timedelta = timedelta()) -> None:
    """Seal, where there is no deadline and nobody else is waited for, and adjudicate in this transaction.

    If stand-ins have to write first, that is left to whoever calls `after_standins`: the caller, within `lease`, or
    else a worker.
    """
    began = work.services.processor()
    seal(work, phase)
    if asked_of_standins(work, phase) is not None:
        for alarm in alarms.waiting(work.session, phases.key_of(phase), "adjudicate"):
            alarm.due_at = work.now + lease
        return
    work.silence(phases.key_of(phase), "adjudicate")
    adjudicate(work, phase, work.actor)
    work.audit("played", seconds=round(work.services.processor() - began, 3))


def after_standins(services: Services, campaign: str, worker: str) -> bool:
    """Let the stand-ins of a sealed Phase write while no transaction is open, and adjudicate it if it still waits for
    them. False: there was nothing to do."""
    services = services.working_for(None)  # the Phase is sealed: whoever sealed it, this is the service's own work
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        view = CampaignView(services, session, row) if row is not None else None
        wanted = asked_of_standins(view, view.phase) if view is not None else None
    if wanted is None:
        return False
    assert services.standin is not None
    began = services.processor()
    written = think(services.standin, wanted)
    with at_work(services, campaign, worker) as work:
        phase = work.phase
        now = asked_of_standins(work, phase) if work.campaign.status != "paused" else None
        if now is None or now.phase != wanted.phase:
            return False
        work.silence(wanted.phase, "adjudicate")
        adjudicate(work, phase, worker, written)
        if phase.deadline is None:
            work.audit("played", seconds=round(services.processor() - began, 3))
    return True


COSTLY = ("played", "publish", "what-if")  # what the audit log notes seconds of


def used(work: CampaignView) -> float:
    """Processor seconds that the games of this Gamesmaster's address took within a day."""
    found = campaigns.audited(work.session, work.campaign.gm_address, COSTLY, work.now - timedelta(days=1))
    return sum(float(data.get("seconds", 0)) for data in found)


def has_time(work: CampaignView) -> bool:
    """Whether a game without a deadline may go on today (setting `alone_seconds`)."""
    settings = work.services.settings
    return not settings.alone_seconds or settings.demo or used(work) < settings.alone_seconds


def compute(work: Transaction, phase: PhaseRow) -> Outcome:
    position = work.position(phase)
    board = work.board
    key = phases.key_of(phase)
    orders = {
        row.letter: sheets.sheet_of(board, played_text(row.text, row.counted), position.players)
        for row in phases.sealed(work.session, key)
    }
    assert phase.orders_digest is not None
    chance = ProvableChance(work.secret(key), work.campaign.dice_name, phase.turn, phase.phase, phase.orders_digest)
    return work.services.adjudicate(board, position, orders, chance, work.options.game)


def _set_bell_alarm(work: Transaction, phase: PhaseRow) -> None:
    options = work.options
    # A Gamesmaster who plays sees nothing before the others do.
    if options.publish == "auto" or work.campaign.gm_letter is not None or phase.phase == "setup":
        work.alarm("publish", work.now, phase)
        return
    work.alarm("draft", work.now, phase)
    if options.publish == "draft":
        work.alarm("publish", work.now + timedelta(hours=options.draft_hours), phase)
