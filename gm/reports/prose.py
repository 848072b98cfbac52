"""The prose of the paper: templates as data, filled with values. No sentence stands in Python."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import gm

Pack = Mapping[str, Any]


def templates_folder() -> Path:
    """Where the templates lie: beside the package in a checkout, inside it when installed."""
    package = Path(gm.__file__).parent
    inside = package / "_templates"
    return inside if inside.is_dir() else package.parent / "templates"


class Count(int):
    """A number that knows its noun: `{n:marker|markers}` gives `3 markers`, `{n:#marker|markers}` `three markers`."""

    names: Sequence[str] = ()

    def __format__(self, spec: str) -> str:
        if "|" not in spec:
            return int.__format__(self, spec)
        spelled = spec.startswith("#")
        one, _, many = spec.removeprefix("#").partition("|")
        figure = self.names[self] if spelled and self < len(self.names) else str(int(self))
        return f"{figure} {one if self == 1 else many}"


def fields_of(template: str) -> frozenset[str]:
    """The names in braces that a template needs."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name)


def pick(seed: str, number: int) -> int:
    """A choice among `number` things that depends on nothing but the seed."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8], "big") % number


def capital(text: str) -> str:
    """Templates may begin with a name in lower case (`the former Czar`); a sentence does not."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Prose:
    """All packs of templates/bell/*.toml by file name."""

    packs: Mapping[str, Pack]

    def say(self, pack: str, key: str, /, **data: object) -> str:
        """A sentence by the name of its template (`phase.first` for a table within the file), filled."""
        return capital(self.fill(self.template(pack, key), data))

    def phrase(self, pack: str, key: str, /, **data: object) -> str:
        """The same as part of a sentence."""
        return self.fill(self.template(pack, key), data)

    def fill(self, template: str, data: Mapping[str, object]) -> str:
        return template.format_map({name: self._value(v) for name, v in data.items()})

    def template(self, pack: str, key: str) -> str:
        found: Any = self.packs[pack]
        for part in key.split("."):
            found = found[part]
        return str(found)

    def first_fitting(self, templates: str | Sequence[str], data: Mapping[str, object]) -> str:
        """Of several wordings the first whose fields are all known, as a sentence."""
        choices = [templates] if isinstance(templates, str) else templates
        fitting = next((t for t in choices if fields_of(t) <= data.keys()), choices[-1])
        return capital(self.fill(fitting, data))

    def _value(self, value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        count = Count(value)
        count.names = self.packs["words"]["numbers"]
        return count

    def many(self, items: Iterable[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        found = list(items)
        if not found:
            return self.template("words", "nothing")
        if len(found) == 1:
            return found[0]
        return f"{', '.join(found[:-1])} {self.template('words', 'and')} {found[-1]}"

    def month(self, turn: int) -> tuple[str, int]:
        """J36: Game-Turn 1 is June 1918; before the game it is still June."""
        ahead = 5 + max(turn, 1) - 1
        return self.packs["words"]["months"][ahead % 12], 1918 + ahead // 12

    def day(self, when: date) -> str:
        return f"{when.day} {self.packs['words']['months'][when.month - 1]} {when.year}"

    def weekday(self, when: date) -> str:
        return str(self.packs["words"]["days"][when.weekday()])


@cache
def standard_prose() -> Prose:
    """The words that ship with the package."""
    return read_prose(templates_folder() / "bell")


def read_prose(folder: Path) -> Prose:
    return Prose({f.stem: tomllib.loads(f.read_text("utf-8")) for f in sorted(folder.glob("*.toml"))})
