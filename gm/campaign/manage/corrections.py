"""Correcting a campaign: the published position of an open Phase, or a result of a draft. Everybody is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.adjudicator.corrections import corrected, with_corrections
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.outcome import Corrected, Outcome
from gm.adjudicator.outcome_json import encode, outcome_from_json, outcome_to_json
from gm.campaign import keys
from gm.campaign.phase import awaited, sheets
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.transaction import Transaction, at_work
from gm.errors import NotAllowed, NotNow
from gm.gamedate import phase_name
from gm.orders.parser import parse
from gm.orders.receipt import receipt_text, review
from gm.position import Position
from gm.reports.issue import PlayerInfo
from gm.reports.view.corrections import told
from gm.store.repositories import people, phases, submissions
from gm.store.tables import PhaseRow
from gm.wording import fold

SEALED = "the orders of the Phase are sealed"


def correct(
    services: Services,
    campaign: str,
    lines: Sequence[str],
    *,
    reason: str,
    rule: str = "",
    insist: bool = False,
    actor: str = GM,
    keeper: bool = False,
) -> str:
    """Correct what stands on the map or in a box. Gives what everybody is told.

    While a Phase is open it is the published position, and all are mailed at once; of a draft, which nobody has seen,
    it is the result, and its issue prints it. `keeper`: who keeps the installation does it, as they must where the
    Gamesmaster plays.
    """
    with at_work(services, campaign, actor, "running", "paused") as work:
        if work.campaign.gm_letter is not None and not keeper:
            what = "a Gamesmaster who plays corrects nothing"
            raise NotAllowed("gm-plays", what, "whoever keeps the installation does it: gm campaign correct")
        draft = work.phase.state == "adjudicated"
        if not draft and work.phase.state not in ("open", "grace"):
            raise NotNow("sealed", SEALED, "correct it when the next issue is out, or in its draft")
        stood, outcome = _stands(work, work.phase, draft)
        event = corrected(work.board, stood, lines, reason=reason, rule=rule, draft=draft, insist=insist)
        words = told(work.board, event, outcome, _players(work))
        if draft:
            _overrule(work, work.phase, outcome, event)
        else:
            _republish(work, work.phase, stood, event)
            _tell(work, work.phase, words)
        facts = {"lines": list(lines), "reason": event.reason, "insisted": list(event.insisted)}
        work.audit("correct", **facts, draft=draft, turn=work.phase.turn, phase=work.phase.phase)
        return words


def current_position(services: Services, campaign: str) -> Position | None:
    """What a correction would be made on: the open Phase's position or the draft's; None where there is neither."""
    with at_work(services, campaign, GM) as work:
        draft = work.phase.state == "adjudicated"
        if not draft and work.phase.state not in ("open", "grace"):
            return None
        return _stands(work, work.phase, draft)[0]


def _stands(work: Transaction, phase: PhaseRow, draft: bool) -> tuple[Position, Outcome]:
    if not draft:
        position = work.position(phase)
        return position, Outcome(position, position, (), (), (), {})
    row = phases.adjudication(work.session, phases.key_of(phase))
    assert row is not None
    outcome = outcome_from_json(work.board, row.outcome)
    return outcome.after, outcome


def _players(work: Transaction) -> dict[str, PlayerInfo]:
    return {seat.letter: PlayerInfo(holder.name if holder else seat.letter) for seat, holder in work.table}


def _republish(work: Transaction, phase: PhaseRow, stood: Position, event: Corrected) -> None:
    known = phase.corrections or {"position": phase.position, "events": []}
    phase.corrections = {**known, "events": [*known["events"], encode(event)]}
    phase.corrected = len(phase.corrections["events"])
    work.correct(phase, replay(work.board, stood, [event]))


def _overrule(work: Transaction, phase: PhaseRow, outcome: Outcome, event: Corrected) -> None:
    row = phases.adjudication(work.session, phases.key_of(phase))
    assert row is not None
    made = with_corrections(work.board, outcome, outcome.before, (), (event,))
    row.outcome = outcome_to_json(made)
    row.points = {p: [points.red, points.white] for p, points in made.points.items()}
    work.correct(phases.since(work.session, work.campaign.id, phase.ordinal + 1)[-1], made.after)


def _tell(work: Transaction, phase: PhaseRow, words: str) -> None:
    """Mail everybody at once; sheets on file are checked again, and their owners told how they stand now."""
    checked = dict(_checked_again(work, phase))
    key = keys.once(work.now.isoformat(), phase.corrected)
    facts = {"words": words, "phase_name": phase_name(phase.turn, phase.phase)}
    for seat, _ in work.table:
        work.tell(seat.letter, "correction", key, receipt=checked.get(seat.letter, ""), **facts)
    for person in people.everyone(work.session, work.campaign.id, "standby", "reader"):
        work.write_to(person.name, person.address, person.zone, None, "correction", key, receipt="", **facts)
    if work.campaign.gm_letter is None:
        work.tell_gm("correction", key, receipt="", **facts)


def _checked_again(work: Transaction, phase: PhaseRow) -> Iterator[tuple[str, str]]:
    position = work.position(phase)
    for letter, entry in sorted(awaited.counting(submissions.entries(work.session, phases.key_of(phase))).items()):
        sent = submissions.get(work.session, entry.id)
        if sent is None or sent.status != "taken":
            continue
        found = review(work.board, position, letter, parse(work.board, sent.canonical, work.names, sealed=True))
        sent.problems = sheets.problems_json(found.problems)
        yield letter, fold(receipt_text(found)).strip()
