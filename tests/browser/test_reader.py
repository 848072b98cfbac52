"""A reader moves the slider through the Phases, reads the archive, and checks the dice in his own browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, open_page
from tests.browser.tables import PRINTED

pytestmark = pytest.mark.browser


def test_the_slider_moves_through_all_phases(page: Page, site: Site) -> None:
    page.goto(f"{site.base}/c/{PRINTED}/map")
    slider = page.get_by_role("slider", name="Phase")
    expect(page.locator("#slider")).to_have_attribute("data-shown", "2/now")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("#slider")).to_have_attribute("data-shown", "1/first")
    expect(page.locator("#frame-title")).to_have_text("June 1918, First Phase")
    expect(page.locator("#frame-news a")).to_have_attribute("href", f"/c/{PRINTED}/bells/3")
    assert page.locator("#map svg.km-map .km-stack[data-province=LIVO][data-owner=A]").count() == 2
    page.keyboard.press("ArrowRight")
    expect(page.locator("#slider")).to_have_attribute("data-shown", "1/second")
    page.get_by_role("button", name="Phase before").click()
    expect(page.locator("#slider")).to_have_attribute("data-shown", "1/first")


def test_forces_run_along_their_ways_where_motion_is_welcome(site: Site, chrome: Browser) -> None:
    for page in open_page(site, chrome, 1280):
        page.emulate_media(reduced_motion="no-preference")
        page.goto(f"{site.base}/c/{PRINTED}/map?at=1/first")
        expect(page.locator("#map .overlay .runner").first).to_be_attached()
        expect(page.locator("#map .overlay .runner")).to_have_count(0)  # and come to rest


def test_without_a_script_the_map_is_a_picture_and_a_list(scriptless: Page, site: Site) -> None:
    scriptless.goto(f"{site.base}/c/{PRINTED}/map")
    scriptless.locator("select[name=at]").select_option("1/second")
    scriptless.get_by_role("button", name="Show").click()
    expect(scriptless.get_by_role("img", name=re.compile("June 1918, Second Phase"))).to_be_visible()


def test_the_browser_recomputes_every_die(page: Page, site: Site) -> None:
    page.goto(f"{site.base}/c/{PRINTED}/fairness")
    page.get_by_role("button", name="Recompute everything here").click()
    expect(page.locator("#verdict")).to_contain_text(re.compile(r"All \d+ seals and dice are right"))
    assert page.locator("#proofs details").count() == 2
    assert page.locator("#proofs li", has_text="combat/").count() > 3


def test_a_forged_die_is_noticed(page: Page, site: Site) -> None:
    def forge(route) -> None:
        answer = route.fetch()
        body = answer.json()
        roll = next(r for phase in body["phases"] for r in phase["rolls"] if r["occasion"].startswith("combat/"))
        roll["dice"] = [roll["dice"][0] % 6 + 1]
        route.fulfill(response=answer, json=body)

    page.route("**/fairness", lambda route: forge(route) if "/api/" in route.request.url else route.continue_())
    page.goto(f"{site.base}/c/{PRINTED}/fairness")
    page.get_by_role("button", name="Recompute everything here").click()
    expect(page.locator("#verdict")).to_contain_text("1 of")


def test_the_archive_leads_from_issue_to_issue(page: Page, site: Site) -> None:
    page.goto(f"{site.base}/c/{PRINTED}")
    page.get_by_role("link", name="Archive").click()
    page.locator("tbody th a").last.click()
    expect(page).to_have_url(re.compile("/bells/2$"))
    page.locator("a[rel=next]").click()
    expect(page).to_have_url(re.compile("/bells/3$"))
    expect(page.locator("svg.km-map")).to_be_visible()


def test_a_newcomer_sits_down_and_the_players_of_1976_answer(site: Site, chrome: Browser) -> None:
    """The sample can be played through once, hence at one width."""
    for page in open_page(site, chrome, 390):
        page.goto(f"{site.base}/try")
        page.get_by_role("button", name="A: Ben").click()
        expect(page).to_have_url(re.compile("/c/the-bell-1976/desk$"))
        page.locator("#orders").fill("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")
        page.get_by_role("button", name="Save orders").click()
        page.get_by_role("link", name="Sit down", exact=True).click()
        page.get_by_role("button", name="Play the 1976 orders for the others").click()
        page.get_by_role("button", name="Print The Bell now").click()
        expect(page).to_have_url(re.compile("/bells/3$"))
        page.goto(f"{site.base}/mailbox")
        page.get_by_label("Only what goes to").select_option("ben@players.example")
        page.locator("tbody a", has_text="#3").first.click()
        frame = page.frame_locator("iframe.mail")
        expect(frame.locator("body")).to_contain_text("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")
