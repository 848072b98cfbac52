"""A player at his desk, as he would sit there: by link, by clicking, by typing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.tables import BATTLE, JUNE, TVER

pytestmark = pytest.mark.browser


def sit(page: Page, site: Site, campaign: str, letter: str) -> None:
    page.context.clear_cookies()  # whoever sits at another seat of the campaign would be asked first
    page.goto(site.link(campaign, letter))
    expect(page).to_have_url(re.compile(f"/c/{campaign}/desk$"))
    expect(page.locator("#map svg.km-map .km-stack").first).to_be_attached()
    expect(page.locator("#check-status")).not_to_be_empty()


def clear(page: Page) -> None:
    page.locator("#orders").fill("")
    expect(page.locator("#check-status")).to_have_text("No orders yet.")


def force(page: Page, words: str) -> None:
    page.locator("#forces button", has_text=words).click()
    expect(page.locator("#selection")).to_be_visible()


def go(page: Page, *provinces: str) -> None:
    """Click provinces on the map, where they light up."""
    for code in provinces:
        expect(page.locator(f"#p-{code}")).to_have_class(re.compile("reach"))
        page.locator(f"#p-{code}").dispatch_event("click")


def orders(page: Page) -> str:
    return page.locator("#orders").input_value().strip()


def test_a_link_from_a_mail_opens_the_desk_and_leaves_no_ticket_behind(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    assert "#" not in page.url
    expect(page.get_by_text("June 1918, First Phase").first).to_be_visible()
    assert page.evaluate("document.cookie") == ""  # closed to scripts


def test_lenin_goes_to_livonia_by_clicking_and_the_order_writes_itself(page: Page, site: Site, width: int) -> None:
    sit(page, site, JUNE if width == 390 else TVER, "A")
    clear(page)
    force(page, "Lenin")
    go(page, "PSKO", "LIVO")
    expect(page.locator("#orders")).to_have_value("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")
    expect(page.locator("#checks .order.ok")).to_have_count(1)
    expect(page.locator("#map .overlay polyline.route")).to_have_count(1)
    expect(page.locator("#unsaved")).to_be_visible()
    page.get_by_role("button", name="Save orders").click()
    expect(page.get_by_role("heading", name=re.compile("on file"))).to_be_visible()
    expect(page.locator("pre.receipt")).to_contain_text("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")
    expect(page.locator("pre.receipt")).to_contain_text("Without orders")
    page.get_by_role("link", name="Back to the desk").click()
    expect(page.locator("#orders")).to_have_value("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO")


def test_a_click_on_the_counter_itself_chooses_the_force(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "B")
    clear(page)
    stack = page.locator("#map .km-stack[data-owner=B][data-province=NOVG]")
    stack.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#selection")).to_contain_text("RL2 Tukhachevsky")
    expect(stack).to_have_class(re.compile("chosen"))
    page.locator("#map .way[data-province=TVER]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#orders")).to_have_value("MOVE Tukhachevsky, RU8 NOVG: NOVG-TVER")


def test_a_force_is_stopped_in_tver_and_told_why(page: Page, site: Site) -> None:
    sit(page, site, TVER, "A")
    clear(page)
    force(page, "Lenin")
    expect(page.locator("#p-TVER")).to_have_class(re.compile("halts"))
    assert "WU2 SARA" in (page.locator("#map .way[data-province=TVER]").get_attribute("aria-label") or "")
    go(page, "TVER")
    ended = page.locator("#selection .ended")
    expect(ended).to_contain_text("Stopped in TVER")
    expect(ended).to_contain_text("5.27")
    expect(ended).to_have_class("note ended")  # nothing is wrong with the order
    expect(page.locator("#checks .order.ok")).to_have_count(1)
    page.locator("#orders").fill("MOVE Lenin, RU8 PETR: PETR-NOVG-TVER-YARO")
    warning = page.locator("#checks .order.warning")
    expect(warning).to_contain_text("TVER")
    expect(warning).to_contain_text("WU2 SARA")
    expect(page.locator("#map .overlay .route-mark")).to_have_count(1)


def test_what_is_typed_is_drawn_and_what_is_drawn_can_be_changed_by_clicking(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "C")
    page.locator("#orders").fill(
        "# Denikin marches\nMOVE Denikin, WU4 KUBA: KUBA-STAV-ASTR\nSTACK ASTR: Ulagi, Chatilov"
    )
    expect(page.locator("#checks .order.ok")).to_have_count(2)
    expect(page.locator("#map .overlay polyline.route")).to_have_count(1)
    force(page, "Denikin")
    expect(page.locator("#selection .path")).to_contain_text("KUBA – STAV – ASTR")
    go(page, "KIRG", "URAL")
    page.locator("#selection").get_by_label("pick up WU2 URAL").check()
    go(page, "SAMA")
    march = "MOVE Denikin, WU4 KUBA: KUBA-STAV-ASTR-KIRG-URAL(+WU2 URAL)"
    expect(page.locator("#orders")).to_have_value(f"# Denikin marches\n{march}-SAMA\nSTACK ASTR: Ulagi, Chatilov")
    expect(page.locator("#selection .path")).to_contain_text("URAL – SAMA")
    page.locator("#selection").get_by_role("button", name="One step back").click()
    expect(page.locator("#orders")).to_have_value(f"# Denikin marches\n{march}\nSTACK ASTR: Ulagi, Chatilov")


def test_a_slip_is_pointed_out_while_he_types_and_mended_with_a_click(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    page.locator("#orders").fill("MOVE Lenni, RU8 PETR: PETR-PSKO")
    expect(page.locator("#checks .order.problem")).to_contain_text("Lenin")
    page.locator("#checks").get_by_role("button", name=re.compile("^Use: ")).click()
    expect(page.locator("#checks .order.ok")).to_have_count(1)
    expect(page.locator("#orders")).to_have_value("MOVE Lenin, RU8 PETR: PETR-PSKO")


def test_an_attack_is_written_by_its_form_with_its_odds(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    clear(page)
    page.locator("summary", has_text="Attack").click()
    form = page.locator("form[data-writes=attack]")
    value = form.locator("select[name=target] option", has_text="SARA: WU2 SARA").get_attribute("value")
    form.locator("select[name=target]").select_option(value)
    expect(form.locator("label.check", has_text="LIVO").first).to_be_hidden()
    expect(form.locator("label.check:not([hidden]) input").first).to_be_checked()  # all who can, unless taken out
    form.get_by_role("button", name="Write this order").click()
    expect(page.locator("#orders")).to_have_value(re.compile("^ATTACK WU2 SARA IN SARA WITH "))
    odds = page.locator("#checks .odds")
    expect(odds).to_contain_text(re.compile(r"Odds \d+-1 \(\d+ against 2\)"))
    expect(odds).to_contain_text("destroys the defender")
    expect(odds).to_contain_text("1 De")


def test_an_attack_is_written_by_choosing_the_stack_on_the_map(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    clear(page)
    page.locator("#map .km-stack[data-province=SARA]:not([data-owner])").dispatch_event("click")
    page.locator("#selection").get_by_role("button", name=re.compile("^Attack WU2 SARA")).click()
    expect(page.locator("#orders")).to_have_value(re.compile("^ATTACK WU2 SARA IN SARA WITH "))
    expect(page.locator("#checks .odds")).to_contain_text("Odds 4-1 (9 against 2)")
    force(page, "Markin")
    expect(page.locator("#selection .busy")).to_contain_text("It attacks already: ATTACK WU2 SARA")


def test_the_purge_form_writes_a_joint_purge(page: Page, site: Site) -> None:
    sit(page, site, BATTLE, "A")
    clear(page)
    page.locator("summary", has_text=re.compile("^Purge$")).click()
    form = page.locator("form[data-writes=purge]")
    form.get_by_label("Whom").select_option("B")
    form.get_by_role("checkbox", name="E Elena").check()
    form.get_by_label("Markers you assign").select_option("3")
    form.get_by_label("Share of A").fill("2")
    form.get_by_label("Share of E").fill("1")
    taken = form.get_by_label("Add what you would take")
    offered = taken.locator("option:not([hidden])").all_inner_texts()
    assert not [words for words in offered if words.endswith(("(C)", "(D)", "(E)"))], offered  # no spoils of B
    taken.select_option("Tukhachevsky")
    taken.select_option("PM")
    form.get_by_role("button", name="Write this order").click()
    expect(page.locator("#orders")).to_have_value("PURGE B WITH E USING 3 PM DIVIDE A 2, E 1 TAKING Tukhachevsky, PM")
    form.get_by_label("Markers you assign").select_option("2")
    form.get_by_role("button", name="Write this order").click()
    expect(page.locator("#orders")).to_have_value("PURGE B WITH E USING 2 PM DIVIDE A 2, E 1 TAKING Tukhachevsky, PM")
    expect(page.locator("#checks .order")).to_have_count(1)
    expect(page.locator("#checks .order.problem")).to_have_count(0)


def test_the_map_moves_by_keyboard_and_buttons(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "D")
    picture = page.locator("#map svg.km-map")
    before = picture.get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    closer = picture.get_attribute("viewBox")
    assert closer != before
    picture.focus()
    page.keyboard.press("ArrowRight")
    assert picture.get_attribute("viewBox") != closer
    page.keyboard.press("0")
    assert float((picture.get_attribute("viewBox") or "").split()[2]) >= 1400


def test_everything_can_be_typed_without_a_script(scriptless: Page, site: Site) -> None:
    page = scriptless
    page.goto(f"{site.base}/in")
    page.get_by_label("The link from the mail").fill(site.link(JUNE, "E"))
    page.get_by_role("button", name="Sit down").click()
    expect(page).to_have_url(re.compile("/desk$"))
    page.locator("#orders").fill("MOVE Frunze, RU4 VLDM: VLDM-TVER-PSKO\nMOVE Gay: NOVG-PSKO\nnonsense")
    page.get_by_role("button", name="Check only").click()
    expect(page.locator("#checks")).to_contain_text("MOVE Frunze, RU4 VLDM: VLDM-TVER-PSKO")
    expect(page.locator("#checks .order.problem").first).to_be_visible()
    page.get_by_role("button", name="Save orders").click()
    expect(page.get_by_role("heading", name=re.compile("On file"))).to_be_visible()


def test_a_letter_reaches_the_other_player(page: Page, site: Site) -> None:
    sit(page, site, JUNE, "A")
    page.goto(f"{site.base}/c/{JUNE}/letters")
    page.get_by_role("checkbox", name="B Boris").check()
    page.get_by_label("Subject").fill("Pskov")
    page.locator("#text").fill("Shall we purge E together?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".flash")).to_contain_text("on its way to B")
    page.goto(site.link(JUNE, "B"))
    page.goto(f"{site.base}/c/{JUNE}/letters")
    expect(page.get_by_text("Shall we purge E together?").first).to_be_visible()
