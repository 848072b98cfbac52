"""A reader moves the slider through the Phases, reads the archive, and checks the dice in his own browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from gm.adjudicator.chance import ProvableChance
from tests.browser.conftest import Site, open_page
from tests.browser.tables import DEALT, PRINTED, june_again

pytestmark = pytest.mark.browser
Proof = dict[str, Any]


def test_the_slider_moves_through_all_phases(page: Page, site: Site) -> None:
    page.goto(f"{site.base}/c/{PRINTED}/map")
    slider = page.get_by_role("slider", name="Phase")
    expect(page.locator("#slider")).to_have_attribute("data-shown", "2/now")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("#slider")).to_have_attribute("data-shown", "1/opening")
    expect(page.locator("#frame-title")).to_contain_text("the opening position")
    assert page.locator("#map svg.km-map .km-stack[data-province=PETR][data-owner=A]").count() == 1
    page.keyboard.press("ArrowRight")
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


def recompute(page: Page, site: Site, campaign: str, change: Callable[[Proof], None] = lambda proof: None) -> Locator:
    """Have the campaign's luck recomputed, with something changed in what the server tells of its first Phase."""

    def tell(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        change(body["phases"][0])
        route.fulfill(response=answer, json=body)

    page.route("**/api/**/fairness", tell)
    page.goto(f"{site.base}/c/{campaign}/fairness")
    page.get_by_role("button", name="Recompute everything here").click()
    return page.locator("#verdict")


def test_the_browser_recomputes_every_die_and_every_draw(page: Page, site: Site) -> None:
    expect(recompute(page, site, PRINTED)).to_contain_text(re.compile(r"All \d+ seals, dice and draws are right"))
    assert page.locator("#proofs details").count() == 2
    assert page.locator("#proofs li", has_text="combat/").count() > 3
    assert page.locator("#proofs summary", has_text="cannot be told").count() == 0


def test_the_browser_deals_again(page: Page, site: Site) -> None:
    expect(recompute(page, site, DEALT)).to_contain_text("are right")
    assert page.locator("#proofs li", has_text="deal/").count() == 5


def by_lot(proof: Proof) -> None:
    """Whether a Phase has such a draw is a matter of luck: here is one more."""
    key = (proof["dice_name"], proof["turn"], proof["phase"], proof["digest"])
    chance = ProvableChance(bytes.fromhex(proof["secret"]), *key)
    for number in range(1, 8):
        occasion, options = f"recipient/{number}00", list("ABCDE"[: number + 1 if number < 5 else 5])
        proof["rolls"].append({"occasion": occasion, "drawn": chance.pick(occasion, options), "options": options})


def test_the_browser_draws_again(page: Page, site: Site) -> None:
    expect(recompute(page, site, PRINTED, by_lot)).to_contain_text("are right")
    assert page.locator("#proofs li.good", has_text="00: ").count() == 7


def forged_die(proof: Proof) -> None:
    roll = next(r for r in proof["rolls"] if r["dice"])
    roll["dice"] = [roll["dice"][0] % 6 + 1, *roll["dice"][1:]]


def forged_lot(proof: Proof) -> None:
    by_lot(proof)
    roll = proof["rolls"][-1]
    roll["drawn"] = next(letter for letter in roll["options"] if letter != roll["drawn"])


def forged_bag(proof: Proof) -> None:
    """As if more had been there to draw from."""
    by_lot(proof)
    proof["rolls"][-1]["options"] = [proof["rolls"][-1]["drawn"] + "?"] * 5


def forged_hand(proof: Proof) -> None:
    one, other = proof["rolls"][:2]
    one["drawn"], other["drawn"] = other["drawn"], one["drawn"]


@pytest.mark.parametrize(
    ("campaign", "forge", "wrong"),
    [(PRINTED, forged_die, 1), (PRINTED, forged_lot, 1), (PRINTED, forged_bag, 1), (DEALT, forged_hand, 2)],
)
def test_forged_luck_is_noticed(
    page: Page, site: Site, campaign: str, forge: Callable[[Proof], None], wrong: int
) -> None:
    expect(recompute(page, site, campaign, forge)).to_contain_text(re.compile(rf"^{wrong} of \d+ checks failed"))


def test_a_draw_from_nobody_knows_what_is_left_to_gm_verify(page: Page, site: Site) -> None:
    def bare(proof: Proof) -> None:
        proof["rolls"].append({"occasion": "recipient/100", "drawn": "A"})

    expect(recompute(page, site, DEALT, bare)).to_contain_text("are right")
    expect(page.locator("#proofs summary").first).to_contain_text("1 cannot be told")


def test_the_page_says_by_which_reading_a_phase_was_judged(page: Page, site: Site) -> None:
    def of_before(proof: Proof) -> None:
        proof["reading"] -= 1

    expect(recompute(page, site, PRINTED, of_before)).to_contain_text("are right")
    expect(page.locator("#proofs summary").first).to_contain_text("not that of today")
    expect(page.locator("#proofs summary").last).to_contain_text(re.compile(r"judged by reading \d+$"))


def test_the_archive_leads_from_issue_to_issue(page: Page, site: Site) -> None:
    page.goto(f"{site.base}/c/{PRINTED}")
    page.get_by_role("link", name="Archive").click()
    page.locator("tbody th a").last.click()
    expect(page).to_have_url(re.compile("/bells/2$"))
    page.locator("a[rel=next]").click()
    expect(page).to_have_url(re.compile("/bells/3$"))
    expect(page.locator("svg.km-map")).to_be_visible()


def test_an_issue_leads_back_to_the_table_and_is_printed_without_its_menu(page: Page, site: Site) -> None:
    page.goto(f"{site.base}/c/{PRINTED}/bells/4")
    expect(page.get_by_role("navigation", name="Site")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator(".mast .paper")).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Sit down as…").click()
    expect(page).to_have_url(f"{site.base}/try")


def test_a_players_own_news_stand_above_the_front_page(page: Page, site: Site) -> None:
    """Once so on a telephone only: on a wide screen they came below it."""
    page.goto(site.link(PRINTED, "A"))
    page.wait_for_url("**/desk")
    page.goto(f"{site.base}/c/{PRINTED}/bells/4")
    expect(page.locator(".side")).to_be_visible()
    boxes = [page.locator(name).bounding_box() for name in (".own", "main h1")]
    assert all(boxes) and boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]


def test_a_newcomer_sits_down_and_the_players_of_1976_answer(site: Site, chrome: Browser) -> None:
    june_again(site.services)
    for page in open_page(site, chrome, 390):
        page.goto(f"{site.base}/try")
        page.get_by_role("button", name="A: Ben").click()
        expect(page).to_have_url(re.compile("/c/the-bell-1976/desk$"))
        page.locator("#orders").fill("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")
        page.get_by_role("button", name="Save orders").click()
        page.get_by_role("link", name="Sit down", exact=True).click()
        page.get_by_role("button", name="Play the 1976 orders for the others").click()
        page.get_by_role("button", name="Print The Bell now").click()
        expect(page).to_have_url(re.compile(r"/bells/\d+$"))
        number = page.url.rpartition("/")[2]
        page.goto(f"{site.base}/mailbox")
        page.get_by_label("Only what goes to").select_option("ben@players.example")
        page.locator("tbody a", has_text=f"#{number}").first.click()
        frame = page.frame_locator("iframe.mail")
        expect(frame.locator("body")).to_contain_text("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")


def test_a_hash_that_an_issue_does_not_announce_is_noticed_wherever_else_it_stands(page: Page, site: Site) -> None:
    def tell(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["document"]["bell"]["proof"]["next_commitment"] = "0" * 64
        route.fulfill(response=answer, json=body)

    page.route("**/api/**/bells/*", tell)
    expect(recompute(page, site, PRINTED)).to_contain_text(re.compile(r"^\d+ of \d+ checks failed"))
