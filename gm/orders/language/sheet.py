"""Splitting a sheet into entries: continuations joined, comments removed, PRESS collected, indentation kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from gm.orders.kinds.catalogue import STANDING, VERBS
from gm.orders.kinds.lines import PRESS_END, goes_on

MAX_ORDER_LINES = 40  # lines of one order; a bracket that nobody closes must not join a whole mail
DIRECTIVES = frozenset({"orders", "add", "cancel"})
_STARTS = {verb.lower() for verb in (*VERBS, STANDING.verb)} | DIRECTIVES | {"counter"}
# Indentation, any bullets and numbers (`3.` `3)` `(3)` `-` `*`), and the first word.
_HEAD = re.compile(r"([ \t]*)(?:(?:\(?\d+[.):](?!\d)|[-*•·–]|\d+(?=[ \t]+[A-Z]{3}))[ \t]*)*((?:[^\W\d_]+\b)?)")
_COMMENT = re.compile(r"#(?!\d{3}\b)")  # #129 is an identity code
_CLOSING = "".join(filter(str.isspace, map(chr, range(0x3001)))) + ";!.,\\"


class SheetEntry(Struct, frozen=True):
    """One order as written, ready to parse."""

    line: int  # number of its first line
    verb: str  # its first word, in small letters
    text: str  # from that word on, in one line
    indent: int
    joints: tuple[tuple[int, int], ...] = ()  # (offset in the text, line number) of continuation lines
    body: tuple[str, ...] = ()  # of a PRESS: the lines under its first
    last: int = 0  # number of its last line

    def line_at(self, offset: int) -> int:
        """The line of the sheet in which a place of the text stands."""
        return max((line for start, line in self.joints if start <= offset), default=self.line)


def entries(text: str) -> Iterator[SheetEntry]:
    """The orders, directives and PRESS of a sheet, in order. Linear in the length of the text."""
    lines = text.expandtabs(4).replace("\xa0", " ").splitlines()
    ends = press_ends(lines)
    at = 0
    while at < len(lines):
        raw = lines[at]
        at += 1
        head = _HEAD.match(raw)
        assert head is not None  # it matches the empty line
        start, verb = head.start(2), head[2].lower()
        if verb == "press":
            closed = PRESS_END.fullmatch(raw, head.end())  # `PRESS END`
            body, after = ((), at) if closed else _press_body(lines, at, ends)
            yield SheetEntry(at, verb, raw[start:].rstrip(), len(head[1]), (), body, after)
            at = after
            continue
        if "#" in raw:
            raw = _without_comment(raw, start)
        content = raw[start:].rstrip()
        if not content.strip("\\ "):
            continue
        number = at
        joints: list[tuple[int, int]] = []
        while at < len(lines) and len(joints) < MAX_ORDER_LINES and goes_on(content):
            more = _without_comment(lines[at], 0).strip()
            if not more or starts_order(lines[at]):
                break
            content = content.removesuffix("\\").rstrip() + " "
            joints.append((len(content), at + 1))
            content += more
            at += 1
        if finished := _finished(content):
            yield SheetEntry(number, verb, finished, len(head[1]), tuple(joints), last=at)


def adds(text: str) -> bool:
    """Whether a sheet only adds to what is on file."""
    return any(line.strip(" .:").lower() == "add" for line in text.split("\n"))


def extents(text: str) -> dict[int, int]:
    """First and last line of each order; an attack's own LOSE and TAKE belong to it."""
    found: dict[int, int] = {}
    owner, indent = 0, -1  # the attack that a line farther in belongs to
    for entry in entries(text):
        if owner and entry.verb in ("lose", "take") and entry.indent > indent:
            found[owner] = entry.last
            continue
        found[entry.line] = entry.last
        owner, indent = (entry.line, entry.indent) if entry.verb == "attack" else (0, -1)
    return found


def starts_order(line: str) -> bool:
    """Whether a line opens with the first word of an order, so that it cannot belong to the one before."""
    head = _HEAD.match(line)
    return head is not None and head[2].lower() in _STARTS


def _finished(content: str) -> str:
    """Without the full stop or other sign that ends it; an abbreviation (`May-M.`) may keep its own."""
    if content[-1].isalnum():
        return content
    rest = content.rstrip(_CLOSING)
    return rest + "." if content[len(rest) :].startswith(".") and rest[-1:].isalpha() else rest


def _without_comment(line: str, start: int) -> str:
    if line[start:].lstrip().startswith("#"):  # no order begins with a counter
        return line[:start]
    found = _COMMENT.search(line, start)
    return line[: found.start()] if found else line


def press_ends(lines: Sequence[str]) -> Sequence[int]:
    """Of each line, where the END stands that closes a PRESS or LETTER above it; -1 if none does, or if another of
    them begins before that, below an empty line."""
    found, following = [-1] * len(lines), -1
    for number in range(len(lines) - 1, -1, -1):
        if PRESS_END.fullmatch(lines[number]):
            following = number
        elif (head := _HEAD.match(lines[number])) and head[2] in ("PRESS", "LETTER"):
            following = -1 if not number or not lines[number - 1].strip() else following
        found[number] = following
    return found


def _press_body(lines: list[str], at: int, ends: Sequence[int]) -> tuple[tuple[str, ...], int]:
    """The lines of a PRESS to its END, whatever they are; without one to an empty line with an order after it; and
    where to read on."""
    if at < len(lines) and ends[at] >= 0:
        return tuple(lines[at : ends[at]]), ends[at] + 1
    start, gap = at, False
    while at < len(lines):
        line = lines[at]
        if PRESS_END.fullmatch(line):
            return tuple(lines[start:at]), at + 1
        if gap and _order_in_capitals(line):
            return tuple(lines[start:at]), at
        gap = not line or line.isspace()
        at += 1
    return tuple(lines[start:]), at


def _order_in_capitals(line: str) -> bool:
    """In prose any word may open a line; an order that follows PRESS must have its first word in capitals."""
    head = _HEAD.match(line)
    return head is not None and head[2].isupper() and head[2].lower() in _STARTS
