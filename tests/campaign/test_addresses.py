"""Nobody plays by an address that no mail can be sent to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.campaign.access.addresses import refused
from gm.campaign.manage import creation
from gm.campaign.ports import NewPlayer
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.campaign.solo import solitaire
from gm.errors import Invalid
from tests.campaign_fixtures import new_campaign

DEAD = [
    "gm@example.org.",
    "gm@example..org",
    "gm@example。org",
    "gm@exam\u200bple.org",
    "ｇｍ@example.org",
    "gm@ｅxample.org",
    "gm\u0000@example.org",
    "g\u202em@example.org",
    "gm@-example.org",
    "gm@[127.0.0.1]",
    f"{'g' * 65}@example.org",
    f"gm@{'a.' * 130}org",
    "orders@example.org",
    "Orders+abc@EXAMPLE.org",
]


@pytest.fixture
def playing(services: Services) -> Services:
    return replace(services, settings=replace(services.settings, orders_address="orders@example.org"))


@pytest.mark.parametrize("address", DEAD)
def test_an_address_that_no_mail_reaches_plays_nowhere(playing: Services, address: str) -> None:
    """The server that sends refused them for good, or the mail came back to the service itself."""
    campaign = new_campaign(playing)
    people = [NewPlayer(name, f"{name}@x.test") for name in "abc"]
    told = []
    for work in (
        lambda: holders.replace(playing, campaign, "A", NewPlayer("Olga", address)),
        lambda: holders.add_reader(playing, campaign, NewPlayer("Rita", address)),
        lambda: creation.create(playing, name="N", players=people, gm_name="G", gm_address=address),
        lambda: creation.create(
            playing, name="N", players=[*people, NewPlayer("d", address)], gm_name="G", gm_address="g@x.test"
        ),
        lambda: solitaire.begin(playing, NewPlayer("Olga", address), name="Alone", actor="x"),
    ):
        with pytest.raises(Invalid) as caught:
            work()
        told.append(str(caught.value))
    assert all(("mail address" in line or "orders are sent to" in line) and line.isprintable() for line in told), told


@pytest.mark.parametrize(
    "address",
    ["anna@example.org", "a.b+games@mail.example.co.uk", "x_y-z@localhost", "o&b=c@1and1.test", "a..b@docomo.test"],
)
def test_whatever_a_server_takes_is_an_address(playing: Services, address: str) -> None:
    assert refused(playing.settings, address) is None
