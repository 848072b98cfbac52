"""The Gamesmaster extends, enters orders, looks at the draft as every player will get it, and publishes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gm.campaign.reads import lookups
from gm.web.sample import orders_of_1976
from tests.browser.conftest import Site
from tests.browser.tables import DRAFTS

pytestmark = pytest.mark.browser


def test_from_an_extension_to_the_printed_bell(page: Page, site: Site, width: int) -> None:
    campaign = DRAFTS[width]
    page.on("dialog", lambda dialog: dialog.accept())  # "Print it and mail it to everybody?"
    page.goto(site.link(campaign, "GM"))
    expect(page).to_have_url(re.compile(f"/gm/c/{campaign}$"))
    before = lookups.state(site.services, campaign).deadline

    page.get_by_label("Extend by hours").fill("48")
    page.get_by_label("Reason, for all to read").fill("The post is slow")
    page.get_by_role("button", name="Move the deadline").click()
    expect(page.locator(".flash")).to_contain_text("The deadline is now")
    after = lookups.state(site.services, campaign).deadline
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 48 * 3600

    page.get_by_role("button", name="Nudge").click()
    expect(page.locator(".flash")).to_contain_text("A, B, C, D, E")

    for letter, text in orders_of_1976("first").items():  # five letters came by post
        page.goto(f"{site.base}/gm/c/{campaign}/orders")
        page.locator("summary", has_text=f"Enter orders for {letter}").click()
        form = page.locator(f"form:has(input[name=letter][value={letter}])")
        form.locator("textarea").fill(text.strip())
        form.get_by_role("button", name="File them").click()
        expect(page.locator(".flash")).to_contain_text(f"Filed for {letter}")

    page.goto(f"{site.base}/gm/c/{campaign}")
    if lookups.state(site.services, campaign).phase_state in ("open", "grace"):
        page.get_by_text("Close it early").click()
        page.get_by_role("button", name="Close it now").click()
    page.get_by_role("link", name="Draft Bell").click()
    page.get_by_label("Headline").fill("LENIN TAKES THE NIGHT TRAIN")
    page.get_by_label("Lead").fill("Petrograd is said to be empty.")
    page.get_by_role("button", name="Keep this").click()
    page.get_by_label("Decision").fill("The Don counts as Don.")
    page.get_by_label("Reason").first.fill("As printed in 1976.")
    page.get_by_role("button", name="Record it").click()

    page.get_by_label("As it goes to").select_option("A")
    expect(page).to_have_url(re.compile("reader=A"))
    frame = page.frame_locator("iframe.mail")
    expect(frame.locator("h1")).to_contain_text("LENIN TAKES THE NIGHT TRAIN")
    expect(frame.locator("body")).to_contain_text("The Don counts as Don.")
    expect(frame.locator("img").first).to_be_visible()

    page.get_by_role("button", name="Publish it now").click()
    expect(page.locator(".flash")).to_contain_text("Issue #3 is printed")
    page.goto(f"{site.base}/c/{campaign}/bells/3")
    expect(page.locator("h1")).to_contain_text("LENIN TAKES THE NIGHT TRAIN")


def test_a_new_campaign_is_one_form(page: Page, site: Site, width: int) -> None:
    page.goto(site.link("", "keeper"))
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Name of the campaign").fill(f"Winter {width}")
    page.get_by_label("Players, one a line").fill(
        "Anna anna@x.test Europe/London\nBoris <boris@x.test>\nC: Clara, clara@x.test"
    )
    page.get_by_label("Your name").fill("Gregor")
    page.get_by_label("Your address").fill("gregor@x.test")
    page.get_by_role("button", name="Open it and invite them").click()
    expect(page.locator(".flash")).to_contain_text("invitations are on their way")
    expect(page.get_by_text("not accepted")).to_have_count(3)
