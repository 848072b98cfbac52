"""A campaign in one line of the Gamesmaster's table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gm.campaign import calendar, inbox, lookups
from gm.campaign.lookups import CampaignLine, SeatState
from gm.campaign.services import Services


@dataclass(frozen=True, slots=True)
class Glance:
    id: str
    name: str
    status: str
    turn: int
    phase: str
    phase_state: str
    deadline: datetime | None
    zone: str
    seats: tuple[SeatState, ...]
    queued: int
    failed: int
    quarantine: int
    requests: int
    halted: str | None

    @property
    def ordered(self) -> int:
        return sum(1 for seat in self.seats if seat.ordered)


def glance(services: Services, line: CampaignLine) -> Glance:
    state = lookups.state(services, line.id)
    return Glance(
        id=line.id,
        name=line.name,
        status=line.status,
        turn=line.turn,
        phase=line.phase,
        phase_state=line.phase_state,
        deadline=line.deadline,
        zone=state.options.zone,
        seats=state.seats,
        queued=state.mails.get("queued", 0),
        failed=state.mails.get("failed", 0),
        quarantine=len(inbox.quarantined(services, line.id, 100)),
        requests=sum(1 for r in calendar.requests(services, line.id) if r.state == "asked"),
        halted=state.halted,
    )
