"""Cut one order into the terminals of grammar.lark.

Which words are keywords depends on the verb, so that a player called Rail may still be purged; all other words in
a row are one NAME ("RU8 PETR", "Nizhni Novgorod", "Bela Kun"). A dash belongs to a name ("May-Maevsky"), but parts
provinces behind the colon of a MOVE. bench/orders.py shows what this gains over Lark's own lexers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PM = {"pm": "_PM", "pms": "_PM", "politburo": "_PM"}
_AM = {"am": "_AM", "ams": "_AM", "assassin": "_AM", "assassins": "_AM"}
_WITH = {"with": "_WITH", "w/": "_WITH"}
_COMMITTEE = {**_WITH, "using": "_USING", **_PM}

KEYWORDS: Mapping[str, Mapping[str, str]] = {
    "give": {"give": "_GIVE", "to": "_TO", "for": "_FOR", **_PM, **_AM},
    "accept": {"accept": "_ACCEPT", "from": "_FROM"},
    "refuse": {
        "refuse": "_REFUSE",
        "gifts": "_GIFTS",
        "gift": "_GIFTS",
        "from": "_FROM",
        "execution": "_EXECUTION",
    },
    "seize": {"seize": "_SEIZE", **_WITH},
    "move": {"move": "_MOVE", "to": "_TO", "by rail": "RAIL"},
    "attach": {"attach": "_ATTACH", "to": "_TO"},
    "stack": {"stack": "_STACK"},
    "emigrate": {"emigrate": "_EMIGRATE", "from": "_FROM"},
    "exit": {"exit": "_EXIT"},
    "assassinate": {"assassinate": "_ASSASSINATE", "all": "ALL", **_WITH, **_AM},
    "purge": {
        "purge": "_PURGE",
        "divide": "_DIVIDE",
        "taking": "_TAKING",
        "separately": "SEPARATELY",
        **_COMMITTEE,
    },
    "counterpurge": {
        "counterpurge": "_COUNTERPURGE",
        "strongest": "STRONGEST",
        "weakest": "WEAKEST",
        "never": "NEVER",
        "taking": "_TAKING",
        "if": "_IF",
        "purged": "_PURGED",
        "by": "_BY",
        **_PM,
    },
    "execute": {"execute": "_EXECUTE", "czar": "_CZAR", "tsar": "_CZAR", **_COMMITTEE},
    "comply": {"comply": "_COMPLY"},
    "attack": {"attack": "_ATTACK", "in": "_IN", **_WITH},
    "subvert": {"subvert": "_SUBVERT", "in": "_IN", **_WITH},
    "lose": {"lose": "_LOSE"},
    "take": {"take": "_TAKE"},
    "vote": {"vote": "_VOTE", "end": "END", "continue": "CONTINUE"},
    "resign": {"resign": "_RESIGN"},
}
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
_VERB = re.compile(r"(standing\s+)?(counter[\s-]?purge\b|[^\W\d_]+)", re.IGNORECASE)
_WORD = r"[^\W\d_][\w.'’]*"


class Word:
    """A token: what it is, how it was written, and where."""

    __slots__ = ("end", "start", "text", "type")

    def __init__(self, type_: str, text: str, start: int, end: int) -> None:
        self.type = type_
        self.text = text
        self.start = start
        self.end = end

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
