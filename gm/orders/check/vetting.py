"""Suggestions tried whole: one that would only be understood, and then refused, is followed to one that would work."""

from __future__ import annotations

from msgspec.structs import replace

from gm.board.model import Board
from gm.orders import kinds as m
from gm.orders.check.checker import check, unordered
from gm.orders.parser import parse
from gm.orders.problems import Problem, Severity
from gm.position import Phase, Player, Position

MAX_TRIED = 12  # suggestions of a sheet that are tried; each takes a check of the whole
LONG_SHEET = 200  # orders; of a longer one only the first suggestion is tried
STEPS = 3
OWN_TRIED = 4  # stacks of a player, and ways of each, that an example is made of
NO_ORDER = ("wrong-phase", "double-purge")  # they suggest what to do with the line, not another line


def vet_suggestions(
    board: Board, position: Position, player: Player, sheet: m.Sheet, problems: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """The problems, each with a suggestion that works in the whole sheet on these positions, or with none."""
    found, tried, own = [], 0, ""
    most = MAX_TRIED if len(sheet.orders) <= LONG_SHEET else 1
    for problem in problems:
        if problem.suggestion and problem.order and not problem.data.get("example") and problem.code not in NO_ORDER:
            tried += 1
            works = _works(board, position, player, sheet, problem, problem.suggestion) if tried <= most else None
            problem = replace(problem, suggestion=works)
        elif problem.suggestion == m.Move.about.examples[0] and problem.data.get("example"):
            own = own or _own_move(board, position, player, sheet) or problem.suggestion
            problem = replace(problem, suggestion=own, data={**problem.data, "example": own})
        found.append(problem)
    return tuple(found)


def _own_move(board: Board, position: Position, player: Player, sheet: m.Sheet) -> str | None:
    """A MOVE of a force of the player's own that has no order yet, to show how one is written."""
    led = [s for s in unordered(board, position, player, sheet) if s.leaders] if position.phase is Phase.FIRST else []
    for stack in led[:OWN_TRIED]:
        named = ", ".join(piece.bell for piece in stack.pieces)
        for goal in board.neighbours(stack.province, stack.leaders[0].color)[:OWN_TRIED]:
            orders = parse(board, f"MOVE {named}: {stack.province}-{goal}", position.players, sealed=True).sheet.orders
            if len(orders) == 1 and not check(board, position, player, m.Sheet(orders)):
                return orders[0].printed()
    return None


def _works(
    board: Board, position: Position, player: Player, sheet: m.Sheet, problem: Problem, line: str | None
) -> str | None:
    number = problem.order
    for _ in range(STEPS):
        orders = parse(board, line or "", position.players, sealed=True).sheet.orders
        if len(orders) != 1 or not number <= len(sheet.orders):
            return line if line and not orders else None
        tried = (*sheet.orders[: number - 1], orders[0], *sheet.orders[number:])
        against = [p for p in check(board, position, player, m.Sheet(tried)) if p.order == number]
        serious = [p for p in against if p.severity is Severity.PROBLEM]
        if not serious:
            return line
        line = serious[0].suggestion
        if not line or serious[0].code in NO_ORDER:
            return None
    return None
