"""A game for one person on the web: desk, Bells and proofs serve it as they serve any other campaign."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from msgspec import structs

from gm.adjudicator.solitaire.sequence import opening
from gm.board.load import standard_board
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.campaign.solo import solitaire
from gm.position import Phase, Position, Stack
from gm.web.desk.alone import dangers, deployment
from gm.web.desk.form_choices import desk_view
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


def test_the_first_page_of_the_game_says_what_has_happened_and_what_is_to_do(anna: Browser) -> None:
    page = anna.get(f"{C}/steps/1").text
    assert page.index("You are Red.") < page.index("deploy Leaders, lead your forces") < page.index("Step 1 of")
    assert "You are Red." not in anna.get(f"{C}/steps/1?at=2").text


@pytest.mark.parametrize("contested", [True, False])
def test_the_news_state_the_rules_of_this_game_and_of_no_other(
    browser: Callable[[], Browser], table: Services, contested: bool
) -> None:
    player = NewPlayer("Anna Ivanova", "anna@alone.test")
    solitaire.begin(table, player, name="Alone", id="alone", contested=contested, actor="R")
    page = browser().sit("alone", "R").get(C).text
    for strange in ("shuffled together", "vote for the end", "There is no last Game-Turn", "not the shorter one"):
        assert strange not in page, strange
    assert "There are 7 Game-Turns" in page and "nothing that is not Red is left in Greater Russia" in page
    assert ("[28.13, S20]" in page) == contested


GAME = opening(contested=True)
NAMED = {p.name: p for p in standard_board().pieces.values() if p.is_leader}


def at_war(*stacks: Stack, **alone: object) -> Position:
    """A First Phase with these stacks."""
    state = structs.replace(GAME.solitaire, **alone) if GAME.solitaire else None
    return structs.replace(GAME, phase=Phase.FIRST, turn=1, stacks=stacks, solitaire=state)


def test_where_nobody_may_be_deployed_the_desk_says_why() -> None:
    lenin = Stack("PETR", "R", (NAMED["Lenin"],))
    suspended = at_war(lenin, reserve=(NAMED["Frunze"],))
    assert deployment(suspended, suspended).startswith("Trotsky fell: in this Game-Turn no Leader may be deployed")
    both = at_war(reserve=(NAMED["Frunze"],))
    assert deployment(both, both).startswith("Lenin and Trotsky fell")
    two = at_war(lenin, reserve=(NAMED["Frunze"], NAMED["Stalin"]), deployable=2)
    assert deployment(two, two) == "2 of these may be deployed."
    assert deployment(two, at_war(lenin, reserve=())) == "All Leaders who may be deployed in this Game-Turn are."
    assert deployment(at_war(lenin), at_war(lenin)) == "No Leader waits to be deployed."


def test_what_the_desk_says_of_deploying_does_not_contradict_itself() -> None:
    lenin = Stack("PETR", "R", (NAMED["Lenin"],))
    for number in (0, 2):
        position = at_war(lenin, reserve=(NAMED["Frunze"], NAMED["Stalin"]), deployable=number)
        assert desk_view(standard_board(), position, "R").deployable == bool(number)


def test_a_capital_that_would_be_lost_is_told_before_the_game_turn_ends() -> None:
    """Once the game was lost in the first Game-Turn, and nothing said beforehand or afterwards why."""
    board = standard_board()
    white, red = Stack("TVER", "W", (NAMED["Krasnov"],)), Stack("TVER", "R", (NAMED["Frunze"],))
    told = dangers(board, at_war(white))
    assert len(told) == 1 and told[0].startswith("TVER Tver is lost: enemies of strength 1 stand in it, and no Red")
    assert dangers(board, at_war(white, red)) == []
    assert len(dangers(board, at_war(white, red, contested=False))) == 1
    assert dangers(board, structs.replace(at_war(white), phase=Phase.FINISHED)) == []


def test_the_end_says_which_capital_was_lost(anna: Browser, table: Services) -> None:
    for _ in range(30):
        if solitaire.game(table, "alone").result:
            break
        desk = anna.get(f"{C}/desk").text
        anna.post(f"{C}/orders", {"orders": "", "ends": "true"})
    assert solitaire.game(table, "alone").result == "white"
    why = re.compile(r"pieces that are not Red, of strength \d+, stood (?:at|in) [^.]*, and no Red one")
    assert re.search(r"<p class=\"note warn\">\w{4} \w+ is lost: enemies", desk)
    assert why.search(anna.get(f"{C}/end").text)
    number = lookups.latest_bell(table, "alone").number  # type: ignore[union-attr]
    assert why.search(anna.get(f"{C}/bells/{number}").text)


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
