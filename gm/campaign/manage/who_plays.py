"""Whether a Gamesmaster plays, and what one who plays against others leaves to whoever keeps the installation."""

from __future__ import annotations

from gm.campaign.roles import GM
from gm.campaign.transaction import Transaction
from gm.errors import Invalid, NotAllowed
from gm.store.repositories import people
from gm.store.tables import Campaign

NO_TIME = "takes no time from the others: everybody was told the deadline"


def must_not_play(work: Transaction, does_not: str = NO_TIME) -> None:
    """Who plays takes nothing from the others; whoever keeps the installation may."""
    if work.actor == GM and people.gm_plays_against_others(work.session, work.campaign):
        what = f"a Gamesmaster who plays {does_not}"
        raise NotAllowed("gm-plays", what, "whoever keeps the installation does it, at the command line")


def undeclared(letter: str, address: str, gm_letter: str | None, gm_address: str) -> str | None:
    """What is wrong with a seat at the Gamesmaster's own address that the Gamesmaster does not say to play: they would
    see everybody's orders."""
    if letter == gm_letter or address.strip().lower() != gm_address.strip().lower():
        return None
    return f"the Gamesmaster does not play {letter}, but it would be at the Gamesmaster's own address"


def must_be_declared(campaign: Campaign, letter: str, address: str) -> None:
    if wrong := undeclared(letter, address, campaign.gm_letter, campaign.gm_address):
        hint = (
            "name somebody else; who wants to play says so with a new campaign, where the Gamesmaster's seat is named"
        )
        raise Invalid("gm-address", wrong, hint)
