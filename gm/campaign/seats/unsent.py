"""What a player has typed at the desk and not sent, kept so that it survives leaving the page."""

from __future__ import annotations

from gm.campaign.reads import summaries
from gm.campaign.services import Services
from gm.campaign.transaction import must_hold, no_campaign, no_seat
from gm.position import Player
from gm.store.repositories import submissions
from gm.store.tables import UnsentSheet


def keep(services: Services, campaign: str, letter: Player, text: str) -> None:
    """Keep the text for the present Phase; the text that is on file, or none at all, is nothing to keep."""
    with services.store.write() as session:
        must_hold(services, session, campaign)
        here = summaries.read_now(session, campaign)
        if here is None:
            raise no_campaign(campaign)
        seat = next((s for s in here.seats if s.letter == letter), None)
        if seat is None:
            raise no_seat(campaign, letter)
        known = submissions.unsent(session, here.key, letter)
        orders = summaries.on_file(session, here.key, letter)
        if text.strip() == (orders.text.strip() if orders else ""):
            if known is not None:
                session.delete(known)
        elif known is None:
            made = UnsentSheet(**here.key._asdict(), letter=letter, generation=seat.generation, text=text)
            made.at = services.clock.now()
            session.add(made)
        else:
            known.generation, known.text, known.at = seat.generation, text, services.clock.now()


def forget(services: Services, campaign: str, letter: Player) -> None:
    """It was sent: nothing is left of it, in this Phase or an earlier one."""
    with services.store.write() as session:
        must_hold(services, session, campaign)
        submissions.delete_unsent(session, campaign, letter.upper())
