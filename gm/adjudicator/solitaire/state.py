"""What the solitaire game has to remember, as it stands in the Phase that is being played."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import Flagged
from gm.position import Solitaire


def state_of(play: PhaseInPlay) -> Solitaire:
    state = play.table.flag("solitaire")
    assert isinstance(state, Solitaire)
    return state


def remember(play: PhaseInPlay, **fields: Any) -> Flagged:
    """The change that gives the state these new values."""
    return Flagged("solitaire", replace(state_of(play), **fields))
