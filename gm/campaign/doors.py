"""Who may come in: what a caller with some signed keys is to a campaign. One short read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from gm.campaign import links, tokens
from gm.campaign import options as campaign_options
from gm.campaign.services import Services
from gm.store.repositories import campaigns, people
from gm.store.tables import Campaign

READERS = ("player", "standby", "reader")


@dataclass(frozen=True, slots=True)
class Key:
    """A letter (a player's, `GM`, or empty for a reader) and what proves it."""

    letter: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Door:
    campaign: str
    name: str
    paper: str
    status: str
    public: bool
    letter: str | None = None  # the seat that the caller holds
    seat_status: str = ""
    zone: str = "UTC"
    player: str = ""  # his name
    is_gm: bool = False
    is_reader: bool = False  # listed as a reader or standby
    gm_plays: str | None = None  # the Gamesmaster's own side, if he has one

    @property
    def may_read(self) -> bool:
        return self.public or self.is_gm or self.is_reader or self.letter is not None


def fingerprint_of(services: Services, campaign: str, letter: str, generation: int) -> str:
    return links.fingerprint(tokens.seat_token(services.secret_key, campaign, letter, generation))


def fingerprint(services: Services, campaign: str, letter: str) -> str | None:
    """What a key to this seat must carry now; None where there is no such seat."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            return None
        if letter == tokens.GM:
            return fingerprint_of(services, campaign, letter, row.gm_generation)
        seat = people.seat(session, campaign, letter)
        return fingerprint_of(services, campaign, letter, seat.generation) if seat else None


def door(services: Services, campaign: str, keys: Iterable[Key]) -> Door | None:
    """What the holder of these keys is here; None where there is no such campaign."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        return _door(services, session, row, keys) if row else None


def _door(services: Services, session: Session, row: Campaign, keys: Iterable[Key]) -> Door:
    options = campaign_options.with_defaults(row.options)
    found: dict[str, object] = {}
    for key in keys:
        if key.letter == tokens.GM:
            if key.fingerprint == fingerprint_of(services, row.id, tokens.GM, row.gm_generation):
                found |= {"is_gm": True}
                found.setdefault("zone", options.zone)
        elif key.letter:
            seat = people.seat(session, row.id, key.letter)
            if seat and key.fingerprint == fingerprint_of(services, row.id, key.letter, seat.generation):
                holder = people.player(session, seat.player_id) if seat.player_id else None
                found |= {"letter": seat.letter, "seat_status": seat.status}
                if holder:
                    found |= {"zone": holder.zone, "player": holder.name}
        elif _listed(session, row.id, key.fingerprint):
            found |= {"is_reader": True}
    return Door(row.id, row.name, row.paper, row.status, options.public, gm_plays=row.gm_letter, **found)  # type: ignore[arg-type]


def _listed(session: Session, campaign: str, address: str) -> bool:
    return any(person.address == address.lower() for person in people.everyone(session, campaign, *READERS))
