"""Lexer: cuts one order into the terminals of grammar.lark.

Which words are keywords depends on the verb, so that a player called Rail may still be purged; all other words in
a row are one NAME ("RU8 PETR", "Nizhni Novgorod", "Bela Kun"). A dash belongs to a name ("May-Maevsky"), but parts
provinces behind the colon of a MOVE. bench/orders.py shows what this gains over Lark's own lexers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import overload

from msgspec import Struct

from gm.orders.kinds import Hold, Press
from gm.orders.kinds.catalogue import KINDS


def _keywords() -> dict[str, dict[str, str]]:
    """By the first word of an order: its words, and the terminals for which they stand. PRESS and HOLD are free."""
    found: dict[str, dict[str, str]] = {}
    for kind in KINDS:
        if kind not in (Hold, Press):
            verb = kind.about.verb.lower()
            found.setdefault(verb, {verb: f"_{verb.upper()}"}).update(kind.about.words)
    return found


KEYWORDS: Mapping[str, Mapping[str, str]] = _keywords()
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBER_WORDS: Mapping[str, str] = {word: str(n) for n, word in enumerate(_NUMBERS, 1)}
_SIGNS = {"_COLON": ":", "_PLUS": r"\+", "_LPAR": r"[(\[]", "_RPAR": r"[)\]]"}
TERMINALS = frozenset(
    {
        *(type_ for words in KEYWORDS.values() for type_ in words.values()),
        *_SIGNS,
        *("NAME", "NUMBER", "_DASH", "_COMMA", "CONDITION", "_STANDING"),
    }
)
_VERB = re.compile(r"(standing\s+)?(counter[\s-]?purge\b|[^\W\d_]+)", re.IGNORECASE)
_WORD = r"[^\W\d_][\w.'’]*"
_CONDITION = r"(?:if|unless|when|provided)\b"


class Word(Struct, frozen=True):
    """A terminal: what it is, how it was written, and where in the order."""

    type: str
    text: str
    start: int
    end: int

    @property
    def number(self) -> int:
        """The value of a NUMBER; absurdly long ones are all alike too many."""
        return int(NUMBER_WORDS.get(self.text.lower(), self.text)[:9])


class Words(Sequence[Word]):
    """The words of an order. Side by side, because of most only the type is asked, or how they are written."""

    def __init__(self) -> None:
        self.types: list[str] = []
        self.texts: list[str] = []
        self.starts: list[int] = []

    def __len__(self) -> int:
        return len(self.types)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> list[Word]: ...
    def __getitem__(self, index: int | slice) -> Word | list[Word]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        text, start = self.texts[index], self.starts[index]
        return Word(self.types[index], text, start, start + len(text))

    def add(self, type_: str, text: str, start: int) -> None:
        self.types.append(type_)
        self.texts.append(text)
        self.starts.append(start)

    def scan(self, pattern: re.Pattern[str], line: str, start: int, end: int) -> None:
        """Add what stands in a part of the line; groups of the pattern are named after the terminals."""
        types, texts, starts = self.types, self.texts, self.starts
        for match in pattern.finditer(line, start, end):
            type_ = match.lastgroup
            if type_ is not None:  # else a word that says nothing
                types.append(type_)
                texts.append(match[0])
                starts.append(match.start())


def _pattern(keywords: Mapping[str, str], dash_in_name: bool, condition: bool = False) -> re.Pattern[str]:
    """One expression for all terminals of a verb; the first group that fits wins."""
    spelt: dict[str, list[str]] = {}
    for word, type_ in keywords.items():
        written = re.escape(word).replace(r"\ ", r"\s+") + (r"\b" if word[-1].isalpha() else "")
        spelt.setdefault(type_, []).append(written)
    reserved = "|".join(word for words in spelt.values() for word in words)
    if condition:
        reserved += rf"|{_CONDITION}"
    joint = r"[-‐‑](?=\w)|\s*/\s*(?=\w)|" if dash_in_name else r"\s*/\s*(?=\w)|"
    words = rf"{_WORD}(?:(?:{joint}\s+(?!{reserved}|and\b)(?=[^\W\d_]))[\w.'’]+)*"
    groups = [
        *([rf"(?P<CONDITION>{_CONDITION}.*)"] if condition else []),
        *(f"(?P<{type_}>{'|'.join(words)})" for type_, words in spelt.items()),
        r"(?P<_COMMA>(?:[,;&]|and\b)(?:\s*(?:[,;&]|and\b))*)",
        rf"(?P<NUMBER>\d+|(?:{'|'.join(_NUMBERS)})\b)",
        r"(?:the|markers?)\b|(?<!\.)\.++\s*+$",
        rf"(?P<NAME>\#\d+|(?:[rwgb][ul]\s+\d+\s+)?{words})",
        r"(?P<_DASH>[-=]>|[-‐‑‒–—−→>])",
        *(f"(?P<{type_}>{sign})" for type_, sign in _SIGNS.items()),
        r"(?P<JUNK>\S)",
    ]
    # Nothing begins with a blank: said once, it need not be tried for each group.
    return re.compile(rf"(?=\S)(?:{'|'.join(groups)})", re.IGNORECASE)


_PATTERNS = {verb: _pattern(words, True, verb == "purge") for verb, words in KEYWORDS.items()}
_PATH = _pattern(KEYWORDS["move"], False)
_ANY = _pattern({"standing": "MISPLACED"}, True)


def verb_of(line: str) -> str:
    """The first word of an order (after STANDING), as KEYWORDS knows it, whether or not it is one."""
    head = _VERB.match(line)
    return _verb(head) if head else ""


def _verb(head: re.Match[str]) -> str:
    verb = head[2].lower()
    return "counterpurge" if verb[:7] == "counter" and verb[-5:] == "purge" else verb


def lex(line: str) -> Words:
    """The words of an order. Whatever is no word at all comes as JUNK, for the parser to stumble over."""
    head = _VERB.match(line)
    verb = _verb(head) if head else ""
    keywords = KEYWORDS.get(verb)
    found = Words()
    if head is None or keywords is None:
        found.scan(_ANY, line, 0, len(line))
        return found
    if head[1]:
        found.add("_STANDING", head[1].rstrip(), 0)
    found.add(keywords[verb], head[2], head.start(2))
    pattern, at = _PATTERNS[verb], head.end()
    colon = line.find(":", at) if verb == "move" else -1
    if colon < 0:
        found.scan(pattern, line, at, len(line))
        return found
    found.scan(pattern, line, at, colon + 1)
    at = colon + 1
    while (bracket := line.find("(", at)) >= 0:
        close = line.find(")", bracket)
        close = close if close >= 0 else len(line)
        found.scan(_PATH, line, at, bracket)
        found.scan(pattern, line, bracket, close)
        at = close
    found.scan(_PATH, line, at, len(line))
    return found
