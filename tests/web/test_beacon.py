"""The public beacon on the web: chosen in the form, told to readers, given up by the Gamesmaster if it stays away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.web.app import create_app
from gm.web.guard.limits import Limiter
from tests.beacon_server import OwnBeacon, own_beacon
from tests.campaign_fixtures import FakeClock, installed, settings_for, tick
from tests.web.table import KEEPER, Browser, QuickNewsroom

PLAYERS = "\n".join(f"{name} {name.lower()}@new.test" for name in ("Anna", "Boris", "Clara", "Dmitri", "Elena"))


@pytest.fixture
def beacon(clock: FakeClock) -> Iterator[OwnBeacon]:
    with own_beacon(clock.now) as server:
        yield server


@pytest.fixture
def house(sqlite_url: str, clock: FakeClock, beacon: OwnBeacon) -> Iterator[Services]:
    settings = settings_for(sqlite_url, admins=KEEPER, beacon_url=beacon.address)
    services = installed(settings, clock=clock, renderer=QuickNewsroom())
    yield services
    services.close()


@pytest.fixture
def keeper(house: Services) -> Browser:
    return Browser(create_app(house, limiter=Limiter(factor=1000)), house).sit("", "keeper")


def test_a_gamesmaster_who_plays_is_recommended_the_beacon_and_everybody_is_told(
    house: Services, keeper: Browser, clock: FakeClock, beacon: OwnBeacon, tmp_path: Path
) -> None:
    assert "Recommended whenever you play yourself" in keeper.get("/gm/new").text
    given = {"name": "New", "players": PLAYERS, "gm_name": "Anna", "gm_address": "anna@new.test", "gm_letter": "A"}
    answer = keeper.post("/gm/new", {**given, "beacon": "true", "public": "true"})
    assert answer.headers["location"] == "/gm/c/new"
    invitation = next(m for m in outbox.listing(house, "new") if m.kind == "invitation").text
    assert "A public randomness beacon goes into the dice" in " ".join(invitation.split())
    creation.deal(house, "new", force=True)
    beacon.away = True
    tick(house)
    assert "The dice wait for round" in keeper.get("/gm/c/new").text
    early = keeper.post("/gm/c/new/without-beacon", {"reason": "no network"})
    assert early.status_code == 409 and "for an hour" in early.text
    clock.advance(hours=2)
    tick(house)
    keeper.post("/gm/c/new/without-beacon", {"reason": "no network"})
    first = lookups.bell(house, "new", 1).text
    assert "cast without round" in first and "Reason: no network" in " ".join(first.split())
    beacon.away = False
    assert "Into the dice of the next Phase goes round" in " ".join(first.split()), "the next Phase has its own"
    reader = Browser(keeper.app, house)
    assert "with a public randomness beacon" in reader.get("/c/new").text
    assert "Until then nobody in the world knows what it gives" in reader.get("/c/new/fairness").text
    proof = reader.get("/api/v1/campaigns/new/fairness").json()["phases"][0]
    assert proof["opened_by"] is None and proof["beacon"]["given_up"] == "no network"
