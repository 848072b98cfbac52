"""Run cases: adjudicate with scripted luck, compare with what is expected, and check what must always hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from gm.adjudicator.chance import ScriptError
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.sequence import STEPS, adjudicate
from gm.adjudicator.solitaire.sequence import PHASES as SOLITAIRE_PHASES
from gm.adjudicator.solitaire.sequence import play_phase
from gm.board.model import Board
from gm.cases.expect import on_the_map
from gm.cases.reader import Case
from gm.orders.parser import parse
from gm.position import Phase, Position


@dataclass
class CaseResult:
    case: Case
    failures: list[str] = field(default_factory=list)
    outcome: Outcome | None = None

    @property
    def ok(self) -> bool:
        return not self.failures


def run(board: Board, case: Case) -> CaseResult:
    verdict = CaseResult(case)
    if case.error is not None or case.position is None:
        verdict.failures.append(f"cannot be read: {case.error}")
        return verdict
    if case.position.phase not in (STEPS if not case.solitaire else SOLITAIRE_PHASES):
        verdict.failures.append(f"nothing is adjudicated in phase {case.position.phase}")
        return verdict
    sheets = {player: parse(board, text, case.players).sheet for player, text in case.orders.items()}
    chance = case.luck.chance()
    try:
        if case.solitaire:
            outcome = play_phase(board, case.position, sheets, chance)  # one Phase, not on to the next sheet
        else:
            outcome = adjudicate(board, case.position, sheets, chance, case.options)
    except ScriptError as error:
        verdict.failures.append(str(error))
        return verdict
    except Exception as error:  # a case that breaks the adjudicator fails; the others still run
        verdict.failures.append(f"the adjudicator broke: {error!r}")
        return verdict
    verdict.outcome = outcome
    for expectation in case.expected:
        mismatch = expectation.check(outcome)
        if mismatch is not None:
            verdict.failures.append(f"expected (line {expectation.line}) {expectation.text}\n      happened {mismatch}")
    verdict.failures += _otherwise(case, outcome)
    verdict.failures += [f"scripted but never used: {left}" for left in chance.left_over()]
    if case.position.phase is not Phase.SETUP:
        verdict.failures += _not_conserved(case.position, outcome.after)
    return verdict


def _otherwise(case: Case, outcome: Outcome) -> list[str]:
    """A stack that is listed twice must stand there twice; with ONLY the listed stacks are all there are."""
    listed: Counter[tuple[str, str, str]] = Counter()
    for expectation in case.expected:
        listed += expectation.stacks()
    there = on_the_map(outcome)
    fewer = {found for found, times in listed.items() if 0 < there[found] < times}
    more = there - listed if any(e.only for e in case.expected) else Counter()
    return [
        *(f"listed more often than it stands there: {o} {p}: {stack}" for p, o, stack in sorted(fewer)),
        *(f"not expected: {o} {p}: {stack}" for p, o, stack in sorted(more)),
    ]


def _not_conserved(before: Position, after: Position) -> list[str]:
    was, now = Counter(before.all_pieces()), Counter(after.all_pieces())
    wrong = [f"vanished: {piece.bell}" for piece in (was - now)]
    return wrong + [f"there twice: {piece.bell}" for piece in (now - was)]
