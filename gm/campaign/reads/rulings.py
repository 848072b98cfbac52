"""The published rulings and the rules in short, from templates/rulings.md and rules.md: for web pages and mails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gm.wording import template_file


@dataclass(frozen=True, slots=True)
class Ruling:
    number: str  # J7; S7 of the solitaire game; 5.27 or 17/5.0 of the rules
    text: str


@dataclass(frozen=True, slots=True)
class RulingSection:
    title: str
    items: tuple[Ruling, ...]
    text: str = ""  # prose that belongs to no number


_ITEM = re.compile(r"^- \*\*([HJS]\d+|(?:17/)?\d+\.\d+)\*\* ", re.MULTILINE)


def rulings() -> tuple[RulingSection, ...]:
    return _sections("rulings.md")


def rules() -> tuple[RulingSection, ...]:
    """What each rule decides, in our own words."""
    return _sections("rules.md")


@cache
def _sections(file: str) -> tuple[RulingSection, ...]:
    source = template_file(file)
    return tuple(_section(part) for part in re.split(r"^## ", source, flags=re.MULTILINE)[1:])


def ruling(number: str) -> Ruling | None:
    """A ruling, or a rule in short, by its number."""
    return next((r for s in (*rulings(), *rules()) for r in s.items if r.number == number.upper()), None)


def of_section(number: str) -> tuple[Ruling, ...]:
    """All rules of a section of the rulebook: `5`, `8.4`."""
    return tuple(r for s in rules() for r in s.items if re.match(rf"(17/)?{re.escape(number)}(\.|\d|$)", r.number))


def _section(part: str) -> RulingSection:
    title, _, body = part.partition("\n")
    pieces = _ITEM.split(body)
    items = tuple(Ruling(n, _plain(t)) for n, t in zip(pieces[1::2], pieces[2::2], strict=True))
    return RulingSection(title.strip(), items, _plain(pieces[0]))


def _plain(text: str) -> str:
    return re.sub(r"[*`]", "", " ".join(text.split()))
