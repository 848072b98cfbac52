"""What all games of one person share: setting one up as a campaign without deadlines, playing a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from gm.campaign.access.addresses import refused
from gm.campaign.manage.creation import add_campaign, add_seats
from gm.campaign.options import from_mapping, with_defaults
from gm.campaign.phase import adjudication, intake, publishing
from gm.campaign.phase.opening import prepare, stand_at
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services
from gm.campaign.transaction import Transaction
from gm.errors import GmError, Invalid, NotNow
from gm.position import Position
from gm.store.repositories import campaigns

MOST_GAMES = 5  # of one address, begun by a visitor and not finished
RULES: Mapping[str, Any] = {"deadlines": False, "reminders": [], "grace_hours": 0}  # nobody is reminded


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
    visitor: bool = False,
    **noted: object,
) -> str:
    """A campaign of one person, set up at once and with its first Bell printed. There is no Gamesmaster's chair.

    `visitor`: it is begun from outside, by anybody who has a mail address, and so within limits.
    """
    player = seated[letter]
    if wrong := refused(services.settings, player.address):
        raise Invalid("player", wrong, "a name and a mail address are needed")
    if not player.name.strip():
        raise Invalid("player", "a player needs a name", "a name and a mail address are needed")
    chosen = from_mapping({**options, "zone": player.zone})
    with services.store.write() as session:
        if visitor:
            campaigns.lock_address(session, player.address.lower())
            if _unfinished(session, player.address) >= MOST_GAMES:
                raise NotNow("games", f"{MOST_GAMES} games of yours are unfinished", "end one of them first")
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
        if visitor and not adjudication.has_time(work):
            raise NotNow("enough", "your games have used up their time of today", "come again tomorrow")
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
    services: Services,
    campaign: str,
    letter: str,
    text: str,
    *,
    source: str,
    key: str | None = None,
    phase_id: str = "",
) -> intake.Submitted:
    """Play a sheet, and have the Bell on it printed."""
    done = intake.submit(services, campaign, letter, text, source=source, key=key, plays=True, phase_id=phase_id)
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


def _unfinished(session: Session, address: str) -> int:
    """How many games of one person an address plays."""
    rows = campaigns.of_gm_address(session, address.lower())
    return sum(row.status != "finished" and not with_defaults(row.options).deadlines for row in rows)
