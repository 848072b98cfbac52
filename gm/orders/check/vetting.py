"""Suggestions tried whole: one that would only be understood, and then refused, is followed to one that would work."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.board.model import Board, Piece
from gm.board.names import fold
from gm.board.paths import shortest_path
from gm.orders import kinds as m
from gm.orders.check.checker import check, unordered
from gm.orders.effort import effort
from gm.orders.language.names import names_of
from gm.orders.parser import parse
from gm.orders.problems import Family, Problem, Severity
from gm.orders.suggest.kept import understood
from gm.position import Phase, Player, Position, Stack

MAX_TRIED = 12  # suggestions of a sheet that are tried; each takes a check of the whole
LONG_SHEET = 200  # orders; of a longer one only the first suggestion is tried
MUCH = 500  # effort; likewise
STEPS = 3
OWN_TRIED = 4  # stacks of a player, and ways of each, that an example is made of
LONGEST_MARCH = 5  # steps of a force overland (5.1)
LEAST_LETTERS = 4  # of a word that may mean a force
NO_ORDER = ("wrong-phase", "double-purge")  # they suggest what to do with the line, not another line


def vet_suggestions(
    board: Board, position: Position, player: Player, sheet: m.Sheet, problems: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """The problems, each with a suggestion that works in the whole sheet on these positions, or with none."""
    found, tried, own = [], 0, dict[tuple[str, str], str]()
    most = MAX_TRIED if len(sheet.orders) <= LONG_SHEET and effort(sheet) <= MUCH else 1
    for problem in problems:
        if problem.suggestion and problem.order and not problem.data.get("example") and problem.code not in NO_ORDER:
            tried += 1
            works = _works(board, position, player, sheet, problem) if tried <= most else None
            problem = replace(problem, suggestion=works)
        elif problem.suggestion == m.Move.about.examples[0] and problem.data.get("example"):
            known = problem.code == "unknown-piece" and len(own) < MAX_TRIED
            about = (problem.words, str(problem.data.get("lies") or "")) if known else ("", "")
            if about not in own:
                own[about] = _own_move(board, position, player, sheet, *about) or problem.suggestion
            problem = replace(problem, suggestion=own[about], data={**problem.data, "example": own[about]})
        found.append(problem)
    return tuple(found)


def _fits(board: Board, stack: Stack, words: str) -> bool:
    """Whether somebody may have meant a force by words that name none: `my cossacks` those of the Don."""
    said = [fold(word).rstrip("s") for word in words.split()]
    names = [fold(name) for p in stack.pieces for name in (p.name, *_origin(board, p))]
    return any(len(word) >= LEAST_LETTERS and word in name for word in said for name in names)


def _origin(board: Board, piece: Piece) -> Iterator[str]:
    if piece.is_unit:
        yield board.provinces[piece.home].name
        yield from board.provinces[piece.home].aliases
    if piece.nation is not None:
        yield board.nations[piece.nation].name


def _own_move(
    board: Board, position: Position, player: Player, sheet: m.Sheet, words: str, where: str = ""
) -> str | None:
    """A MOVE of a force of the player's own that has no order yet, to show how one is written; if there is one that
    the words may have meant, of that, and to where they wanted it, or a step that way."""
    idle = [i.stack for i in unordered(board, position, player, sheet)] if position.phase is Phase.FIRST else []
    led = sorted((s for s in idle if s.leaders), key=lambda s: not _fits(board, s, words))
    for stack in led[:OWN_TRIED]:
        named = ", ".join(piece.bell for piece in stack.pieces)
        for line in (f"MOVE {named}{path}" for path in _paths(board, stack, where)):
            orders = parse(board, line, position.players, sealed=True).sheet.orders
            against = check(board, position, player, m.Sheet(orders))
            if len(orders) == 1 and all(p.severity is Severity.NOTE for p in against):
                return orders[0].printed()
    return None


def _paths(board: Board, stack: Stack, where: str) -> Iterator[str]:
    """Ways to write where a force goes: to a place, or the shortest way there as far as it comes; or next door."""
    color = stack.leaders[0].color
    if where and where != stack.province:
        yield f" TO {where}"
        way = shortest_path(board, stack.province, where, color) or ()
        yield from (f": {'-'.join(way[:end])}" for end in range(min(len(way), LONGEST_MARCH + 1), 1, -1))
    yield from (f": {stack.province}-{goal}" for goal in board.neighbours(stack.province, color)[:OWN_TRIED])


def _works(board: Board, position: Position, player: Player, sheet: m.Sheet, problem: Problem) -> str | None:
    """A line in the place of the one that is flagged: another one, against which nothing serious is said, nor the same
    again. Of a line that was not understood nothing is left out that was."""
    number, line, names = problem.order, problem.suggestion, names_of(board)
    unread = problem.family is Family.NOT_UNDERSTOOD
    kept = understood(names, line or "") if unread else frozenset()
    for _ in range(STEPS):
        orders = parse(board, line or "", position.players, sealed=True).sheet.orders
        if len(orders) != 1 or not number <= len(sheet.orders):
            return line if line and not orders else None
        tried = (*sheet.orders[: number - 1], orders[0], *sheet.orders[number:])
        against = [p for p in check(board, position, player, m.Sheet(tried)) if p.order == number]
        serious = [p for p in against if p.severity is Severity.PROBLEM]
        if not kept <= understood(names, line or ""):
            return None
        if not serious:
            again = any(p.code == problem.code and p.severity is not Severity.NOTE for p in against)
            flagged = sheet.orders[number - 1].printed()
            return None if again or line == flagged.partition("\n")[0] else line
        line = serious[0].suggestion
        if not line or serious[0].code in NO_ORDER:
            return None
    return None
