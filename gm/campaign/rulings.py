"""The published rulings, read from templates/rulings.md: for the web page and the HELP RULINGS mail."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gm.reports.prose import templates_folder


@dataclass(frozen=True, slots=True)
class Ruling:
    number: str  # J7
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    items: tuple[Ruling, ...]
    text: str = ""  # prose that belongs to no number


_ITEM = re.compile(r"^- \*\*(J\d+)\*\* ", re.MULTILINE)


@cache
def rulings() -> tuple[Section, ...]:
    source = (templates_folder() / "rulings.md").read_text("utf-8")
    return tuple(_section(part) for part in re.split(r"^## ", source, flags=re.MULTILINE)[1:])


def ruling(number: str) -> Ruling | None:
    return next((r for s in rulings() for r in s.items if r.number == number.upper()), None)


def _section(part: str) -> Section:
    title, _, body = part.partition("\n")
    pieces = _ITEM.split(body)
    items = tuple(Ruling(n, _plain(t)) for n, t in zip(pieces[1::2], pieces[2::2], strict=True))
    return Section(title.strip(), items, _plain(pieces[0]))


def _plain(text: str) -> str:
    return re.sub(r"[*`]", "", " ".join(text.split()))
