"""Receipts for a sheet: the orders in canonical form, what is wrong with them and what would be right, and
the pieces without orders. Plain text; mail, web and the command line put their own frame around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from gm.board.model import Board
from gm.gamedate import phase_name
from gm.orders import kinds as m
from gm.orders.check.checker import Idle, check, unordered
from gm.orders.check.vetting import vet_suggestions
from gm.orders.parser import Parsed
from gm.orders.problems import Family, Problem, Severity
from gm.orders.rules.reasons import FINAL
from gm.orders.wording import caret, sentence, words_for
from gm.position import Player, Position
from gm.wording import joined

INDENT = "    "
_TRY = {"wrong-phase": "try-wrong-phase", "double-purge": "try-double-purge"}


class Review(Struct, frozen=True):
    """A sheet as one player may see it judged before the deadline."""

    player: Player
    phase: str
    sheet: m.Sheet
    problems: tuple[Problem, ...]  # the parser's and the checker's
    unordered: tuple[Idle, ...]
    added_to: int = 0  # with ADD: how many orders stood before
    dropped: tuple[str, ...] = ()  # orders on file that this shorter sheet leaves out
    holds: bool = False  # the player says HOLD
    press: tuple[str, ...] = ()  # for the next Bell, or passed on, as it was understood

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
    if not any(p.code.startswith("guard-") for p in problems):
        problems = vet_suggestions(board, position, player, parsed.sheet, problems)
    return Review(
        player,
        phase_name(position.turn, position.phase),
        parsed.sheet,
        tuple(sorted(problems, key=lambda p: (p.order, _rank(p)))),
        unordered(board, position, player, parsed.sheet),
    )


def as_read(
    board: Board,
    position: Position | None,
    player: Player,
    sheet: m.Sheet,
    problems: Iterable[Problem],
    *,
    phase: str,
    holds: Sequence[m.Hold] = (),
    added_to: int = 0,
    dropped: tuple[str, ...] = (),
    press: tuple[str, ...] = (),
) -> Review:
    """The same for a sheet that has been checked. `position`: on which it is judged; None: its Phase is not open."""
    idle = unordered(board, position, player, m.Sheet((*sheet.orders, *holds))) if position is not None else ()
    ordered = tuple(sorted(problems, key=lambda p: p.order))
    return Review(player, phase, sheet, ordered, idle, added_to, dropped, bool(holds), press)


def _rank(problem: Problem) -> int:
    return list(Severity).index(problem.severity)


def receipt_text(review: Review) -> str:
    """The review in plain text."""
    return "\n".join(_lines(review)) + "\n"


def _lines(review: Review) -> Iterator[str]:
    if review.dropped:
        number = len(review.dropped)
        yield _say("dropped-one" if number == 1 else "dropped", number=str(number))
        yield ""
        yield f"{INDENT}ADD"
        yield from (f"{INDENT}{line}" for order in review.dropped for line in order.split("\n"))
        yield ""
    if review.sheet.orders or review.problems or not review.holds:  # of HOLD alone there is nothing to list
        yield _say("heading", player=review.player, phase=review.phase)
        yield ""
    by_order: dict[int, list[Problem]] = {}
    for problem in review.problems:
        by_order.setdefault(problem.order, []).append(problem)
    for problem in by_order.get(0, ()):
        yield from problem_lines(problem)
    sheet = review.sheet
    if sheet.cancel:
        yield _say("cancelled")
    if sheet.add:
        yield _say("added")
    if review.added_to:
        yield _say("added-behind", number=f"{review.player}{review.added_to + 1}")
    if review.holds:
        yield _say("holding")
    elif not sheet.orders:
        yield _say("nothing")
    for number, order in enumerate(sheet.orders, start=1):
        yield from _order_lines(review, number, order, by_order.get(number, ()))
    if review.press:
        yield ""
        yield _say("press")
        yield from (f"{INDENT}{line}" for piece in review.press for line in piece.split("\n"))
    if review.unordered:
        yield ""
        yield _say("unordered-near" if any(idle.targets for idle in review.unordered) else "unordered")
        for idle in review.unordered:
            named = f"{INDENT}{idle.stack.province}: {', '.join(p.bell for p in idle.stack.pieces)}"
            places = joined(idle.subvertible, "or")
            yield f"{named} ({_say('could-subvert', places=places)})" if places else named


def _order_lines(review: Review, number: int, order: m.Order, problems: Iterable[Problem]) -> Iterator[str]:
    label = f"{review.player}{number}"
    text = _say("unread") if isinstance(order, m.Unread) else order.printed()
    first, *rest = text.split("\n")
    yield f"{label:<4}{first}"
    yield from (f"{INDENT}{line}" for line in rest)
    for problem in problems:
        yield from problem_lines(problem)


def problem_lines(problem: Problem) -> Iterator[str]:
    """A problem with its carets and what would be right, indented under its order."""
    kind = {Severity.WARNING: "warning", Severity.NOTE: "note"}.get(problem.severity)
    if kind is None:
        refused = "never-allowed" if problem.code in FINAL else "not-allowed"
        kind = "not-understood" if problem.family is Family.NOT_UNDERSTOOD else refused
    rules = f" [{', '.join(problem.rules)}]" if problem.rules else ""
    told = problem.line and problem.severity is Severity.PROBLEM
    where = f" ({_say('line', line=str(problem.line))})" if told else ""
    if problem.text and problem.severity is not Severity.NOTE and problem.order:
        shown, marks = caret(problem)
        yield f"{INDENT}| {shown}"
        yield f"{INDENT}| {marks}"
    yield f"{INDENT}{_say(kind)}{where}: {words_for(problem)}{rules}"
    if problem.suggestion:
        yield f"{INDENT}{advice(problem)}"


def advice(problem: Problem) -> str:
    """What to do with the line that the problem suggests."""
    template = "example" if problem.data.get("example") else _TRY.get(problem.code, "try")
    return _say(template, line=problem.suggestion or "")


def _say(key: str, **fields: str) -> str:
    return sentence("receipt", key, fields)


def serious(problems: Iterable[Problem]) -> Sequence[Problem]:
    """Those that keep an order from being carried out."""
    return [p for p in problems if p.severity is Severity.PROBLEM]


def on_file_sentence(sheet: m.Sheet, problems: Iterable[Problem]) -> str:
    """What of a sheet is on file, in a sentence that leaves nothing out."""
    total, unread = len(sheet.orders), sum(isinstance(o, m.Unread) for o in sheet.orders)
    if not total:
        return _say("truth-none-sent")
    if unread == total:
        return _say("truth-nothing", number=str(total))
    if unread:
        key = "truth-some-one" if unread == 1 else "truth-some"
        words = _say(key, good=str(total - unread), number=str(total), unread=str(unread))
    else:
        words = _say("truth-one" if total == 1 else "truth-all", number=str(total))
    read = {n for n, order in enumerate(sheet.orders, start=1) if not isinstance(order, m.Unread)}
    against = [p for p in serious(problems) if p.order in read]
    refused, final = len({p.order for p in against}), {p.order for p in against if p.code in FINAL}
    if not refused:
        return words
    # What nothing can change in this Phase is not said to be so only as things stand.
    ever = "-ever" if len(final) == refused else ""
    if total == 1:
        return _say(f"truth-one-refused{ever}")
    return (
        f"{words} {_say(f'truth-refused-one{ever}' if refused == 1 else f'truth-refused{ever}', number=str(refused))}"
    )


def review_json(review: Review) -> dict[str, object]:
    """The same for programs."""
    return {
        "player": review.player,
        "phase": review.phase,
        "taken": review.taken,
        "orders": [
            {"number": n, "line": o.line, "text": o.printed(), "understood": not isinstance(o, m.Unread)}
            for n, o in enumerate(review.sheet.orders, start=1)
        ],
        "problems": [problem_json(p) for p in review.problems],
        "unordered": [
            {
                "province": idle.stack.province,
                "pieces": [p.bell for p in idle.stack.pieces],
                "subvertible": list(idle.subvertible),
            }
            for idle in review.unordered
        ],
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
