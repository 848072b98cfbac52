"""Random house rules for the campaigns of a rehearsal, so that they are tried together."""

from __future__ import annotations

from random import Random
from typing import Any

from gm.adjudicator.engine.options import DEALS, VICTORIES
from gm.board.pack import PackFiles

# A railway moves, a province is renamed, a table cell is another.
PACK: PackFiles = (
    (
        "rehearsal.toml",
        """[pack]
name = "The board of the rehearsal"
[provinces.TVER]
name = "Kalinin"
[[rail]]
name = "Tashkent Railway"
provinces = ["OREN", "UFA"]
[combat]
6 = ["Ex", "Ae", "Ae", "Ex", "Ex", "Ex", "De"]
""",
    ),
)


def house_rules(chance: Random, turns: int) -> tuple[dict[str, Any], PackFiles]:
    """Options of one campaign, and its board."""
    options = {
        "deal": chance.choice(DEALS),
        "victory": chance.choice(VICTORIES),
        "last_turn": chance.choice((0, turns)),
        "masses": chance.random() < 0.25,
        "nmr": chance.choice(("hold", "standin")),
        "ready": chance.choice(("said", "automatic")),
    }
    return options, PACK if chance.random() < 0.5 else ()
