"""Lexer: cuts one order into the terminals of grammar.lark.

Which words are keywords depends on the verb, so that a player called Rail may still be purged; all other words in
a row are one NAME ("RU8 PETR", "Nizhni Novgorod", "Bela Kun"). A dash belongs to a name ("May-Maevsky"), but parts
provinces behind the colon of a MOVE. bench/orders.py shows what this gains over Lark's own lexers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lark import Token

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
_SIGNS = {":": "_COLON", "+": "_PLUS", "(": "_LPAR", "[": "_LPAR", ")": "_RPAR", "]": "_RPAR"}
_TYPES: Mapping[str | None, str] = {
    "name": "NAME",
    "number": "NUMBER",
    "dash": "_DASH",
    "comma": "_COMMA",
    "condition": "CONDITION",
    "junk": "JUNK",
}
TERMINALS = frozenset(
    {
        *(type_ for words in KEYWORDS.values() for type_ in words.values()),
        *_SIGNS.values(),
        *_TYPES.values(),
        "_STANDING",
    }
) - {"JUNK"}
_VERB = re.compile(r"(standing\s+)?(counter[\s-]?purge\b|[^\W\d_]+)", re.IGNORECASE)
_WORD = r"[^\W\d_][\w.'’]*"


class Word(Token):
    """A terminal as Lark wants it: what it is, how it was written, and where in the order."""

    __slots__ = ("end", "start", "text")
    start_pos = end_pos = line = column = end_line = end_column = None  # Lark's own, which nobody asks for

    text: str
    start: int
    end: int

    def __new__(cls, type_: str, text: str, start: int, end: int) -> Word:
        word = str.__new__(cls, text)
        word.type = type_
        word.text = text
        word.start = start
        word.end = end
        return word

    def __repr__(self) -> str:
        return f"{self.type}:{self.text!r}@{self.start}"

    @property
    def number(self) -> int:
        """The value of a NUMBER; absurdly long ones are all alike too many."""
        return int(NUMBER_WORDS.get(self.text.lower(), self.text)[:9])


def _pattern(keywords: Mapping[str, str], dash_in_name: bool, condition: bool = False) -> re.Pattern[str]:
    """One expression for all terminals of a verb; the first group that fits wins."""
    reserved = "|".join(re.escape(k).replace(r"\ ", r"\s+") + (r"\b" if k[-1].isalpha() else "") for k in keywords)
    if condition:
        reserved += r"|(?:if|unless|when|provided)\b"
    joint = r"[-‐‑](?=\w)|\s*/\s*(?=\w)|" if dash_in_name else r"\s*/\s*(?=\w)|"
    return re.compile(
        (r"(?P<condition>(?:if|unless|when|provided)\b.*)|" if condition else "") + rf"(?P<keyword>{reserved})"
        r"|(?P<comma>(?:[,;&]|and\b)(?:\s*(?:[,;&]|and\b))*)"
        rf"|(?P<number>\d+|(?:{'|'.join(_NUMBERS)})\b)"
        r"|(?P<skip>(?:the|markers?)\b|\.+\s*$)"
        rf"|(?P<name>\#\d+|(?:[rwgb][ul]\s+\d+\s+)?{_WORD}(?:(?:{joint}\s+(?!{reserved}|and\b)(?=[^\W\d_]))[\w.'’]+)*)"
        r"|(?P<dash>[-=]>|[-‐‑‒–—−→>])"
        r"|(?P<sign>[:()\[\]+])"
        r"|(?P<junk>\S)",
        re.IGNORECASE,
    )


_PATTERNS = {verb: _pattern(words, True, verb == "purge") for verb, words in KEYWORDS.items()}
_PATH = _pattern(KEYWORDS["move"], False)
_ANY = _pattern({"standing": ""}, True)


def verb_of(line: str) -> str:
    """The first word of an order (after STANDING), as KEYWORDS knows it, whether or not it is one."""
    head = _VERB.match(line)
    return _verb(head) if head else ""


def _verb(head: re.Match[str]) -> str:
    verb = head[2].lower()
    return "counterpurge" if verb[:7] == "counter" and verb[-5:] == "purge" else verb


def lex(line: str) -> list[Word]:
    """The tokens of an order. Whatever is no token at all comes as JUNK, for the parser to stumble over."""
    head = _VERB.match(line)
    verb = _verb(head) if head else ""
    keywords = KEYWORDS.get(verb)
    found: list[Word] = []
    if head is None or keywords is None:
        return _scan(_ANY, {}, line, 0, len(line))
    if head[1]:
        found.append(Word("_STANDING", head[1].rstrip(), 0, len(head[1].rstrip())))
    found.append(Word(keywords[verb], head[2], head.start(2), head.end()))
    colon = line.find(":", head.end()) if verb == "move" else -1
    if colon < 0:
        return found + _scan(_PATTERNS[verb], keywords, line, head.end(), len(line))
    found += _scan(_PATTERNS[verb], keywords, line, head.end(), colon + 1)
    at = colon + 1
    while (bracket := line.find("(", at)) >= 0:
        close = line.find(")", bracket)
        close = close if close >= 0 else len(line)
        found += _scan(_PATH, keywords, line, at, bracket)
        found += _scan(_PATTERNS[verb], keywords, line, bracket, close)
        at = close
    return found + _scan(_PATH, keywords, line, at, len(line))


def _scan(pattern: re.Pattern[str], keywords: Mapping[str, str], line: str, start: int, end: int) -> list[Word]:
    found = []
    for match in pattern.finditer(line, start, end):
        kind = match.lastgroup
        type_ = _TYPES.get(kind)
        if type_ is None:
            if kind == "skip":
                continue
            # Of the keywords only BY RAIL may hold extra blanks.
            type_ = _SIGNS[match[0]] if kind == "sign" else keywords.get(match[0].lower(), "RAIL")
        found.append(Word(type_, match[0], match.start(), match.end()))
    return found
