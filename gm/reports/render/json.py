"""The Bell as JSON, both ways: everything that an issue says, for programs and for pages made later.

The form is documented in schema/bell-v1.json. Version 1 may gain fields; none of it will change its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import resources
from typing import Any

import msgspec
import orjson

from gm.board.model import Board
from gm.position import Position, from_json, to_json
from gm.reports.issue import Issue
from gm.reports.map.model import MapMark, MapMove, MapView
from gm.reports.view.map import map_marks, map_moves, map_stacks
from gm.reports.view.model import SCHEMA, BellView

OWN = ("own", "yours", "desk", "own_alt")  # of one reader alone


@dataclass(frozen=True, slots=True)
class Printed:
    """An issue read back."""

    view: BellView
    map: MapView
    position: Position
    album: tuple[MapView, ...] = ()  # small maps of a last issue


def render_json(issue: Issue, view: BellView) -> str:
    """Everything, in one line. A reader's private part never goes in."""
    data = {
        "schema": SCHEMA,
        "bell": {f.name: getattr(view, f.name) for f in fields(BellView) if f.name not in OWN},
        "map": {"moves": map_moves(issue.outcome), "marks": map_marks(issue.outcome)},
        "rolls": issue.outcome.rolls,
        "position": to_json(issue.outcome.after),
        **({"album": [to_json(position) for _, position in issue.album]} if issue.album else {}),
    }
    return orjson.dumps(data, default=msgspec.to_builtins).decode()


def read_json(board: Board, data: Mapping[str, Any]) -> Printed:
    """What render_json wrote. Raises ValueError for another schema, msgspec.ValidationError for what is missing."""
    if data.get("schema") != SCHEMA:
        raise ValueError(f"bell schema {data.get('schema')!r}: this version reads {SCHEMA!r}")
    view = msgspec.convert({**data["bell"], "own": None}, BellView)
    position = from_json(board, data["position"])
    drawn = MapView(
        title=view.masthead.paper,
        date_line=view.masthead.game_date,
        stacks=map_stacks(position),
        moves=msgspec.convert(data["map"]["moves"], tuple[MapMove, ...]),
        marks=msgspec.convert(data["map"]["marks"], tuple[MapMark, ...]),
        board=board,
    )
    dates = view.closing.maps if view.closing else ()
    album = tuple(
        MapView(view.masthead.paper, date, map_stacks(from_json(board, then)))
        for date, then in zip(dates, data.get("album", ()), strict=False)
    )
    return Printed(view, drawn, position, album)


def schema() -> Mapping[str, Any]:
    """The JSON Schema of an issue."""
    found: Mapping[str, Any] = json.loads(
        (resources.files("gm.reports") / "schema" / "bell-v1.json").read_text("utf-8")
    )
    return found
