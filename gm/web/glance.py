"""A campaign in one line of the Gamesmaster's table."""

from __future__ import annotations

from dataclasses import dataclass

from gm.campaign import calendar, inbox, lookups
from gm.campaign.lookups import CampaignState
from gm.campaign.services import Services


@dataclass(frozen=True, slots=True)
class Glance:
    state: CampaignState
    quarantine: int
    requests: int

    @property
    def ordered(self) -> int:
        return sum(1 for seat in self.state.seats if seat.ordered)


def glance(services: Services, campaign: str) -> Glance:
    return Glance(
        state=lookups.state(services, campaign),
        quarantine=len(inbox.quarantined(services, campaign, 100)),
        requests=sum(1 for r in calendar.requests(services, campaign) if r.state == "asked"),
    )
