"""Who acts in a campaign: its seats, and besides them these; and by which keys somebody was let in."""

from __future__ import annotations

from dataclasses import dataclass

from gm.errors import NotAllowed

GM = "GM"  # the Gamesmaster's "letter"
KEEPER = "keeper"  # of the installation, at its command line


@dataclass(frozen=True, slots=True)
class Claim:
    """The seat, or the Gamesmaster's chair, whose keys opened the door to somebody, and which keys they were."""

    campaign: str
    letter: str
    generation: int


class HandedOver(NotAllowed):
    """The keys that somebody was let in by are void by now: the seat has another holder, or new keys."""

    def __init__(self, letter: str) -> None:
        what = f"{letter} has changed hands or got new keys meanwhile, and nothing of this was done"
        super().__init__("not-holder", what, "the campaign's page lists who holds the seats", letter=letter)
