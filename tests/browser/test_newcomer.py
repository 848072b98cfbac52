"""What somebody new to the game stumbles over at the desk: what a Phase allows, forms, far clicks, menus, readiness."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gm.campaign.reads import lookups
from tests.browser.conftest import Site, fits
from tests.browser.tables import BATTLE, JUNE, PRINTED, TVER
from tests.browser.test_player import clear, force, go, orders, sit
from tests.support import wait_until

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
    expect(page.locator("#selection .note.warn")).to_contain_text(
        "cannot be reached from here. Why not straight there?"
    )
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


def test_the_worst_threat_and_the_order_of_the_list_follow_the_draft(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    clear(page)
    expect(page.locator("#check-status")).to_have_text("No orders yet.")
    worst, first = page.locator("#worst"), page.locator("#forces li").first
    before = worst.inner_text()
    assert re.search(r"42:6 = 6-1 on RL1 Kamenev in TULA", before)
    expect(first).to_contain_text("Kamenev")
    page.locator("#orders").fill("MOVE Kamenev, Sorokin, RU4 TULA: TULA-TVER-NOVG")
    expect(worst).not_to_contain_text("in TULA")
    expect(first).not_to_contain_text("Kamenev")
    expect(page.locator("#forces li", has_text="Kamenev").locator(".threat").first).to_contain_text("Led to NOVG")
    clear(page)
    expect(worst).to_have_text(before)
    expect(first).to_contain_text("Kamenev")


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


ON_THE_MAP = """() => {
  const node = document.activeElement;
  if (!node.matches('.km-stack, .way')) return null;
  const [box, frame] = [node, document.querySelector('#map svg.km-map')].map((one) => one.getBoundingClientRect());
  const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return [node.dataset.province, middle[0] > frame.left && middle[0] < frame.right
    && middle[1] > Math.max(frame.top, 0) && middle[1] < Math.min(frame.bottom, innerHeight)];
}"""


def test_the_map_follows_the_keys(page: Page, site: Site) -> None:
    """Tab once came to forces that lay beyond the edge of the map."""
    sit(page, site, JUNE, "A")
    page.locator("#map svg.km-map").focus()
    seen = []
    for _ in range(100):
        page.keyboard.press("Tab")
        found = page.evaluate(ON_THE_MAP)
        if found:
            seen.append(found)
    assert len(seen) > 80 and [code for code, shown in seen if not shown] == []
    page.locator("#map .km-stack[data-owner=A]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#map .way").first).to_be_attached()
    for _ in range(10):
        page.keyboard.press("Tab")
        found = page.evaluate(ON_THE_MAP)
        assert found is None or found[1], found


def test_an_attack_is_marked_by_the_name_of_its_province_and_a_way_covers_neither_end(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    page.locator("#orders").fill("MOVE Lenin, RU8 PETR: PETR-NOVG-TVER-VLDM-RYAZ-TAMB-SARA")
    expect(page.locator("#map .route")).to_have_count(1)
    within = """(codes) => {
      const numbers = (text, by) => text.split(by).map(Number);
      const line = document.querySelector('#map .route').getAttribute('points').split(' ').map((p) => numbers(p, ','));
      const ends = [line[0], line.at(-1)];
      return codes.map((code, n) => {
        const box = document.querySelector(`.km-block[data-block="${code}"]`).dataset.box;
        const [x0, y0, x1, y1] = numbers(box, ' ');
        return ends[n][0] > x0 && ends[n][0] < x1 && ends[n][1] > y0 && ends[n][1] < y1;
      });
    }"""
    assert page.evaluate(within, ["PETR", "SARA"]) == [False, False]
    clear(page)
    sit(page, site, BATTLE, "A")
    page.locator("#map .km-stack").first.wait_for()
    target = page.locator("form[data-writes=attack] [name=target] option").first.get_attribute("value")
    assert target
    page.get_by_text("Attack", exact=True).click()
    page.locator("form[data-writes=attack]").get_by_role("button", name="Write this order").click()
    mark = page.locator("#map .route-mark").first
    expect(mark).to_be_attached()
    block = page.locator(f".km-block[data-block={target[-4:]}]")
    assert (mark.get_attribute("transform") or "") == f"translate({block.get_attribute('data-mark')})"
    clear(page)


def test_an_order_that_a_form_wrote_is_seen_with_the_buttons_that_save_it(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    clear(page)
    page.locator("summary", has_text="Vote").click()
    page.locator("form[data-writes=vote]").get_by_role("button", name="Write this order").click()
    expect(page.locator("#checks .order")).to_have_count(1)
    expect(page.locator("#checks .order")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Save orders")).to_be_in_viewport(ratio=1)
    expect(page.locator("#check-status")).to_be_in_viewport()
    clear(page)


def test_taking_an_order_out_is_told_and_the_keys_go_on_from_there(page: Page, site: Site, width: int) -> None:
    sit(page, site, JUNE, "A")
    page.locator("#orders").fill("MOVE Lenin, RU8 PETR: PETR-NOVG\nMOVE Sablin: PSKO-NOVG\nVOTE CONTINUE")
    expect(page.locator("#checks .remove")).to_have_count(3)
    if width == 390:
        box = page.locator("#checks .remove").first.bounding_box()
        assert box and box["width"] >= 40 and box["height"] >= 40
    page.get_by_role("button", name="Take out: MOVE Sablin: PSKO-NOVG").click()
    expect(page.locator("#check-status")).to_have_text("Taken out: MOVE Sablin: PSKO-NOVG. 2 orders, all fine")
    expect(page.get_by_role("button", name="Take out: VOTE CONTINUE")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Take out: MOVE Lenin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#check-status")).to_have_text("Taken out: MOVE Lenin, RU8 PETR: PETR-NOVG. No orders yet.")
    expect(page.locator("#check-status")).to_be_focused()


def test_a_bell_as_it_might_read_stands_in_a_box_of_its_own_and_can_be_read(page: Page, site: Site, width: int) -> None:
    sit(page, site, BATTLE, "A")
    page.get_by_role("button", name="What if?").click()
    page.get_by_label("How many times").select_option("1")
    page.get_by_role("button", name="Try it").click()
    page.get_by_text("A Bell as it might read").click()
    bell = page.get_by_role("region", name="A Bell as it might read")
    expect(bell).to_contain_text("T H E   B E L L")
    assert "#0" not in bell.inner_text() and fits(page)
    whole = bell.evaluate("(node) => getComputedStyle(node).whiteSpace") == "pre"
    assert whole is (width > 600)  # on a telephone its lines are broken: half of each stood outside of the box


@pytest.mark.parametrize("width", [390])
def test_on_a_telephone_full_screen_is_the_maps(page: Page, site: Site, width: int) -> None:
    sit(page, site, JUNE, "A")
    before = page.locator("#map").bounding_box()
    page.get_by_role("button", name="Full screen").click()
    wait_until(lambda: page.evaluate("document.fullscreenElement !== null"))
    after = page.locator("#map").bounding_box()
    assert before and after and after["height"] > 1.4 * before["height"]
    page.get_by_role("button", name="Full screen").click()
