"""A campaign of one person against four stand-ins: beginning one, the record of somebody's campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from gm.campaign.manage.creation import needs_standin, seat_players
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services
from gm.campaign.solo.single_player import RULES, play, set_up
from gm.errors import Invalid
from gm.position import RED_PLAYER, Phase, Position
from gm.standin.strategy import Style
from gm.store.repositories import campaigns, paper, people
from gm.store.tables import Campaign

LETTERS = "ABCDE"
# Three pots: nobody is dealt a hand without a good Leader.
HOUSE_RULES: Mapping[str, Any] = {**RULES, "last_turn": 6, "deal": "three-pots"}


def begin(
    services: Services,
    player: NewPlayer,
    *,
    name: str,
    letter: str = "A",
    commanders: int = 0,
    id: str | None = None,
    actor: str,
    visitor: bool = False,
) -> str:
    """A campaign against four stand-ins, dealt and at its first Phase with anything to order. Gives its id.

    `commanders`: how many of the four play to win; the others are fanatics.
    """
    needs_standin(services)
    check_seat(letter)
    others = [seat for seat in LETTERS if seat != letter]
    styles = {seat: Style.COMMANDER if n < commanders else Style.FANATIC for n, seat in enumerate(others)}
    seats = [NewPlayer("", "", letter=seat, standin=style) for seat, style in styles.items()]
    people = [NewPlayer(player.name, player.address, player.zone, letter), *seats]
    seated = seat_players(services, name, people, player.address, letter)
    position = Position(players=tuple(LETTERS), phase=Phase.SETUP)
    campaign = set_up(services, seated, letter, position, HOUSE_RULES, name=name, id=id, actor=actor, visitor=visitor)
    play(services, campaign, letter, "", source="web")  # before the game: stand-ins trade with nobody
    return campaign


def check_seat(letter: str) -> None:
    """Raises Invalid where there is no such seat."""
    if letter not in tuple(LETTERS):
        raise Invalid("seat", f"there is no seat {letter!r}", f"choose one of {', '.join(LETTERS)}")


@dataclass(frozen=True, slots=True)
class StandInGame:
    """One campaign of somebody's record."""

    campaign: str
    letter: str
    against: tuple[str, ...]  # the styles of the others
    rank: int  # 0 while it goes on
    points: int


def games_of(services: Services, address: str) -> tuple[StandInGame, ...]:
    """The campaigns that one address plays or played against stand-ins, the newest first."""
    with services.store.read() as session:
        rows = [row for row in campaigns.of_gm_address(session, address.lower()) if _is_against_standins(row)]
        return tuple(_game(session, row) for row in rows)


def _is_against_standins(campaign: Campaign) -> bool:
    deadlines = campaign.options.get("deadlines", True)
    return not deadlines and campaign.gm_letter is not None and campaign.gm_letter != RED_PLAYER


def _game(session: Session, campaign: Campaign) -> StandInGame:
    letter = campaign.gm_letter or ""
    others = [seat for seat, _ in people.seats_with_holders(session, campaign.id) if seat.letter != letter]
    bell = paper.latest_bell(session, campaign.id) if campaign.status == "finished" else None
    told: list[Mapping[str, Any]] = bell.json.get("bell", {}).get("standings", []) if bell is not None else []
    own = next((line for line in told if line["player"] == letter), dict[str, Any]())
    against = tuple(sorted(seat.style or "" for seat in others))
    return StandInGame(campaign.id, letter, against, int(own.get("rank", 0)), int(own.get("points", 0)))
