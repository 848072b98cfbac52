"""The Services object that every function of the campaign takes: store, clock, renderer, stand-in, mail."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import thread_time

from gm.campaign.ports import Adjudicate, Beacon, Renderer, Settle, StandIn, Wake
from gm.campaign.roles import Claim
from gm.campaign.schedule import Clock
from gm.config import Settings
from gm.store.engine import Store
from gm.whatif.process import WhatIfRoom
from gm.whatif.question import Answer, Question


def no_wake(at: datetime | None, mail: bool) -> None:
    """Do nothing: the next tick finds the work by itself."""


def nobody_beside(campaign: str, work: Callable[[Services], object]) -> bool:
    """Nobody does long work beside the caller."""
    return False


def nothing_to_settle(services: Services, before: datetime) -> bool:
    """Without mail there is nothing to settle."""
    return True


@dataclass(frozen=True)
class Services:
    settings: Settings
    store: Store
    clock: Clock
    adjudicate: Adjudicate
    renderer: Renderer
    fallback: Renderer  # prints the bare facts where the renderer fails repeatedly
    secret_key: bytes = field(repr=False)
    standin: StandIn | None = None  # who plays for the absent; None: nobody can
    wake: Wake = no_wake
    settle: Settle = nothing_to_settle
    # Takes long work for a campaign off the caller, to be done with services of its own; False: the caller does it.
    beside: Callable[[str, Callable[[Services], object]], bool] = nobody_beside
    what_if: Callable[[Question, str], Answer] = field(default_factory=lambda: WhatIfRoom().ask)
    beacon: Beacon | None = None  # where public randomness is asked for; None: nowhere
    entropy: Callable[[int], bytes] = secrets.token_bytes
    processor: Callable[[], float] = thread_time  # seconds that this thread has worked
    claim: Claim | None = None  # for whom they work; None: for the service itself

    def working_for(self, claim: Claim | None) -> Services:
        """The same for somebody who was let in: what they do is done only while their keys are good."""
        return replace(self, claim=claim) if claim != self.claim else self

    def close(self) -> None:
        close = getattr(self.wake, "close", None)
        if close is not None:
            close()
        self.store.close()
