"""Rephrasing common wordings into the order language, by patterns; for suggestions only, as in faults.py."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.orders.kinds.catalogue import STANDING, VERBS

_VERBS = "|".join((*VERBS, STANDING.verb))
_PLACE = r"[^\W\d_]{3,}"

# One habit a line: how it is written, and how the language has it.
HABITS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        (r"[\"“”„«»]", ""),  # MOVE "Lenin": ...
        (rf"^.*?[\s:](?=(?:{_VERBS})\b)", ""),  # please move Lenin ..., C: PURGE B ...
        (r"^standing\s+", ""),  # STANDING MOVE ...
        (r"^(?:trade|send|pay)\b", "GIVE"),
        (r"^(?:kill|murder)\b", "ASSASSINATE"),
        (r"^(?:march|go)\b", "MOVE"),
        (r"^move:?\s+(.*?)[,\s]+with\s+", r"MOVE \1, "),  # MOVE Lenin with RU8 PETR ...
        (rf"^move\s+(.*?)\s+from\s+{_PLACE}\s+to\b", r"MOVE \1 TO"),
        (r"^(move\s[^:]*?)\s+by\s+(?:rail|train)\s+(to\b.*)$", r"\1 \2 BY RAIL"),  # MOVE Lenin BY RAIL TO TVER
        (rf"^(move\s[^:]*?)\s*\(({_PLACE})\)(?=\s*:\s*\2)", r"\1"),  # MOVE Lenin (PETR): PETR-PSKO
        (rf"^(move\s[^:]*?)[,\s]+({_PLACE}-\S+)$", r"\1: \2"),  # ..., PETR-PSKO-LIVO
        (rf"^({_PLACE}[^:]*?)[,\s]+({_PLACE}-\S+)$", r"MOVE \1: \2"),  # Lenin PETR-PSKO
        (r"^(move\s[^:]*)\(([^()]*)\)\s*:", r"\1, \2:"),  # MOVE Lenin (RU8 PETR): ...
        (r",\s*:", ":"),
        (r"-\s*$", ""),  # PETR-PSKO-
        (rf"({_PLACE})\s*([+-][RWGB][UL]\d?\s+\w+(?:/\w+)?)(?=\s|$|-)", r"\1(\2)"),  # PSKO +RU4 PSKO
        (r"([RWGB]U\d?\s+[\w/]+)\s+x\s?(\d)\b", r"\2 \1"),  # BU2 KHER/FR x2
        (rf"^(attack|subvert)\s+(.*?)\s+with\s+(.*?)\s+in\s+({_PLACE})$", r"\1 \2 IN \4 WITH \3"),
        (rf"^(attack|subvert)\s+({_PLACE})\s*:\s*(.*?)\s+with\s+", r"\1 \3 IN \2 WITH "),  # SARA: WU2 SARA WITH Markin
        (rf"^(attack|subvert)\s+(.*?)\s*:\s*(.*?)\s+in\s+({_PLACE})\.?$", r"\1 \3 IN \4 WITH \2"),  # Markin: WU2 SARA
        (rf"^stack\s+(.*?)\s+in\s+({_PLACE})$", r"STACK \2: \1"),
        (r"\busing(?=\s+\d+$)", "WITH"),  # ASSASSINATE Trotsky USING 2
        (r"^give\s+(\w+)\s+(\d+\s+(?:pm|am))$", r"GIVE \2 TO \1"),  # GIVE B 2 PM
        (r"^give\s+(?=(?:pm|am)\b)", "GIVE 1 "),
    )
)
_BETWEEN_PLACES = re.compile(r"\s*(?:[,/;]|\bthen\b|\bto\b|\bvia\b|\s)\s*", re.IGNORECASE)


def rephrased(text: str) -> Iterator[str]:
    """The line with each habit by itself put right, then with all of them. Runs of blanks are folded first: on those
    the habits are slow."""
    whole = text = " ".join(text.split())
    for pattern, written in HABITS:
        changed = pattern.sub(written, text)
        if changed != text:
            yield changed
        whole = pattern.sub(written, whole)
    if whole != text:
        yield whole
    force, colon, path = text.partition(":")
    if colon and "(" not in path:  # PETR PSKO LIVO, PETR/PSKO/LIVO, PETR then PSKO
        yield f"{force}: {'-'.join(p for p in _BETWEEN_PLACES.split(path.strip()) if p)}"
