"""What happened in a province: a medallion with a sign for each kind of event."""

from __future__ import annotations

from collections.abc import Mapping

from gm.reports.map.model import MarkKind
from gm.reports.map.text import content, moved, num
from gm.reports.map.wording import word

RADIUS = 10.5

# Lines are stroked, solids filled; each sign is drawn about (0, 0).
LINES: Mapping[MarkKind, str] = {
    "battle": "M-5 5.5L5.5-6M5 5.5L-5.5-6M-6.5 2.5l4 4M6.5 2.5l-4 4",
    "subversion": "M-4.5-6.5h6l3 3v10h-9zM-2-1.5h4M-2 1h4M-2 3.5h4",
    "epidemic": "",
    "purge": "M6.5-7L.5 1",
    "assassination": "M2.5-2.5c1-2.5 3-1 3.5-3.5M4.5-7.5l.5.8M7.8-6.3l-.9.4M7.3-3.5l-.7-.6",
}
SOLIDS: Mapping[MarkKind, str] = {
    "battle": "M6.3-6.8l.3 2.6-2.3-.4zM-6.3-6.8l-.3 2.6 2.3-.4z",
    "subversion": "",
    "epidemic": "M0-7.5c4 0 6 2.6 6 5.6 0 2-1 3.3-2.3 4V5.5c0 .7-.4 1-1 1h-5.4c-.6 0-1-.3-1-1"
    "V2.1C-5 1.4-6 .1-6-1.9c0-3 2-5.6 6-5.6z"
    "M-2.6-2.9a1.7 1.7 0 1 0 .01 0zM2.6-2.9a1.7 1.7 0 1 0 .01 0zM0 1l-1 2h2zM-1.7 4.3v2.2h.8V4.3zM.9 4.3v2.2h.8V4.3z",
    "purge": "M-2.5-.5L2.5 3C1 5-1.5 7.5-3.5 8c-1-.8-4-3-4.5-4.5C-6.5 3-4 1.5-2.5-.5z",
    "assassination": "M-1.5-3a5 5 0 1 1-.01 0zM.3-4.3l3 2-1 1.6-3-2z",
}


def mark(kind: MarkKind, x: float, y: float) -> str:
    parts = [f'<circle class="km-mark" r="{num(RADIUS)}"/>']
    if LINES[kind]:
        parts.append(f'<path class="km-sign" d="{LINES[kind]}"/>')
    if SOLIDS[kind]:
        parts.append(f'<path class="km-solid" fill-rule="evenodd" d="{SOLIDS[kind]}"/>')
    title = f"<title>{content(word('marks', kind))}</title>"
    return moved(x, y, title + "".join(parts), f' class="km-{kind}"')
