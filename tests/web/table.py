"""A table set for tests of the web: three campaigns at June 1918, and browsers that sit at any of their seats."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fastapi import FastAPI
from starlette.testclient import TestClient

from gm.campaign import ticker
from gm.campaign.access import callers, links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.export import importing
from gm.campaign.phase import intake, publishing
from gm.campaign.ports import BellDocument, NewPlayer
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.rendering.newsroom import Newsroom
from gm.reports.build import build_view
from gm.reports.issue import Issue
from gm.reports.render.html import render_json, render_mail_html, subject
from gm.reports.render.text import render_text
from gm.web.sample import orders_of_1976, positions_of_1976

OWN, OTHER, OPEN = "own", "other", "open"
KEEPER = "keeper@bell.test"
_CSRF = re.compile(r'name="csrf" (?:content|value)="([0-9a-f]+)"')


def people(campaign: str) -> list[NewPlayer]:
    names = ("Anna", "Boris", "Clara", "Dmitri", "Elena")
    return [NewPlayer(name, f"{name.lower()}@{campaign}.test", "Europe/Berlin") for name in names]


def play(services: Services, phase: str, campaign: str = OPEN) -> None:
    """What everybody ordered in 1976, then the Bell."""
    for letter, text in orders_of_1976(phase).items():
        intake.submit(services, campaign, letter, text, source="mail")
    ticker.tick(services)
    publishing.publish(services, campaign, "GM")


def set_table(services: Services) -> None:
    """`own` and `other` are closed to the public and print only by hand; `open` is open to all."""
    for campaign in (OWN, OTHER, OPEN):
        importing.import_bell(
            services,
            positions_of_1976(),
            name=f"The campaign {campaign}",
            players=people(campaign),
            gm_name="Gregor",
            gm_address=f"gm@{campaign}.test",
            options={
                "public": campaign == OPEN,
                "publish": "manual",
                "ready": "automatic",
                "early_close_hours": 0,
                "early_delay_minutes": 0,
            },
            id=campaign,
            first_bell=2,
        )
        holders.add_reader(services, campaign, NewPlayer("Rita", f"rita@{campaign}.test"))
    report = ticker.tick(services)
    assert not report.failed, report.failed


def ticket(services: Services, campaign: str, letter: str, purpose: Purpose = Purpose.SIGN_IN, **data: object) -> str:
    if letter == "keeper":
        return links.sign(services, Ticket(Purpose.ADMIN, data={"address": KEEPER}))
    if letter == "reader":
        return links.sign(services, Ticket(Purpose.READ, campaign, "", data={"address": f"rita@{campaign}.test"}))
    mark = callers.fingerprint(services, campaign, letter)
    assert mark is not None
    return links.sign(services, Ticket(purpose, campaign, letter, mark, data))


@dataclass
class Browser:
    """A browser without scripts: keeps cookies, fills in the CSRF token of the page it saw last."""

    app: FastAPI
    services: Services
    client: TestClient = field(init=False)

    def __post_init__(self) -> None:
        self.client = TestClient(
            self.app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False, follow_redirects=False
        )

    def csrf(self) -> str:
        found = _CSRF.search(self.client.get("/in").text)
        assert found is not None
        return found[1]

    def sit(self, campaign: str, letter: str) -> Browser:
        token = ticket(self.services, campaign, letter)
        answer = self.client.post("/in", data={"csrf": self.csrf(), "token": token, "instead": "true"})
        assert answer.status_code == 303, answer.text
        return self

    def get(self, path: str, **kwargs: object):
        return self.client.get(path, **kwargs)

    def post(self, path: str, data: dict[str, object] | None = None, *, follow: bool = False, **kwargs: object):
        return self.client.post(path, data={"csrf": self.csrf(), **(data or {})}, follow_redirects=follow, **kwargs)

    def json(self, path: str, body: object):
        return self.client.post(path, json=body, headers={"X-CSRF": self.csrf()})


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02"
    "0000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082"
)


class QuickNewsroom(Newsroom):
    """The real paper, but for its pictures: drawing them takes a second each, and other tests look at them."""

    def compose(self, issue: Issue) -> BellDocument:
        view = build_view(issue.board, issue)
        return BellDocument(
            subject=subject(view),
            headline=view.story.headline,
            text=render_text(view),
            html=render_mail_html(view),
            json=json.loads(render_json(issue, view)),
            png=PIXEL,
            chart=PIXEL if view.barometer else None,
            wordings=view.wordings,
            view=view,
        )


def flat(routes: list) -> Iterator:
    """The leaves of the table, through whatever the framework keeps included routers in."""
    for route in routes:
        if hasattr(route, "effective_candidates"):
            yield from flat(route.effective_candidates())
        elif getattr(route, "methods", None):
            yield route
        else:  # the mount of our own files, which are nobody's secret
            assert route.path.startswith("/static/"), route
