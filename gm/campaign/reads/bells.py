"""Reading printed issues: their pictures, and an issue as it was printed."""

from __future__ import annotations

from gm.campaign import boards
from gm.campaign.services import Services
from gm.reports.render.json import Printed, read_json
from gm.store.repositories import campaigns, paper


def bell_png(services: Services, campaign: str, number: int) -> bytes | None:
    with services.store.read() as session:
        return paper.bell_png(session, campaign, number)


def bell_chart(services: Services, campaign: str, number: int) -> bytes | None:
    with services.store.read() as session:
        return paper.bell_chart(session, campaign, number)


def printed_bell(services: Services, campaign: str, number: int) -> Printed | None:
    """An issue as it was printed; None for one of bare facts."""
    with services.store.read() as session:
        bell, row = paper.bell(session, campaign, number), campaigns.get(session, campaign)
        if bell is None or row is None or "bell" not in bell.json:
            return None
        return read_json(boards.board_of(session, row), bell.json)
