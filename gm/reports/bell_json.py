"""The Bell as JSON, both ways: everything that an issue says, for programs and for pages made later.

The form is documented in schema/bell-v1.json. Version 1 may gain fields; none of it will change its meaning.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from datetime import date, datetime
from functools import cache
from importlib import resources
from typing import Any

import orjson

from gm.board.model import Board
from gm.position import Position, from_json, to_json
from gm.reports.map_view import MapMark, MapMove, MapView
from gm.reports.view import SCHEMA, BellView
from gm.reports.view_input import Issue
from gm.reports.view_map import map_marks, map_moves, map_stacks


@dataclass(frozen=True, slots=True)
class Printed:
    """An issue read back."""

    view: BellView
    map: MapView
    position: Position


def render_json(issue: Issue, view: BellView) -> str:
    """Everything, in one line. A reader's private part never goes in."""
    data = {
        "schema": SCHEMA,
        "bell": {name: getattr(view, name) for name in _hints(BellView) if name != "own"},
        "map": {"moves": map_moves(issue.outcome), "marks": map_marks(issue.outcome)},
        "rolls": issue.outcome.rolls,
        "position": to_json(issue.outcome.after),
    }
    return orjson.dumps(data).decode()


def read_json(board: Board, data: Mapping[str, Any]) -> Printed:
    """Read what render_json wrote. Raises ValueError for another schema, KeyError or TypeError for what is missing."""
    if data.get("schema") != SCHEMA:
        raise ValueError(f"bell schema {data.get('schema')!r}: this version reads {SCHEMA!r}")
    view: BellView = _decode({**data["bell"], "own": None}, BellView)
    position = from_json(board, data["position"])
    drawn = MapView(
        title=view.masthead.paper,
        date_line=view.masthead.game_date,
        stacks=map_stacks(position),
        moves=tuple(_decode(move, MapMove) for move in data["map"]["moves"]),
        marks=tuple(_decode(mark, MapMark) for mark in data["map"]["marks"]),
    )
    return Printed(view, drawn, position)


def schema() -> Mapping[str, Any]:
    """The JSON Schema of an issue."""
    found: Mapping[str, Any] = json.loads(
        (resources.files("gm.reports") / "schema" / "bell-v1.json").read_text("utf-8")
    )
    return found


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


def _decode(value: Any, kind: Any) -> Any:
    """A JSON value as what the type says: dataclasses, tuples, mappings, dates, and the plain ones."""
    origin = typing.get_origin(kind)
    if origin is types.UnionType or origin is typing.Union:
        if value is None:
            return None
        return _decode(value, next(a for a in typing.get_args(kind) if a is not type(None)))
    if origin is tuple:
        return tuple(_decode(v, typing.get_args(kind)[0]) for v in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: _decode(v, typing.get_args(kind)[1]) for key, v in value.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        # What an issue was printed without has its default: version 1 may gain fields.
        return kind(**{name: _decode(value[name], hint) for name, hint in hints.items() if name in value})
    if kind in (date, datetime):
        return kind.fromisoformat(value)
    return value
