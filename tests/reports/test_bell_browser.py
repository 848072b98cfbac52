"""The Bell in a real Chromium: fits the screen, passes axe in light and dark, the slider works from a disk."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from gm.board.load import standard_board
from gm.reports.build import for_reader, issue_map
from gm.reports.issue import Reader
from gm.reports.map import render_svg
from gm.reports.render.barometer_chart import barometer_svg
from gm.reports.render.html import CHART_CID, MAP_CID, render_json, render_mail_html
from gm.reports.render.raster import render_png
from gm.reports.render.text import render_text
from gm.reports.site import Archived, site
from tests.reports.sample import issues, views

AXE = Path(__file__).parent.parent / "browser" / "vendor" / "axe.min.js"
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the sample game on disk, and beside it the fourth issue as mail, pictures on and off."""
    out = tmp_path_factory.mktemp("archive")
    printed = [
        Archived(issue.number, view.story.headline, render_text(view), json.loads(render_json(issue, view)))
        for issue, view in zip(issues(), views(), strict=True)
    ]
    for path, content in site(standard_board(), "The Sample Game", printed).items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(content)
    view = for_reader(standard_board(), issues()[3], views()[3], Reader("E"))
    (out / "map.png").write_bytes(render_png(render_svg(issue_map(issues()[3]))))
    (out / "barometer.png").write_bytes(render_png(barometer_svg(view.course), 700))
    html = render_mail_html(view)
    pictures = html.replace(f"cid:{MAP_CID}", "map.png").replace(f"cid:{CHART_CID}", "barometer.png")
    (out / "mail.html").write_text(pictures, encoding="utf-8")
    (out / "mail-off.html").write_text(html, encoding="utf-8")
    return out


def opened(chrome: Browser, folder: Path, name: str, width: int, dark: bool = False, script: bool = True) -> Page:
    context = chrome.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        java_script_enabled=script,
    )
    page = context.new_page()
    page.goto((folder / name).as_uri())
    return page


def violations(page: Page) -> list[Any]:
    page.add_script_tag(path=AXE)
    # Whatever an issue's map and chart look like is the business of their own tests; axe reads their names here.
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found]


PAGES = ["index.html", "map.html", "bells/001.html", "bells/003.html", "bells/004.html", "mail.html"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_to_complain_about(chrome: Browser, folder: Path, name: str, dark: bool) -> None:
    page = opened(chrome, folder, name, 1280, dark)
    assert violations(page) == []
    page.context.close()


@pytest.mark.parametrize("width", [360, 700, 1280])
@pytest.mark.parametrize("name", [*PAGES, "mail-off.html"])
def test_nothing_is_wider_than_the_screen(chrome: Browser, folder: Path, name: str, width: int) -> None:
    page = opened(chrome, folder, name, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


def test_a_mail_without_its_pictures_shows_their_words(chrome: Browser, folder: Path) -> None:
    page = opened(chrome, folder, "mail-off.html", 360)
    assert page.get_by_alt_text("framed in gold, in Daghestan").count() == 1
    assert page.locator("table.atk tbody th").first.is_visible()
    page.context.close()


def test_the_slider_goes_through_the_phases_from_a_disk(chrome: Browser, folder: Path) -> None:
    page = opened(chrome, folder, "map.html", 1000)
    shown = page.locator("#phases > li:visible")
    assert shown.count() == 1
    assert "June 1918 - Combat" in page.locator("#which").inner_text()
    page.locator("#earlier").click()
    assert "June 1918 - Movement" in page.locator("#which").inner_text()
    page.locator("#phase").fill("1")
    assert shown.locator("img").get_attribute("src") == "maps/001.svg"
    assert shown.locator("img").evaluate("i => i.decode().then(() => i.naturalWidth > 0)")
    page.context.close()


def test_without_script_all_maps_are_shown(chrome: Browser, folder: Path) -> None:
    page = opened(chrome, folder, "map.html", 1000, script=False)
    assert page.locator("#phases > li:visible").count() == 4
    page.context.close()


def test_an_issue_prints_on_a_few_sheets_of_a4(chrome: Browser, folder: Path) -> None:
    page = opened(chrome, folder, "bells/004.html", 1280)
    printed = page.pdf(prefer_css_page_size=True)
    sheets = printed.count(b"/Type /Page\n") or printed.count(b"/Type /Page ")
    assert 3 <= sheets <= 7
    page.context.close()
