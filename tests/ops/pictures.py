"""Makes the pictures of the README from the demonstration: a Bell, the map, a player's desk.

`python -m tests.ops.pictures` (needs Chromium: `make browser`).
"""

from __future__ import annotations

import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import uvicorn
from playwright.sync_api import sync_playwright

from gm.campaign.phase import publishing
from gm.campaign.reads import lookups
from gm.campaign.reads.bells import bell_png
from gm.campaign.services import Services
from gm.config import Settings
from gm.web import sample
from gm.web.app import create_app
from tests.campaign_fixtures import installed
from tests.support import chromium

IMAGES = Path(__file__).resolve().parent.parent.parent / "docs" / "images"


def june_1918(folder: str) -> Services:
    """Both Phases of June 1918 as they were ordered in 1976, printed."""
    services = installed(replace(Settings(), database_url=f"sqlite:///{folder}/kolokol.sqlite", demo=True))
    sample.load(services)
    for _ in range(2):
        sample.play_for_others(services, ())
        publishing.publish(services, sample.CAMPAIGN, "GM")
    return services


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        services = june_1918(folder)
        number = lookups.state(services, sample.CAMPAIGN).bell_number
        png = bell_png(services, sample.CAMPAIGN, number)
        assert png is not None
        (IMAGES / "map.png").write_bytes(png)
        server = uvicorn.Server(uvicorn.Config(create_app(services), port=0, log_level="error"))
        threading.Thread(target=server.run, daemon=True).start()
        while not server.started:
            time.sleep(0.05)
        base = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1000, "height": 1250})
            page.goto(f"{base}/c/{sample.CAMPAIGN}/bells/{number}")
            page.screenshot(path=IMAGES / "bell.png")
            page.set_viewport_size({"width": 1280, "height": 860})
            page.goto(f"{base}/try")
            page.locator("form[action='/try/sit'] button").first.click()
            page.wait_for_url("**/desk")
            page.wait_for_timeout(1500)
            page.screenshot(path=IMAGES / "desk.png")
            browser.close()
        server.should_exit = True
        services.close()


if __name__ == "__main__":
    main()
