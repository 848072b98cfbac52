"""The page teaches the game: who only does what it says has a first turn on file and sees what became of it."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from secrets import token_bytes

import pytest
from playwright.sync_api import Page, expect

from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.web.sample import CAMPAIGN, positions_of_1976
from tests.browser.conftest import Site, fits
from tests.browser.tables import BATTLE, JUNE, PRINTED, begin, june_again, tick
from tests.browser.test_player import clear, force, go, sit
from tests.campaign_fixtures import SECRET_BYTES

pytestmark = pytest.mark.browser


def follow(page: Page, what: str, words: str) -> None:
    """Do one line of the walk as a reader would."""
    if what == "open":
        page.get_by_role("navigation").get_by_role("link", name=words).first.click()
    elif what == "press":
        page.get_by_role("button", name=re.compile(f"^{re.escape(words)}")).click()
    elif what == "force":
        page.locator("#forces button", has_text=words).click()
        expect(page.locator("#selection")).to_be_visible()
    elif what == "province":
        expect(page.locator(f"#p-{words}")).to_have_class(re.compile("reach"))
        page.locator(f"#map .km-name[data-province={words}]").click()
        expect(page.locator("#orders")).to_have_value(re.compile(f"-{words}$"))
    elif what == "type":
        box = page.locator("#orders")
        box.fill(f"{box.input_value()}\n{words}")
        expect(page.locator("#check-status")).to_contain_text("all fine")
    elif what == "read":
        expect(page.locator("main, body > :not(script)").get_by_text(words).first).to_be_visible()
    else:
        raise AssertionError(f"nobody could do {what}")


def test_the_first_turn_can_be_played_by_doing_what_the_page_says(page: Page, site: Site) -> None:
    dice = Random(1918)  # whoever follows the page may meet an epidemic; this test must not
    fixed = replace(site.services, entropy=lambda size: (dice.randbytes if size == SECRET_BYTES else token_bytes)(size))
    june_again(fixed)
    page.goto("/how-to-play")
    steps = page.locator(".walk li").all()
    walk = [(str(step.get_attribute("data-do")), step.locator("b").inner_text()) for step in steps]
    assert len(walk) > 12
    for what, words in walk:
        follow(page, what, words)
    after = lookups.state(site.services, CAMPAIGN)
    assert (after.turn, after.phase) == (1, "second")
    lenin = next(s for s in after.position.stacks if any(p.name == "Lenin" for p in s.pieces))
    assert (lenin.province, lenin.owner) == ("LIVO", "A")


def test_words_of_the_game_explain_themselves_to_keys_and_fingers_and_keep_the_page(page: Page, site: Site) -> None:
    """They once did so under a mouse only, and a tap left the desk."""
    sit(page, site, JUNE, "A")
    here, term, tip = page.url, page.locator("button.term", has_text="Phase").first, page.locator(".tip")
    term.click()
    expect(tip).to_contain_text("First Phase forces move")
    box, size = tip.bounding_box(), page.viewport_size or {"width": 0}
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    assert page.url == here and fits(page)
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    page.locator("h2#orders-head").click()
    term.focus()
    expect(tip).to_have_text(re.compile("First Phase forces move"))
    assert term.get_attribute("aria-describedby") == "tip"
    page.keyboard.press("Tab")
    expect(tip.get_by_role("link", name="Glossary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/how-to-play#term-phase$"))
    expect(page.locator("dt:target")).to_be_visible()
    expect(page.locator("img[alt^='A part of the map']")).to_be_visible()
    assert page.evaluate("[...document.images].every((i) => i.loading === 'lazy' || i.naturalWidth > 0)")


def test_a_cited_rule_at_the_desk_leads_to_what_it_decides(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    page.locator("#orders").fill("MOVE Lenin: PETR-LIVO")
    page.locator("#checks .rules a", has_text="5.33").click()
    expect(page).to_have_url(re.compile(r"/rules#5\.33$"))
    expect(page.locator("dt:target + dd")).to_contain_text("lies a lake")


def test_the_desk_helps_to_decide(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "C")
    clear(page)
    expect(page.locator("#forces .threat", has_text="could attack it").first).to_be_visible()
    page.locator("#map .km-stack[data-owner=A][data-province=PETR]").dispatch_event("click")
    expect(page.locator("#selection .threats")).to_contain_text("11:3 = 3-1")
    expect(page.locator("#p-PSKO")).to_have_class(re.compile("danger"))
    page.locator("#selection").get_by_role("button", name="Close").click()
    expect(page.locator("#p-PSKO")).not_to_have_class(re.compile("danger"))
    page.locator("#p-TAMB").dispatch_event("click")
    for words in ("Tambov", "Greater Russia", "RYAZ Ryazan", "Railway: to PENZ"):
        expect(page.locator("#selection")).to_contain_text(words)
    sit(page, site, JUNE, "A")
    clear(page)
    force(page, "Lenin")
    go(page, "PSKO", "LIVO")
    expect(page.locator("#selection .stop-here")).to_contain_text("11:3 = 3-1 against WL1 Yudenich")


def test_the_last_bell_stands_beside_the_map(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "B")
    page.locator("#bell-head").click()
    expect(page.locator("#last-bell")).to_contain_text("Movement")
    page.locator("#past-moves").click()
    expect(page.locator("#map .overlay .route.past").first).to_be_attached()
    page.locator("#past-moves").click()
    expect(page.locator("#map .overlay .route.past")).to_have_count(0)


def test_of_a_bell_that_tells_of_combat_the_battles_are_shown(page: Page, site: Site) -> None:
    """There are no moves in it: a button that shows some would show nothing."""
    sit(page, site, PRINTED, "B")
    page.locator("#bell-head").click()
    page.get_by_role("button", name="Show its battles on the map").click()
    expect(page.locator("#map .overlay .route-mark.past").first).to_be_attached()


def test_a_desk_weighs_no_more_than_340_kilobytes(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    page.wait_for_load_state("networkidle")
    kinds = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    weight = page.evaluate(f"{kinds}.reduce((sum, entry) => sum + entry.transferSize, 0)")
    assert 50_000 < weight <= 340_000


def test_the_last_who_is_ready_closes_the_phase(page: Page, site: Site, width: int) -> None:
    campaign = f"ready-{width}"
    options = {"ready": "said", "early_close_hours": 0, "show_ready": True}
    begin(site.services, campaign, positions_of_1976(), **options)
    for letter in "BCD":
        intake.submit(site.services, campaign, letter, "VOTE END", source="web", ready=True)
    sit(page, site, campaign, "A")
    expect(page.locator("#others")).to_contain_text("Ready: Boris, Clara, Dmitri")
    expect(page.locator("#others")).to_contain_text("Nothing on file yet: Elena")
    intake.submit(site.services, campaign, "E", "VOTE END", source="web", ready=True)
    page.locator("#orders").fill("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")
    page.get_by_role("button", name="Save, and ready").click()
    expect(page.get_by_text("You are ready")).to_be_visible()
    tick(site.services)
    assert lookups.state(site.services, campaign).phase_state == "adjudicated"
    page.get_by_role("link", name="Back to the desk").click()
    expect(page.get_by_text("Nothing can be saved now")).to_be_visible()
    expect(page.get_by_role("button", name="Save orders")).to_have_count(0)
