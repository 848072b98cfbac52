"""Outcomes as versioned JSON, both ways: what the store keeps and `gm adjudicate --json` prints.

Values say what they are: `{"$": "Moved", ...}` a value of a class, `{"piece": 151}` a counter by identity code,
`{"map": {...}}` a mapping, lists are tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from msgspec import Struct

from gm.adjudicator import outcome as outcome_module
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.solitaire import event_types as solitaire_events
from gm.board.model import Board, Color, Piece
from gm.orders import kinds as orders_module
from gm.position import Held, How, Phase, Position, Solitaire, Stack, from_json, to_json

SCHEMA = 1

_ENUMS: dict[str, type[Enum]] = {
    e.__name__: e for e in (Color, How, Phase, outcome_module.Status, orders_module.Act, orders_module.Against)
}
_CLASSES: dict[str, type[Any]] = {
    name: found
    for module in (orders_module, outcome_module, solitaire_events)
    for name, found in vars(module).items()
    if isinstance(found, type) and issubclass(found, Struct) and found is not Position
} | {"Stack": Stack, "Held": Held, "Solitaire": Solitaire}


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    data: dict[str, Any] = encode(outcome)
    return {"schema": SCHEMA, **data}


def outcome_from_json(board: Board, data: Mapping[str, Any]) -> Outcome:
    """Read what outcome_to_json wrote. Raises ValueError for an unknown schema."""
    if data.get("schema") != SCHEMA:
        raise ValueError(f"outcome schema {data.get('schema')!r}: this version reads {SCHEMA}")
    found = decode(board, {key: value for key, value in data.items() if key != "schema"})
    assert isinstance(found, Outcome)
    return found


def encode(value: Any) -> Any:
    if isinstance(value, Enum):
        return {"enum": type(value).__name__, "value": value.value}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Piece):
        return {"piece": value.code}
    if isinstance(value, Position):
        return {"position": to_json(value)}
    if isinstance(value, Struct):
        return {"$": type(value).__name__, **{name: encode(getattr(value, name)) for name in value.__struct_fields__}}
    if isinstance(value, Mapping):
        return {"map": {str(key): encode(item) for key, item in value.items()}}
    return [encode(item) for item in value]


def decode(board: Board, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(decode(board, item) for item in value)
    if not isinstance(value, Mapping):
        return value
    if "$" in value:
        found = _CLASSES[value["$"]]
        return found(**{key: decode(board, item) for key, item in value.items() if key != "$"})
    if "piece" in value:
        return board.pieces[value["piece"]]
    if "position" in value:
        return from_json(board, value["position"])
    if "enum" in value:
        return _ENUMS[value["enum"]](value["value"])
    return {key: decode(board, item) for key, item in value["map"].items()}
