"""Problems in words, from templates/orders/*.toml: no sentence that a player reads stands in Python."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import gm
from gm.board.model import Color, Piece
from gm.orders.problems import Problem
from gm.position import Stack

_JOINED = dict.fromkeys(("others", "who", "pieces", "players"), "and")
Wordings = Mapping[str, str | Sequence[str]]


@cache
def _pack(name: str) -> Wordings:
    package = Path(gm.__file__).parent
    inside = package / "_templates"  # an installed copy has its templates inside
    folder = inside if inside.is_dir() else package.parent / "templates"
    return tomllib.loads((folder / "orders" / f"{name}.toml").read_text("utf-8"))


def words_for(problem: Problem) -> str:
    """One or two sentences; of several wordings the first for which everything is known."""
    fields = {name: value(v, _JOINED.get(name, "or")) for name, v in problem.data.items() if v is not None}
    if problem.words.strip():
        fields["words"] = problem.words.strip()
    text = sentence("problems", problem.code, fields)
    return text[:1].upper() + text[1:]


def sentence(pack: str, key: str, fields: Mapping[str, str]) -> str:
    wordings = _pack(pack)[key]
    choices = [wordings] if isinstance(wordings, str) else list(wordings)
    fitting = (w for w in choices if fields_of(w) <= fields.keys())
    return next(fitting, choices[-1]).format_map(_Blank(fields))


def fields_of(wording: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(wording) if name}


def value(thing: object, joined: str = "or") -> str:
    """A piece, a stack, a colour or a list of such, as a sentence has it."""
    if isinstance(thing, Piece):
        return thing.name if thing.is_imperial else thing.bell
    if isinstance(thing, Stack):
        owner = thing.owner or "unaligned"
        return f"{', '.join(p.bell for p in thing.pieces)} ({owner})"
    if isinstance(thing, Color):
        return thing.value
    if isinstance(thing, tuple | list):
        items = [value(t) for t in thing]
        return f" {joined} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
    return str(thing)


class _Blank(dict[str, str]):
    """A field that nobody filled stays empty rather than breaking a receipt."""

    def __missing__(self, key: str) -> str:
        return "?"


def caret(problem: Problem, width: int = 100) -> tuple[str, str]:
    """The order as written and a line with carets under the words in question, both cut to a window around them."""
    text, (start, end) = problem.text, problem.span
    offset = max(0, min(start - width // 2, len(text) - width)) if len(text) > width else 0
    shown = text[offset : offset + width]
    marks = " " * (start - offset) + "^" * max(1, min(end - start, width - (start - offset)))
    if offset:
        shown, marks = "..." + shown, "   " + marks
    if offset + width < len(text):
        shown += "..."
    return shown, marks
