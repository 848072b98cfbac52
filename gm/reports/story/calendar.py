"""On which day of the month a story is dated: the days follow the steps of the Phase (17/4.2).

The First Phase is the first half of the month, all else the second. A story that tells how things stand when the
Phase is over is dated behind everything that happened in it.
"""

from __future__ import annotations

from collections.abc import Mapping

HALF = 14  # days of a Phase; February has no more

# Step of the Phase -> first and last day of its half of the month.
DAYS: Mapping[str, tuple[int, int]] = {
    "deal": (1, 1),
    "answer": (1, 1),
    "trade": (2, 2),
    "seizure": (3, 3),
    "field": (4, 6),  # movement, or combat
    "murder": (7, 8),
    "execution": (9, 9),
    "purge": (10, 10),
    "randomizer": (11, 11),
    "replacement": (11, 11),
    "events": (12, 12),
    "state": (13, HALF),
}

STEP_OF: Mapping[str, str] = {
    "deal": "deal",
    "trades": "trade",
    "trade": "trade",
    "no_trades": "trade",
    "seized": "seizure",
    "march": "field",
    "imperial_left": "field",
    "czechs_left": "field",
    "battle": "field",
    "leader_fell": "field",
    "subversion": "field",
    "purge_nothing": "purge",
    "murder": "murder",
    "murder_failed": "murder",
    "czar_executed": "execution",
    "czar_refused": "execution",
    "czar_pending": "execution",
    "purge": "purge",
    "purge_failed": "purge",
    "purge_plots": "purge",
    "purge_session": "purge",
    "withdrawal": "randomizer",
    "control": "randomizer",
    "replacements": "replacement",
    "depots_shut": "replacement",
    "depots_end": "replacement",
    "epidemic": "events",
    "doubled": "events",
}


def days_of(kind: str, step: str = "") -> tuple[int, int]:
    """Between which days of its half of the month news of a kind is dated; `step` where the kind does not tell it."""
    return DAYS[step or STEP_OF.get(kind, "state")]
