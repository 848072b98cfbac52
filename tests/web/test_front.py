"""The front page has three doors; My seats says what there is to do; The Bell's deadline leads to desk and map."""

from __future__ import annotations

import re
from collections.abc import Callable

from gm.campaign.mailbox import letters
from gm.campaign.reads import lookups
from gm.campaign.seats import proposals
from gm.campaign.services import Services
from gm.web import primer
from gm.web.pages import when
from tests.web.table import OPEN, OWN, Browser, play

Make = Callable[[], Browser]
LENIN = "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"


def test_the_front_page_offers_to_start_to_play_and_to_read(browser: Make) -> None:
    page = browser().get("/").text
    assert re.findall(r'<h2 id="(\w+)"', page) == ["play", "start", "read"]
    for address in ("/in", "/gm/new", f"/c/{OPEN}", "/how-to-play", "/rules"):
        assert f'href="{address}"' in page, address


def test_my_seats_tell_the_deadline_what_is_on_file_and_what_is_unread(browser: Make, table: Services) -> None:
    anna = browser().sit(OWN, "A")
    assert "No orders on file" in anna.get("/seats").text
    letters.add_letter(table, OWN, "B", ["A"], "Shall we purge E?")
    anna.post(f"/c/{OWN}/orders", {"orders": LENIN})
    for page in (anna.get("/seats").text, anna.get("/").text):
        assert "Version 1 on file" in page
        assert "1 unread letter" in page
        assert "data-countdown" in page and "proposal" not in page
    proposals.propose(table, OWN, "E", "PURGE B WITH A USING 5 PM DIVIDE A 1, E 1")
    for page in (anna.get("/seats").text, anna.get("/").text):
        assert f'href="/c/{OWN}/letters#offers"><strong>1 proposal waits for your answer' in page
    proposals.answer(table, OWN, "A", 1, agree=True)
    assert "waits for your answer" not in anna.get("/seats").text


def test_all_pages_name_the_same_deadline(browser: Make, table: Services) -> None:
    anna = browser().sit(OWN, "A")
    state = lookups.state(table, OWN)
    due = when(state.deadline, state.seat("A").zone)
    assert state.options.grace_hours > 0
    for path in ("/", "/seats", f"/c/{OWN}", f"/c/{OWN}/desk"):
        assert due in anna.get(path).text, path


def test_the_deadline_of_a_bell_leads_to_desk_and_map(browser: Make, table: Services) -> None:
    play(table, "first")
    page = browser().get(f"/c/{OPEN}/bells/3").text
    due = re.search(r'<p class="due">.*?</p>', page, re.DOTALL)
    assert due is not None
    assert f'href="/c/{OPEN}/desk"' in due[0] and f'href="/c/{OPEN}/map"' in due[0]


def test_the_points_of_the_worked_example_are_those_of_the_adjudicator(browser: Make) -> None:
    worked = primer.worked()
    assert (worked.red + 2 * worked.pm, worked.white) == (dict(worked.all)["A"].red, dict(worked.all)["A"].white)
    told = re.sub(r"<[^>]+>", "", browser().get("/how-to-play").text)
    assert f"{worked.red} + {worked.pm * 2} = {worked.red + worked.pm * 2}" in told


def test_the_odds_of_the_walk_are_those_of_the_desk_and_of_1976(browser: Make, table: Services) -> None:
    """Once the page promised 11:3 against somebody who is gone when it comes to fighting."""
    told = re.sub(r"<[^>]+>", "", browser().get("/how-to-play").text)
    anna = browser().sit(OPEN, "A")
    stacks = anna.get(f"/api/v1/campaigns/{OPEN}/desk").json()["stacks"]
    force = next(stack["pieces"] for stack in stacks if stack["pieces"][0]["name"] == "Lenin")
    pieces = ",".join(str(piece["code"]) for piece in force)
    march = anna.get(f"/api/v1/campaigns/{OPEN}/reach?pieces={pieces}&path=PETR-PSKO-LIVO").json()
    for odds, whom in (("11:2 = 5-1", "BU2 LIVO/GE"), ("11:3 = 3-1", "Yudenich")):
        assert odds in told and any(odds in fight and whom in fight for fight in march["fights"])
    play(table, "first")
    stacks = anna.get(f"/api/v1/campaigns/{OPEN}/desk").json()["stacks"]
    here = {piece["name"]: stack["province"] for stack in stacks for piece in stack["pieces"]}
    assert (here["Lenin"], here["Yudenich"]) == ("LIVO", "COUR")


def test_the_news_name_the_phase_that_the_issue_reports_and_the_one_that_is_open(
    browser: Make, table: Services
) -> None:
    play(table, "first")
    page = browser().get(f"/c/{OPEN}").text
    assert re.search(r'<p class="dateline">The Bell · Issue #3 · June 1918, First Phase</p>', page)
    assert "<dt>Now open</dt><dd>June 1918, Second Phase</dd>" in page


def test_a_receipt_heads_with_the_truth_and_echoes_press(browser: Make) -> None:
    anna = browser().sit(OWN, "A")
    sheet = f"{LENIN}\nnonsense\nPRESS All quiet.\nEND"
    page = anna.post(f"/c/{OWN}/orders", {"orders": sheet}, follow=True).text
    assert re.search(r"<h1[^>]*>On file: 1 of 2 lines. One was NOT UNDERSTOOD.</h1>", page)
    assert "All quiet." in page
    page = anna.post(f"/c/{OWN}/orders", {"orders": LENIN}, follow=True).text
    assert re.search(r"<h1[^>]*>Your order is on file.</h1>", page)
    assert "All quiet." not in anna.get(f"/c/{OWN}/letters").text  # a sheet without it withdraws it


def test_press_that_waits_can_be_withdrawn_by_who_wrote_it(browser: Make) -> None:
    anna, boris = browser().sit(OWN, "A"), browser().sit(OWN, "B")
    anna.post(f"/c/{OWN}/press", {"text": "The Neva is frozen."})
    number = re.search(r'name="number" value="(\d+)"', anna.get(f"/c/{OWN}/letters").text)
    assert number is not None
    assert boris.post(f"/c/{OWN}/press/withdraw", {"number": number[1]}).status_code == 409
    assert "frozen" in anna.get(f"/c/{OWN}/letters").text
    anna.post(f"/c/{OWN}/press/withdraw", {"number": number[1]})
    assert "frozen" not in anna.get(f"/c/{OWN}/letters").text


def test_what_was_typed_is_for_the_same_player_only(browser: Make) -> None:
    anna, boris = browser().sit(OWN, "A"), browser().sit(OWN, "B")
    assert anna.json(f"/api/v1/campaigns/{OWN}/orders/unsent", {"text": "VOTE END"}).json() == {"kept": True}
    assert "VOTE END" in anna.get(f"/c/{OWN}/desk").text
    assert "VOTE END" not in boris.get(f"/c/{OWN}/desk").text
    assert "VOTE END" not in browser().sit(OWN, "GM").get(f"/gm/c/{OWN}/orders").text
    anna.post(f"/c/{OWN}/orders", {"orders": LENIN})
    assert "VOTE END" not in anna.get(f"/c/{OWN}/desk").text
