"""Every page on a telephone by day, at a desk by night: axe finds nothing that counts, and nothing is too wide."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from gm.campaign.mailbox import outbox
from tests.browser.conftest import Site, open_page
from tests.browser.tables import BATTLE, JUNE, PRINTED

pytestmark = pytest.mark.browser
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
# Findings of less weight that no page has: all that it shows is in a landmark, and each landmark is one of its kind.
ALSO = [
    *("region", "landmark-one-main", "landmark-unique", "landmark-no-duplicate-banner", "landmark-no-duplicate-main"),
    *("landmark-no-duplicate-contentinfo", "empty-table-header"),
]
RUN = """
async (also) => {
  // Not every line of the drawn map: its frame, its stacks and all around it.
  const map = ['path', 'text', 'rect', 'circle', 'use', 'polygon', 'line'].map((name) => [`svg.km-map ${name}`]);
  const found = await axe.run({ exclude: map }, { resultTypes: ['violations'] });
  return found.violations.filter((v) => ['serious', 'critical'].includes(v.impact) || also.includes(v.id))
    .map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | ')}`);
}
"""

NOBODY = (
    "/",
    "/in",
    "/how-to-play",
    "/orders-help",
    "/codes",
    "/rules",
    "/rulings",
    "/api",
    "/try",
    "/alone",
    "/mailbox",
    "/nothing-here",
    f"/c/{PRINTED}",
    f"/c/{PRINTED}/bells",
    f"/c/{PRINTED}/bells/4",
    f"/c/{PRINTED}/map",
    f"/c/{PRINTED}/steps/4",
    f"/c/{PRINTED}/standings",
    f"/c/{PRINTED}/fairness",
)
PLAYER = (
    "/seats",
    f"/c/{BATTLE}/desk",
    f"/c/{BATTLE}/orders",
    f"/c/{BATTLE}/letters",
    f"/c/{BATTLE}/seat",
    f"/c/{BATTLE}/resign",
)
GAMESMASTER = (
    "/gm",
    "/gm/new",
    "/gm/board",
    f"/gm/c/{JUNE}",
    f"/gm/c/{JUNE}/orders",
    f"/gm/c/{JUNE}/draft",
    f"/gm/c/{JUNE}/seats",
    f"/gm/c/{JUNE}/mail",
    f"/gm/c/{JUNE}/audit",
)


def look(page: Page, paths: tuple[str, ...]) -> list[str]:
    found = []
    for path in paths:
        page.goto(path, wait_until="load")
        if path.endswith(("/desk", "/map")):
            page.wait_for_selector("#map svg.km-map")
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"):
            found.append(f"{path} is wider than the screen")
        page.evaluate(AXE)
        found += [f"{path}: {finding}" for finding in page.evaluate(RUN, ALSO)]
    return found


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_no_page_shuts_anybody_out(site: Site, chrome: Browser, width: int, scheme: str) -> None:
    mail = f"/mailbox/{outbox.listing(site.services, PRINTED, None, 1)[0].id}"
    found: list[str] = []
    for page in open_page(site, chrome, width, color_scheme=scheme):
        found += look(page, (*NOBODY, mail))
        page.goto(site.link(BATTLE, "A"))
        page.wait_for_url("**/desk")
        found += look(page, PLAYER)
        page.goto(site.link(JUNE, "GM"))
        page.wait_for_url("**/gm/c/*")
        found += look(page, GAMESMASTER)
    assert not found, "\n".join(found)
