"""Cut one order into the terminals of grammar.lark.

Which words are keywords depends on the verb, so that a player called Rail may still be purged; all other words in
a row are one NAME ("RU8 PETR", "Nizhni Novgorod", "Bela Kun").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lark import Token
from lark.lexer import Lexer

_SCAN = re.compile(
    r"(?P<rail>\bby\s+rail\b)"
    r"|(?P<word>\#\d+|[^\W\d_](?:[\w.'’]|/(?=\w)|(?<=\bw)/)*)"
    r"|(?P<number>\d+)"
    r"|(?P<dash>->|=>|[-‐‑‒–—−→>])"
    r"|(?P<sign>[,;:()\[\]+&/])"
    r"|(?P<junk>\S)",
    re.IGNORECASE,
)
_VERB = re.compile(r"(?:standing\s+)?(counter[\s-]?purge\b|[^\W\d_]+)", re.IGNORECASE)
_SIGNS = {",": "_COMMA", ";": "_COMMA", "&": "_COMMA", ":": "_COLON", "+": "_PLUS"}
_SIGNS |= {"(": "_LPAR", "[": "_LPAR", ")": "_RPAR", "]": "_RPAR"}
_BARE_TAGS = frozenset({"ru", "rl", "wu", "wl", "gu", "bu"})
SKIPPED = "skip"

_PM = {"pm": "_PM", "pms": "_PM", "politburo": "_PM"}
_AM = {"am": "_AM", "ams": "_AM", "assassin": "_AM", "assassins": "_AM"}
_MARKERS = _PM | _AM | {"marker": SKIPPED, "markers": SKIPPED}
_WITH = {"with": "_WITH", "w/": "_WITH"}
_COMMITTEE = _WITH | {"using": "_USING"} | _PM | {"marker": SKIPPED, "markers": SKIPPED}

KEYWORDS: Mapping[str, Mapping[str, str]] = {
    "give": {"give": "_GIVE", "to": "_TO", "for": "_FOR", **_MARKERS},
    "accept": {"accept": "_ACCEPT", "from": "_FROM"},
    "refuse": {"refuse": "_REFUSE", "gift": "_GIFTS", "gifts": "_GIFTS", "from": "_FROM", "execution": "_EXECUTION"},
    "seize": {"seize": "_SEIZE", **_WITH},
    "move": {"move": "_MOVE", "to": "_TO"},
    "attach": {"attach": "_ATTACH", "to": "_TO"},
    "stack": {"stack": "_STACK"},
    "emigrate": {"emigrate": "_EMIGRATE", "from": "_FROM"},
    "exit": {"exit": "_EXIT"},
    "assassinate": {"assassinate": "_ASSASSINATE", "all": "ALL", **_WITH, **_AM, "marker": SKIPPED, "markers": SKIPPED},
    "purge": {
        "purge": "_PURGE",
        "divide": "_DIVIDE",
        "taking": "_TAKING",
        "separately": "SEPARATELY",
        **dict.fromkeys(("if", "unless", "when", "provided"), "CONDITION"),
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
    "execute": {"execute": "_EXECUTE", "the": SKIPPED, "czar": "_CZAR", "tsar": "_CZAR", **_COMMITTEE},
    "comply": {"comply": "_COMPLY"},
    "attack": {"attack": "_ATTACK", "in": "_IN", **_WITH},
    "subvert": {"subvert": "_SUBVERT", "in": "_IN", **_WITH},
    "lose": {"lose": "_LOSE"},
    "take": {"take": "_TAKE"},
    "vote": {"vote": "_VOTE", "end": "END", "continue": "CONTINUE"},
    "resign": {"resign": "_RESIGN"},
}
NUMBER_WORDS = {
    w: str(n) for n, w in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
}


def verb_of(line: str) -> str:
    """The first word of an order (after STANDING), as KEYWORDS knows it, whether or not it is one."""
    found = _VERB.match(line)
    if not found:
        return ""
    verb = found[1].lower()
    return "counterpurge" if verb.startswith("counter") else verb


def tokens(line: str) -> Iterator[Token]:
    verb = verb_of(line)
    keywords = KEYWORDS.get(verb, {})
    dashed = verb == "move"  # after its colon, outside brackets, a dash parts provinces
    in_path = False
    start = end = 0  # of the NAME that is being gathered; end 0: none
    last = ""
    position = 0
    head = _VERB.match(line)
    if head and verb in KEYWORDS:
        if head.start(1) != head.start():
            yield Token("_STANDING", line[: head.start(1)].rstrip(), 0, end_pos=head.start(1))
        yield Token(keywords[verb], head[1], head.start(1), end_pos=head.end())
        position = head.end()
    for found in _SCAN.finditer(line, position):
        kind = found.lastgroup
        here, there = found.span()
        text = found[0]
        type_ = "NAME"
        if kind == "word":
            type_ = keywords.get(text.lower(), "NAME")
            if type_ == "NAME":
                low = text.lower()
                if low == "and":
                    type_ = "_COMMA"
                elif low in NUMBER_WORDS and not end:
                    type_, text = "NUMBER", NUMBER_WORDS[low]
                else:
                    if not end:
                        start = here
                    end = there
                    continue
            elif type_ == "CONDITION":
                if end:
                    yield Token("NAME", line[start:end], start, end_pos=end)
                yield Token("CONDITION", line[here:], here, end_pos=len(line))
                return
        elif kind == "dash":
            if end and not in_path and here == end and line[there : there + 1].isalpha():
                end = there
                continue
            type_ = "_DASH"
        elif kind == "number":
            if end and line[start:end].lower() in _BARE_TAGS:
                end = there
                continue
            type_ = "NUMBER"
        elif kind == "sign":
            if text == "/":
                if end:
                    end = there
                    continue
                type_ = "JUNK"
            else:
                type_ = _SIGNS[text]
                if type_ == "_COLON":
                    in_path = dashed
                elif type_ == "_LPAR":
                    in_path = False
                elif type_ == "_RPAR":
                    in_path = dashed
        elif kind == "rail":
            type_ = "RAIL"
        else:
            type_ = "JUNK"
        if end:
            yield Token("NAME", line[start:end], start, end_pos=end)
            end = 0
            last = "NAME"
        if type_ == SKIPPED or (type_ == "_COMMA" and last == "_COMMA"):
            continue
        last = type_
        yield Token(type_, text, here, end_pos=there)
    if end:
        yield Token("NAME", line[start:end], start, end_pos=end)


class OrderLexer(Lexer):
    """The above, as Lark wants it."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        return tokens(str(data))
