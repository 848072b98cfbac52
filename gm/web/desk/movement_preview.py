"""The sheet of movement in the game for one person, tried out: nothing is rolled in it, so its outcome is certain."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.outcome import Moved, OrderResult, Outcome, Status
from gm.adjudicator.sequence import adjudicate
from gm.board.model import Board, Piece
from gm.orders.effort import bounded
from gm.orders.kinds import Sheet
from gm.orders.parser import parse
from gm.position import RED_PLAYER, Phase, Position
from gm.reports.prose import standard_prose
from gm.reports.view.names import DisplayNames, names_for
from gm.reports.view.reasons import told
from gm.web.models import ProblemInfo


def one_by_one(position: Position) -> bool:
    """Whether each order of the sheet is judged on what the one before left (S14)."""
    return position.solitaire is not None and position.phase is Phase.FIRST


@lru_cache(maxsize=64)
def tried(board: Board, position: Position, text: str) -> Outcome:
    return _played(board, position, bounded(parse(board, text, position.players).sheet))


def _played(board: Board, position: Position, sheet: Sheet) -> Outcome:
    chance = ProvableChance(bytes(32), "tried", position.turn, position.phase, "")
    return adjudicate(board, position, {RED_PLAYER: sheet}, chance)


def after(board: Board, position: Position, text: str) -> Position:
    """The map after these orders, on which the next one is written."""
    if not one_by_one(position) or not text.strip():
        return position
    return replace(tried(board, position, text).after, phase=Phase.FIRST)


def moved(board: Board, position: Position, text: str) -> set[Piece]:
    """What these orders have led somewhere: it cannot go on (5.25)."""
    if not one_by_one(position) or not text.strip():
        return set()
    return {p for e in tried(board, position, text).events if isinstance(e, Moved) for p in e.pieces}


def correct(board: Board, position: Position, sheet: Sheet, infos: list[ProblemInfo]) -> dict[int, Moved]:
    """What really becomes of each order: problems of those that fail are added; gives the moves by number."""
    if not one_by_one(position):
        return {}
    outcome = _played(board, position, sheet)
    names = names_for(board, standard_prose(), {}, outcome)
    for result in outcome.results:
        if result.status in (Status.FAILED, Status.PARTLY):
            infos.append(_problem(names, outcome, result))
    return {event.number: event for event in outcome.events if isinstance(event, Moved)}


def _problem(names: DisplayNames, outcome: Outcome, result: OrderResult) -> ProblemInfo:
    return ProblemInfo(
        code=result.reasons[0].code if result.reasons else "failed",
        family="not allowed",
        severity="problem" if result.status is Status.FAILED else "warning",
        message=told(names, result, None, outcome),
        order=result.number,
        line=result.order.line,
        rules=list(result.rules),
        context="",
    )
