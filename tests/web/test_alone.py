"""Games of one person on the web: begun at a press where one tries out, by a link in a mail on an installed service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest
from msgspec import structs

from gm.board.load import standard_board
from gm.campaign.mailbox import outbox
from gm.campaign.manage.creation import seat_players
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups, summaries
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.campaign.solo import against_standins, solitaire
from gm.errors import Invalid, NotNow
from gm.position import Phase
from gm.standin import solitaire_red as red
from gm.web import sample
from gm.web.app import create_app
from gm.web.guard.limits import Limiter
from gm.whatif.process import WhatIfRoom
from gm.whatif.question import Answer, Question
from tests.web.table import Browser


def at(services: Services, **settings: object) -> Browser:
    changed = replace(services, settings=replace(services.settings, **settings))
    return Browser(create_app(changed, limiter=Limiter(factor=1000)), changed)


@pytest.fixture
def visitor(table: Services) -> Browser:
    return at(table, demo=True)


def begin(visitor: Browser, **form: object) -> str:
    answer = visitor.post("/alone", form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).split("/")[2]


def test_where_one_tries_out_the_page_says_where_the_mails_are(visitor: Browser) -> None:
    page = " ".join(visitor.get("/try").text.split())
    assert 'wherever a page says that a mail is on its way, it is in the <a href="/mailbox">mailbox</a>' in page


def test_against_stand_ins_no_proposal_can_be_made_and_so_none_plays_the_phase(visitor: Browser) -> None:
    campaign = begin(visitor, game="campaign", letter="A", commanders="0", name="Anna Ivanova")
    before = lookups.state(visitor.services, campaign)
    page = visitor.get(f"/c/{campaign}/letters").text
    assert "Stand-ins read no letters and strike no bargains" in page and "Hand it in" in page
    assert "Offer this" not in page and "won by letters" not in page and "Write a letter" not in page
    desk = visitor.get(f"/c/{campaign}/desk").text
    assert "Stand-ins join nobody’s Purge" in desk and 'name="partners"' not in desk and "a proposal" not in desk
    assert "Stand-ins strike no bargains. They take gifts" in desk and "purge</a> with others" not in desk
    visitor.post(f"/c/{campaign}/proposals", {"order": "GIVE 1 PM TO B FOR 1 PM"})
    after = lookups.state(visitor.services, campaign)
    assert (after.turn, after.phase, after.phase_state) == (before.turn, before.phase, before.phase_state)


def test_with_a_last_game_turn_how_one_wins_leads_to_the_rules_of_the_house(visitor: Browser) -> None:
    campaign = begin(visitor, game="campaign", letter="A", commanders="0", name="Anna Ivanova")
    assert f'<a href="/c/{campaign}#house">how one wins</a>' in visitor.get(f"/c/{campaign}/desk").text
    page = visitor.get(f"/c/{campaign}").text
    assert "The last Game-Turn [H3] is number 6" in page.split('<h2 id="house">')[1]


def test_a_campaign_against_four_stand_ins_is_played_to_its_last_bell(visitor: Browser) -> None:
    assert "November is the last Game-Turn" in visitor.get("/alone").text
    campaign = begin(visitor, game="campaign", letter="C", commanders="0", name="Anna Ivanova")
    names = [seat.name for seat in lookups.state(visitor.services, campaign).seats]
    assert names == ["Akimov", "Belsky", "Anna Ivanova", "Durnov", "Ermakov"]
    presses = 0
    for presses in count(1):
        desk = visitor.get(f"/c/{campaign}/desk").text
        assert "Play the Phase" in desk and "with a Red victory (rank" in desk
        assert f"(Game-Turn {(presses + 1) // 2} of 6)" in desk
        assert ("This is the last Game-Turn" in desk) == (presses > 10)
        told = visitor.post(f"/c/{campaign}/orders", {"orders": ""}).headers["location"]
        if told.endswith("/end"):
            break
        bell = visitor.get(told).text
        assert f'href="/c/{campaign}/desk"' in bell and "Play on" in bell
        assert "If the war ended now" in bell  # the box of one's own, as in the mail
        assert "As soon as it is there, it is played" in bell
    assert visitor.get(f"/c/{campaign}/steps/3").status_code == 200
    assert presses == 12  # six Game-Turns
    end = visitor.get(f"/c/{campaign}/end").text
    assert "The war is over" in end and "Anna Ivanova (“C”)" in end and "fanatic, fanatic, fanatic, fanatic" in end
    assert re.search(r"rank \d with \d+ points", end)
    assert visitor.get(f"/c/{campaign}/desk").headers["location"] == f"/c/{campaign}/end"
    last = re.search(rf'href="/c/{campaign}/bells/(\d+)">The last Bell', end)
    assert last is not None
    for number in (last[1], 3):  # nothing is left to play on
        bell = visitor.get(f"/c/{campaign}/bells/{number}").text
        assert "Play on" not in bell and f'href="/c/{campaign}/end"' in bell


def test_the_game_against_the_whites_is_played_to_its_last_page(visitor: Browser) -> None:
    campaign = begin(visitor, game="solitaire", contested="true")
    services = visitor.services
    while (position := summaries.position(services, campaign)).phase is not Phase.FINISHED:
        sheet = red.sheet(standard_board(), position).printed()
        told = visitor.post(f"/c/{campaign}/orders", {"orders": sheet}).headers["location"]
        assert visitor.get(told).status_code == 200
    end = visitor.get(f"/c/{campaign}/end").text
    assert "How near it was" in end and "contested (S20)" in end
    again = begin(visitor, game="solitaire")
    assert {game.campaign for game in solitaire.games_of(services, "you@players.example")} == {again, campaign}


def test_the_whites_turn_is_gone_through_step_by_step(visitor: Browser) -> None:
    campaign = begin(visitor, game="solitaire")
    first = visitor.get(f"/c/{campaign}/steps/1").text
    assert "Step 1 of" in first and "Next →" in first
    steps = int(re.search(r"Step 1 of (\d+)", first)[1])
    pages = [visitor.get(f"/c/{campaign}/steps/1?at={n}").text for n in range(1, steps + 1)]
    rolled = next(page for page in pages if re.search(r"rolled \d: [A-Z]+-", page))
    assert 'aria-label="Dice: ' in rolled and "← Back" in rolled
    assert "On to your orders" in pages[-1] and "Next →" not in pages[-1]
    everything = visitor.get(f"/c/{campaign}/steps/1?at=0").text
    assert everything.count("<li><a href=") >= steps
    n = pages.index(rolled) + 1
    assert "<svg" in visitor.get(f"/c/{campaign}/steps/1/{n}.svg").text
    assert visitor.get(f"/c/{campaign}/steps/1/{steps + 1}.svg").status_code == 404


def test_where_the_keeper_allows_nothing_nothing_is_offered(table: Services) -> None:
    nobody = at(table)
    assert "Play a campaign now" not in nobody.get("/").text
    assert nobody.get("/alone").status_code == 404
    assert nobody.post("/alone", {"game": "campaign"}).status_code == 404


def link_of(services: Services, address: str) -> str:
    mail = next(m for m in outbox.listing(services, None, None, 50) if m.address == address)
    return re.search(r"/in#(\S+)", mail.text)[1]


def test_on_an_installed_service_a_mail_brings_the_link_to_a_game_of_ones_own(table: Services) -> None:
    visitor = at(table, alone_seconds=60)
    assert "Play a campaign now" in visitor.get("/").text
    assert visitor.post("/alone", {"game": "campaign", "address": "no address"}).status_code == 422
    before = len(lookups.overview(table))
    answer = visitor.post("/alone", {"game": "campaign", "name": "Nadia", "address": "Nadia@new.test", "letter": "B"})
    assert answer.headers["location"] == "/alone"
    assert len(lookups.overview(table)) == before  # nothing begins before the link is followed
    token = link_of(table, "nadia@new.test")
    desk = visitor.post("/in", {"token": token}).headers["location"]
    assert visitor.get(desk).status_code == 200
    again = at(table, alone_seconds=60)
    assert again.post("/in", {"token": token}).headers["location"] == desk  # the same game, not another
    assert len(lookups.overview(table)) == before + 1
    stranger = at(table, alone_seconds=60)
    assert stranger.get(desk).status_code == 303
    assert stranger.post("/in", {"token": token[:-2] + "xx"}).status_code == 403


def test_the_link_that_began_a_game_ends_with_new_keys(table: Services) -> None:
    visitor = at(table, alone_seconds=60)
    visitor.post("/alone", {"game": "campaign", "name": "Nadia", "address": "nadia@new.test", "letter": "B"})
    token = link_of(table, "nadia@new.test")
    desk = visitor.post("/in", {"token": token}).headers["location"]
    visitor.post(desk.replace("/desk", "/keys"))
    thief = at(table, alone_seconds=60)
    refused = thief.post("/in", {"token": token})
    assert refused.status_code == 403 and "new keys" in refused.text
    assert thief.get(desk).status_code != 200


@pytest.mark.parametrize("letter", ["AB", "", "BC", "Z"])
def test_a_seat_that_is_none_begins_no_game(table: Services, letter: str) -> None:
    visitor = at(table, alone_seconds=60)
    form = {"game": "campaign", "name": "Nadia", "address": "nadia@new.test", "letter": letter}
    answer = visitor.post("/alone", form)
    if letter:
        assert answer.status_code == 422
        assert not [m for m in outbox.listing(table, None, None, 50) if m.address == "nadia@new.test"]
    else:  # a form without the field: the first seat
        desk = visitor.post("/in", {"token": link_of(table, "nadia@new.test")}).headers["location"]
        assert [seat.letter for seat in lookups.state(table, desk.split("/")[2]).seats] == list("ABCDE")
    player = NewPlayer("Nadia", "nadia@new.test")
    with pytest.raises(Invalid):
        against_standins.begin(table, player, name="Alone", letter=letter, actor="keeper")
    with pytest.raises(Invalid):  # nor one of several people
        seats = [NewPlayer("Nadia", "nadia@new.test", letter=letter or "AB")]
        seats += [NewPlayer(n, f"{n}@new.test", letter=n.upper()) for n in ("k", "l")]
        seat_players(table, "Together", seats if letter != "Z" else seats[:1], "gm@new.test", None)


def slow() -> Iterator[float]:
    return (10.0 * n for n in count())


def test_who_has_used_the_processor_time_of_the_day_goes_on_tomorrow(table: Services) -> None:
    ticks = slow()
    visitor = at(replace(table, processor=lambda: next(ticks)), alone_seconds=90)
    visitor.post("/alone", {"game": "solitaire", "name": "Nadia", "address": "nadia@new.test", "contested": "true"})
    where = visitor.post("/in", {"token": link_of(table, "nadia@new.test")}).headers["location"]
    campaign = where.split("/")[2]
    assert visitor.post(f"/c/{campaign}/orders", {"orders": ""}).status_code == 303
    refused = [visitor.post(f"/c/{campaign}/orders", {"orders": ""}, follow=True) for _ in range(8)][-1]
    assert "used their processor time for today" in refused.text
    table.clock.advance(hours=25)  # type: ignore[attr-defined]
    assert visitor.post(f"/c/{campaign}/orders", {"orders": ""}).status_code == 303


def test_the_mail_with_the_link_says_nothing_that_the_visitor_typed(table: Services) -> None:
    visitor = at(table, alone_seconds=60)
    evil = "Your account is locked: http://evil.example/unlock"
    visitor.post("/alone", {"game": "campaign", "name": evil, "address": "victim@new.test", "letter": "B"})
    (mail,) = [m for m in outbox.listing(table, None, None, 50) if m.address == "victim@new.test"]
    assert "evil" not in mail.subject + mail.text + mail.name


def test_what_is_tried_out_is_paid_for_from_the_time_of_the_day(table: Services) -> None:
    def room(question: Question, who: str) -> Answer:
        return structs.replace(WhatIfRoom().ask(structs.replace(question, times=1), who), seconds=50.0)

    visitor = at(replace(table, what_if=room), alone_seconds=90)
    visitor.post("/alone", {"game": "campaign", "name": "Nadia", "address": "nadia@new.test", "letter": "B"})
    where = visitor.post("/in", {"token": link_of(table, "nadia@new.test")}).headers["location"]
    campaign = where.split("/")[2]
    visitor.post(f"/c/{campaign}/orders", {"orders": ""})
    asked = [visitor.post(f"/c/{campaign}/what-if", {"orders": "", "times": "1"}).text for _ in range(3)]
    assert ["used up their time of today" in page for page in asked] == [False, False, True]


def test_all_games_of_one_person_that_are_played_from_one_address_share_an_hour_of_trying(table: Services) -> None:
    askers: list[str] = []

    def room(question: Question, who: str) -> Answer:
        askers.append(who)
        raise NotNow("whatif-often", "", "")

    visitor = at(replace(table, what_if=room), alone_seconds=90)
    for name in ("nadia", "olga"):
        address = f"{name}@new.test"
        visitor.post("/alone", {"game": "campaign", "name": name, "address": address, "letter": "B"})
        where = visitor.post("/in", {"token": link_of(table, address)}).headers["location"]
        visitor.post(f"/c/{where.split('/')[2]}/what-if", {"orders": "", "times": "1"})
    assert len(askers) == 2 and len(set(askers)) == 1


def test_at_the_table_of_1976_who_has_ordered_and_is_not_ready_is_named(table: Services) -> None:
    visitor = at(table, demo=True)
    sample.load(visitor.services)
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "A"})
    visitor.post(f"/c/{sample.CAMPAIGN}/orders", {"orders": "COUNTERPURGE STRONGEST", "ready": "true"})
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "E"})
    visitor.post(f"/c/{sample.CAMPAIGN}/orders", {"orders": "COUNTERPURGE STRONGEST", "wait": "true"})
    told = visitor.post("/try/others", follow=True).text
    assert "filed for B, C, D, and they are ready." in told and "has ordered, not ready" in told
    assert "You sit as Eric and are not ready" in told
    told = visitor.post("/try/others", follow=True).text
    assert "Nobody is missing." in told and "You sit as Eric and are not ready" in told


def test_at_the_table_of_1976_nobody_waits_for_an_empty_chair_that_agreed_to_a_proposal(table: Services) -> None:
    visitor = at(table, demo=True)
    sample.load(visitor.services)
    base = f"/c/{sample.CAMPAIGN}"
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "A"})
    visitor.post(f"{base}/proposals", {"order": "GIVE 1 PM TO D FOR 1 AM"})
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "D"})
    visitor.post(f"{base}/proposals/1", {"agree": "true"})
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "A"})
    visitor.post(f"{base}/ready", {"on": "true"})
    assert lookups.state(visitor.services, sample.CAMPAIGN).seats[3].ordered
    page = visitor.post("/try/others", follow=True).text
    assert "D had ordered already: those orders stay, and the seat is declared ready." in page
    assert '<button class="main">Print The Bell now' in page and "press “Print The Bell now”" in page
    desk = visitor.get(f"{base}/desk").text
    assert "all are in, and the next Bell is being set" in desk and '<a href="/try">Print it</a>' in desk
    number = intake.versions(visitor.services, sample.CAMPAIGN, "A")[-1].id
    receipt = visitor.get(f"{base}/orders/{number}").text
    assert "The Phase is closed now" in receipt and "You may send another" not in receipt


def things_to_try(visitor: Browser) -> str:
    return " ".join(visitor.get("/try").text.split("Three things to try")[1].split())


def test_the_things_to_try_fit_the_phase(table: Services) -> None:
    """They once sent newcomers to play the orders of 1976 in Phases of which none are known."""
    visitor = at(table, demo=True)
    sample.load(visitor.services)
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "A"})
    told = [things_to_try(visitor)]
    for _ in range(3):
        visitor.post("/try/others")
        visitor.post(f"/c/{sample.CAMPAIGN}/orders", {"orders": "COUNTERPURGE STRONGEST", "ready": "true"})
        visitor.post("/try/others")
        visitor.post("/try/print")
        told.append(things_to_try(visitor))
    assert ["click Lenin in Petrograd" in words for words in told] == [True, False, False, False]
    assert ["play the 1976 orders" in words for words in told] == [True, True, False, False]
    assert ["where you could attack" in words for words in told] == [False, True, False, True]
    assert ["lead that force somewhere safer" in words for words in told] == [False, False, True, False]


def test_while_a_phase_is_being_closed_the_table_says_so_and_looks_again(table: Services) -> None:
    visitor = at(table, demo=True)
    sample.load(visitor.services)
    state = lookups.state(visitor.services, sample.CAMPAIGN)
    assert "data-reload" not in visitor.get("/try").text
    for seat in state.seats:
        intake.submit(visitor.services, sample.CAMPAIGN, seat.letter, "HOLD", source="web", ready=True)
    page = visitor.get("/try").text
    assert "Everybody is ready: the Phase is being closed" in page and 'data-reload="3"' in page
    assert "Play the 1976 orders for the others" not in page.split("Three things")[0]


def test_where_one_tries_out_a_campaign_is_started_from_the_gamesmasters_chair(table: Services) -> None:
    visitor = at(table, demo=True)
    sample.load(visitor.services)
    page = visitor.get("/").text
    assert 'href="/gm/new"' not in page and "Sit down as the Gamesmaster, and start one" in page
    sat = visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "GM", "new": "true"})
    assert sat.headers["location"] == "/gm/new" and visitor.get("/gm/new").status_code == 200
    assert 'href="/gm/new"' in visitor.get("/").text


def test_the_game_of_1976_goes_on_after_june_with_stand_ins(table: Services) -> None:
    visitor = at(table, demo=True)
    services = visitor.services
    sample.load(services)
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "A"})
    for _ in range(2):  # June, as it was
        visitor.post("/try/others")
        visitor.post(f"/c/{sample.CAMPAIGN}/orders", {"orders": "COUNTERPURGE STRONGEST", "ready": "true"})
        visitor.post("/try/others")
        visitor.post("/try/print")
    first, second = (" ".join(lookups.bell(services, sample.CAMPAIGN, n).text.split()) for n in (3, 4))
    assert "(+" in first and "(in brackets) the change since the last issue" in first + second
    assert "brackets will give" not in first + second
    page = visitor.get(f"/c/{sample.CAMPAIGN}/bells/4").text
    assert "small figures: change since #3" in page and "since the first issue" not in page
    assert lookups.state(services, sample.CAMPAIGN).turn == 2
    assert "Let stand-ins play for the others" in visitor.get("/try").text
    visitor.post("/try/others")
    played = {s.letter: s.standin for s in lookups.state(services, sample.CAMPAIGN).seats}
    assert played == {"A": False, "B": True, "C": True, "D": True, "E": True}
    visitor.post(f"/c/{sample.CAMPAIGN}/orders", {"orders": "COUNTERPURGE STRONGEST", "ready": "true"})
    visitor.post("/try/others")  # looks for what is due
    visitor.post("/try/print")
    now = lookups.state(services, sample.CAMPAIGN)
    assert (now.turn, now.phase) == (2, "second")
    assert "Played by stand-ins in this Phase" in " ".join(lookups.latest_bell(services, sample.CAMPAIGN).text.split())


def june_is_over(visitor: Browser) -> str:
    """The table of 1976 at July, where A has a sheet on file and is ready, and the visitor sits as D."""
    sample.load(visitor.services)
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "A"})
    for _ in range(2):
        visitor.post("/try/others")
        visitor.post(f"/c/{sample.CAMPAIGN}/orders", {"orders": "COUNTERPURGE STRONGEST", "ready": "true"})
        visitor.post("/try/others")
        visitor.post("/try/print")
    visitor.post(f"/c/{sample.CAMPAIGN}/orders", {"orders": "COUNTERPURGE STRONGEST", "ready": "true"})
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "D"})
    return f"/c/{sample.CAMPAIGN}"


def test_whoever_is_ready_stays_so_when_stand_ins_play_for_the_others(visitor: Browser) -> None:
    base = june_is_over(visitor)
    told = visitor.post("/try/others", follow=True).text
    assert "Stand-ins play B, C, E from now on, in each Phase for which they have no orders on file." in told
    assert "A" not in told.split("Stand-ins play ")[1].split(" from")[0]
    state = lookups.state(visitor.services, sample.CAMPAIGN)
    assert state.seat("A").ready and not state.seat("A").standin
    assert "<strong>Ready:</strong> Ben" in visitor.get(f"{base}/desk").text


def test_whoever_is_not_waited_for_is_not_listed_as_not_ready(visitor: Browser) -> None:
    base = june_is_over(visitor)
    for letter in "AB":  # a sheet each, and then a stand-in
        intake.submit(visitor.services, sample.CAMPAIGN, letter, "COUNTERPURGE STRONGEST", source="web", ready=True)
        holders.set_standin(visitor.services, sample.CAMPAIGN, letter, True)
    desk = visitor.get(f"{base}/desk").text
    assert "On file, not ready" not in desk and "<strong>On file, not waited for:</strong> Ben, Greg" in desk
    assert "played by a stand-in, but the orders on file count" in visitor.get("/try").text


def test_a_phase_is_not_promised_before_everybody_is_ready(visitor: Browser) -> None:
    june_is_over(visitor)
    page = " ".join(visitor.get("/try").text.split())
    assert "as soon as everybody is ready, you too" in page and "as soon as you have ordered" not in page


def test_the_front_page_and_the_first_turn_tell_where_the_table_stands(visitor: Browser) -> None:
    sample.load(visitor.services)
    again = "roll back to June 1918, First Phase"
    front, walk = visitor.get("/").text, visitor.get("/how-to-play").text
    assert "stands here at June 1918, First Phase." in front and "you are A in June 1918" in walk
    assert again not in front + walk
    june_is_over(visitor)
    front, walk = visitor.get("/").text, visitor.get("/how-to-play").text
    assert "stands here at July 1918, First Phase." in front and "you are A in June 1918" not in walk
    assert "has gone on since, to July 1918, First Phase." in walk and again in front and again in walk
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "GM"})
    there = f"/gm/c/{sample.CAMPAIGN}"
    assert '<option value="1/first">June 1918, First Phase</option>' in visitor.get(f"{there}/draft").text
    visitor.post(f"{there}/rollback", {"to": "1/first", "reason": "Once more.", "sure": "true"})
    visitor.post("/try/print")
    assert "stands here at June 1918, First Phase." in visitor.get("/").text


def test_whoever_sits_down_elsewhere_keeps_the_games_alone(visitor: Browser) -> None:
    """Once they were nowhere to be found, and their address said that there is no such campaign."""
    sample.load(visitor.services)
    own = begin(visitor, game="solitaire", name="Nadia")
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "A"})
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "GM"})
    visitor.post("/try/sit", {"campaign": sample.CAMPAIGN, "letter": "B"})
    for page in ("/", "/seats"):
        shown = visitor.get(page).text
        assert f'href="/c/{own}/desk"' in shown and f'href="/c/{sample.CAMPAIGN}/desk"' in shown
    assert visitor.get(f"/c/{own}/desk").status_code == 200
    assert visitor.get(f"/gm/c/{sample.CAMPAIGN}").status_code == 403  # of one campaign one has one seat
    stranger = at(visitor.services, demo=True)
    assert stranger.get(f"/c/{own}").status_code == 404
