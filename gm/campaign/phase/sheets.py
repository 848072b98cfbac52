"""Parsing order sheets for the campaign: text to orders, and orders to the text that is sealed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from gm.board.model import Board
from gm.campaign.tokens import HIDDEN_ADDRESS
from gm.orders.kinds import Hold, Order, Press, Resign, Sheet
from gm.orders.language.sheet import entries
from gm.orders.parser import parse
from gm.orders.problems import Problem
from gm.orders.standing import carry
from gm.position import Player

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
KEPT_PROBLEMS = 200
_NOT_SEALED = (Hold, Press, Resign)
_PROBLEM = Problem.__struct_fields__


@dataclass(frozen=True, slots=True)
class ParsedSheet:
    """A player's text, parsed: the orders, and what stands between them that is none."""

    sheet: Sheet  # orders only
    canonical: str
    problems: tuple[Problem, ...]
    aside: tuple[Order, ...] = ()  # press, RESIGN and HOLD

    @property
    def press(self) -> tuple[Press, ...]:
        return tuple(o for o in self.aside if isinstance(o, Press))

    @property
    def holds(self) -> tuple[Hold, ...]:
        return tuple(o for o in self.aside if isinstance(o, Hold))

    @property
    def resigns(self) -> bool:
        return any(isinstance(o, Resign) for o in self.aside)

    def behind(self, number: int) -> ParsedSheet:
        """The sheet as added to `number` orders on file: the order numbers of its problems go on from there."""
        problems = tuple(replace(p, order=p.order + number if p.order else 0) for p in self.problems)
        return dataclasses.replace(self, problems=problems)


def read(board: Board, text: str, names: Mapping[str, Player], sealed: bool = False) -> ParsedSheet:
    parsed = parse(board, text, names, sealed)
    sheet = orders_only(parsed.sheet)
    return ParsedSheet(
        sheet,
        canonical(sheet),
        _renumbered(parsed.problems, parsed.sheet),
        tuple(o for o in parsed.sheet.orders if isinstance(o, Press | Resign | Hold)),
    )


def without_addresses(text: str) -> str:
    """Mail addresses hidden in what should be orders: The Bell prints the words of a line that cannot be read. In
    press a player may print what they like."""
    if "@" not in text:
        return text
    lines = text.splitlines()
    for entry in entries(text):
        if entry.verb != "press":
            for number in range(entry.line - 1, min(entry.last, len(lines))):
                lines[number] = _ADDRESS.sub(HIDDEN_ADDRESS, lines[number])
    return "\n".join(lines)


def on_file(board: Board, text: str, names: Mapping[str, Player]) -> ParsedSheet:
    """Sealed orders, read again: they stand in no line of what the player has just written."""
    found = read(board, text, names, sealed=True)
    orders = tuple(replace(o, line=0) for o in found.sheet.orders)
    problems = tuple(replace(p, line=0) for p in found.problems)
    return dataclasses.replace(found, sheet=Sheet(orders), problems=problems)


def orders_only(sheet: Sheet) -> Sheet:
    """Without press (printed or passed on, never sealed), RESIGN (confirmed first) and HOLD (orders nothing)."""
    return replace(sheet, orders=tuple(o for o in sheet.orders if not isinstance(o, _NOT_SEALED)))


def _renumbered(problems: tuple[Problem, ...], sheet: Sheet) -> tuple[Problem, ...]:
    """Problems with the numbers that orders have once what is not sealed is taken out."""
    numbers, kept = {0: 0}, 0
    for number, order in enumerate(sheet.orders, start=1):
        kept += not isinstance(order, _NOT_SEALED)
        numbers[number] = kept
    return tuple(replace(problem, order=numbers.get(problem.order, 0)) for problem in problems)


def canonical(sheet: Sheet) -> str:
    """The text that is sealed: orders alone, without guard, ADD or CANCEL."""
    return Sheet(sheet.orders).printed()


def sheet_of(board: Board, text: str, players: tuple[Player, ...]) -> Sheet:
    """A sealed text, as the adjudicator takes it."""
    return parse(board, text, players, sealed=True).sheet


def effective(previous: Sheet | None, on_file: Sheet | None, new: Sheet) -> Sheet:
    """All that stands after this sheet: with ADD behind what was on file, and with what is STANDING from before."""
    if new.cancel:
        on_file = None
    if new.add and on_file is not None:
        new = replace(new, orders=(*on_file.orders, *new.orders))
    merged = carry(previous, new) if previous is not None else new
    return Sheet(merged.orders)


def problems_json(problems: tuple[Problem, ...]) -> list[dict[str, Any]]:
    """What is kept of what was wrong with a sheet; nobody needs the thousandth line of nonsense."""
    return [{name: _plain(getattr(problem, name)) for name in _PROBLEM} for problem in problems[:KEPT_PROBLEMS]]


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(v) for v in value]
    return str(value)
