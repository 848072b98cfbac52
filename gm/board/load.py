"""Read a data pack (map.toml, counters.toml, tables.toml) into a Board."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

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

IMPERIAL_CODES = {"Czar": 1, "Gold": 2}


@cache
def standard_board() -> Board:
    """The board that ships with the package."""
    folder = resources.files("gm.board") / "data" / "rcw"
    pack = {
        name: tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
        for name in ("map", "counters", "tables")
    }
    return build(pack["map"], pack["counters"], pack["tables"])


def build(map_: Mapping[str, Any], counters: Mapping[str, Any], tables: Mapping[str, Any]) -> Board:
    provinces = {
        code: Province(
            code=code,
            name=p["name"],
            region=p["region"],
            aliases=tuple(p.get("aliases", ())),
            port=p.get("port", False),
            seat=tuple(p.get("seat", (0.0, 0.0))),
            provenance=Provenance(p.get("provenance", "derived")),
            port_provenance=Provenance.CONJECTURE if p.get("port") else None,
        )
        for code, p in map_["provinces"].items()
    }
    borders: dict[str, dict[str, Border]] = {code: {} for code in provinces}
    for key, kind in (("open", Border.OPEN), ("white_only", Border.WHITE_ONLY), ("closed", Border.CLOSED)):
        for pair in map_["borders"].get(key, ()):
            a, b = pair.split("-")
            borders[a][b] = borders[b][a] = kind
    rail = tuple(RailLine(line["name"], tuple(line["provinces"])) for line in map_["rail"])
    steps: dict[str, set[str]] = {}
    for line in rail:
        for a, b in zip(line.provinces, line.provinces[1:], strict=False):
            steps.setdefault(a, set()).add(b)
            steps.setdefault(b, set()).add(a)
    nations = {code: _nation(code, n, provinces) for code, n in counters["nations"].items()}
    pieces = {p.code: p for p in sorted(_pieces(counters), key=lambda p: p.code)}
    by_name = {p.name: p for p in pieces.values() if p.is_imperial}
    twins: dict[str, list[Piece]] = {}
    for piece in pieces.values():
        alike = twins.setdefault(piece.twin_key, [])
        alike.append(piece)
        object.__setattr__(piece, "serial", len(alike))
    m = counters["markers"]
    return Board(
        name=map_["meta"]["name"],
        source=map_["meta"]["source"],
        provinces=provinces,
        borders=borders,
        rail=rail,
        rail_steps={code: frozenset(there) for code, there in steps.items()},
        nations=nations,
        pieces=pieces,
        markers=MarkerSet(**{k: tuple(v) if isinstance(v, list) else v for k, v in m.items()}),
        tables=_tables(tables),
        czar=by_name["Czar"],
        gold=by_name["Gold"],
        escort={by_name[i["name"]]: i["under"] for i in counters["imperial"]},
        twins={key: tuple(found) for key, found in twins.items()},
    )


def _nation(code: str, n: Mapping[str, Any], provinces: Mapping[str, Province]) -> Nation:
    allowed: frozenset[str] | None = None
    if "provinces" in n:
        allowed = frozenset(n["provinces"])
    elif "regions" in n:
        allowed = frozenset(p.code for p in provinces.values() if p.region in n["regions"])
    return Nation(
        code=code,
        name=n["name"],
        color=Color(n["color"]),
        movable=n["movable"],
        provinces=allowed,
        exit_from=n.get("may_exit_from"),
        aliases=tuple(n.get("aliases", ())),
    )


def _pieces(counters: Mapping[str, Any]) -> list[Piece]:
    found = [
        Piece(
            code=row["id"],
            kind=Kind.LEADER,
            value=row["value"],
            name=row["name"],
            home=row["province"],
            color=Color(row["color"]),
            starred=row["with_unit"],
            aliases=tuple(row.get("aliases", ())),
            provenance=Provenance(row.get("provenance", "attested")),
        )
        for row in counters["leaders"]
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
            aliases=tuple(row.get("aliases", ())),
            provenance=Provenance(row.get("provenance", "attested")),
        )
        for row in counters["units"]
    ]
    found += [
        Piece(
            code=IMPERIAL_CODES[row["name"]],
            kind=Kind.IMPERIAL,
            value=0,
            name=row["name"],
            home=row["province"],
        )
        for row in counters["imperial"]
    ]
    return found


def _tables(t: Mapping[str, Any]) -> Tables:
    events: dict[tuple[int, int], str | tuple[str, ...]] = {}
    for key, cell in t["events"].items():
        first, second = key.split("-")
        events[int(first), int(second)] = tuple(cell) if isinstance(cell, list) else cell
    return Tables(
        odds=tuple(t["combat"]["odds"]),
        combat={int(k): tuple(v) for k, v in t["combat"].items() if k != "odds"},
        purge_columns=tuple(t["purge"]["columns"]),
        purge={int(k): tuple(v) for k, v in t["purge"].items() if k != "columns"},
        events=events,
    )
