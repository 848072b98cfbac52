"""What all games of one person share: setting one up as a campaign without deadlines, playing a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.campaign.manage.creation import ADDRESS, add_campaign, add_seats
from gm.campaign.options import from_mapping
from gm.campaign.phase import adjudication, intake, publishing
from gm.campaign.phase.opening import prepare, stand_at
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services
from gm.campaign.transaction import Transaction
from gm.errors import GmError, Invalid
from gm.position import Position
from gm.store.repositories import campaigns

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


def unfinished(services: Services, address: str) -> int:
    """How many games an address plays."""
    with services.store.read() as session:
        rows = campaigns.of_gm_address(session, address.lower())
        return sum(row.gm_letter is not None and row.status != "finished" for row in rows)
