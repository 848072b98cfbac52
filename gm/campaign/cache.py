"""Caches in memory: which kind to use for what, and the cache of Phase positions.

- What follows from a value alone: `functools.cached_property` of the value, `functools.cache` of a function; bounded by
  `lru_cache` where there is no end of arguments.
- What is made from something in the database that never changes (a published Phase, a printed issue): `lru_cache` by
  names that never come to mean anything else, with `ServicesKey` for the store they are from.
- What is looked up by another key than it is made from: `BoundedCache`. The positions of Phases are (a Phase's position
  is written once, when the Phase is opened, and its key never comes again), parts of pages by a position's digest.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import msgspec

from gm.board.model import Board
from gm.campaign.options import CampaignOptions, with_defaults
from gm.campaign.services import Services
from gm.position import Position, from_json
from gm.store.base import PhaseKey
from gm.store.engine import Store

MAX_CACHED = 500
Stored = Mapping[str, Any]
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ServicesKey:
    """Services for a cached function: equal if they are of the same store."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def __hash__(self) -> int:
        return hash(self.services.store.url)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ServicesKey) and other.services.store is self.services.store


class BoundedCache(Generic[K, V]):
    """A bounded cache; the oldest entry is dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        while len(self._values) >= self._most and key not in self._values:
            self._values.pop(next(iter(self._values)), None)  # another thread may have been quicker
        self._values[key] = value
        return value


_POSITIONS: WeakKeyDictionary[Store, BoundedCache[PhaseKey, tuple[Stored, Position]]] = WeakKeyDictionary()


def position(services: Services, board: Board, key: PhaseKey, stored: Stored) -> Position:
    """The Position of exactly this stored JSON, from the cache if it is there."""
    kept = _POSITIONS.setdefault(services.store, BoundedCache(MAX_CACHED))
    found = kept.get(key)
    if found is None or found[0] != stored:
        found = kept.put(key, (stored, from_json(board, stored)))
    return found[1]


def last_position(services: Services, key: PhaseKey) -> Position | None:
    """The position as last read, without a database query; None if it is not in the cache."""
    kept = _POSITIONS.get(services.store)
    found = kept.get(key) if kept else None
    return found[1] if found else None


def options(stored: Stored) -> CampaignOptions:
    return _options(msgspec.json.encode(stored))


@lru_cache(maxsize=MAX_CACHED)
def _options(stored: bytes) -> CampaignOptions:
    return with_defaults(msgspec.json.decode(stored))
