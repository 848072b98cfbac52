"""Whom a mail of a seat may reach: the keys of a seat go to whoever holds it when the mail is sent, and to nobody else.

A mail may wait for days, and its seat change hands meanwhile. Its row says by the address for whom it was written.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.tokens import seat_token
from gm.errors import NotAllowed
from gm.store.mail_tables import Outbox
from gm.store.repositories import campaigns, people

# Kinds of mail that somebody gets who holds the seat no more, without its keys: what answers their own mail, and that
# they leave. All else is the business of the seat, and its new holder was briefed.
THEIR_OWN = ("answer", "receipt", "removed", "resigning")


def keys_for(services: Services, campaign: str, letter: str, address: str) -> str | None:
    """The secret part of a seat's reply address, if this is the address of whoever holds it now."""
    with services.store.read() as session:
        generation = _generation(session, campaign, letter, address)
    return seat_token(services.secret_key, campaign, letter, generation) if generation is not None else None


def own_keys(services: Services, campaign: str, letter: str, address: str) -> str:
    """The same for somebody whose mail is being dealt with. Raises NotAllowed if they lost the seat meanwhile."""
    token = keys_for(services, campaign, letter, address)
    if token is None:
        raise NotAllowed("not-holder", f"{letter} has another holder now", "the campaign's page lists them")
    return token


def may_go(session: Session, row: Outbox) -> bool:
    """Whether a mail may still go to its address, with the keys of the seat or without them."""
    if row.campaign_id is None or row.letter is None or row.kind in THEIR_OWN:
        return True
    return _generation(session, row.campaign_id, row.letter, row.address) is not None


def _generation(session: Session, campaign: str, letter: str, address: str) -> int | None:
    if letter == GM:
        generation, holder = campaigns.gm_keys(session, campaign)
    else:
        generation, holder = people.holders_keys(session, campaign, letter)
    return generation if holder is not None and holder.lower() == address.lower() else None
