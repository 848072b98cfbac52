"""Lark's LALR parser over the words of our lexer: it reads grammar.lark and makes orders instead of trees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources

from lark import Lark, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from gm.orders.language.build import Build, Builder
from gm.orders.language.lexer import TERMINALS, Word


class Unexpected(Exception):
    """A word (or the end, which is None) that no order can have here."""

    def __init__(self, word: Word | None, index: int, parser: InteractiveParser) -> None:
        super().__init__(word, index)
        self.word = word
        self.index = index
        self._parser = parser

    @property
    def expected(self) -> frozenset[str]:
        """The terminals that might stand there instead."""
        return frozenset(self._parser.accepts())  # type: ignore[no-untyped-call]


@cache
def grammar() -> str:
    """The rules of grammar.lark. Its terminals are declared by the lexer, which has them from the orders' classes."""
    rules = (resources.files("gm.orders.language") / "grammar.lark").read_text("utf-8")
    return f"{rules}\n%declare {' '.join(sorted(TERMINALS))}\n"


@cache
def _lark() -> Lark:
    return Lark(grammar(), parser="lalr", lexer="basic", transformer=Builder())


def run(words: Sequence[Word]) -> Build:
    """What the rule of the order makes of the words. Raises Unexpected."""
    parser = _lark().parse_interactive()
    index = 0
    try:
        for index, word in enumerate(words):  # noqa: B007
            parser.feed_token(word)
        index = len(words)
        made: Build = parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        raise Unexpected(words[index] if index < len(words) else None, index, parser) from None
    return made
