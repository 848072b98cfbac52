"""The sample campaign for the demo: the game of 1976 before June 1918, and what its players ordered then."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from importlib import resources
from typing import NamedTuple

from gm.campaign import ticker
from gm.campaign.export import importing
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import NotNow

CAMPAIGN = "the-bell-1976"
PLAYERS = (
    NewPlayer("Ben", "ben@players.example", "America/New_York"),
    NewPlayer("Greg", "greg@players.example", "Europe/London"),
    NewPlayer("Kip", "kip@players.example", "UTC"),
    NewPlayer("Frank", "frank@players.example", "Europe/Berlin"),
    NewPlayer("Eric", "eric@players.example", "Asia/Tokyo"),
)
OPTIONS = {
    "public": True,
    "publish": "draft",
    "ready": "automatic",  # nobody here wants to wait
    "early_close_hours": 0,
    "early_delay_minutes": 0,
    "anonymous_letters": True,
    "first_days": 4,
    "second_days": 3,
}


def _file(name: str) -> str:
    return (resources.files("gm.web.sample") / name).read_text("utf-8")


def exists(services: Services) -> bool:
    return any(line.id == CAMPAIGN for line in lookups.overview(services))


def load(services: Services) -> str:
    """Create the sample campaign, once; the issue that announces the game is printed at once."""
    if not exists(services):
        importing.import_bell(
            services,
            positions_of_1976(),
            name="The Bell of 1976",
            players=PLAYERS,
            gm_name="Redmond",
            gm_address="gm@players.example",
            options=OPTIONS,
            id=CAMPAIGN,
            first_bell=2,
        )
        ticker.tick(services, "sample")
    return CAMPAIGN


def positions_of_1976() -> str:
    return _file("june-1918.txt")


def orders_of_1976(phase: str) -> dict[str, str]:
    found: dict[str, str] = tomllib.loads(_file("orders-1976.toml")).get(phase, {})
    return found


class Played(NamedTuple):
    """What was done to the seats that nobody took, by letter."""

    filed: list[str]  # orders, and so ready
    readied: list[str]  # had ordered, and were not ready
    standins: bool  # not orders of 1976: stand-ins write from now on


def play_for_others(services: Services, but_not: Collection[str]) -> Played:
    """Play every seat that is not taken and has no orders: in June as in 1976, from then on by stand-ins."""
    state = lookups.state(services, CAMPAIGN)
    if state.phase_state not in ("open", "grace"):
        raise NotNow("no-phase", "No Phase is open just now.", "Print The Bell first.")
    others = [seat for seat in state.seats if seat.letter not in but_not]
    letters = [seat.letter for seat in others if not seat.ordered and not seat.standin]
    if state.turn == 1:
        found = orders_of_1976(state.phase)
        for letter in letters:
            intake.submit(services, CAMPAIGN, letter, found.get(letter, ""), source="web", actor="sample", ready=True)
    else:
        for seat in state.seats:
            if seat.letter in letters or (seat.standin and seat.letter in but_not):
                holders.set_standin(services, CAMPAIGN, seat.letter, not seat.standin, actor="sample")
    readied = [seat.letter for seat in others if seat.ordered and not seat.ready and not seat.standin]
    for letter in readied:  # has agreed to a proposal, say, and nobody sits there any more
        intake.say_ready(services, CAMPAIGN, letter, True)
    ticker.tick(services, "sample")
    return Played(letters, readied, state.turn > 1)
