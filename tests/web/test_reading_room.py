"""The reading room: issues as they were printed, the map at any Phase, the feed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation
from gm.campaign.phase import publishing, rollback
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.reads.rulings import rulings
from gm.campaign.services import Services
from gm.store.repositories import campaigns
from gm.web import primer
from gm.web.app import create_app
from gm.web.pages import as_printed
from tests.web.table import OPEN, Browser, people, play

Make = Callable[[], Browser]


def test_an_issue_that_announces_a_phase_does_not_show_how_it_went(browser: Make, table: Services) -> None:
    play(table, "first")
    reader = browser()
    announced, reported = (reader.get(f"/c/{OPEN}/bells/{n}").text for n in (2, 3))
    assert announced.count("km-case") < reported.count("km-case")  # the legend has one; every move has its own


def test_an_issue_keeps_its_map_when_its_phase_is_played_again(browser: Make, table: Services) -> None:
    play(table, "first")
    reader = browser()
    before = reader.get(f"/c/{OPEN}/bells/3").text
    rollback.rollback(table, OPEN, 1, "first", "A slip of the pen.")
    ticker.tick(table)
    erratum = reader.get(f"/c/{OPEN}/bells/4")
    assert "A slip of the pen." in erratum.text
    again = reader.get(f"/c/{OPEN}/bells/3").text
    for text in (before, again):
        assert 'data-province="LIVO" data-color="red" data-owner="A"' in text  # Lenin stood there


def test_the_page_of_an_issue_leads_to_its_neighbours_and_plain_forms(browser: Make, table: Services) -> None:
    play(table, "first")
    reader = browser()
    page = reader.get(f"/c/{OPEN}/bells/3").text
    assert f'href="/c/{OPEN}/bells/2"' in page
    assert f'href="/c/{OPEN}/bells/4"' not in page
    assert reader.get(f"/c/{OPEN}/bells/3.txt").text.count("PETR") > 1
    for number in (1, 4):  # the game was taken over with issue 2
        assert reader.get(f"/c/{OPEN}/bells/{number}").status_code == 404
        assert "The archive lists those there are." in reader.get(f"/c/{OPEN}/bells/{number}.txt").text
    assert f'href="/c/{OPEN}/bells/1"' not in reader.get(f"/c/{OPEN}/bells/2").text


def top(page: str) -> str:
    """The head of a page, whichever page it is."""
    (found,) = re.findall(r'<header class="top">.*?</header>', page, re.DOTALL)
    return str(found).replace(' aria-current="page"', "")


def test_an_issue_stands_under_the_head_of_every_page_and_stays_as_it_was_printed(
    browser: Make, table: Services
) -> None:
    """Once it had the campaign's menu alone: no way to one's seats, and none to sit down while trying out."""
    play(table, "first")
    for demo in (False, True):
        changed = replace(table, settings=replace(table.settings, demo=demo))
        app = create_app(changed)
        for seat in ("", "A", "GM"):
            reader = Browser(app, changed)
            reader = reader.sit(OPEN, seat) if seat else reader
            page = reader.get(f"/c/{OPEN}/bells/3").text
            issue, archive = top(page), top(reader.get(f"/c/{OPEN}/bells").text)
            assert ("To your desk</a> ·" in page) is (seat != "GM")  # who only leads the game has none
            assert issue == archive
            assert ('<p class="trying">' in issue) is ('href="/try"' in issue) is ('href="/mailbox"' in issue) is demo
            assert (f'href="/c/{OPEN}/desk"' in issue) is (seat == "A")
            assert (f'href="/gm/c/{OPEN}"' in issue) is (seat == "GM")
            assert ("Sign out" in issue) is bool(seat)
    kept = lookups.bell(table, OPEN, 3)
    assert '<div class="top">' not in kept.html


def test_the_archive_and_the_feed_have_a_new_issue_at_once(browser: Make, table: Services) -> None:
    """They are kept while nothing is printed, and only so long."""
    reader = browser()
    pages = [f"/c/{OPEN}/bells", f"/c/{OPEN}", f"/c/{OPEN}/feed.atom"]
    assert all("#3" not in reader.get(page).text for page in pages)
    play(table, "first")
    assert all("#3" in reader.get(page).text for page in pages)


def test_every_ruling_and_what_each_order_can_come_to_is_on_its_page(browser: Make) -> None:
    page = browser().get("/rulings").text
    for section in rulings():
        assert section.title in page
        assert as_printed(section.text[:60]) in unescape(page)
        assert all(f'id="{ruling.number}"' in page for ruling in section.items)


def test_the_map_of_every_phase_is_there_and_of_the_open_one_only_its_beginning(browser: Make, table: Services) -> None:
    play(table, "first")
    reader = browser()
    assert "km-case" in reader.get(f"/c/{OPEN}/map/1/first.svg").text
    assert reader.get(f"/c/{OPEN}/map/1/second.svg").status_code == 404
    assert reader.get(f"/c/{OPEN}/map/1/now.svg").status_code == 200
    frames = reader.get(f"/api/v1/campaigns/{OPEN}/timeline").json()["frames"]
    assert [(f["turn"], f["phase"], f["bell"]) for f in frames] == [(1, "first", 3)]


def test_the_feed_is_well_formed_and_lists_the_newest_first(browser: Make, table: Services) -> None:
    play(table, "first")
    root = ElementTree.fromstring(browser().get(f"/c/{OPEN}/feed.atom").text)
    atom = "{http://www.w3.org/2005/Atom}"
    titles = [entry.findtext(f"{atom}title") or "" for entry in root.findall(f"{atom}entry")]
    assert [title.split()[0] for title in titles] == ["#3", "#2"]


def test_standings_are_drawn_and_listed(browser: Make, table: Services) -> None:
    play(table, "first")
    page = browser().get(f"/c/{OPEN}/standings").text
    assert page.count("<polyline") == 10
    assert "If Red wins" in page


def own_box(page: str) -> list[str]:
    """What stands in the box that is one player's own."""
    found = re.search(r'<section class="own".*?</section>', page, re.DOTALL)
    return [unescape(item) for item in re.findall(r"<li>([^<]*)</li>", found[0])] if found else []


def test_a_player_who_is_signed_in_reads_what_became_of_their_orders_as_in_the_mail(
    browser: Make, table: Services
) -> None:
    play(table, "first")
    mails = {mail.letter: " ".join(mail.text.split()) for mail in outbox.listing(table, OPEN) if "#3" in mail.text}
    for letter in "AE":
        page = browser().sit(OPEN, letter).get(f"/c/{OPEN}/bells/3").text
        box = own_box(page)
        assert len(box) > 3 and any(line.startswith("If the war ended now") for line in box)
        assert all(line in mails[letter] for line in box), box
    orders = re.search(r'<section class="own".*?</section>', page, re.DOTALL)
    assert orders is not None and "COUNTERPURGE STRONGEST" in orders[0] and f'href="/c/{OPEN}/desk"' in orders[0]
    assert own_box(browser().get(f"/c/{OPEN}/bells/3").text) == []
    assert own_box(browser().sit(OPEN, "GM").get(f"/c/{OPEN}/bells/3").text) == []


def test_times_name_their_zone_and_it_is_the_readers_own_where_known(browser: Make, table: Services) -> None:
    play(table, "first")
    for path in (f"/c/{OPEN}", f"/c/{OPEN}/bells"):
        assert re.search(r"\d\d:\d\d UTC", browser().get(path).text)
        assert re.search(r"\d\d:\d\d CES?T", browser().sit(OPEN, "A").get(path).text)
    due = re.search(r'<p class="due">.*?</p>', browser().sit(OPEN, "A").get(f"/c/{OPEN}/bells/3").text, re.DOTALL)
    assert due is not None and "Europe/Berlin" in due[0] and "UTC" in due[0]


def test_before_the_first_phase_the_standings_tell_how_the_opening_stands(browser: Make, table: Services) -> None:
    """Once the page said only that no Phase has been published."""
    page = browser().get(f"/c/{OPEN}/standings").text
    worked = dict(primer.worked().all)
    assert "The opening, before June 1918, First Phase" in page
    assert all(f"{p.red} / {p.white}" in page for p in worked.values())
    play(table, "first")
    assert "The opening" not in browser().get(f"/c/{OPEN}/standings").text


def test_the_charts_of_the_standings_tell_two_phases_of_a_month_apart(browser: Make, table: Services) -> None:
    play(table, "first")
    play(table, "second")
    ticks = re.findall(r'<text class="tick"[^>]*>([^<]*)</text>', browser().get(f"/c/{OPEN}/standings").text)
    assert ticks == ["June 1918", "Second Phase"] * 2


def test_before_the_deal_neither_desk_nor_standings_count_points_that_nobody_has(
    browser: Make, table: Services
) -> None:
    creation.create(table, name="New", players=people("new"), gm_name="Gregor", gm_address="gm@new.test", id="new")
    anna = browser().sit("new", "A")
    assert "Nothing has been dealt yet" in anna.get("/c/new/standings").text
    assert "If the war ended now" not in anna.get("/c/new/desk").text
    creation.deal(table, "new", force=True)
    ticker.tick(table)
    assert "If the war ended now" in anna.get("/c/new/desk").text
    assert "Nothing has been dealt yet" not in anna.get("/c/new/standings").text


ZONED = re.compile(r"(?<![\d:.T+])([012]\d:[0-5]\d)(?![\d:])(?! =)\s*(\S*)")  # not what says its offset itself


def test_every_time_on_a_page_names_its_zone(browser: Make, table: Services) -> None:
    play(table, "first")
    for seat in ("A", "GM"):
        reader = browser().sit(OPEN, seat)
        reader.post(f"/c/{OPEN}/letters", {"to": ["B"], "text": "Shall we?"})
        reader.post(f"/c/{OPEN}/orders", {"orders": "COUNTERPURGE STRONGEST"})
        own = ["", "/bells", "/bells/3", "/desk", "/letters", "/seat", "/orders", "/standings", "/fairness"]
        pages = ["/", "/seats", *(f"/c/{OPEN}{path}" for path in own)]
        pages += ["/gm", *(f"/gm/c/{OPEN}{path}" for path in ("", "/mail", "/audit"))] if seat == "GM" else []
        seen = 0
        for path in pages:
            text = re.sub(r"<(script|style|pre|svg).*?</\1>|<[^>]+>", " ", reader.get(path).text, flags=re.DOTALL)
            for found in ZONED.finditer(text):
                seen += 1
                assert re.match(r"UTC|CES?T|\(?Europe/|\(?UTC", found[2]), (
                    path,
                    text[found.start() - 60 : found.end()],
                )
        assert seen > 8, seat


def test_no_name_or_headline_breaks_a_feed_or_a_subject(browser: Make, table: Services) -> None:
    campaign = creation.create(
        table,
        name="Ev\x01\x0b\ufffe\U0001ffff\nBcc: x@evil.example",
        paper="The\x0bBell\u2028of\ufdd0Kiev",
        players=[NewPlayer(f"{n}\n\x02x", f"{n.lower()}@x.test") for n in ("Xenia", "Yuri", "Zoya")],
        gm_name="Gm\r\nX: y",
        gm_address="gm@x.test",
        options={"public": True},
    )
    state = lookups.state(table, campaign)
    assert (state.name, state.paper, state.gm_name) == ("Ev Bcc: x@evil.example", "The Bell of Kiev", "Gm X: y")
    assert state.seat("A").name == "Xenia x"
    assert all(mail.subject.isprintable() for mail in outbox.listing(table, campaign))
    creation.deal(table, campaign, force=True)
    with table.store.write() as session:  # as it was kept before names were cleaned
        row = campaigns.get(session, campaign)
        assert row is not None
        row.name = "Ev\x01\ufffe"
    ticker.tick(table, "test")
    publishing.set_draft(table, campaign, headline="A\x0bB\ufffe\nC", actor="GM")
    assert lookups.state(table, campaign).headline == "A B C"
    feed = browser().get(f"/c/{campaign}/feed.atom").text
    assert "\x01" not in feed and "\ufffe" not in feed
    ElementTree.fromstring(feed)
