"""Games of one person as campaigns without deadlines: beginning one, playing a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from gm.campaign.options import from_mapping
from gm.campaign.phase import adjudication, intake, publishing
from gm.campaign.phase.opening import prepare, stand_at
from gm.campaign.ports import NewPlayer
from gm.campaign.seats.creation import ADDRESS, add_campaign, add_seats, needs_standin, seat_players
from gm.campaign.services import Services
from gm.campaign.transaction import Transaction
from gm.errors import GmError, Invalid
from gm.position import RED_PLAYER, Phase, Position
from gm.standin.strategy import Style
from gm.store.repositories import campaigns, paper, people
from gm.store.tables import Campaign

LETTERS = "ABCDE"
# No deadlines, so nobody is reminded. Three pots: nobody is dealt a hand without a good Leader.
RULES: Mapping[str, Any] = {"deadlines": False, "reminders": [], "grace_hours": 0}
HOUSE: Mapping[str, Any] = {"last_turn": 6, "deal": "three-pots"}


def begin(
    services: Services,
    player: NewPlayer,
    *,
    name: str,
    letter: str = "A",
    commanders: int = 0,
    id: str | None = None,
    actor: str,
) -> str:
    """A campaign against four stand-ins, dealt and at its first Phase with anything to order. Gives its id.

    `commanders`: how many of the four play to win; the others are fanatics.
    """
    needs_standin(services)
    if letter not in LETTERS:
        raise Invalid("seat", f"there is no seat {letter!r}", f"choose one of {', '.join(LETTERS)}")
    others = [seat for seat in LETTERS if seat != letter]
    styles = {seat: Style.COMMANDER if n < commanders else Style.FANATIC for n, seat in enumerate(others)}
    seats = [NewPlayer("", "", letter=seat, standin=style) for seat, style in styles.items()]
    seated = seat_players(
        name, [NewPlayer(player.name, player.address, player.zone, letter), *seats], player.address, None
    )
    position = Position(players=tuple(LETTERS), phase=Phase.SETUP)
    campaign = set_up(services, seated, letter, position, {**RULES, **HOUSE}, name=name, id=id, actor=actor)
    play(services, campaign, letter, "", source="web")  # before the game: stand-ins trade with nobody
    return campaign


def set_up(
    services: Services,
    seated: Mapping[str, NewPlayer],
    letter: str,
    position: Position,
    options: Mapping[str, Any],
    *,
    name: str,
    id: str | None,
    actor: str,
    **noted: object,
) -> str:
    """A campaign whose one person is its Gamesmaster too, set up at once and with its first Bell printed."""
    player = seated[letter]
    if not player.name.strip() or not ADDRESS.fullmatch(player.address):
        raise Invalid("player", f"{player.address!r} is no mail address", "a name and a mail address are needed")
    chosen = from_mapping({**options, "zone": player.zone})
    with services.store.write() as session:
        campaign = add_campaign(
            services,
            session,
            id=id,
            name=name,
            paper="",
            gm_name=player.name,
            gm_address=player.address,
            options=chosen,
        )
        campaign.gm_letter = letter
        campaign.status = "running"
        work = Transaction(services, session, campaign, actor)
        add_seats(work, seated, "held")
        phase = prepare(work, position)
        phase.state = "open"
        phase.opened_at = work.now
        stand_at(work, phase)
        work.audit("create", name=name, alone=True, **noted)
        adjudication.at_once(work, phase)
        created = campaign.id
    _print(services, created, actor)
    return created


def play(
    services: Services, campaign: str, letter: str, text: str, *, source: str, key: str | None = None
) -> intake.Submitted:
    """Play a sheet, and have the Bell on it printed."""
    done = intake.submit(services, campaign, letter, text, source=source, key=key, plays=True)
    if done.status == "taken":
        adjudication.after_standins(services, campaign, letter)
        _print(services, campaign, letter)
    return done


def _print(services: Services, campaign: str, actor: str) -> None:
    """The Bell on what was just played, and after the last sheet the final one too."""
    try:
        while True:
            publishing.publish(services, campaign, actor)
    except GmError as error:  # it is out: all is printed, or a worker was quicker
        if error.code not in ("nothing-to-print", "status", "busy"):
            raise


@dataclass(frozen=True, slots=True)
class AloneGame:
    """One campaign of somebody's record."""

    campaign: str
    letter: str
    against: tuple[str, ...]  # the styles of the others
    rank: int  # 0 while it goes on
    points: int


def record(services: Services, address: str) -> tuple[AloneGame, ...]:
    """The campaigns that one address plays or played against stand-ins, the newest first."""
    with services.store.read() as session:
        rows = [row for row in campaigns.of_gm_address(session, address.lower()) if _is_alone(row)]
        return tuple(_game(session, row) for row in rows)


def _is_alone(campaign: Campaign) -> bool:
    deadlines = campaign.options.get("deadlines", True)
    return not deadlines and campaign.gm_letter is not None and campaign.gm_letter != RED_PLAYER


def _game(session: Session, campaign: Campaign) -> AloneGame:
    letter = campaign.gm_letter or ""
    others = [seat for seat, _ in people.seats_with_holders(session, campaign.id) if seat.letter != letter]
    bell = paper.latest_bell(session, campaign.id) if campaign.status == "finished" else None
    told: list[Mapping[str, Any]] = bell.json.get("bell", {}).get("standings", []) if bell is not None else []
    own = next((line for line in told if line["player"] == letter), dict[str, Any]())
    against = tuple(sorted(seat.style or "" for seat in others))
    return AloneGame(campaign.id, letter, against, int(own.get("rank", 0)), int(own.get("points", 0)))


def unfinished(services: Services, address: str) -> int:
    """How many games an address plays."""
    with services.store.read() as session:
        rows = campaigns.of_gm_address(session, address.lower())
        return sum(row.gm_letter is not None and row.status != "finished" for row in rows)
