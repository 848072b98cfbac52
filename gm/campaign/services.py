"""The one handle that every function of the campaign takes."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from gm.board.model import Board
from gm.campaign.ports import Adjudicate, Renderer, StandIn, Wake
from gm.campaign.times import Clock
from gm.config import Settings
from gm.store.engine import Store


def no_wake(at: datetime | None, mail: bool) -> None:
    """The tick will see it by itself."""


@dataclass(frozen=True)
class Services:
    settings: Settings
    store: Store
    clock: Clock
    board: Board
    adjudicate: Adjudicate
    renderer: Renderer
    fallback: Renderer  # prints the bare facts where the renderer fails again and again
    secret_key: bytes = field(repr=False)
    standin: StandIn | None = None  # who plays for the absent; None: nobody can
    wake: Wake = no_wake
    entropy: Callable[[int], bytes] = secrets.token_bytes

    def close(self) -> None:
        close = getattr(self.wake, "close", None)
        if close is not None:
            close()
        self.store.close()
