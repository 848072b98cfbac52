"""Fuzzy matching of names that a player may have meant, best first. For suggestions only, never taken as orders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from gm.board.model import Piece
from gm.board.names import MAX_NEAR_NAMES, fold, near_keys
from gm.orders.language.names import OrderNames, Players
from gm.position import Player

# `RU8 PETR`, `ru petr`, `RUPETR`; but not `Budeny`: in small letters the tag needs its number or a blank.
_TAG = re.compile(r"([rwgbRWGB])\s*([luLU])(?:\s*(?=\d)|\s+|(?<=[A-Z])(?=[A-Z]))(\d*)\s*(.+)", re.DOTALL)
T = TypeVar("T")


def _values(text: str, index: Mapping[str, T]) -> list[T]:
    return list(dict.fromkeys(index[key] for key in near_keys(text, index)))


def near_places(names: OrderNames, text: str) -> list[str]:
    return _values(text, names.places)


def near_leaders(names: OrderNames, text: str) -> list[Piece]:
    tagged = _TAG.fullmatch(text.strip())
    exact = names.leaders.get(fold(tagged[4])) if tagged else None
    if exact is not None:
        return [exact]  # only its tag is wrong
    found = _values(tagged[4], names.leaders) if tagged and len(tagged[4]) > 3 else []
    whole = _values(text, names.leaders) if not tagged or " " not in text.strip() else []  # BUDENY has no tag
    return list(dict.fromkeys([*whole, *found]))


def near_players(players: Players, text: str) -> list[Player]:
    return _values(text, players.index)


def near_pieces(names: OrderNames, text: str) -> list[str]:
    """Pieces in the form in which an order would name them: units by home, Leaders by name."""
    tagged = _TAG.fullmatch(text.strip())
    name = tagged[4] if tagged else text
    home, _, nation = name.partition("/")
    units = _units_near(names, home, tagged[1].lower() if tagged else "")
    leaders = near_leaders(names, text)
    imperial = [p.name for p in (names.board.czar, names.board.gold) if near_keys(text, [fold(p.name)])]
    as_units = [u.bell for u in _by_nation(units, nation)]
    as_leaders = [leader.name for leader in leaders]
    by_unit = tagged is not None and tagged[2].lower() == "u" and not (leaders and fold(name) == fold(leaders[0].name))
    known_home = names.place(home) is not None
    ordered = [*as_units, *imperial, *as_leaders] if by_unit or known_home else [*imperial, *as_leaders, *as_units]
    return list(dict.fromkeys(ordered))[:MAX_NEAR_NAMES]


def _units_near(names: OrderNames, home: str, color: str) -> list[Piece]:
    place = names.place(home)
    places = [place] if place is not None else near_places(names, home)
    units = [u for p in places for u in names.board.units if u.home == p]
    fitting = [u for u in units if u.color is not None and u.color[0] == color]
    return fitting or (units if place is not None else [])


def _by_nation(units: list[Piece], nation: str) -> list[Piece]:
    exact = [u for u in units if u.nation is not None and fold(u.nation) == fold(nation)]
    return [*exact, *(u for u in units if u not in exact)]
