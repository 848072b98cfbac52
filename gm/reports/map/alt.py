"""The map in words, for whoever cannot see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gm.reports.map.geometry import geometry
from gm.reports.map.model import MapView, unique
from gm.reports.map.placing.blocks import MARK_ORDER
from gm.reports.map.text import FORBIDDEN
from gm.reports.map.wording import word


def alt_text(view: MapView) -> str:
    """A few sentences: how many stand there, whose, what moved and what happened where."""
    parts = [word("alt", "head").format(title=view.title, date=view.date_line)]
    parts += _forces(view) or [word("alt", "empty")]
    parts += _moves(view)
    for kind in MARK_ORDER:
        where = unique(m.province for m in view.marks if m.kind == kind)
        if where:
            parts.append(_sentence(word("alt", "marks").format(kind=word("marks", kind), provinces=_places(where))))
    parts.append(word("alt", "tail"))
    return FORBIDDEN.sub("", " ".join(parts))


def _forces(view: MapView) -> list[str]:
    if not view.stacks:
        return []
    by_owner = Counter(s.owner for s in view.stacks)
    owned = sorted((o, n) for o, n in by_owner.items() if o is not None)
    counts = [word("alt", "owned").format(owner=o, count=n) for o, n in owned]
    if by_owner[None]:
        counts.append(word("alt", "unaligned").format(count=by_owner[None]))
    found = [word("alt", "stacks").format(count=len(view.stacks), parts=", ".join(counts))]
    where = unique(s.province for s in view.stacks if view.mine is not None and s.owner == view.mine)
    if where:
        found.append(word("alt", "mine").format(owner=view.mine, provinces=_places(where)))
    return found


def _moves(view: MapView) -> list[str]:
    if not view.moves:
        return []
    found = [word("alt", "moves").format(count=len(view.moves))]
    stops = [
        word("alt", "stop").format(owner=m.owner or word("alt", "nobody"), province=_places((m.stopped_at,)))
        for m in view.moves
        if m.stopped_at is not None
    ]
    if stops:
        found.append(word("alt", "stopped").format(parts=", ".join(stops)))
    return found


def _places(codes: Iterable[str]) -> str:
    shapes = geometry().shapes
    return ", ".join(shapes[code].name if code in shapes else code for code in codes)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
