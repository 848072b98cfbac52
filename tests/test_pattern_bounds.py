"""Patterns that are slow on long texts never see one: what stands before them is watched."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from gm.adjudicator.corrections import MOST_CHARACTERS, Corrector
from gm.campaign.seats.new_players import MAX_LINE_CHARACTERS, new_player
from gm.errors import Invalid
from gm.mail.parse import html, line_kind, styles
from gm.notation.pieces import NotationError
from gm.orders.parser import parse
from gm.orders.suggest import faults
from tests.orders.samples import BOARD, PLAYERS, position


@dataclass(frozen=True)
class Bound:
    """Why a pattern never sees a long run: what is between it and the text, and how long a text it may see."""

    door: Callable[[str], object]
    longest: int


def _corrected(text: str) -> None:
    with pytest.raises((Invalid, NotationError)):
        Corrector(BOARD, position("A PETR: Lenin")).read(text)


_SUGGESTED = Bound(lambda text: parse(BOARD, text, PLAYERS), faults.LONGEST)
_STYLED = Bound(lambda text: html.to_text(f'<p style="{text}">x</p>'), styles.MAX_STYLE)
BOUNDED = {
    "gm.mail.parse.line_kind._COMMAND_SHAPES": Bound(line_kind.keyword, line_kind.MAX_COMMAND),
    "gm.mail.parse.styles._NO_SIZE": _STYLED,
    "gm.mail.parse.styles._INVISIBLE": _STYLED,
    "gm.mail.parse.html._INDENT": _STYLED,
    "gm.orders.suggest.rephrase.HABITS": _SUGGESTED,
    "gm.orders.suggest.rephrase._BETWEEN_PLACES": _SUGGESTED,
    "gm.campaign.seats.new_players": Bound(new_player, MAX_LINE_CHARACTERS),
    "gm.adjudicator.corrections": Bound(_corrected, MOST_CHARACTERS),
}


class Watched:
    """A pattern that keeps the texts it is given."""

    def __init__(self, pattern: re.Pattern[str], seen: list[str]) -> None:
        self.pattern, self.seen = pattern, seen

    def __getattr__(self, name: str) -> Any:
        def call(*given: Any) -> Any:
            self.seen.append(given[1] if name in ("sub", "subn") else given[0])
            return getattr(self.pattern, name)(*given)

        return call


def watched(value: Any, seen: list[str]) -> Any:
    if isinstance(value, re.Pattern):
        return Watched(value, seen)
    if isinstance(value, dict):
        return {key: watched(part, seen) for key, part in value.items()}
    return tuple(watched(part, seen) for part in value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", BOUNDED)
def test_what_bounds_a_pattern_stands_before_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a text comes to the door, with whatever runs: behind it the pattern sees none."""
    bound, seen = BOUNDED[name], list[str]()
    where, _, only = name.rpartition(".")
    module = importlib.import_module(name if only.islower() and not only.startswith("_") else where)
    held = [only] if hasattr(module, only) else [n for n, v in vars(module).items() if isinstance(v, re.Pattern)]
    assert held
    for each in held:
        monkeypatch.setattr(module, each, watched(getattr(module, each), seen))
    words = ("MOVE ", "READY ", "OWNER ", "Anna ", "width:", "MOVE Lenin: ", "GIVE B ")
    for word in words:
        for filler in (" ", "a ", "1", "x@", " ;  "):
            for length in (100, 50_000):
                bound.door(word + filler * (length // len(filler)) + "x")
    assert seen
    assert max(map(len, seen)) <= bound.longest
    assert not [text for text in seen if "   " in text]
