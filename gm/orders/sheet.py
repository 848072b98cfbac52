"""What a player sent, cut into entries: continuations joined, comments gone, PRESS gathered, indentation kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gm.orders.lexer import KEYWORDS, verb_of

_LEAD = re.compile(r"\s*(?:(?:\(?\d+[.)]|[-*•·–])\s+|\(?\d+\)\s*|[*•·]\s*)*")
_COMMENT = re.compile(r"(?:^|(?<=\s)|(?<=[,:;()]))#(?!\d{3}\b)|#(?!\d)")
_STARTS = frozenset(KEYWORDS) | {"standing", "press", "orders", "add", "cancel"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One order as written: `text` is ready to parse; `column` is where it starts in its first line."""

    line: int  # number of its first line
    text: str
    source: str  # the first line as written
    column: int
    indent: int
    body: tuple[str, ...] = ()  # of a PRESS: the lines under its first
    closed: bool = True


def strip_comment(line: str) -> str:
    found = _COMMENT.search(line)
    return line[: found.start()] if found else line


def starts_order(text: str) -> bool:
    return _first_word(text) in _STARTS


def _first_word(text: str) -> str:
    return verb_of(text) if not text[:8].lower().startswith("standing") else "standing"


def entries(text: str) -> Iterator[Entry]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").replace("\t", "    ").split("\n")
    at = 0
    while at < len(lines):
        raw = lines[at]
        lead = _LEAD.match(raw)
        assert lead is not None
        column = lead.end()
        indent = len(raw) - len(raw.lstrip())
        if _first_word(raw[column:]) == "press":
            body, after, closed = _press_body(lines, at + 1)
            yield Entry(at + 1, raw[column:].rstrip(), raw, column, indent, body, closed)
            at = after
            continue
        first = at
        content = "" if raw.lstrip()[:1] == "#" else strip_comment(raw[column:]).rstrip()
        at += 1
        while _goes_on(content) and at < len(lines):
            more = strip_comment(lines[at]).strip()
            if not more or starts_order(more):
                break
            content = content.removesuffix("\\").rstrip() + " " + more
            at += 1
        content = content.removesuffix("\\").rstrip().rstrip(".;").rstrip()
        if content:
            yield Entry(first + 1, content, raw, column, indent)


def _goes_on(content: str) -> bool:
    return content.endswith((",", "\\")) or content.count("(") > content.count(")")


def _press_body(lines: list[str], at: int) -> tuple[tuple[str, ...], int, bool]:
    """The lines of a PRESS: to END, or to an empty line with an order after it."""
    body: list[str] = []
    while at < len(lines):
        line = lines[at]
        if line.strip().rstrip(".").upper() == "END":
            return tuple(body), at + 1, True
        if not line.strip():
            following = at
            while following < len(lines) and not lines[following].strip():
                following += 1
            if following < len(lines) and _order_after_gap(lines[following]):
                return tuple(body), following, True
        body.append(line.rstrip())
        at += 1
    return tuple(body), at, False


def _order_after_gap(line: str) -> bool:
    lead = _LEAD.match(line)
    assert lead is not None
    word = line[lead.end() :].split(" ")[0].rstrip(":")
    return word.isupper() and word.lower() in _STARTS
