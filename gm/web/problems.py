"""Problems and receipts in words: the same sentences as in a mail."""

from __future__ import annotations

from gm.campaign import sight
from gm.campaign.intake import Submitted
from gm.orders.calendar import phase_name
from gm.orders.check import unordered
from gm.orders.problems import Problem, Severity
from gm.orders.receipt import Review
from gm.orders.receipt import receipt_text as text_of
from gm.orders.words import caret, words_for
from gm.web.access import Room
from gm.web.api.models import ProblemInfo


def problem_info(problem: Problem) -> ProblemInfo:
    context = ""
    if (
        problem.text
        and problem.order
        and problem.severity is Severity.PROBLEM
        and problem.span != (0, len(problem.text))
    ):
        context = "\n".join(caret(problem, 60))
    example = bool(problem.data.get("example"))
    return ProblemInfo(
        code=problem.code,
        family=problem.family.value,
        severity=problem.severity.value,
        line=problem.line,
        order=problem.order,
        message=words_for(problem),
        context=context,
        rules=list(problem.rules),
        suggestion=None if example else problem.suggestion,
    )


def receipt_text(room: Room, done: Submitted, now: sight.Now) -> str:
    """What a mail would say of these orders."""
    position = sight.position(room.services, room.id)
    idle = unordered(room.services.board, position, room.letter, done.sheet) if done.status == "taken" else ()
    review = Review(room.letter, phase_name(done.turn, done.phase), done.sheet, done.problems, tuple(idle))
    return text_of(review)
