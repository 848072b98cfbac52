"""What somebody new to the game stumbles over at the desk: what a Phase allows, forms, far clicks, menus, readiness."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gm.campaign.reads import lookups
from tests.browser.conftest import Site, fits
from tests.browser.tables import BATTLE, JUNE, PRINTED, TVER
from tests.browser.test_player import clear, force, go, orders, sit

pytestmark = pytest.mark.browser


def test_the_desk_says_what_the_phase_allows(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    expect(page.locator("#now")).to_contain_text("nobody fights before the Second")
    page.locator("#now a", has_text="purge").first.click()
    expect(page.locator("h2#purge")).to_be_in_viewport()
    sit(page, site, BATTLE, "A")
    expect(page.locator("#now")).to_contain_text("nobody moves")
    expect(page.locator("#now")).to_contain_text("You could attack in")


@pytest.mark.parametrize("campaign", [JUNE, BATTLE])
def test_what_the_forms_write_is_not_refused(page: Page, site: Site, campaign: str) -> None:
    sit(page, site, campaign, "A")
    page.evaluate("document.querySelectorAll('#forms details').forEach((one) => { one.open = true; })")
    names = page.eval_on_selector_all("#forms form:has(button)", "forms => forms.map((form) => form.dataset.writes)")
    assert {"purge", "counterpurge", "vote"} <= set(names)
    for name in [n for n in names if n not in ("press", "accept")]:
        clear(page)
        form = page.locator(f"form[data-writes={name}]")
        for field in form.locator("select[data-adds]").all():
            choice = "[...s.options].find((o) => o.value && !o.hidden)?.value ?? ''"
            field.select_option(field.evaluate(f"(s) => {choice}"))
        for box in form.locator("label:not([hidden]) > [name=with], label:not([hidden]) > [name=partners]").all():
            box.check()
        form.get_by_role("button", name=re.compile("^Write this order")).click()
        expect(page.locator("#check-status")).to_contain_text("1 order")
        assert page.locator("#checks .order.problem").count() == 0, orders(page)


def test_a_click_on_an_enemy_out_of_reach_says_why_and_the_order_goes_on(page: Page, site: Site) -> None:
    sit(page, site, TVER, "A")
    clear(page)
    force(page, "Lenin")
    go(page, "PSKO")
    expect(page.locator("#selection .path")).to_contain_text("PETR – PSKO")
    page.locator("#map .km-stack[data-owner=C][data-province=TERE]").dispatch_event("click")
    expect(page.locator("#selection .note.warn")).to_contain_text("cannot be reached from here. On the straight way:")
    expect(page.locator("#selection .path")).to_contain_text("PETR – PSKO")
    go(page, "LIVO")
    expect(page.locator("#orders")).to_have_value("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")
    page.locator("#map .km-stack[data-owner=C][data-province=TERE]").dispatch_event("click")
    page.locator("#selection").get_by_role("button", name="Look at this stack").click()
    expect(page.locator("#selection h3")).to_contain_text("TERE")
    assert orders(page) == "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"


def test_other_moves_of_the_sheet_count_in_the_odds(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    page.locator("#orders").fill("MOVE Sablin: PSKO-LIVO")
    force(page, "Lenin")
    go(page, "PSKO", "LIVO")
    told = "Together with Sablin, as your sheet has it: 12:3 = 4-1"
    expect(page.locator("#selection .stop-here")).to_contain_text(told)


def test_who_threatens_a_force_follows_the_draft(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    clear(page)
    force_line = page.locator("#forces li", has_text="Rodzyanko")
    expect(page.locator("#check-status")).to_have_text("No orders yet.")
    before = force_line.locator(".threat").all_inner_texts()
    page.locator("#orders").fill("MOVE Rodzyanko, WU2 ESTO: ESTO-LIVO")
    expect(force_line.locator(".threat").first).to_contain_text("Led to LIVO Livonia: there")
    clear(page)
    expect(page.locator("#check-status")).to_have_text("No orders yet.")
    expect(force_line.locator(".threat")).to_have_text(before)


def test_a_proposal_is_answered_at_the_desk_and_withdrawn_where_it_was_made(page: Page, site: Site, width: int) -> None:
    campaign = JUNE if width == 390 else TVER
    sit(page, site, campaign, "D")
    page.goto(f"/c/{campaign}/letters")
    page.get_by_text("A Purge together").click()
    page.get_by_label("Whom").select_option("C")
    expect(page.locator(".sum")).to_have_text("Together 4 of the 8 Politburo Markers that it takes: 4 more are needed.")
    page.get_by_label("E Elena assigns").select_option("4")
    expect(page.locator(".sum")).to_have_text("Together 8 of the 8 Politburo Markers that it takes.")
    page.get_by_role("button", name="Offer this Purge").click()
    expect(page.get_by_text("your side of it is on your sheet")).to_be_in_viewport()
    assert fits(page)
    page.context.clear_cookies()
    sit(page, site, campaign, "E")
    page.get_by_role("link", name="waits for your answer").click()
    card = page.locator(".offer", has_text="PURGE C WITH D USING 4 PM")
    expect(card.get_by_role("button", name="Agree: put my side on my sheet")).to_be_in_viewport()
    card.get_by_role("button", name="Agree: put my side on my sheet").click()
    expect(page.get_by_text("You agree to proposal")).to_be_in_viewport()
    expect(page.locator("#orders")).to_have_value(re.compile("PURGE C WITH D USING 4 PM"))
    assert fits(page)
    page.locator(".offer", has_text="PURGE C WITH D").get_by_role("button", name="Decline after all").click()
    expect(page.locator("#orders")).not_to_have_value(re.compile("PURGE C"))
    page.context.clear_cookies()
    sit(page, site, campaign, "D")
    page.get_by_text(re.compile(r"Your own \(\d")).click()
    page.locator(".offer", has_text="PURGE C WITH E").get_by_role("button", name="Withdraw it").click()
    expect(page.get_by_text("is withdrawn: your side of it is off your sheet")).to_be_in_viewport()
    expect(page.locator("#orders")).not_to_have_value(re.compile("PURGE C"))


def test_saving_says_that_it_makes_ready_and_need_not(page: Page, site: Site, width: int) -> None:
    letter = "C" if width == 390 else "D"
    sit(page, site, PRINTED, letter)
    expect(page.locator("#saving-readies")).to_contain_text("also says that you are ready")
    page.locator("#orders").fill("VOTE CONTINUE")
    page.get_by_role("button", name="Save, not ready yet").click()
    expect(page.get_by_role("heading", name=re.compile("on file"))).to_be_visible()
    ready = {s.letter: s.ready for s in lookups.state(site.services, PRINTED).seats}
    assert ready[letter] is False
    page.get_by_role("link", name="Back to the desk").click()
    expect(page.get_by_text("You are not ready")).to_be_visible()
    page.locator("#orders").fill("VOTE END")
    page.get_by_role("button", name="Save, and ready").click()
    expect(page.get_by_text("You are ready")).to_be_visible()


MINE = """(letter) => {
  const frame = document.querySelector('#map svg.km-map').getBoundingClientRect();
  return [...document.querySelectorAll(`#map .km-stack[data-owner="${letter}"]`)].filter((stack) => {
    const box = stack.getBoundingClientRect();
    return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  }).length;
}"""


@pytest.mark.parametrize("letter", ["A", "E"])
def test_the_map_opens_on_stacks_of_ones_own(page: Page, site: Site, letter: str) -> None:
    sit(page, site, JUNE, letter)
    assert page.evaluate(MINE, letter) >= 3


def test_menus_are_whole_and_the_bell_has_the_campaigns(page: Page, site: Site) -> None:
    sit(page, site, PRINTED, "A")
    for name in ("Site", "Campaign"):
        for link in page.get_by_role("navigation", name=name).get_by_role("link").all():
            box = link.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= (page.viewport_size or {})["width"]
    page.goto(f"/c/{PRINTED}/bells/4")
    assert fits(page)
    expect(page.get_by_role("navigation", name="Archive").get_by_role("link", name="Plain text")).to_be_visible()
    page.get_by_role("navigation", name="Campaign").get_by_role("link", name="Your desk").click()
    expect(page).to_have_url(re.compile(f"/c/{PRINTED}/desk$"))
