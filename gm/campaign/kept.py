"""What campaigns ask for again and again, kept in memory: positions of Phases, and options.

A Phase's position is written once, when the Phase is opened, and its key never comes again. Whoever holds what is
stored is given the value of exactly that; whoever does not may take the value as it was read last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from gm.campaign.options import Options, with_defaults
from gm.campaign.services import Services
from gm.position import Position, from_json
from gm.store.base import PhaseKey
from gm.store.engine import Store

MOST = 500
Stored = Mapping[str, Any]

_POSITIONS: WeakKeyDictionary[Store, dict[PhaseKey, tuple[Stored, Position]]] = WeakKeyDictionary()
_OPTIONS: dict[str, Options] = {}


def position(services: Services, key: PhaseKey, stored: Stored) -> Position:
    kept = _POSITIONS.setdefault(services.store, {})
    found = kept.get(key)
    if found is None or found[0] != stored:
        if len(kept) >= MOST:
            kept.clear()
        found = kept[key] = stored, from_json(services.board, stored)
    return found[1]


def last_position(services: Services, key: PhaseKey) -> Position | None:
    """Without a look at the database; None if it was not asked for lately."""
    found = _POSITIONS.get(services.store, {}).get(key)
    return found[1] if found else None


def options(stored: Stored) -> Options:
    key = repr(stored)
    if key not in _OPTIONS:
        if len(_OPTIONS) >= MOST:
            _OPTIONS.clear()
        _OPTIONS[key] = with_defaults(stored)
    return _OPTIONS[key]
