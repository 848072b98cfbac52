"""A game for one person on the web: desk, Bells and proofs serve it as they serve any other campaign."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services
from gm.campaign.solo import solitaire
from gm.position import Phase
from tests.web.table import Browser

C = "/c/alone"


@pytest.fixture
def anna(browser: Callable[[], Browser], table: Services) -> Browser:
    player = NewPlayer("Anna Ivanova", "anna@alone.test")
    fixed = replace(table, entropy=lambda number: b"7" * number)  # the first dice leave Lenin where he is
    solitaire.begin(fixed, player, name="Alone", id="alone", contested=True, actor="R")
    return browser().sit("alone", "R")


def test_every_page_of_the_game_answers(anna: Browser) -> None:
    pages = ["", "/desk", "/orders", "/bells/1", "/fairness", "/map", "/letters", "/seat", "/gm", "/archive"]
    answers = {page: anna.get(f"{C}{page}").status_code for page in pages}
    assert {page: code for page, code in answers.items() if code >= 500} == {}
    assert answers["/desk"] == 200


def test_a_sheet_sent_from_the_desk_is_played(anna: Browser, table: Services) -> None:
    assert "Play the sheet" in anna.get(f"{C}/desk").text
    answer = anna.post(f"{C}/orders", {"orders": "STACK PETR: Lenin, RU8 PETR"})
    assert answer.headers["location"] == f"{C}/desk"  # nothing was rolled: on to the attacks
    assert solitaire.game(table, "alone").phase is Phase.SECOND
    assert anna.get(f"{C}/desk").status_code == 200
    assert "was not understood" in anna.post(f"{C}/orders", {"orders": "ATTACK nobody"}, follow=True).text


def test_the_desk_offers_no_order_that_this_game_does_not_know(anna: Browser) -> None:
    page = anna.get(f"{C}/desk").text
    assert "<summary>Restack</summary>" in page
    for words in ("Assassinate", "Purge", "Trade", "Vote on ending", "in your box", "Absence, extension"):
        assert words not in page, words


def test_the_maps_slider_stops_at_every_step_of_every_part_of_a_sheet(anna: Browser) -> None:
    """An attack that is played to see its result, then the rest: both parts are the Second Phase of June."""
    anna.post(f"{C}/orders", {"orders": "MOVE Lenin, RU8 PETR: PETR-FINL"})
    anna.post(f"{C}/orders", {"orders": "ATTACK GU6 FINL IN FINL WITH Lenin"})
    anna.post(f"{C}/orders", {"orders": "", "ends": "true"})
    page = anna.get(f"{C}/map").text
    frames = re.findall(r'<option value="(\d+)/(\d+)" data-words="([^"]*)"[^>]*>([^<]*)<', page)
    fought = [words for bell, _, words, _ in frames if bell == "3"]
    assert re.search(r"Finland: .* A die of \d: .* [\u2680-\u2685]$", fought[0])
    assert frames[-1][0] == "4" and frames[-1][3].startswith("June 1918, Second Phase (#4), step ")
    assert {bell: max(int(at) for b, at, *_ in frames if b == bell) for bell, *_ in frames}.keys() == {
        "1",
        "2",
        "3",
        "4",
    }
    assert anna.get(f"{C}/map?at=3/1").text.count('data-src="/c/alone/steps/3/1.svg"') == 1
    assert all(anna.get(f"{C}/steps/{bell}/{at}.svg").status_code == 200 for bell, at, *_ in frames[-3:])
