"""Who may come in where: every route, for every kind of caller, in his own campaign and in others.

The routes are read from the application. One that is not in ROOMS fails: whoever adds a door says whose it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from gm.campaign.access import callers, links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.services import Services
from gm.web.app import create_app
from gm.web.guard.limits import Limiter
from gm.web.guard.session import SeatKey, Session
from tests.campaign_fixtures import FakeClock, installed, settings_for
from tests.web.table import KEEPER, OPEN, OTHER, OWN, QuickNewsroom, flat

ANYBODY, READER, PLAYER, GM, ANY_GM, ADMIN = "anybody", "reader", "player", "gm", "any gm", "admin"
TRY = "trying out"
C, G, A = "/c/{campaign}", "/gm/c/{campaign}", "/api/v1/campaigns/{campaign}"

ROOMS: dict[str, str] = {
    # the front
    "GET /": ANYBODY,
    "GET /seats": ANYBODY,
    "GET /how-to-play": ANYBODY,
    "GET /orders-help": ANYBODY,
    "GET /codes": ANYBODY,
    "GET /rules": ANYBODY,
    "GET /rulings": ANYBODY,
    "GET /api": ANYBODY,
    "GET /healthz": ANYBODY,
    "GET /readyz": ANYBODY,
    "GET /metrics": ANYBODY,  # who has the token, or is on this machine; see tests/ops
    "GET /robots.txt": ANYBODY,
    "GET /favicon.ico": ANYBODY,
    "GET /api/v1/openapi.json": ANYBODY,
    "GET /alone": ANYBODY,
    "POST /alone": ANYBODY,
    "GET /in": ANYBODY,
    "POST /in": ANYBODY,
    "POST /in/link": ANYBODY,
    "POST /out": ANYBODY,
    "POST /unsubscribe": ANYBODY,
    # the reading room
    f"GET {C}": READER,
    f"GET {C}/bells": READER,
    f"GET {C}/bells/{{number}}": READER,
    f"GET {C}/bells/{{number}}.txt": READER,
    f"GET {C}/standings": READER,
    f"GET {C}/fairness": READER,
    f"GET {C}/feed.atom": READER,
    f"GET {C}/map": READER,
    f"GET {C}/map/{{turn}}/{{phase}}.svg": READER,
    f"GET {C}/steps/{{number}}": READER,
    f"GET {C}/steps/{{number}}/{{at}}.svg": READER,
    # the player's desk
    f"GET {C}/desk": PLAYER,
    f"GET {C}/desk.svg": PLAYER,
    f"GET {C}/orders": PLAYER,
    f"POST {C}/orders": PLAYER,
    f"POST {C}/ready": PLAYER,
    f"GET {C}/orders/{{number}}": PLAYER,
    f"GET {C}/what-if": PLAYER,
    f"POST {C}/what-if": PLAYER,
    f"GET {C}/letters": PLAYER,
    f"POST {C}/letters": PLAYER,
    f"POST {C}/proposals": PLAYER,
    f"POST {C}/proposals/{{number}}": PLAYER,
    f"POST {C}/press": PLAYER,
    f"POST {C}/press/withdraw": PLAYER,
    f"GET {C}/seat": PLAYER,
    f"POST {C}/accept": PLAYER,
    f"POST {C}/zone": PLAYER,
    f"POST {C}/absence": PLAYER,
    f"POST {C}/decline": PLAYER,
    f"POST {C}/extension": PLAYER,
    f"GET {C}/end": PLAYER,
    f"GET {C}/leave": PLAYER,
    f"POST {C}/leave": PLAYER,
    f"GET {C}/resign": PLAYER,
    f"POST {C}/resign": PLAYER,
    f"POST {C}/token": PLAYER,
    f"POST {C}/keys": PLAYER,
    f"GET {C}/held/{{mail}}": PLAYER,
    f"POST {C}/held/{{mail}}": PLAYER,
    # the Gamesmaster's desk
    "GET /gm": ANY_GM,
    "GET /gm/inbox/{number}": ADMIN,
    "POST /gm/inbox/release": ADMIN,
    "POST /gm/clock": ADMIN,  # the halt is one for all campaigns
    "GET /gm/new": ANY_GM,
    "POST /gm/new": ANY_GM,
    "GET /gm/board": ANY_GM,
    "POST /gm/board": ANY_GM,
    f"GET {G}": GM,
    f"POST {G}/extend": GM,
    f"POST {G}/pause": GM,
    f"POST {G}/resume": GM,
    f"POST {G}/close": GM,
    f"POST {G}/nudge": GM,
    f"POST {G}/invite": GM,
    f"POST {G}/deal": GM,
    f"POST {G}/finish": GM,
    f"POST {G}/settle": GM,
    f"POST {G}/options": GM,
    f"GET {G}/orders": GM,
    f"POST {G}/orders": GM,
    f"GET {G}/audit": GM,
    f"GET {G}/correct": GM,
    f"GET {G}/correct.svg": GM,
    f"POST {G}/correct": GM,
    f"GET {G}/draft": GM,
    f"GET {G}/draft/copy/{{reader}}": GM,
    f"GET {G}/draft/{{picture}}.png": GM,
    f"POST {G}/draft": GM,
    f"POST {G}/draft/story": GM,
    f"POST {G}/decide": GM,
    f"POST {G}/publish": GM,
    f"POST {G}/rollback": GM,
    f"GET {G}/seats": GM,
    f"POST {G}/seats/replace": GM,
    f"POST {G}/seats/remove": GM,
    f"POST {G}/seats/standin": GM,
    f"POST {G}/seats/leave": GM,
    f"POST {G}/seats/link": GM,
    f"POST {G}/seats/keys": GM,
    f"POST {G}/without-beacon": GM,
    f"POST {G}/seats/reader": GM,
    f"POST {G}/seats/strike": GM,
    f"GET {G}/mail": GM,
    f"POST {G}/mail/retry": GM,
    f"POST {G}/announce": GM,
    f"GET {G}/inbox/{{number}}": GM,
    f"POST {G}/inbox/release": GM,
    # for programs
    "GET /api/v1/board": ANYBODY,
    "GET /api/v1/campaigns/{campaign}/board": READER,
    "GET /api/v1/campaigns": ANYBODY,
    f"GET {A}": READER,
    f"GET {A}/position": READER,
    f"GET {A}/position/{{turn}}/{{phase}}": READER,
    f"GET {A}/bells": READER,
    f"GET {A}/bells/{{number}}": READER,
    f"GET {A}/results/{{turn}}/{{phase}}": READER,
    f"GET {A}/timeline": READER,
    f"GET {A}/fairness": READER,
    f"GET {A}/desk": PLAYER,
    f"GET {A}/reach": PLAYER,
    f"GET {A}/stacks/{{index}}": PLAYER,
    f"GET {A}/orders": PLAYER,
    f"POST {A}/orders": PLAYER,
    f"POST {A}/ready": PLAYER,
    f"POST {A}/orders/check": PLAYER,
    f"POST {A}/orders/unsent": PLAYER,
    # the trying-out mode, which other installations do not have at all
    "GET /try": TRY,
    "POST /try/sit": TRY,
    "POST /try/others": TRY,
    "POST /try/print": TRY,
    "GET /mailbox": TRY,
    "GET /mailbox/{number}": TRY,
    "GET /mailbox/{number}/html": TRY,
    "GET /mailbox/{number}/{picture}.png": TRY,
}
FILL = {
    "index": "0",
    "number": "1",
    "at": "1",
    "turn": "1",
    "phase": "now",
    "mail": "1",
    "reader": "A",
    "picture": "map",
}
ROLES = ("nobody", "reader", "player", "gm", "keeper", "stranger", "program")
BROWSERS = count(1)
NO_CAMPAIGN = "There is no such campaign here"


@dataclass
class House:
    app: FastAPI
    services: Services

    def client(self, role: str) -> tuple[TestClient, dict[str, str]]:
        """A fresh browser (or program) in a role: everyone but the stranger belongs to `own`."""
        client = TestClient(self.app, base_url="http://127.0.0.1:8000", follow_redirects=False)
        if role == "program":
            mark = callers.fingerprint(self.services, OWN, "A") or ""
            token = links.sign(self.services, Ticket(Purpose.API, OWN, "A", mark))
            client.headers["Authorization"] = f"Bearer {token}"
            return client, {}
        sessions = self.app.state.sessions
        session = self.session(role)
        client.cookies.set(sessions.name, sessions.dump(session))
        return client, {"csrf": sessions.csrf(session)}

    def session(self, role: str) -> Session:
        session = Session(sid=f"browser-{next(BROWSERS)}-of-a-{role}")  # one that signs out ends for good
        seat = {"player": (OWN, "A"), "gm": (OWN, "GM"), "stranger": ("third", "B")}.get(role)
        if role == "reader":
            session.seats = (SeatKey(OWN, "", f"rita@{OWN}.test"),)
        elif role == "keeper":
            session.admin = KEEPER
        elif role == "stranger":  # plays and reads somewhere else, with a key that is good there
            mark = callers.fingerprint(self.services, OPEN, "B") or ""
            session.seats = (SeatKey(OPEN, "B", mark), SeatKey(OWN, "A", mark), SeatKey(OWN, "GM", mark))
        elif seat:
            session.seats = (SeatKey(*seat, callers.fingerprint(self.services, *seat) or ""),)
        return session


@pytest.fixture(scope="module")
def house(set_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    path = tmp_path_factory.mktemp("house") / "kolokol.sqlite"
    shutil.copy(set_database, path)
    services = installed(
        settings_for(f"sqlite:///{path}", admins=KEEPER, demo=False),
        clock=FakeClock(),
        renderer=QuickNewsroom(),
    )
    nobody_leaves = replace(services, standin=None)  # a seat that is left to one has no keys for those who come next
    yield House(create_app(nobody_leaves, limiter=Limiter(factor=10_000)), nobody_leaves)
    services.close()


def routes_of(app: FastAPI) -> set[str]:
    found = set()
    for route in flat(app.routes):
        for method in getattr(route, "methods", None) or ():
            if method not in ("HEAD", "OPTIONS"):
                found.add(f"{method} {route.path}")
    return found


@pytest.fixture(scope="module")
def demo_routes(house: House) -> set[str]:
    from dataclasses import replace

    services = replace(house.services, settings=replace(house.services.settings, demo=True))
    return routes_of(create_app(services))


def test_every_door_says_whose_it_is(demo_routes: set[str]) -> None:
    assert demo_routes == set(ROOMS)


def test_without_the_trying_out_mode_its_doors_are_not_there(house: House) -> None:
    assert routes_of(house.app) == {route for route, whose in ROOMS.items() if whose != TRY}


def expected(whose: str, role: str, target: str, is_api: bool, changes: bool) -> int | None:
    """The refusal that is due; None if the caller may come in."""
    if role == "program" and changes and not is_api:
        return 403  # a form without its page
    if whose == ANYBODY:
        return None
    # A program's token opens its own seat through the API and nothing else; on pages it is nobody.
    if role == "program":
        role = "player" if is_api else "nobody"
    belongs = {"reader": OWN, "player": OWN, "gm": OWN, "stranger": OPEN}.get(role)
    may_read = target == OPEN or belongs == target
    if whose == READER:
        return None if may_read else 404
    if role == "nobody":
        return 401 if is_api else 303
    if whose == ADMIN:
        return None if role == "keeper" else 403
    if whose == ANY_GM:
        return None if role in ("gm", "keeper") else 403
    seated = {PLAYER: {("player", OWN), ("stranger", OPEN)}, GM: {("gm", OWN)}}[whose]
    if (role, target) in seated:
        return None
    return 403 if may_read else 404


def refusal(answer) -> int | None:
    if answer.status_code == 303 and answer.headers["location"].startswith("/in?next="):
        return 303
    if answer.status_code in (401, 403):
        return answer.status_code
    if answer.status_code == 404 and NO_CAMPAIGN in answer.text:
        return 404
    return None


# What ends the caller's rights comes last, so that it spoils nothing for the others.
ORDER = sorted(r for r in ROOMS if ROOMS[r] != TRY)


@pytest.mark.parametrize("role", ROLES)
def test_everybody_comes_in_where_he_may_and_nowhere_else(house: House, role: str) -> None:
    wrong = []
    for name in ORDER:
        method, path = name.split(" ", 1)
        targets = (OWN, OTHER, OPEN) if "{campaign}" in path else ("",)
        for target in targets:
            client, token = house.client(role)
            address = path.format(campaign=target, **FILL)
            answer = client.request(method, address, data=token if method == "POST" else None)
            due = expected(ROOMS[name], role, target, path.startswith("/api/"), method == "POST")
            got = refusal(answer)
            if got != due or answer.status_code >= 500:
                wrong.append(f"{name} for {role} in {target or '-'}: {answer.status_code}, due {due or 'entry'}")
    assert not wrong, "\n".join(wrong)


def test_no_change_is_taken_from_another_site(house: House) -> None:
    """Without the page's token, or with a browser that says the form came from elsewhere, nothing happens."""
    wrong = []
    for name in ORDER:
        method, path = name.split(" ", 1)
        if method != "POST":
            continue
        role = "gm" if ROOMS[name] in (GM, ANY_GM, ADMIN) else "player"
        client, token = house.client(role)
        address = path.format(campaign=OWN, **FILL)
        headers = {"Sec-Fetch-Site": "cross-site"}
        answers = {
            "no token": client.post(address, data={}),
            "wrong token": client.post(address, data={"csrf": "0" * 40}),
            "foreign page": client.post(address, data=token, headers=headers),
            "header of a foreign page": client.post(address, headers=headers | {"X-CSRF": token["csrf"]}, json={}),
        }
        wrong += [f"{name} with {what}: {a.status_code}" for what, a in answers.items() if a.status_code != 403]
    assert not wrong, "\n".join(wrong)


def test_a_token_of_one_seat_is_none_for_another_campaign_or_a_changed_seat(house: House) -> None:
    services = house.services
    client = TestClient(house.app, base_url="http://127.0.0.1:8000")
    other = callers.fingerprint(services, OTHER, "A")
    for campaign, mark, status in ((OTHER, other, 404), (OWN, "0" * 20, 401)):
        token = links.sign(services, Ticket(Purpose.API, campaign, "A", mark or ""))
        answer = client.get(f"/api/v1/campaigns/{OWN}/orders", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == status
    for token in ("nonsense", links.sign(services, Ticket(Purpose.SIGN_IN, OWN, "A", "x"))):
        answer = client.get(f"/api/v1/campaigns/{OWN}/orders", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 401
