"""Lark's LALR parser over the types of the words that our lexer cuts: it reads grammar.lark.

Which rule a line follows depends on the types of its words alone, and sheets are full of lines that are alike in them
(`MOVE Lenin, RU8 PETR: PETR-PSKO`, `MOVE Dutov, WU2 OREN: OREN-CHEL`). So Lark reads a sequence of types once, and what
was made of it serves every line that has the same.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources

from lark import Lark, Token, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from gm.orders.language.build import Build, Builder
from gm.orders.language.lexer import TERMINALS

Types = tuple[str, ...]
LONGEST_KEPT = 60  # words; what is longer comes once and would fill the memory


class Unexpected(Exception):
    """A word (or the end, behind the last) that no order can have here."""

    def __init__(self, index: int, parser: InteractiveParser) -> None:
        super().__init__(index)
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
    return Lark(grammar(), parser="lalr", lexer="basic")


def build_of(types: Types) -> Build:
    """What the rule of an order makes of words of these types. Raises Unexpected."""
    return _kept(types) if len(types) <= LONGEST_KEPT else _made(types)


def _made(types: Types) -> Build:
    parser = _lark().parse_interactive()
    index = 0
    try:
        for index, type_ in enumerate(types):
            parser.feed_token(Token(type_, "", index))
        index = len(types)
        tree = parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        raise Unexpected(index, parser) from None
    return Builder().transform(tree)


_kept = lru_cache(maxsize=1024)(_made)
