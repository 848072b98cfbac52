"""A person's evening: from *Play a campaign now* to the last Bell, and from *Play alone* to the last page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import fits

pytestmark = pytest.mark.browser
PHASES = 12  # six Game-Turns


def test_a_campaign_against_four_stand_ins_to_its_last_bell(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Play a campaign now").click()
    page.get_by_label("What the paper calls you").first.fill("Anna Ivanova")
    assert fits(page)
    page.get_by_role("button", name="Play a campaign now").click()
    expect(page.locator("#desk.live")).to_be_visible()
    assert fits(page)
    page.locator("#orders").fill("STANDING COUNTERPURGE STRONGEST")
    expect(page.locator("#check-status")).not_to_have_text("")
    for number in range(PHASES):
        page.get_by_role("button", name="Play the Phase").click()
        page.wait_for_url(re.compile(r"/(bells/\d+|end)$"))
        assert fits(page)
        if page.url.endswith("/end"):
            break
        page.get_by_role("link", name="Play on").first.click()
        if number < 2:  # one Phase of each kind: the map is set up, whether anybody stands beside anybody or not
            expect(page.locator("#check-status")).to_have_text("No new orders: what stands from before is below.")
    expect(page.get_by_role("heading", name="The war is over")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Anna Ivanova"))).to_be_visible()
    page.get_by_role("link", name="The last Bell").click()
    expect(page.get_by_text("Final standings", exact=False).first).to_be_visible()
    assert "Ivanova" in page.content()


def test_alone_against_the_whites_to_the_last_page(page: Page) -> None:
    page.goto("/try")
    page.get_by_role("link", name="Play alone against the Whites").click()
    page.get_by_role("button", name="Play alone").click()
    expect(page.get_by_text("Step 1 of")).to_be_visible()
    assert fits(page)
    page.get_by_role("link", name="Next →").click()
    expect(page.get_by_text("Step 2 of")).to_be_visible()
    page.get_by_role("link", name="← Back").click()
    expect(page.get_by_text("Step 1 of")).to_be_visible()
    page.get_by_role("link", name="All", exact=True).click()
    expect(page.locator("ol.steps li").nth(5)).to_be_visible()
    page.get_by_role("link", name="On to your orders").click()
    expect(page.locator("#desk.live")).to_be_visible()
    expect(page.locator("#deploy p").first).to_contain_text(re.compile("may be deployed"))
    if page.locator("#deploy button").count():
        deploy_and_take_back(page)
    for _ in range(60):  # an empty hand: the Whites win sooner or later, or the calendar does
        page.get_by_role("button", name=re.compile("^Play the sheet|^Play, and end")).click()
        page.wait_for_url(re.compile(r"/(steps/\d+|bells/\d+|end|desk)$"))
        if page.url.endswith("/end"):
            break
        if not page.url.endswith("/desk"):
            page.get_by_role("link", name=re.compile("On to your orders|Play on")).first.click()
    expect(page.get_by_text("How near it was")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("alone-against-the-whites")).first).to_be_visible()
    assert fits(page)


def deploy_and_take_back(page: Page) -> None:
    """A Leader takes command of a unit, leads it next door, and all of it is undone."""
    province, unit = red_unit(page)
    leader = page.locator("#deploy button", has_text="Tukhachevsky")
    expect(leader).to_be_enabled()
    leader.click()
    expect(page.locator("#deploy [role=status]")).to_contain_text("Now choose a Red stack")
    page.locator(f"#p-{province}").dispatch_event("click")
    expect(page.locator("#orders")).to_have_value(f"DEPLOY Tukhachevsky ON {unit}")
    force = page.locator("#forces button", has_text="Tukhachevsky")
    expect(force).to_contain_text(unit)
    force.click()
    reached = page.locator("#map [id^=p-].reach.next")
    expect(reached).not_to_have_count(0)
    goal = str(reached.first.get_attribute("id")).removeprefix("p-")
    page.locator(f"#p-{goal}").dispatch_event("click")
    expect(page.locator("#orders")).to_have_value(re.compile(f"MOVE Tukhachevsky, {unit}: {province}-{goal}$"))
    page.locator("#selection").get_by_role("button", name="Done").click()
    expect(page.locator("#forces button", has_text="Tukhachevsky")).to_contain_text(goal)
    for _ in range(2):
        expect(page.locator("#checks li.order")).not_to_have_count(0)
        page.locator("#undo").click()
    expect(page.locator("#orders")).to_have_value("")
    expect(page.locator("#forces button", has_text="Tukhachevsky")).to_have_count(0)


def red_unit(page: Page) -> tuple[str, str]:
    """A Red unit that stands alone in its province: Novgorod's, unless the dice of this game have taken it."""
    stacks = [text.split(" ", 1)[1] for text in page.locator("#map .km-stack title").all_text_contents()]
    alone = [text for text in stacks if sum(other[:4] == text[:4] for other in stacks) == 1]
    found = [(m[1], m[2]) for text in alone if (m := re.match(r"(\w{4}): (RU\d \w{4}) \(", text))]
    assert found, stacks
    return next((f for f in found if f[0] == "NOVG"), found[0])
