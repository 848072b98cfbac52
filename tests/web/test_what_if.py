"""The what-if room on the web: own orders tried, nothing filed, nobody else's orders used."""

from __future__ import annotations

import re
from collections.abc import Callable

from gm.campaign.phase import intake
from gm.campaign.services import Services
from gm.web import primer
from gm.web.sample import orders_of_1976
from tests.web.table import OWN, Browser

ORDERS = orders_of_1976("first")


def test_a_player_tries_orders_and_nothing_is_filed(browser: Callable[[], Browser], table: Services) -> None:
    anna = browser().sit(OWN, "A")
    page = anna.post(f"/c/{OWN}/what-if", {"orders": ORDERS["A"], "times": "20"}).text
    assert "What came of 20 plays" in page and "Done every time." in page
    assert "A Bell as it might read" in page and "if Red wins" in page
    had = primer.worked().red + primer.worked().white
    lost = rf"On average you lose \d+\.\d strength points? of your own Leaders and units \(of {had} that"
    assert re.search(lost, page)
    assert re.search(r"pieces of others worth \d+\.\d strength points? come into your box", page)
    assert intake.current_orders(table, OWN, "A") is None
    assert not intake.versions(table, OWN, "A")
    once = anna.post(f"/c/{OWN}/what-if", {"orders": ORDERS["A"], "times": "1"}).text.split("A Bell as it might")[0]
    assert "What came of 1 play<" in once and ">after it</th>" in once and "You lost " in once
    assert not re.search(r"[Aa]verage|mostly|every time|\d%|\d\.\d</td>", once)


def test_the_room_knows_nobody_elses_sealed_or_filed_orders(browser: Callable[[], Browser], table: Services) -> None:
    """What B has on file makes no difference, were it the end of A's army: only what A guesses does."""
    anna = browser().sit(OWN, "A")
    intake.submit(table, OWN, "B", ORDERS["B"], source="web")
    tried = {"orders": ORDERS["A"], "times": "1", "seat": ["B"], "guess": [""]}
    theirs = ORDERS["B"].strip().split("\n")[0][:24]
    assert theirs not in anna.post(f"/c/{OWN}/what-if", tried).text
    assert theirs in anna.post(f"/c/{OWN}/what-if", tried | {"guess": [ORDERS["B"]]}).text


def test_only_the_holder_of_a_seat_comes_in(browser: Callable[[], Browser]) -> None:
    assert browser().get(f"/c/{OWN}/what-if").status_code == 303
    assert browser().sit(OWN, "GM").post(f"/c/{OWN}/what-if", {"orders": ""}).status_code == 403


def test_a_guess_for_nobody_is_refused_in_words(browser: Callable[[], Browser]) -> None:
    page = browser().sit(OWN, "A").post(f"/c/{OWN}/what-if", {"orders": "", "seat": ["Z"], "guess": ["RESIGN"]})
    assert page.status_code == 200 and "there is no player Z" in page.text


def test_a_guess_that_cannot_be_read_is_named(browser: Callable[[], Browser]) -> None:
    tried = {"orders": "", "times": "1", "seat": ["B", "C"], "guess": ["MOVE Nobody: HERE", "HOLD"]}
    page = browser().sit(OWN, "A").post(f"/c/{OWN}/what-if", tried).text
    told = "Not understood of what you typed for B Boris, and left out: <code>MOVE Nobody: HERE</code>"
    assert told in page and page.count("Not understood") == 1


def test_orders_that_were_tried_go_to_the_desk_and_stay_there_unsent(
    browser: Callable[[], Browser], table: Services
) -> None:
    anna = browser().sit(OWN, "A")
    page = anna.post(f"/c/{OWN}/what-if", {"orders": ORDERS["A"], "times": "1"}).text
    assert f'formaction="/c/{OWN}/orders" name="check" value="true">Take these orders to the desk' in page
    better = "MOVE Lenin, RU8 PETR: PETR-PSKO"
    taken = anna.post(f"/c/{OWN}/orders", {"orders": better, "check": "true", "times": "1", "standins": "true"})
    assert taken.status_code == 200 and better in taken.text
    desk = anna.get(f"/c/{OWN}/desk").text
    assert better in desk and "What you typed last is not sent yet" in desk
    assert intake.current_orders(table, OWN, "A") is None
