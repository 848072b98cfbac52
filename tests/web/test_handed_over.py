"""A seat that changes hands between the door and the lock: whoever came in by its old keys does nothing with it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.roles import GM, Claim, HandedOver
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.campaign.solo import solitaire
from gm.campaign.transaction import at_work
from gm.store.repositories import campaigns
from gm.web.app import create_app
from gm.web.guard.limits import Limiter
from tests.campaign_fixtures import start
from tests.web.meanwhile import Meanwhile
from tests.web.table import Browser

STEFAN = NewPlayer("Stefan", "stefan@players.test")
LONG = "\n".join("GIVE 1 PM TO C FOR Lenin" for _ in range(250))  # read before the campaign is locked


def browser_on(services: Services, store: Meanwhile, campaign: str, letter: str) -> Browser:
    """Signed in; from now on something happens."""
    own = replace(services, store=store)  # type: ignore[arg-type]
    here = Browser(create_app(own, limiter=Limiter(factor=1000)), own).sit(campaign, letter)
    here.csrf()
    return here


def log_of(services: Services, campaign: str) -> list[tuple[str, str]]:
    """Who did what, the newest first."""
    with services.store.read() as session:
        return [(entry.actor, entry.action) for entry in campaigns.audit_log(session, campaign)]


PLAYERS: dict[str, dict[str, object]] = {
    "orders": {"text": LONG, "phase_id": ""},
    "ready": {"on": "true"},
    "resign": {},
    "leave": {},
    "letters": {"to": "C", "text": "I am Boris."},
    "press": {"text": "I am Boris."},
    "zone": {"zone": "Asia/Tokyo"},
    "absence": {"end": "2026-03-20"},
    "extension": {"reason": "I am slow."},
    "keys": {},
    "proposals": {"order": "GIVE 1 PM TO C FOR 1 PM"},
}


@pytest.mark.parametrize("act", PLAYERS)
def test_who_lost_the_seat_behind_the_door_does_nothing_with_it(services: Services, act: str) -> None:
    campaign = start(services)
    store = Meanwhile(services, lambda s: holders.replace(s, campaign, "B", STEFAN), "write")
    former = browser_on(services, store, campaign, "B")
    store.armed = True
    answer = former.post(f"/c/{campaign}/{act}", PLAYERS[act])
    assert answer.status_code in (401, 403, 404), (answer.status_code, answer.headers.get("location"), answer.text)
    assert "B" not in {actor for actor, _ in log_of(services, campaign)}, "nothing was done by B"
    seat = next(s for s in lookups.state(services, campaign).seats if s.letter == "B")
    assert (seat.name, seat.status) == ("Stefan", "held")


@pytest.mark.parametrize(
    ("path", "body"), [("orders", {"text": LONG}), ("ready", {"ready": True}), ("orders/unsent", {"text": "HOLD"})]
)
def test_a_token_whose_seat_changed_hands_meanwhile_does_nothing(services: Services, path: str, body: object) -> None:
    campaign = start(services)
    store = Meanwhile(services, lambda s: holders.replace(s, campaign, "B", STEFAN), "write")
    former = browser_on(services, store, campaign, "B")
    token = token_in(former.post(f"/c/{campaign}/token").text)
    store.armed = True
    head = {"Authorization": f"Bearer {token}"}
    answer = former.client.post(f"/api/v1/campaigns/{campaign}/{path}", json=body, headers=head)
    assert answer.status_code == 401, answer.text
    new = Browser(create_app(services, limiter=Limiter(factor=1000)), services).sit(campaign, "B")
    assert new.get(f"/api/v1/campaigns/{campaign}/orders").json() == []
    assert "HOLD" not in re.findall(r"<textarea.*?</textarea>", new.get(f"/c/{campaign}/desk").text, re.S)[0]


def token_in(page: str) -> str:
    found = re.search(r'id="api-token">([^<]+)<', page)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("after", range(6))
def test_a_token_is_for_the_keys_that_were_shown_whenever_they_end(services: Services, after: int) -> None:
    campaign = start(services)
    store = Meanwhile(services, lambda s: holders.replace(s, campaign, "B", STEFAN), "read", after)
    former = browser_on(services, store, campaign, "B")
    store.armed = True
    answer = former.post(f"/c/{campaign}/token")
    if answer.status_code == 200 and "api-token" in answer.text:
        head = {"Authorization": f"Bearer {token_in(answer.text)}"}
        holders.replace(services, campaign, "B", STEFAN) if store.armed else None
        opened = former.client.get(f"/api/v1/campaigns/{campaign}/orders", headers=head)
        assert opened.status_code == 401, opened.text


@pytest.mark.parametrize(
    ("act", "form"),
    [
        ("pause", {"reason": "x"}),
        ("finish", {"reason": "x"}),
        ("announce", {"text": "I am the Gamesmaster."}),
        ("seats/remove", {"letter": "C", "reason": "x"}),
        ("seats/keys", {"letter": "C"}),
        ("close", {"reason": "x"}),
    ],
)
def test_a_gamesmaster_whose_keys_end_meanwhile_does_nothing(
    services: Services, act: str, form: dict[str, object]
) -> None:
    campaign = start(services)
    store = Meanwhile(services, lambda s: holders.new_keys(s, campaign, GM, "keeper"), "write")
    former = browser_on(services, store, campaign, GM)
    store.armed = True
    before = log_of(services, campaign)
    answer = former.post(f"/gm/c/{campaign}/{act}", form)
    assert answer.status_code in (401, 403, 404), answer.text
    assert log_of(services, campaign) == [("keeper", "new-keys"), *before]
    assert lookups.state(services, campaign).status == "running"


def test_in_a_game_of_one_person_old_keys_play_nothing(services: Services) -> None:
    game = solitaire.begin(services, NewPlayer("Eve", "eve@players.test"), name="Alone", actor="R", visitor=True)
    store = Meanwhile(services, lambda s: holders.new_keys(s, game, "R", "R"), "write")
    former = browser_on(services, store, game, "R")
    store.armed = True
    before = log_of(services, game)
    assert former.post(f"/c/{game}/orders", {"text": "HOLD", "phase_id": ""}).status_code == 404
    assert log_of(services, game) == [("R", "new-keys"), *before]


def test_the_services_own_work_needs_no_keys(services: Services) -> None:
    """What follows from an act is done though the keys of who acted end meanwhile."""
    campaign = start(services)
    claimed = services.working_for(Claim(campaign, "B", 7))
    with pytest.raises(HandedOver), at_work(claimed, campaign, "B"):
        pass
    with at_work(claimed.working_for(None), campaign, "worker"):
        pass
