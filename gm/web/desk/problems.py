"""Problems and receipts as text, in the same sentences as in a mail."""

from __future__ import annotations

from gm.campaign.phase.intake import Submitted
from gm.orders.check.vetting import NO_ORDER
from gm.orders.problems import Problem, Severity
from gm.orders.receipt import advice
from gm.orders.receipt import receipt_text as text_of
from gm.orders.wording import caret, words_for
from gm.web.guard.access import Room
from gm.web.models import ProblemInfo


def problem_info(problem: Problem) -> ProblemInfo:
    context = ""
    if (
        problem.text
        and problem.order
        and problem.severity is Severity.PROBLEM
        and problem.span != (0, len(problem.text))
    ):
        context = "\n".join(caret(problem, 60))
    instead = not (problem.data.get("example") or problem.code in NO_ORDER)  # whether it can be put in the line's place
    message = words_for(problem)
    if problem.suggestion and not instead:
        message += f" {advice(problem)}"
    return ProblemInfo(
        code=problem.code,
        family=problem.family.value,
        severity=problem.severity.value,
        line=problem.line,
        order=problem.order,
        message=message,
        context=context,
        rules=list(problem.rules),
        suggestion=problem.suggestion if instead else None,
    )


def receipt_of(room: Room, done: Submitted) -> str:
    """What a mail would say of these orders."""
    return text_of(done.review(room.board, room.letter))
