"""Run Lark's LALR tables over the tokens of one order.

Lark builds the tables and the callbacks from grammar.lark; only the loop is ours. It does nothing that Lark's does
not, but keeps no parser state for inspection: on an error it says which token came in which state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from gm.orders.build import Builder
from gm.orders.lexer import Word

Reduction = tuple[int, str, Callable[[list[Any]], Any]]  # number of children, rule, callback


END = Word("$END", "", 0, 0)


class Unexpected(Exception):
    """A token (or the END) that no order can have here, and the terminals that it might."""

    def __init__(self, word: Word, index: int, expected: frozenset[str]) -> None:
        super().__init__(word, index, expected)
        self.word = word
        self.index = index
        self.expected = expected


@cache
def grammar() -> str:
    return (resources.files("gm.orders") / "grammar.lark").read_text("utf-8")


class Tables:
    def __init__(self, lark: Lark) -> None:
        machine = lark.parser.parser.parser  # the frontend's LALR parser and its state machine
        table = machine.parse_table
        self.start: int = table.start_states["start"]
        self.end: int = table.end_states["start"]
        self.shifts: dict[int, dict[str, int]] = {}
        self.reductions: dict[int, dict[str, Reduction]] = {}
        for state, actions in table.states.items():
            # str(): Lark's names are Tokens, which are slow to compare.
            self.shifts[state] = {str(name): arg for name, (action, arg) in actions.items() if action is Shift}
            self.reductions[state] = {
                str(name): (len(arg.expansion), str(arg.origin.name), machine.callbacks[arg])
                for name, (action, arg) in actions.items()
                if action is not Shift
            }

    def run(self, words: Sequence[Word]) -> Any:
        """What the callback of the start rule makes of the words. Raises Unexpected."""
        shifts, reductions = self.shifts, self.reductions
        states = [self.start]
        values: list[Any] = []
        state = self.start
        for word in (*words, END):
            type_ = word.type
            while (following := shifts[state].get(type_)) is None:
                reduction = reductions[state].get(type_)
                if reduction is None:
                    at = len(words) if word is END else words.index(word)
                    raise Unexpected(word, at, self._expected(state))
                size, origin, callback = reduction
                if size == 1:
                    values[-1] = callback([values[-1]])
                    states.pop()
                elif size:
                    values[-size:] = [callback(values[-size:])]
                    del states[-size:]
                else:
                    values.append(callback([]))
                state = shifts[states[-1]][origin]
                states.append(state)
                if state == self.end:
                    return values[-1]
            states.append(following)
            values.append(word)
            state = following
        raise AssertionError("the end is never shifted")

    def _expected(self, state: int) -> frozenset[str]:
        names = (*self.shifts[state], *self.reductions[state])
        return frozenset(name for name in names if name.isupper())


@cache
def tables() -> Tables:
    return Tables(Lark(grammar(), parser="lalr", transformer=Builder(), maybe_placeholders=True))
