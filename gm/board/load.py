"""A data pack -> a Board: read, checked, and then nothing that can be changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gm.board.fanatic import fanatic_tables
from gm.board.model import (
    Board,
    Border,
    Color,
    Kind,
    MarkerSet,
    Nation,
    Piece,
    Provenance,
    Province,
    RailLine,
    Tables,
)
from gm.board.pack import FANATIC_TABLES, Pack, PackFiles, read_files, read_pack, read_standard
from gm.board.problems import BoardError
from gm.board.validate import errors, validate
from gm.wording import clean

IMPERIAL_CODES = {"Czar": 1, "Gold": 2}


@cache
def standard_board() -> Board:
    """The board that ships with the package."""
    return build(read_standard())


def load_pack(path: Path | str | None = None) -> Board:
    """The standard board with a Gamesmaster's file or folder laid over it. Raises BoardError with all that is wrong."""
    return standard_board() if path is None else build(read_pack(path))


_FILES: dict[Board, PackFiles] = {}


def packed(files: PackFiles = (), *, shorter: bool = False) -> Board:
    """The board of a pack that a campaign keeps as text; () is the standard one. `shorter`: for the shorter game."""
    return for_shorter_game(_packed(files)) if shorter else _packed(files)


@cache  # without end: pieces compare by identity, so that there must never be two boards of one pack
def _packed(files: PackFiles) -> Board:
    board = build(read_files(files)) if files else standard_board()
    _FILES[board] = files
    return board


_SHORTER: dict[Board, Board] = {}
_WHOLE: dict[Board, Board] = {}


def for_shorter_game(board: Board) -> Board:
    """The same board, with the very same pieces, for the shorter game (J38)."""
    if board.shorter:
        return board
    if board not in _SHORTER:
        made = replace(board, shorter=True)
        _WHOLE[made] = board  # first: another thread may ask for it as soon as it is found
        _SHORTER.setdefault(board, made)
    return _SHORTER[board]


def for_whole_game(board: Board) -> Board:
    """The board that one for the shorter game was made of."""
    return _WHOLE[board] if board.shorter else board


def files_of(board: Board) -> PackFiles | None:
    """The files that `packed` made it of, for whichever game; None: it was made otherwise."""
    whole = for_whole_game(board)
    return _FILES.get(whole, () if whole is standard_board() else None)


def build(pack: Pack) -> Board:
    """Raises BoardError for a pack that cannot be played with."""
    wrong = errors(validate(pack))
    if wrong:
        raise BoardError(wrong)
    data = pack.data
    provinces = {code: _province(code, p) for code, p in data["provinces"].items()}
    borders: dict[str, dict[str, Border]] = {code: {} for code in sorted(provinces)}
    for pair, kind in sorted(data["borders"].items()):
        a, b = pair.split("-")
        borders[a][b] = borders[b][a] = Border(kind)
    rail = tuple(RailLine(_shown(name), tuple(line["provinces"])) for name, line in data["rail"].items())
    pieces = {p.code: p for p in sorted(_pieces(data), key=lambda p: p.code)}
    imperial = {p.name: p for p in pieces.values() if p.is_imperial}
    return Board(
        name=_shown(data["meta"]["name"]),
        source=_shown(data["meta"]["source"]),
        provinces=MappingProxyType(provinces),
        borders=MappingProxyType({code: MappingProxyType(found) for code, found in borders.items()}),
        rail=rail,
        rail_steps=_rail_steps(rail),
        nations=MappingProxyType({code: _nation(code, n, provinces) for code, n in data["nations"].items()}),
        pieces=MappingProxyType(pieces),
        markers=_markers(data["markers"]),
        tables=_tables(data),
        fanatic=fanatic_tables(data),
        czar=imperial["Czar"],
        gold=imperial["Gold"],
        escort=MappingProxyType({imperial[name]: row["under"] for name, row in data["imperial"].items()}),
        twins=_twins(pieces),
        provenance=MappingProxyType({key: Provenance(value) for key, value in data["provenance"].items()}),
        digest=_digest(data),
        names=_digest_of_names(data),
        pack=_shown(pack.name) if pack.name else "",
    )


def _province(code: str, p: Mapping[str, Any]) -> Province:
    longitude, latitude = p.get("seat", (0.0, 0.0))
    port = p.get("port", False)
    # Where the anchors stood on the printed map is not documented: unless told otherwise they are a guess.
    port_provenance = p.get("port_provenance", "conjecture" if port else None)
    return Province(
        code=code,
        name=_shown(p["name"]),
        region=p["region"],
        aliases=tuple(p.get("aliases", ())),
        port=port,
        seat=(float(longitude), float(latitude)),
        provenance=Provenance(p.get("provenance", "derived")),
        port_provenance=Provenance(port_provenance) if port_provenance else None,
    )


def _shown(name: str) -> str:
    """As mails and pages may show it: packs of before have line breaks, NUL and what turns the direction of writing in
    their names. Letters and digits stay, so that orders are read as ever."""
    return name if name.isprintable() else clean(name) or "?"


def _rail_steps(rail: tuple[RailLine, ...]) -> Mapping[str, frozenset[str]]:
    steps: dict[str, set[str]] = {}
    for line in rail:
        for a, b in pairwise(line.provinces):
            steps.setdefault(a, set()).add(b)
            steps.setdefault(b, set()).add(a)
    return MappingProxyType({code: frozenset(there) for code, there in steps.items()})


def _twins(pieces: Mapping[int, Piece]) -> Mapping[str, tuple[Piece, ...]]:
    found: dict[str, list[Piece]] = {}
    for piece in pieces.values():
        alike = found.setdefault(piece.twin_key, [])
        alike.append(piece)
        object.__setattr__(piece, "serial", len(alike))
    return MappingProxyType({key: tuple(alike) for key, alike in found.items()})


def _nation(code: str, n: Mapping[str, Any], provinces: Mapping[str, Province]) -> Nation:
    allowed: frozenset[str] | None = None
    if "provinces" in n:
        allowed = frozenset(n["provinces"])
    elif "regions" in n:
        allowed = frozenset(p.code for p in provinces.values() if p.region in n["regions"])
    return Nation(
        code=code,
        name=_shown(n["name"]),
        color=Color(n["color"]),
        movable=n["movable"],
        provinces=allowed,
        exit_from=n.get("may_exit_from"),
        aliases=tuple(n.get("aliases", ())),
    )


def _pieces(data: Mapping[str, Mapping[str, Any]]) -> list[Piece]:
    found = [
        Piece(
            code=row["id"],
            kind=Kind.LEADER,
            value=row["value"],
            name=_shown(row["name"]),
            card=row["name"],
            home=row["province"],
            color=Color(row["color"]),
            starred=row["with_unit"],
            **_common(row),
        )
        for row in data["leaders"].values()
    ]
    found += [
        Piece(
            code=row["id"],
            kind=Kind.UNIT,
            value=row["strength"],
            name=row["province"],
            home=row["province"],
            color=Color(row["color"]),
            nation=row.get("nation"),
            **_common(row),
        )
        for row in data["units"].values()
    ]
    found += [
        Piece(code=IMPERIAL_CODES[name], kind=Kind.IMPERIAL, value=0, name=name, home=row["province"], **_common(row))
        for name, row in data["imperial"].items()
    ]
    return found


def _markers(m: Mapping[str, Any]) -> MarkerSet:
    return MarkerSet(
        politburo=m["politburo"],
        politburo_dealt=m["politburo_dealt"],
        assassins_dealt=m["assassins_dealt"],
        assassins_in_randomizer=m["assassins_in_randomizer"],
        blue_control=tuple(m["blue_control"]),
        blue_withdrawal=tuple(m["blue_withdrawal"]),
        green_control=tuple(m["green_control"]),
    )


def _common(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "aliases": tuple(row.get("aliases", ())),
        "provenance": Provenance(row.get("provenance", "attested")),
        "code_provenance": Provenance.ATTESTED if row.get("code_attested") else Provenance.DERIVED,
    }


def _tables(data: Mapping[str, Mapping[str, Any]]) -> Tables:
    events: dict[tuple[int, int], str | tuple[str, ...]] = {}
    for key, cell in data["events"].items():
        first, second = key.split("-")
        events[int(first), int(second)] = tuple(cell) if isinstance(cell, list) else cell
    combat, purge = data["combat"], data["purge"]
    return Tables(
        odds=tuple(combat["odds"]),
        combat=MappingProxyType({int(k): tuple(v) for k, v in combat.items() if k != "odds"}),
        purge_columns=tuple(purge["columns"]),
        purge=MappingProxyType({int(k): tuple(v) for k, v in purge.items() if k != "columns"}),
        events=MappingProxyType(events),
    )


# What can change a result; what can change how orders are read has a digest of its own, as older archives pin this one.
_DIGESTED = {
    "provinces": ("region", "port"),
    "rail": ("provinces",),
    "nations": ("color", "movable", "regions", "provinces", "may_exit_from"),
    "leaders": ("name", "color", "value", "province", "with_unit"),
    "units": ("color", "nation", "strength", "province"),
    "imperial": ("province", "under"),
}
_DIGESTED_WHOLE = ("borders", "markers", "combat", "purge", "events")


def _digest(data: Mapping[str, Mapping[str, Any]]) -> str:
    facts: dict[str, Any] = {section: data[section] for section in _DIGESTED_WHOLE}
    for section, names in _DIGESTED.items():
        rows = data[section].items()
        facts[section] = {key: {name: row[name] for name in names if row.get(name)} for key, row in rows}
    # Only what differs from the package's own: they came later, and older archives pin the digest without them.
    standard = read_standard().data
    facts |= {section: data[section] for section in FANATIC_TABLES if data[section] != standard[section]}
    return _hash(facts)


_NAMED = ("provinces", "nations", "leaders", "units")


def _digest_of_names(data: Mapping[str, Mapping[str, Any]]) -> str:
    """Of every name and alias by which an order may mean a province, a nation or a counter."""
    rows = {section: data[section].items() for section in _NAMED}
    named = {
        section: {key: [row.get("name", ""), *sorted(row.get("aliases", ()))] for key, row in found}
        for section, found in rows.items()
    }
    return _hash(named)


def _hash(facts: Mapping[str, Any]) -> str:
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
