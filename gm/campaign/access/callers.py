"""Authorization of a web caller: the role (player, Gamesmaster, reader) that their credentials give in a campaign."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from gm.campaign import tokens
from gm.campaign.access import links
from gm.campaign.reads.summaries import CampaignSummary, SeatSummary, read_now
from gm.campaign.roles import GM, Claim
from gm.campaign.services import Services
from gm.store.repositories import people

READERS = ("player", "standby", "reader")


@dataclass(frozen=True, slots=True)
class Credential:
    """A letter (a player's, `GM`, or empty for a reader) and what proves it."""

    letter: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Access:
    """The state of one campaign, and the caller's role in it."""

    now: CampaignSummary
    letter: str | None = None  # the seat that the caller holds
    is_gm: bool = False
    is_reader: bool = False  # listed as a reader or standby

    @property
    def campaign(self) -> str:
        return self.now.id

    @property
    def name(self) -> str:
        return self.now.name

    @property
    def paper(self) -> str:
        return self.now.paper

    @property
    def status(self) -> str:
        return self.now.status

    @property
    def gm_plays(self) -> str | None:
        return self.now.gm_letter

    @property
    def known(self) -> bool:
        """Whether any of the caller's credentials is good here."""
        return self.is_gm or self.is_reader or self.letter is not None

    @property
    def may_read(self) -> bool:
        return self.now.options.public or self.known

    @property
    def seat(self) -> SeatSummary | None:
        return next((s for s in self.now.seats if s.letter == self.letter), None)

    def claim(self, letter: str) -> Claim:
        """What the caller was let in by, who acts as this seat or as the Gamesmaster."""
        generation = _generation(self.now, letter)
        assert generation is not None
        return Claim(self.campaign, letter, generation)

    @property
    def seat_status(self) -> str:
        return self.seat.status if self.seat else ""

    @property
    def player(self) -> str:
        return self.seat.name if self.seat and self.seat.held else ""

    @property
    def zone(self) -> str:
        """The time zone in which this caller is shown times."""
        if self.seat and self.seat.held:
            return self.seat.zone
        return self.now.options.zone if self.is_gm else "UTC"


def fingerprint_of(services: Services, campaign: str, letter: str, generation: int) -> str:
    return links.fingerprint(tokens.seat_token(services.secret_key, campaign, letter, generation))


def fingerprint(services: Services, campaign: str, letter: str) -> str | None:
    """The fingerprint that a credential for this seat must carry now; None where there is no such seat."""
    with services.store.read() as session:
        now = read_now(session, campaign)
    if now is None:
        return None
    generation = _generation(now, letter)
    return fingerprint_of(services, campaign, letter, generation) if generation else None


def door(services: Services, campaign: str, keys: Iterable[Credential]) -> Access | None:
    """The access that these credentials give to the campaign; None where there is no such campaign."""
    with services.store.read() as session:
        now = read_now(session, campaign)
        if now is None:
            return None
        letter, is_gm, is_reader = None, False, False
        for key in keys:
            if not key.letter:
                is_reader = is_reader or _listed(session, campaign, key.fingerprint)
                continue
            generation = _generation(now, key.letter)
            if not generation or key.fingerprint != fingerprint_of(services, campaign, key.letter, generation):
                continue
            if key.letter == GM:
                is_gm = True
            else:
                letter = key.letter
        return Access(now, letter, is_gm, is_reader)


def _generation(now: CampaignSummary, letter: str) -> int | None:
    if letter == GM:
        return now.gm_generation if now.options.deadlines else None  # a game of one person has no Gamesmaster
    return next((s.generation for s in now.seats if s.letter == letter and s.held), None)  # nobody's has no keys


def _listed(session: Session, campaign: str, address: str) -> bool:
    return any(person.address == address.lower() for person in people.everyone(session, campaign, *READERS))
