"""Names that a player may have meant, best first. Only to suggest: nothing here is ever taken for understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gm.board.model import Piece
from gm.orders.names import Names, Players, fold
from gm.position import Player

CLOSE = 0.6  # below this similarity a suggestion only confuses
MOST = 4
_TAG = re.compile(r"([rwgb])\s*([lu])\s*(\d*)\s*(.+)", re.IGNORECASE | re.DOTALL)
T = TypeVar("T")


def near_keys(text: str, keys: Iterable[str], cutoff: float = CLOSE) -> list[str]:
    """The keys most like a text; those that it begins (or that begin it) come first."""
    wanted = fold(text)
    choices = list(keys)
    starts = sorted((k for k in choices if len(wanted) >= 3 and k.startswith(wanted)), key=len)
    found = process.extract(wanted, choices, scorer=OSA.normalized_similarity, limit=MOST, score_cutoff=cutoff)
    return list(dict.fromkeys([*(k for k, score, _ in found if score > 0.8), *starts, *(k for k, _, _ in found)]))[
        :MOST
    ]


def _values(text: str, index: Mapping[str, T]) -> list[T]:
    return list(dict.fromkeys(index[key] for key in near_keys(text, index)))


def near_places(names: Names, text: str) -> list[str]:
    return _values(text, names.places)


def near_leaders(names: Names, text: str) -> list[Piece]:
    tagged = _TAG.fullmatch(text.strip())
    exact = names.leaders.get(fold(tagged[4])) if tagged else None
    if exact is not None:
        return [exact]  # only its tag is wrong
    return _values(tagged[4] if tagged and len(tagged[4]) > 3 else text, names.leaders)


def near_players(players: Players, text: str) -> list[Player]:
    return _values(text, players.index)


def near_pieces(names: Names, text: str) -> list[str]:
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
    return list(dict.fromkeys(ordered))[:MOST]


def _units_near(names: Names, home: str, color: str) -> list[Piece]:
    place = names.place(home)
    places = [place] if place is not None else near_places(names, home)
    units = [u for p in places for u in names.board.units if u.home == p]
    fitting = [u for u in units if u.color is not None and u.color[0] == color]
    return fitting or (units if place is not None else [])


def _by_nation(units: list[Piece], nation: str) -> list[Piece]:
    exact = [u for u in units if u.nation is not None and fold(u.nation) == fold(nation)]
    return [*exact, *(u for u in units if u not in exact)]
