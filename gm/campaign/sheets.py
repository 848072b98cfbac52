"""Orders as text and as values: the one place where the campaign meets the order language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from gm.board.model import Board
from gm.orders.check import check
from gm.orders.model import Press, Resign, Sheet
from gm.orders.parser import parse
from gm.orders.printer import print_sheet
from gm.orders.problems import Problem
from gm.orders.standing import carry
from gm.position import Player, Position

RESIGNATION = "RESIGN"
_PROBLEM = tuple(f.name for f in fields(Problem))


@dataclass(frozen=True, slots=True)
class Read:
    """A player's text, understood: his orders, and what he put between them that is none."""

    sheet: Sheet  # orders only
    canonical: str
    problems: tuple[Problem, ...]
    press: tuple[Press, ...]
    resigns: bool


def read(board: Board, text: str, names: Mapping[str, Player]) -> Read:
    parsed = parse(board, text, names)
    sheet = orders_only(parsed.sheet)
    return Read(
        sheet,
        canonical(sheet),
        _renumbered(parsed.problems, parsed.sheet),
        tuple(o for o in parsed.sheet.orders if isinstance(o, Press)),
        any(isinstance(o, Resign) for o in parsed.sheet.orders),
    )


def orders_only(sheet: Sheet) -> Sheet:
    """Without press (printed or passed on, never sealed) and RESIGN (confirmed first)."""
    return replace(sheet, orders=tuple(o for o in sheet.orders if not isinstance(o, Press | Resign)))


def _renumbered(problems: tuple[Problem, ...], sheet: Sheet) -> tuple[Problem, ...]:
    """Problems with the numbers that orders have once press and RESIGN are taken out."""
    numbers, kept = {0: 0}, 0
    for number, order in enumerate(sheet.orders, start=1):
        kept += not isinstance(order, Press | Resign)
        numbers[number] = kept
    return tuple(replace(problem, order=numbers.get(problem.order, 0)) for problem in problems)


def canonical(sheet: Sheet) -> str:
    """The text that is sealed: orders alone, without guard, ADD or CANCEL."""
    return print_sheet(Sheet(sheet.orders))


def sheet_of(board: Board, text: str, players: tuple[Player, ...]) -> Sheet:
    """A sealed text, as the adjudicator takes it."""
    return parse(board, text, players).sheet


def effective(previous: Sheet | None, on_file: Sheet | None, new: Sheet) -> Sheet:
    """All that stands after this sheet: with ADD behind what was on file, and with what is STANDING from before."""
    if new.cancel:
        on_file = None
    if new.add and on_file is not None:
        new = replace(new, orders=(*on_file.orders, *new.orders))
    merged = carry(previous, new) if previous is not None else new
    return Sheet(merged.orders)


def judge(board: Board, position: Position, player: Player, sheet: Sheet) -> tuple[Problem, ...]:
    return check(board, position, player, sheet)


def problems_json(problems: tuple[Problem, ...]) -> list[dict[str, Any]]:
    return [{name: _plain(getattr(problem, name)) for name in _PROBLEM} for problem in problems]


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(v) for v in value]
    return str(value)
