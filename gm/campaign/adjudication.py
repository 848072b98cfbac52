"""Sealed orders become an outcome, once."""

from __future__ import annotations

from datetime import timedelta

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.outcome_json import outcome_to_json
from gm.campaign import sheets
from gm.campaign.opening import prepare
from gm.campaign.work import Work
from gm.store.repositories import phases
from gm.store.tables import Adjudication, Phase


def adjudicate(work: Work, phase: Phase, worker: str) -> None:
    """What the adjudication alarm does: compute, store, draw the next Phase's dice, set the alarm for the Bell."""
    outcome = compute(work, phase)
    work.session.add(
        Adjudication(
            **phases.key_of(phase)._asdict(),
            outcome=outcome_to_json(outcome),
            points={p: [points.red, points.white] for p, points in outcome.points.items()},
            worker=worker,
            at=work.now,
        )
    )
    work.session.flush()  # the primary key speaks here, before anything follows from it
    phase.state = "adjudicated"
    phase.adjudicated_at = work.now
    for letter in outcome.after.quitters:
        work.seat(letter)[0].status = "quit"
    prepare(work, outcome.after)
    _set_bell_alarm(work, phase)
    work.audit("adjudicate", turn=phase.turn, phase=phase.phase, worker=worker, after=outcome.after.digest)


def compute(work: Work, phase: Phase) -> Outcome:
    position = work.position(phase)
    board = work.services.board
    key = phases.key_of(phase)
    orders = {
        row.letter: sheets.sheet_of(board, row.text, position.players) for row in phases.sealed(work.session, key)
    }
    assert phase.orders_digest is not None
    chance = ProvableChance(work.secret(key), work.campaign.dice_name, phase.turn, phase.phase, phase.orders_digest)
    return work.services.adjudicate(board, position, orders, chance, work.options.masses)


def _set_bell_alarm(work: Work, phase: Phase) -> None:
    options = work.options
    # A Gamesmaster who plays sees nothing before the others do.
    if options.publish == "auto" or work.campaign.gm_letter is not None or phase.phase == "setup":
        work.alarm("publish", work.now, phase)
        return
    work.alarm("draft", work.now, phase)
    if options.publish == "draft":
        work.alarm("publish", work.now + timedelta(hours=options.draft_hours), phase)
