"""The sentences of problems, receipts and help, from templates/orders/*.toml."""

from __future__ import annotations

from collections.abc import Mapping

from gm.board.model import Color, Piece
from gm.orders.problems import Problem
from gm.position import Stack
from gm.wording import capital, first_fitting, joined, word_list

_JOINED = dict.fromkeys(("others", "who", "pieces", "players", "gifts"), "and")


def words_for(problem: Problem) -> str:
    """One or two sentences; of several wordings the first for which everything is known."""
    fields = {name: value(v, _JOINED.get(name, "or")) for name, v in problem.data.items() if v is not None}
    if problem.words.strip():
        fields["words"] = problem.words.strip()
    return capital(sentence("problems", problem.code, fields))


def sentence(pack: str, key: str, fields: Mapping[str, str]) -> str:
    return first_fitting(word_list(f"orders/{pack}")[key], fields).format_map(_Blank(fields))


def value(thing: object, last: str = "or") -> str:
    """A piece, a stack, a colour or a list of such, as a sentence has it."""
    if isinstance(thing, Piece):
        return thing.name if thing.is_imperial else thing.bell
    if isinstance(thing, Stack):
        owner = thing.owner or "unaligned"
        return f"{', '.join(p.bell for p in thing.pieces)} ({owner})"
    if isinstance(thing, Color):
        return thing.value
    if isinstance(thing, tuple | list):
        return joined(map(value, thing), last)
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
