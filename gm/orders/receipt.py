"""What a receipt says of a sheet: the orders in canonical form, what is wrong with them and what would be right, and
the pieces without orders. Plain text; mail, web and the command line put their own frame around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gm.board.model import Board
from gm.orders import model as m
from gm.orders.calendar import phase_name
from gm.orders.check import check, unordered
from gm.orders.parser import Parsed
from gm.orders.printer import print_order
from gm.orders.problems import Family, Problem, Severity
from gm.orders.words import caret, sentence, words_for
from gm.position import Player, Position, Stack
from gm.values import dataclass

INDENT = "    "
_TRY = {"wrong-phase": "try-wrong-phase", "double-purge": "try-double-purge"}


@dataclass(frozen=True, slots=True)
class Review:
    """A sheet as one player may see it judged before the deadline."""

    player: Player
    phase: str
    sheet: m.Sheet
    problems: tuple[Problem, ...]  # the parser's and the checker's
    unordered: tuple[Stack, ...]

    def of_order(self, number: int) -> tuple[Problem, ...]:
        return tuple(p for p in self.problems if p.order == number)

    @property
    def taken(self) -> bool:
        """False if a guard keeps the whole sheet out."""
        codes = {p.code for p in self.problems}
        return not codes & {"guard-mismatch", "guard-unread", "guard-late", "filed-ahead"}


def review(board: Board, position: Position, player: Player, parsed: Parsed) -> Review:
    """Everything a receipt needs to say."""
    found = check(board, position, player, parsed.sheet)
    if any(p.code.startswith("guard-") for p in parsed.problems):
        found = tuple(p for p in found if p.code != "guard-mismatch")  # the parser has said it better
    problems = (*parsed.problems, *found)
    return Review(
        player,
        phase_name(position.turn, position.phase),
        parsed.sheet,
        tuple(sorted(problems, key=lambda p: (p.order, _rank(p)))),
        unordered(board, position, player, parsed.sheet),
    )


def _rank(problem: Problem) -> int:
    return list(Severity).index(problem.severity)


def receipt_text(review: Review) -> str:
    """The review in plain text."""
    return "\n".join(_lines(review)) + "\n"


def _lines(review: Review) -> Iterator[str]:
    yield _say("heading", player=review.player, phase=review.phase)
    yield ""
    for problem in review.of_order(0):
        yield from problem_lines(problem)
    sheet = review.sheet
    if sheet.cancel:
        yield _say("cancelled")
    if sheet.add:
        yield _say("added")
    if not sheet.orders:
        yield _say("nothing")
    for number, order in enumerate(sheet.orders, start=1):
        yield from _order_lines(review, number, order)
    if review.unordered:
        yield ""
        yield _say("unordered")
        for stack in review.unordered:
            yield f"{INDENT}{stack.province}: {', '.join(p.bell for p in stack.pieces)}"


def _order_lines(review: Review, number: int, order: m.Order) -> Iterator[str]:
    label = f"{review.player}{number}"
    text = _say("unread") if isinstance(order, m.Unread) else print_order(order)
    first, *rest = text.split("\n")
    yield f"{label:<4}{first}"
    yield from (f"{INDENT}{line}" for line in rest)
    for problem in review.of_order(number):
        yield from problem_lines(problem)


def problem_lines(problem: Problem) -> Iterator[str]:
    """A problem with its carets and what would be right, indented under its order."""
    kind = {Severity.WARNING: "warning", Severity.NOTE: "note"}.get(problem.severity)
    if kind is None:
        kind = "not-understood" if problem.family is Family.NOT_UNDERSTOOD else "not-allowed"
    rules = f" [{', '.join(problem.rules)}]" if problem.rules else ""
    told = problem.line and problem.severity is Severity.PROBLEM
    where = f" ({_say('line', line=str(problem.line))})" if told else ""
    if problem.text and problem.severity is not Severity.NOTE and problem.order:
        shown, marks = caret(problem)
        yield f"{INDENT}| {shown}"
        yield f"{INDENT}| {marks}"
    yield f"{INDENT}{_say(kind)}{where}: {words_for(problem)}{rules}"
    if problem.suggestion:
        template = "example" if problem.data.get("example") else _TRY.get(problem.code, "try")
        yield f"{INDENT}{_say(template, line=problem.suggestion)}"


def _say(key: str, **fields: str) -> str:
    return sentence("receipt", key, fields)


def serious(problems: Iterable[Problem]) -> Sequence[Problem]:
    """Those that keep an order from being carried out."""
    return [p for p in problems if p.severity is Severity.PROBLEM]


def review_json(review: Review) -> dict[str, object]:
    """The same for programs."""
    return {
        "player": review.player,
        "phase": review.phase,
        "taken": review.taken,
        "orders": [
            {"number": n, "line": o.line, "text": print_order(o), "understood": not isinstance(o, m.Unread)}
            for n, o in enumerate(review.sheet.orders, start=1)
        ],
        "problems": [problem_json(p) for p in review.problems],
        "unordered": [{"province": s.province, "pieces": [p.bell for p in s.pieces]} for s in review.unordered],
    }


def problem_json(problem: Problem) -> dict[str, object]:
    return {
        "code": problem.code,
        "family": problem.family.value,
        "severity": problem.severity.value,
        "order": problem.order,
        "line": problem.line,
        "span": list(problem.span),
        "text": problem.text,
        "words": problem.words,
        "message": words_for(problem),
        "rules": list(problem.rules),
        "suggestion": problem.suggestion,
    }
