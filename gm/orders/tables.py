"""Run Lark's LALR tables over the tokens of one order.

Lark makes the tables from grammar.lark; only the loop is ours. It does what Lark's does (tokens and rules whose names
begin with an underscore leave no trace but their children), yet builds orders instead of trees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark
from lark.grammar import Rule, Terminal
from lark.parsers.lalr_analysis import Shift

from gm.orders.build import Builder
from gm.orders.lexer import Word

Action = Callable[[list[Any]], Any]  # children -> value of a rule
Reduction = tuple[int, str, Action]  # number of children, rule, action


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
    def __init__(self, lark: Lark, builder: object) -> None:
        table = lark.parser.parser.parser.parse_table  # of the state machine of the frontend's LALR parser
        actions_by_rule = {rule: _action(rule, builder) for rule in lark.rules}
        self.start: int = table.start_states["start"]
        self.end: int = table.end_states["start"]
        # A state to shift to, or a rule to reduce by; str() since Lark's names are Tokens, slow to compare.
        self.actions: dict[int, dict[str, int | Reduction]] = {
            state: {
                str(name): arg if action is Shift else (len(arg.expansion), str(arg.origin.name), actions_by_rule[arg])
                for name, (action, arg) in found.items()
            }
            for state, found in table.states.items()
        }

    def run(self, words: Sequence[Word]) -> Any:
        """What the rule of the order makes of the words. Raises Unexpected."""
        actions, end = self.actions, self.end
        states = [self.start]
        values: list[Any] = []
        state = self.start
        for word in (*words, END):
            type_ = word.type
            action = actions[state].get(type_)
            while isinstance(action, tuple):
                size, origin, make = action
                if size == 1:
                    values[-1] = make([values[-1]])
                    states.pop()
                elif size:
                    values[-size:] = [make(values[-size:])]
                    del states[-size:]
                else:
                    values.append(make([]))
                state = actions[states[-1]][origin]  # type: ignore[assignment]
                if state == end:
                    return values[-1]
                states.append(state)
                action = actions[state].get(type_)
            if action is None:
                at = len(words) if word is END else words.index(word)
                raise Unexpected(word, at, frozenset(t for t in actions[state] if t.isupper()))
            states.append(action)
            values.append(word)
            state = action
        raise AssertionError("the end is never shifted")


def _action(rule: Rule, builder: object) -> Action:
    """What a rule of the grammar does with its children: the builder's method of its name, on those that count."""
    kept = [i for i, s in enumerate(rule.expansion) if not (isinstance(s, Terminal) and s.filter_out)]
    nested = {i for i in kept if not rule.expansion[i].is_term and rule.expansion[i].name.startswith("_")}
    name = str(rule.alias or rule.origin.name)
    select = _selection(kept, nested)
    if name.startswith("_"):
        return select
    if rule.options.expand1 and len(kept) == 1:
        only = kept[0]
        return lambda children: children[only]
    method: Action = getattr(builder, name)
    return lambda children: method(select(children))


def _selection(kept: list[int], nested: set[int]) -> Callable[[list[Any]], list[Any]]:
    """The children that count, those of nested rules unpacked; the usual shapes without a loop."""
    if not nested:
        if len(kept) == 1:
            only = kept[0]
            return lambda children: [children[only]]
        return lambda children: [children[i] for i in kept]
    if len(kept) == 1:
        only = kept[0]
        return lambda children: children[only]

    first = kept[0]
    rest = kept[1:] if first in nested else kept

    def unpacked(children: list[Any]) -> list[Any]:
        # A list that grows item by item is one and the same list: it has no other reader.
        found: list[Any] = children[first] if first in nested else []
        for i in rest:
            if i in nested:
                found += children[i]
            else:
                found.append(children[i])
        return found

    return unpacked


@cache
def tables() -> Tables:
    return Tables(Lark(grammar(), parser="lalr"), Builder())
