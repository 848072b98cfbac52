"""House rules of a campaign: the deal, when the game ends, the shorter game. Settled before the deal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

DEALS = ("one-pot", "three-pots", "majors-first")
VICTORIES = ("annihilation", "key-areas")
KEY_AREAS = ("PETR", "TVER", "KIEV", "OMSK")


@dataclass(frozen=True, slots=True)
class GameOptions:
    masses: bool = False  # J38; past its door the adjudicator asks the board
    deal: str = "one-pot"  # H1
    victory: str = "annihilation"  # H2
    key_areas: tuple[str, ...] = KEY_AREAS
    last_turn: int = 0  # H3; 0: none

    @property
    def digest(self) -> str:
        """One value for all of them, which the dice are keyed by."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


def game_options(given: Mapping[str, Any]) -> GameOptions:
    """The house rules among a campaign's options; what an older version did not know has its default."""
    known = {f.name: given[f.name] for f in fields(GameOptions) if f.name in given}
    if "key_areas" in known:
        known["key_areas"] = tuple(known["key_areas"])
    return GameOptions(**known)
