"""What has been made from printed things is kept: a published Phase and a printed issue never change.

A function that makes such a thing is cached (`lru_cache`, bounded) by names that never come to mean anything else: an
issue's number, a Phase with its incarnation, the number of issues so far. `Bound` stands for the store they are from.
"""

from __future__ import annotations

from gm.campaign.services import Services


class Bound:
    """Services for a cached function: equal if they are of the same store."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def __hash__(self) -> int:
        return hash(self.services.store.url)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bound) and other.services.store is self.services.store
