"""Text in, orders and problems out. Never raises, whatever a player sends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from lark import Lark, UnexpectedInput

from gm.board.model import Board
from gm.orders import model as m
from gm.orders.build import Builder
from gm.orders.lexer import OrderLexer
from gm.orders.names import names_of, players_of
from gm.orders.problems import Family, Problem
from gm.orders.resolve import Refused, Resolver
from gm.orders.sheet import Entry, entries
from gm.position import Player

_PRESS = re.compile(r"press\b\s*(?:as\s+[\"“„']([^\"”“']*)[\"”“']\s*)?", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Parsed:
    sheet: m.Sheet
    problems: tuple[Problem, ...] = ()


@cache
def grammar() -> str:
    return (resources.files("gm.orders") / "grammar.lark").read_text("utf-8")


@cache
def _lark() -> Lark:
    return Lark(grammar(), parser="lalr", lexer=OrderLexer, transformer=Builder(), maybe_placeholders=True)


def parse(board: Board, text: str, players: Mapping[str, Player] | Sequence[Player]) -> Parsed:
    resolver = Resolver(names_of(board), players_of(players))
    orders: list[m.Order] = []
    problems: list[Problem] = []
    guard: m.Guard | None = None
    add = cancel = False
    attack_indent = -1
    for entry in entries(text):
        low = entry.text.lower()
        if low == "add":
            add = True
            continue
        if low in ("cancel all", "cancel"):
            cancel = True
            continue
        if low.startswith("orders"):
            guard = read_guard(entry.text)
            continue
        order: m.Order
        try:
            order = _press(entry, resolver) if low.startswith("press") else parse_line(entry.text, resolver)
        except (Refused, UnexpectedInput) as error:
            problems.append(_problem(entry, error))
            order = m.Unread()
        order = replace(order, line=entry.line, source=entry.text)
        if isinstance(order, m.Lose | m.Take) and entry.indent > attack_indent >= 0 and orders:
            attack = orders[-1]
            if isinstance(attack, m.Attack):
                changed = {"lose" if isinstance(order, m.Lose) else "take": order.pieces}
                orders[-1] = replace(attack, **changed)
                continue
        orders.append(order)
        attack_indent = entry.indent if isinstance(order, m.Attack) else -1
    return Parsed(m.Sheet(tuple(orders), guard, add, cancel), tuple(problems))


def parse_line(line: str, resolver: Resolver) -> m.Order:
    return _lark().parse(line)(resolver)  # type: ignore[no-any-return, operator]


def _press(entry: Entry, resolver: Resolver) -> m.Press:
    head = _PRESS.match(entry.text)
    assert head is not None
    rest = entry.text[head.end() :]
    to: list[Player] = []
    if found := re.match(r"to\s+", rest, re.IGNORECASE):
        rest = rest[found.end() :]
        while word := re.match(r"[^\s,:]+", rest):
            letter = resolver._players.index.get(word[0].lower())
            if letter is None:
                break
            to.append(letter)
            rest = rest[word.end() :]
            if comma := re.match(r"\s*(,|\band\b)\s*", rest):
                rest = rest[comma.end() :]
            else:
                break
    rest = rest.lstrip().removeprefix(":").lstrip()
    return m.Press(text="\n".join((rest, *entry.body)).strip(), dateline=head[1], to=tuple(to))


def read_guard(text: str) -> m.Guard | None:
    low = text.lower()
    phase = "second" if re.search(r"second|phase 2", low) else "pregame" if "game" in low else "first"
    if found := re.search(r"turn (\d+)", low):
        return m.Guard(int(found[1]), phase)
    if found := re.search(r"\b([a-z]{3})[a-z]* (19\d\d)", low):
        if found[1] in MONTHS:
            return m.Guard((int(found[2]) - 1918) * 12 + MONTHS.index(found[1]) - 4, phase)
    return None


def _problem(entry: Entry, error: Refused | UnexpectedInput) -> Problem:
    if isinstance(error, Refused):
        token = error.token
        span = (token.start_pos or 0, token.end_pos or 0)
        return Problem(error.code, Family.NOT_UNDERSTOOD, entry.line, span, entry.text, str(token), data=error.data)
    return Problem("syntax", Family.NOT_UNDERSTOOD, entry.line, (0, 0), entry.text, str(error))
