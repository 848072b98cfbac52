"""The sentences of The Bell, from templates/bell/*.toml, filled with values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256

from gm.gamedate import MONTHS, month_of
from gm.wording import Words, capital, first_fitting, joined, look_up, templates_folder, word_list


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


class Opening:
    """A value at the beginning of a sentence."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __format__(self, spec: str) -> str:
        return capital(format(self.value, spec))


_OPENING = re.compile(r"""([.!?]["”]? ["“]?)\{(\w+)""")


@cache
def _opening(template: str) -> tuple[str, ...]:
    """The fields that begin a sentence within the text."""
    return tuple(found[1] for found in _OPENING.findall(template))


@cache
def _marked(template: str) -> str:
    return _OPENING.sub(r"\1{\2_", template)


def pick(seed: str, number: int) -> int:
    """A choice among `number` things that depends on nothing but the seed."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8], "big") % number


@dataclass(frozen=True)
class Prose:
    """All packs of templates/bell/*.toml by file name."""

    packs: Mapping[str, Words]

    def say(self, pack: str, key: str, /, **data: object) -> str:
        """A sentence by the name of its template (`phase.first` for a table within the file), filled."""
        return capital(self.fill(self.template(pack, key), data))

    def phrase(self, pack: str, key: str, /, **data: object) -> str:
        """The same as part of a sentence."""
        return self.fill(self.template(pack, key), data)

    def fill(self, template: str, data: Mapping[str, object]) -> str:
        """The template with its fields; one that begins a later sentence is written with a capital."""
        values = {name: self._value(v) for name, v in data.items()}
        for name in _opening(template):
            values[f"{name}_"] = Opening(values[name])
        return _marked(template).format_map(values)

    def template(self, pack: str, key: str) -> str:
        return str(look_up(self.packs[pack], key))

    def first_fitting(self, templates: str | Sequence[str], data: Mapping[str, object]) -> str:
        """Of several wordings the first whose fields are all known, as a sentence."""
        return capital(self.fill(first_fitting(templates, data), data))

    def _value(self, value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        count = Count(value)
        count.names = self.packs["words"]["numbers"]
        return count

    def many(self, items: Iterable[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        return joined(items, self.template("words", "and")) or self.template("words", "nothing")

    def month(self, turn: int) -> tuple[str, int]:
        """J36: Game-Turn 1 is June 1918; before the game it is still June."""
        return month_of(max(turn, 1))

    def day(self, when: date) -> str:
        return f"{when.day} {MONTHS[when.month - 1]} {when.year}"

    def weekday(self, when: date) -> str:
        return str(self.packs["words"]["days"][when.weekday()])


@cache
def standard_prose() -> Prose:
    """The words that ship with the package."""
    names = sorted(path.stem for path in (templates_folder() / "bell").glob("*.toml"))
    return Prose({name: word_list(f"bell/{name}") for name in names})
