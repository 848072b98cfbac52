"""One row of the Gamesmaster's table of campaigns."""

from __future__ import annotations

from dataclasses import dataclass

from gm.campaign.mailbox import inbox
from gm.campaign.manage import deadlines
from gm.campaign.reads import lookups
from gm.campaign.reads.lookups import CampaignState
from gm.campaign.services import Services


@dataclass(frozen=True, slots=True)
class CampaignRow:
    state: CampaignState
    quarantine: int
    requests: int

    @property
    def ordered(self) -> int:
        return sum(1 for seat in self.state.seats if seat.ordered)


def row_of(services: Services, campaign: str) -> CampaignRow:
    return CampaignRow(
        state=lookups.state_for_gm(services, campaign),
        quarantine=len(inbox.quarantined(services, campaign, 100)),
        requests=sum(1 for r in deadlines.requests(services, campaign) if r.state == "asked"),
    )
