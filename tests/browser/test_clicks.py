"""Clicks, taps and keys at the desk do what they show, on a telephone and at a desk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gm.campaign.phase import intake
from tests.browser.conftest import Site
from tests.browser.tables import BATTLE, JUNE, TVER
from tests.browser.test_player import clear, force, go, orders, sit
from tests.support import wait_until

pytestmark = pytest.mark.browser

# The province that a click in the middle of each printed name goes to.
NAMES = """() => [...document.querySelectorAll('svg.km-map .km-name')].map((name) => {
  const box = name.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return [name.textContent, hit?.closest('[data-province]')?.dataset.province ?? null];
})"""
# Controls of the side that something else lies over when they are scrolled to.
COVERED = """() => [...document.querySelectorAll('.desk-side :is(button, a, summary)')].filter((node) => {
  if (!node.checkVisibility()) return false;
  node.scrollIntoView({ block: 'center' });
  const box = node.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return !(node === hit || node.contains(hit) || hit?.contains(node));
}).map((node) => node.textContent)"""


def test_a_printed_name_belongs_to_its_province(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "D")
    page.locator("#map").scroll_into_view_if_needed()
    page.get_by_role("button", name="Whole map").click()
    found = page.evaluate(NAMES)
    assert len(found) == 73
    assert [pair for pair in found if pair[0][:4] != pair[1]] == []


def test_another_stack_of_ones_own_is_chosen_never_marched_into(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    clear(page)
    force(page, "Lenin")
    expect(page.locator("#p-PSKO")).to_have_class(re.compile("reach"))
    page.locator("#map .km-stack[data-owner=A][data-province=PSKO]").dispatch_event("click")
    expect(page.locator("#selection")).to_contain_text("RL1 Sablin")
    assert orders(page) == ""
    page.locator("#selection").get_by_role("button", name="Instead lead Lenin on to PSKO").click()
    expect(page.locator("#orders")).to_have_value("MOVE Lenin, RU8 PETR: PETR-PSKO")


def test_of_several_stacks_in_a_province_the_panel_names_the_one_that_is_meant(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    force(page, "Markin")
    panel = page.locator("#selection")
    expect(panel.locator("h3")).to_have_text("SARA Saratov: Markin")
    panel.get_by_role("group", name="Also in SARA").get_by_role("button", name=re.compile("^RL1 Sorokin")).click()
    expect(panel.locator("h3")).to_have_text("SARA Saratov: Sorokin")
    sit(page, site, JUNE, "A")
    clear(page)
    force(page, "Lenin")
    page.locator("#p-PETR").dispatch_event("click")
    expect(panel.locator(".note.warn")).to_contain_text("Lenin is in PETR already")
    assert orders(page) == ""


def test_a_blue_stack_next_door_is_subverted_by_choosing_it(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    clear(page)
    told = page.locator("#now").inner_text()
    assert "subvert Blue in" in told.replace("\n", " ")
    code = told.split("subvert Blue in ")[1][:4]
    page.locator(f"#map .km-stack[data-province={code}]:has(.km-blue)").first.dispatch_event("click")
    page.locator("#selection").get_by_role("button", name=re.compile(f"^Subvert BU.*in {code} with")).first.click()
    expect(page.locator("#orders")).to_have_value(re.compile(f"^SUBVERT BU.* IN {code} WITH "))
    expect(page.locator("#checks .order.ok .odds")).to_contain_text("succeeds")
    expect(page.locator("#checks .odds a[href='/rules#8.33']")).to_be_visible()
    page.locator("#checks .odds .term", has_text="De").first.click()
    expect(page.locator(".tip")).to_contain_text("eliminated")


def test_a_split_stack_takes_two_orders(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    clear(page)
    force(page, "Kamenev")
    page.locator("#selection").get_by_label("RL1 Sorokin").uncheck()
    go(page, "KALU")
    expect(page.locator("#orders")).to_have_value(re.compile(r"^MOVE Kamenev.*: TULA-KALU$"))
    page.locator("#selection").get_by_role("button", name="Done").click()
    force(page, "Kamenev")
    page.locator("#selection").get_by_role("button", name=re.compile("^Order the rest: Sorokin")).click()
    expect(page.locator("#selection").get_by_label("RL1 Kamenev")).to_be_disabled()
    go(page, "RYAZ")
    lines = orders(page).split("\n")
    assert len(lines) == 2 and lines[1] == "MOVE Sorokin: TULA-RYAZ"
    expect(page.locator("#checks .order.ok")).to_have_count(2)
    page.locator("#selection").get_by_role("button", name="Done").click()
    force(page, "Kamenev")
    page.locator("#selection").get_by_role("button", name="Sorokin: RYAZ").click()
    expect(page.locator("#selection .path")).to_contain_text("TULA – RYAZ")


def test_nothing_lies_over_what_stands_beside_the_map(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    force(page, "Lenin")
    assert page.evaluate(COVERED) == []


def test_the_answer_to_a_tap_is_on_the_screen(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    page.locator("#map").scroll_into_view_if_needed()
    page.locator("#map .km-stack[data-province=SARA]:not([data-owner])").dispatch_event("click")
    expect(page.locator("#selection h3")).to_be_in_viewport()
    clear(page)
    page.locator("summary", has_text="Vote on ending").click()
    page.locator("form[data-writes=vote]").get_by_role("button", name="Write this order").click()
    expect(page.locator("#checks .order")).to_be_in_viewport()


def test_the_map_opens_on_ones_own_theatre_at_a_size_that_can_be_read(page: Page, site: Site, width: int) -> None:
    if width == 1280:
        page.set_viewport_size({"width": 1280, "height": 800})
    sit(page, site, JUNE, "C")
    assert page.evaluate("document.querySelector('svg.km-map').getScreenCTM().a * 14") >= 9
    expect(page.locator("#map .km-stack[data-owner=C][data-province=KUBA]").first).to_be_in_viewport()
    page.get_by_role("button", name="Full screen").click()
    wait_until(lambda: page.evaluate("document.fullscreenElement?.id === 'desk'"))


SHEET = """# a remark
MOVE Lenin, RU8 PETR:
  nonsense
PRESS AS "Pskov"
All quiet.
Really.
END
MOVE Kalinin,
  RU3 KALU: KALU-TULA
VOTE END"""


def test_the_cross_takes_out_every_kind_of_order_whole(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    page.locator("#orders").fill(SHEET)
    expect(page.locator("#checks .order", has_text="All quiet")).to_be_visible()
    for _ in range(page.locator("#checks .remove").count()):
        left = page.locator("#checks .remove").count()
        page.locator("#checks .remove").first.click()
        expect(page.locator("#checks .remove")).to_have_count(left - 1)
    assert orders(page) == "# a remark"
    sit(page, site, BATTLE, "A")
    page.locator("#orders").fill("ATTACK WU2 SARA IN SARA WITH Sorokin, Markin\n  LOSE Markin\nVOTE END")
    expect(page.locator("#checks .order")).to_have_count(2)
    page.locator("#checks .remove").first.click()
    expect(page.locator("#orders")).to_have_value("VOTE END")


def test_by_rail_nothing_is_left_but_the_line(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    clear(page)
    force(page, "Lenin")
    page.locator("#selection").get_by_label("By rail").check()
    expect(page.locator("#selection .left")).to_contain_text("by rail")
    assert "null" not in page.locator("#selection").inner_text()


def test_a_few_keys_lead_from_the_map_to_the_orders(page: Page, site: Site) -> None:
    sit(page, site, TVER, "B")
    clear(page)
    stack = page.locator("#map .km-stack[data-owner=B][data-province=NOVG]")
    stack.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#map .way").first).to_be_attached()
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.dataset.province")
    expect(page.locator(f"#p-{first}")).to_have_class(re.compile("next"))
    page.keyboard.press("Enter")
    expect(page.locator("#orders")).to_have_value(re.compile(f"NOVG-{first}$"))
    expect(page.locator("#selection .path")).to_contain_text(first)
    page.locator("#map svg.km-map").focus()
    page.keyboard.press("o")
    expect(page.locator("#orders")).to_be_focused()


def test_loading_the_receipt_again_files_nothing(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "B")
    page.locator("#orders").fill("MOVE Tukhachevsky, RU8 NOVG: NOVG-TVER")
    page.get_by_role("button", name="Save orders").click()
    expect(page.locator("pre.receipt")).to_contain_text("NOVG-TVER")
    before = len(intake.versions(site.services, JUNE, "B"))
    page.reload()
    expect(page.locator("pre.receipt")).to_contain_text("NOVG-TVER")
    assert len(intake.versions(site.services, JUNE, "B")) == before


def test_what_was_typed_survives_leaving_the_page(page: Page, site: Site, width: int) -> None:
    letter = "D" if width == 390 else "E"
    sit(page, site, TVER, letter)
    page.locator("#orders").fill("VOTE END\n# think about it")
    expect(page.locator("#check-status")).to_have_text("1 order, all fine")
    page.goto("/seats")
    sit(page, site, TVER, letter)
    expect(page.locator("#orders")).to_have_value("VOTE END\n# think about it")
    expect(page.get_by_text("What you typed last is not sent yet")).to_be_visible()
    page.get_by_role("button", name="Save orders").click()
    page.get_by_role("link", name="Back to the desk").click()
    expect(page.get_by_text("What you typed last is not sent yet")).to_have_count(0)
