"""The private files of an archive as rows: every value of the kind that its column holds, or it is said which is not.

Databases do not look (SQLite stores a word where a number belongs), and whoever made the archive may be anybody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, get_type_hints

from sqlalchemy import BigInteger, Boolean, Column, Date, Integer, LargeBinary, String, inspect

from gm.errors import Invalid
from gm.store.base import Base
from gm.store.types import UtcDateTime

HINT = "take the archive from where it was exported"
# What an import gives anew, and what is no part of the private files.
OWN = frozenset({"campaign_id", "id", "inbox_id", "token_hash", "gm_token_hash", "last_event_at"})
YEARS = range(1970, 2200)


def odd(where: str, what: str) -> Invalid:
    return Invalid("archive", f"{where}: {what}", HINT)


def read_rows(files: Mapping[str, bytes], name: str, table: type[Base]) -> list[dict[str, Any]]:
    """The rows of one private file; none where there is no such file: an older version may not have had the table."""
    path = f"private/{name}.json"
    rows = read(files, path) if path in files else []
    if not isinstance(rows, list):
        raise odd(path, "is no list of rows")
    return [values_of(table, row, f"{path}, row {number}") for number, row in enumerate(rows, 1)]


def read(files: Mapping[str, bytes], path: str) -> Any:
    try:
        return json.loads(files[path])
    except (KeyError, ValueError, RecursionError):
        raise odd(path, "cannot be read") from None


def values_of(table: type[Base], raw: object, where: str) -> dict[str, Any]:
    """JSON back to what the columns hold; what this version does not know is left out."""
    if not isinstance(raw, dict):
        raise odd(where, "is no row")
    values: dict[str, Any] = {}
    for attribute in inspect(table).column_attrs:
        column, name = attribute.columns[0], attribute.key
        assert isinstance(column, Column)
        if isinstance(column.type, LargeBinary) or name.endswith("token_hash"):
            continue
        if name in raw:
            values[name] = _value(table, name, column, raw[name], where)
        elif name not in OWN and not (column.nullable or column.default or column.server_default):
            raise odd(where, f"{name} is missing")
    return values


def _value(table: type[Base], name: str, column: Column[Any], value: object, where: str) -> object:
    if value is None:
        if not column.nullable and name not in OWN:
            raise odd(where, f"{name} is missing")
        return None
    try:
        return _converted(column, value, _documents(table).get(name))
    except (ValueError, TypeError, OverflowError):
        raise odd(where, f"{name} cannot be {str(value)[:60]!r}") from None


def _converted(column: Column[Any], value: Any, document: type | None) -> object:
    """Raises ValueError or TypeError for a value that the column does not hold."""
    kind = column.type
    if isinstance(kind, UtcDateTime):
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None or moment.year not in YEARS:
            raise ValueError
        return moment
    if isinstance(kind, Date):
        day = date.fromisoformat(value)
        if day.year not in YEARS:
            raise ValueError
        return day
    if isinstance(kind, Boolean):
        wanted: type = bool
    elif isinstance(kind, Integer | BigInteger):
        wanted = int
        if abs(value) >= (2**53 if isinstance(kind, BigInteger) else 2**31):
            raise ValueError
    elif isinstance(kind, String):
        wanted = str
        if len(value) > (kind.length or len(value)) or "\0" in value:
            raise ValueError
    else:
        wanted = document or object
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise TypeError
    return value


@cache
def _documents(table: type[Base]) -> Mapping[str, type]:
    """Which columns hold an object, and which a list."""
    hints = {name: str(hint) for name, hint in get_type_hints(table).items()}
    return {
        name: dict if "dict[" in hint else list for name, hint in hints.items() if "dict[" in hint or "list[" in hint
    }
