"""A real server, a real Chromium, at the width of a telephone and of a desk. No page may call anyone but us."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from gm.campaign.services import Services
from gm.web.app import create_app
from gm.web.guard.limits import Limiter
from tests.browser.tables import set_tables
from tests.campaign_fixtures import installed, settings_for
from tests.web.table import KEEPER, QuickNewsroom, ticket

expect.set_options(timeout=20_000)
WIDTHS = {"telephone": 390, "desk": 1280}


@dataclass
class Site:
    base: str
    services: Services

    def link(self, campaign: str, letter: str) -> str:
        """The link that a mail would carry."""
        return f"{self.base}/in#{ticket(self.services, campaign, letter)}"


@pytest.fixture(scope="session")
def site(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    path = tmp_path_factory.mktemp("site") / "kolokol.sqlite"
    shutil.copy(sqlite_template, path)
    settings = settings_for(f"sqlite:///{path}", admins=KEEPER, demo=True)
    services = installed(settings, renderer=QuickNewsroom())
    set_tables(services)
    # No log settings of its own: they would hold for all later tests of this process.
    config = uvicorn.Config(
        create_app(services, limiter=Limiter(factor=1000)), port=0, log_config=None, access_log=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Site(f"http://127.0.0.1:{port}", services)
    server.should_exit = True
    thread.join(10)
    services.close()


@dataclass
class Watch:
    """What went wrong behind a page's back."""

    base: str
    problems: list[str] = field(default_factory=list)

    def on(self, context: BrowserContext) -> None:
        context.on("request", self.request)
        context.on("console", self.console)
        context.on("weberror", lambda error: self.problems.append(f"script failed: {error.error}"))

    def request(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:", "about:")):
            self.problems.append(f"called {request.url}")

    def console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "status of 4" not in message.text:
            self.problems.append(f"console: {message.text}")


@pytest.fixture(params=list(WIDTHS))
def width(request: pytest.FixtureRequest) -> int:
    return WIDTHS[request.param]


@pytest.fixture
def page(site: Site, chrome: Browser, width: int) -> Iterator[Page]:
    yield from open_page(site, chrome, width)


@pytest.fixture
def scriptless(site: Site, chrome: Browser) -> Iterator[Page]:
    yield from open_page(site, chrome, 390, java_script_enabled=False)


def open_page(site: Site, chrome: Browser, width: int, **options: object) -> Iterator[Page]:
    size = {"width": width, "height": 844 if width < 600 else 900}
    context = chrome.new_context(viewport=size, base_url=site.base, reduced_motion="reduce", **options)
    context.set_default_timeout(60_000)  # patience costs nothing when all is well
    watch = Watch(site.base)
    watch.on(context)
    found = context.new_page()
    yield found
    context.close()
    assert not watch.problems, watch.problems


def fits(page: Page) -> bool:
    """Nothing sticks out of the page sideways. It is measured when loaded: right after a click it has no root yet."""
    page.wait_for_load_state("load")
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
