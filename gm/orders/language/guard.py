"""Parsing the ORDERS line (guard), which says for which Phase a sheet is meant."""

from __future__ import annotations

import re

from gm.gamedate import turn_of
from gm.orders.kinds import Guard
from gm.orders.language.sheet import DIRECTIVES, entries
from gm.position import Phase

_PHASES = {
    Phase.PREGAME: re.compile(r"\b(?:pre-?game|before the game|trades|bartering)\b"),
    Phase.FIRST: re.compile(r"\b(?:first|1st|movement|phase (?:1|i|one))\b"),
    Phase.SECOND: re.compile(r"\b(?:second|2nd|combat|phase (?:2|ii|two))\b"),
}
_TURN = re.compile(r"\b(?:game-?\s?)?turn\s*#?(\d{1,4})\b")
_DATE = re.compile(r"\b([a-z]{3,9})\.?,?\s+(\d{4})\b")
UNREADABLE = Guard(-1, "unreadable")  # of no Phase: a sheet with such a guard is never taken


def by_phase(text: str, now: Guard) -> list[str]:
    """A text cut before each ORDERS line that names another Phase: the sheets of several Phases in one mail. What
    stands before the first is for the Phase that is open; a line that names the Phase which is named already, or is
    open, says nothing new. Uncut, if it is not clear for which Phase a part is."""
    lines = text.splitlines()
    found: list[tuple[int, Guard]] = []
    for at, guard in [(e.line - 1, read_guard(e.text)) for e in entries(text) if e.verb == "orders"]:
        if not found and any(line.strip() for line in lines[:at]):
            found.append((0, now))
        if guard is not None and found and found[-1][1] == guard:
            lines[at] = ""
        elif guard is not None:
            found.append((at, guard))
    found = found or [(0, now)]
    ends = [at for at, _ in found[1:]] + [len(lines)]
    parts = ["\n".join(lines[at:end]) for (at, _), end in zip(found, ends, strict=True)]
    clear = len({guard for _, guard in found}) == len(found)
    return parts if clear and all(any(e.verb not in DIRECTIVES for e in entries(p)) for p in parts) else [text]


def read_guard(text: str) -> Guard | None:
    """`ORDERS June 1918 First Phase`, `ORDERS turn 1 phase 1`, `ORDERS before the game`."""
    low = " ".join(text.lower().split())
    phases = [phase for phase, pattern in _PHASES.items() if pattern.search(low)]
    if len(phases) != 1:
        return None
    if phases[0] is Phase.PREGAME:
        return Guard(0, Phase.PREGAME)
    turns = {int(n) for n in _TURN.findall(low)}
    turns |= {turn for m, y in _DATE.findall(low) if (turn := turn_of(m, int(y))) is not None}
    return Guard(turns.pop(), phases[0]) if len(turns) == 1 else None
