"""Parsing PRESS: a dateline, perhaps the players it is for, and free text over any number of lines."""

from __future__ import annotations

import re

from gm.orders import kinds as m
from gm.orders.kinds.lines import PRESS_END
from gm.orders.language.lexer import Word
from gm.orders.language.resolve import Refused, Resolver
from gm.orders.language.sheet import SheetEntry

_HEADING = re.compile(r"press\b(?:\s+(as)\b\s*(?:[\"“”„«]([^\"“”„»]*)[\"“”»])?)?\s*", re.IGNORECASE)
_TO = re.compile(r"to\b\s*", re.IGNORECASE)
_NAME = re.compile(r"[^\s,:;]+")
_COMMA = re.compile(r"(?<!\s)\s*+(?:,|&|\band\b)\s*", re.IGNORECASE)


def read_press(entry: SheetEntry, resolver: Resolver) -> m.Press:
    """Raises Refused for a heading that might make public what was meant for one player."""
    heading = _HEADING.match(entry.text)
    assert heading is not None  # the entry's first word is PRESS
    if heading[1] and heading[2] is None:
        raise Refused("dateline-without-quotes", Word("NAME", heading[1], heading.start(1), heading.end(1)))
    at = heading.end()
    to: list[str] = []
    if addressed := _TO.match(entry.text, at):
        to, at = _addressees(entry.text, addressed.end(), resolver)
    first = entry.text[at:].lstrip()
    first = first.removeprefix(":").lstrip()
    text = "\n".join(line.rstrip() for line in (first, *entry.body)).strip("\n")
    if not text.strip() or PRESS_END.fullmatch(first):
        raise Refused("press-without-text", Word("NAME", entry.text, 0, len(entry.text)))
    return resolver.make(m.Press, text=text, dateline=heading[2], to=tuple(to))


def _addressees(text: str, at: int, resolver: Resolver) -> tuple[list[str], int]:
    """`B, C: ...`: as many players as stand there. Who is not known is refused: better that than printed."""
    found: list[str] = []
    while True:
        name = _NAME.match(text, at)
        letter = resolver.all_players.player(name[0]) if name else None
        if name is None or letter is None:
            word = name[0] if name else ""
            raise Refused("press-to-whom", Word("NAME", word, at, at + len(word)))
        found.append(letter)
        at = name.end()
        comma = _COMMA.match(text, at)
        if comma is None:
            return found, at
        following = _NAME.match(text, comma.end())
        meant = following is not None and (
            resolver.all_players.player(following[0]) is not None or text[following.end() :].lstrip().startswith(":")
        )
        if not meant:
            return found, comma.end()  # `PRESS TO B, meet me in Tver`
        at = comma.end()
