"""Trying orders in the what-if room and agreeing on a Purge, in a real browser at both widths."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gm.campaign.phase import intake
from tests.browser.conftest import Site, fits
from tests.browser.tables import BATTLE, JUNE, TVER
from tests.browser.test_player import sit

pytestmark = pytest.mark.browser


def test_orders_on_the_desk_are_tried_and_stay_unfiled(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    page.locator("#orders").fill("COUNTERPURGE STRONGEST")
    page.get_by_role("button", name="What if?").click()
    expect(page.get_by_role("heading", name="What came of 200 plays")).to_be_visible()
    expect(page.get_by_text("It only stands on file, every time.")).to_be_visible()
    assert fits(page)
    page.get_by_text("A Bell as it might read").click()
    expect(page.get_by_text("T H E   B E L L")).to_be_visible()
    page.get_by_label("Your orders, only for trying").fill("COUNTERPURGE STRONGEST\nVOTE END")
    page.get_by_role("button", name="Take these orders to the desk").click()
    expect(page.locator("#orders")).to_have_value("COUNTERPURGE STRONGEST\nVOTE END")
    expect(page.locator("#checks .order")).to_have_count(2)
    page.goto("/seats")
    sit(page, site, BATTLE, "A")
    expect(page.locator("#orders")).to_have_value("COUNTERPURGE STRONGEST\nVOTE END")
    assert intake.current_orders(site.services, BATTLE, "A") is None


def test_a_purge_is_offered_by_one_and_agreed_to_by_the_other(page: Page, site: Site, width: int) -> None:
    campaign = JUNE if width == 390 else TVER
    sit(page, site, campaign, "A")
    page.goto(f"/c/{campaign}/letters")
    page.get_by_text("A Purge together").click()
    page.get_by_label("Whom").select_option("B")
    page.get_by_label("Your share").select_option("2")
    page.get_by_label("E Elena assigns").select_option("5")
    page.get_by_role("button", name="Offer this Purge").click()
    expect(page.get_by_text("your side of it is on your sheet")).to_be_visible()
    assert fits(page)
    page.context.clear_cookies()
    sit(page, site, campaign, "E")
    page.goto(f"/c/{campaign}/letters")
    page.get_by_role("button", name="Agree: put my side on my sheet").first.click()
    expect(page.get_by_text("You agree to proposal")).to_be_visible()
    page.goto(f"/c/{campaign}/desk")
    expect(page.locator("#orders")).to_have_value(re.compile("PURGE B WITH A USING 5 PM DIVIDE A 2, E 1"))


def test_a_letter_that_was_not_sent_is_there_after_leaving_the_page(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    page.goto(f"/c/{BATTLE}/letters")
    page.get_by_label("Text").first.fill("Dear Boris, about Tver")
    page.goto(f"/c/{BATTLE}/desk")
    page.goto(f"/c/{BATTLE}/letters")
    expect(page.get_by_label("Text").first).to_have_value("Dear Boris, about Tver")
    page.get_by_label("Text").first.fill("")
