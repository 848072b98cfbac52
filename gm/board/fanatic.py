"""The fanatic stand-in's tables in a pack: checked, and made into values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from gm.board.model import OPPOSED, Color, FanaticTables, Strategy
from gm.board.names import near
from gm.board.pack import Pack

OUTLOOKS: Final = ("red", "white", "undecided")
GRUDGES: Final = ("friendliest", "second friendliest", "Czar", "Gold", "second unfriendliest", "unfriendliest")
BACKFIRES: Final = ("all", "hostile")
PRIORITIES: Final = 3
_FLAGS: Final = ("purge", "assassination", "gives_assassin", "vindictive")
_DICE: Final = tuple("123456")
_ODDS: Final = re.compile(r"([1-9])-1")


def fanatic_tables(data: Mapping[str, Mapping[str, Any]]) -> FanaticTables:
    """The tables of a pack that check_fanatic has found in order."""
    rows: dict[str, list[tuple[Color, tuple[tuple[Color, ...], ...]]]] = {outlook: [] for outlook in OUTLOOKS}
    for key, cells in data["priorities"].items():
        outlook, _, units = key.partition(".")
        rows[outlook].append((Color(units), tuple(_colors(cell) for cell in cells)))
    return FanaticTables(
        strategies=MappingProxyType({int(die): _strategy(row) for die, row in data["strategies"].items()}),
        vindictive=MappingProxyType({int(die): whom for die, whom in data["vindictive"].items()}),
        priorities=MappingProxyType({outlook: tuple(found) for outlook, found in rows.items()}),
        backfire=data["fanatic"]["backfire"],
        own_targets=data["fanatic"]["own_targets"],
        outlook_by_players=data["fanatic"]["outlook_by_players"],
    )


def _strategy(row: Mapping[str, Any]) -> Strategy:
    return Strategy(row["attacks"], int(row["odds"][0]), **{flag: row.get(flag, False) for flag in _FLAGS})


def _colors(cell: str) -> tuple[Color, ...]:
    return tuple(Color(word) for word in re.split(r"[\s,]+", cell) if word)


def check_fanatic(pack: Pack) -> None:
    """Complain of every cell that the stand-in could not play by."""
    for section, key, what in _faults(pack.data):
        pack.complain(section, key, what)


def _faults(data: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    for section in ("strategies", "vindictive"):
        for die in _DICE:
            if die not in data[section]:
                yield section, die, "this row is missing"
    for die, row in data["strategies"].items():
        yield from (("strategies", die, what) for what in _strategy_faults(die, row))
    for die, whom in data["vindictive"].items():
        if die not in _DICE:
            yield "vindictive", die, "no roll gives this row"
        elif whom not in GRUDGES:
            yield "vindictive", die, f"{whom!r} is none of {', '.join(GRUDGES)}"
    if not any(
        isinstance(whom, str) and whom in GRUDGES and not whom.istitle() for whom in data["vindictive"].values()
    ):
        yield "vindictive", "", "somebody must be met who does not need the Czar or the Gold"
    for key, cells in data["priorities"].items():
        yield from (("priorities", key, what) for what in _priority_faults(key, cells))
    yield from _switch_faults(data["fanatic"])


def _strategy_faults(die: str, row: Any) -> Iterator[str]:
    if die not in _DICE:
        yield "no roll gives this row"
    if not isinstance(row, dict):
        yield "must be a table such as { attacks = 1, odds = '1-1' }"
        return
    attacks, odds = row.get("attacks"), row.get("odds")
    if not isinstance(attacks, int) or isinstance(attacks, bool) or attacks < 0:
        yield "attacks must be a whole number"
    if not isinstance(odds, str) or not _ODDS.fullmatch(odds):
        yield "odds must be 1-1 or better, such as 2-1"
    for name, value in row.items():
        if name not in ("attacks", "odds", *_FLAGS):
            hints = near(name, ("attacks", "odds", *_FLAGS))
            yield f"unknown key {name!r}" + (f" (perhaps {hints[0]})" if hints else "")
        elif name in _FLAGS and not isinstance(value, bool):
            yield f"{name} must be true or false"


def _priority_faults(key: str, cells: Any) -> Iterator[str]:
    outlook, _, units = key.partition(".")
    if outlook not in OUTLOOKS or units not in list(Color):
        yield 'must be named after an outlook and a colour of units, such as "white.blue"'
        return
    if not isinstance(cells, list) or len(cells) != PRIORITIES or not all(isinstance(cell, str) for cell in cells):
        yield f"needs {PRIORITIES} texts, one a priority"
        return
    for cell in cells:
        try:
            targets = _colors(cell)
        except ValueError:
            yield f"{cell!r} is no list of colours"
            continue
        for target in targets:
            if target not in OPPOSED[Color(units)]:
                yield f"{units} units may not attack {target} ones (8.1)"


def _switch_faults(switches: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    if switches.get("backfire") not in BACKFIRES:
        yield "fanatic", "backfire", f"must be one of {', '.join(BACKFIRES)}"
    for name in ("own_targets", "outlook_by_players"):
        if not isinstance(switches.get(name), bool):
            yield "fanatic", name, "must be true or false"
    for name in switches:
        if name not in ("backfire", "own_targets", "outlook_by_players"):
            yield "fanatic", name, "unknown key"
