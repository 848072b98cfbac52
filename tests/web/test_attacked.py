"""What the second attack found by web, API and command line: each of these did harm once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from pytest import MonkeyPatch
from sqlalchemy import text
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

import gm
from gm.board.load import standard_board
from gm.campaign import ticker
from gm.campaign.access import callers
from gm.campaign.mailbox import letters, outbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.options import CampaignOptions
from gm.campaign.phase import filing, intake, sheets
from gm.campaign.ports import NewPlayer, Outgoing, Sending
from gm.campaign.reads import lookups, what_if
from gm.campaign.seats import holders, proposals
from gm.campaign.seats.new_players import new_player
from gm.campaign.services import Services
from gm.campaign.solo import solitaire
from gm.campaign.transaction import CampaignView, Transaction
from gm.errors import Invalid, NotAllowed, NotNow
from gm.orders import effort
from gm.orders.parser import parse
from gm.orders.problems import Problem
from gm.rendering.newsroom import PlainRenderer
from gm.store.repositories import campaigns
from gm.store.tables import Campaign
from gm.web.app import create_app
from gm.web.guard.access import WRITE, client_of, guard
from gm.web.guard.limits import Limiter
from gm.web.guard.session import SeatKey, Session
from gm.whatif.process import WhatIfRoom
from gm.whatif.question import Answer, Question
from tests.campaign_fixtures import FakeClock, installed, settings_for, start
from tests.stopwatch import within
from tests.web.table import OPEN, OWN, Browser, flat, play

Make = Callable[[], Browser]
C, G = f"/c/{OWN}", f"/gm/c/{OWN}"


# --- games of one person


def lone(table: Services, seconds: int = 600) -> Browser:
    services = replace(table, settings=replace(table.settings, alone_seconds=seconds))
    return Browser(create_app(services, limiter=Limiter(factor=1000)), services)


def links_to(visitor: Browser, address: str) -> list[str]:
    mails = [mail for mail in outbox.listing(visitor.services, None) if mail.address == address]
    return [link for mail in mails for link in re.findall(r"/in#(\S+)", mail.text)]


def begun(visitor: Browser, address: str = "eve@evil.test", game: str = "solitaire") -> str:
    """A visitor begins a game; gives its id."""
    visitor.post("/alone", {"game": game, "address": address, "name": "Eve"})
    answer = visitor.post("/in", {"token": links_to(visitor, address)[0]})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).split("/")[2]


def test_a_game_of_one_person_makes_nobody_a_gamesmaster(table: Services) -> None:
    visitor = lone(table)
    game = begun(visitor)
    before = set(links_to(visitor, "eve@evil.test"))
    visitor.post("/in/link", {"address": "eve@evil.test"})
    for link in set(links_to(visitor, "eve@evil.test")) - before:
        visitor.post("/in", {"token": link})
    assert callers.fingerprint(visitor.services, game, "GM") is None
    assert [seat.letter for seat in holders.seats_by_address(visitor.services, "eve@evil.test")] == ["R"]
    for page in ("/gm", "/gm/new", "/gm/board", f"/gm/c/{game}"):
        assert visitor.get(page).status_code in (303, 403), page
    form = {"name": "Spam", "players": "A a@b.test\nB b@b.test", "gm_name": "Eve", "gm_address": "eve@evil.test"}
    assert visitor.post("/gm/new", form).status_code == 403
    for change in ("options", "announce", "pause", "finish", "seats/reader"):
        assert visitor.post(f"/gm/c/{game}/{change}", {"reason": "x", "text": "x"}).status_code in (403, 422), change
    assert lookups.state(visitor.services, game).status == "running"


def test_the_mails_about_a_lone_game_carry_no_gamesmasters_key(table: Services) -> None:
    visitor = lone(table)
    game = begun(visitor)
    visitor.post(f"/c/{game}/extension", {"reason": "I am slow"})
    assert {mail.letter for mail in outbox.listing(visitor.services, game)} <= {"R", None}


@pytest.mark.parametrize("more", ["=", "==", "A", ".", "%3D"])
def test_a_link_is_only_good_as_it_was_written(table: Services, more: str) -> None:
    visitor = lone(table)
    visitor.post("/alone", {"game": "solitaire", "address": "eve@evil.test", "name": "Eve"})
    (link,) = links_to(visitor, "eve@evil.test")
    assert visitor.post("/in", {"token": link + more}).status_code == 403


def test_the_spare_bits_of_a_link_make_no_second_one(table: Services) -> None:
    visitor = lone(table)
    visitor.post("/alone", {"game": "solitaire", "address": "eve@evil.test", "name": "Eve"})
    (link,) = links_to(visitor, "eve@evil.test")
    letters_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    taken = [end for end in letters_64 if visitor.post("/in", {"token": link[:-1] + end}).status_code == 303]
    assert taken == [link[-1]]


def test_a_campaign_that_somebody_runs_is_no_game_of_theirs(table: Services) -> None:
    with table.store.write() as session:
        for campaign in session.query(Campaign):
            campaign.gm_address, campaign.gm_letter = "eve@evil.test", "A"
    assert begun(lone(table)).startswith("alone-")


def test_who_has_used_up_the_day_begins_no_other_game(table: Services) -> None:
    visitor = lone(table, seconds=1)
    begun(visitor)
    with visitor.services.store.write() as session:
        game = next(c for c in campaigns.every(session) if c.id.startswith("alone-"))
        campaigns.record(session, game.id, visitor.services.clock.now(), "R", "played", {"seconds": 5})
    with pytest.raises(NotNow, match="used up"):
        solitaire.begin(visitor.services, NewPlayer("Eve", "eve@evil.test"), name="Alone", actor="R", visitor=True)


# --- sheets that cost


COSTLY = {
    "a name again and again": "MOVE " + ",".join(["Miller"] * 8000) + ": ARCH-VOLO",
    "many of the longest": ("MOVE " + ",".join(["Miller"] * 280) + ": ARCH-VOLO\n") * 29,
    "a path without end": ("MOVE Miller: " + "-".join(["ARCH", "VOLO"] * 190) + "\n") * 30,
    "as many orders as there may be": "MOVE Miller, Yudenich: ARCH-VOLO\n" * 1500,
    "as many Purges": "PURGE B WITH C USING 1 PM DIVIDE A 1\n" * 1400,
}


@pytest.mark.parametrize("name", COSTLY)
def test_no_sheet_costs_more_than_its_length(browser: Make, name: str) -> None:
    player = browser().sit(OWN, "A")
    answer = within(6, lambda: player.json(f"/api/v1/campaigns/{OWN}/orders", {"text": COSTLY[name]}))
    assert answer.status_code < 500, answer.text


def too_much(number: int) -> str:
    """Each line within its limits: sixty pieces through sixty provinces."""
    pieces = ",".join(f"#{code}" for code in sorted(standard_board().pieces)[10:70])
    return "\n".join([f"MOVE {pieces}: " + "-".join(["ARCH", "VOLO"] * 30)] * number)


def test_orders_that_take_seconds_to_check_are_refused_unchecked(
    browser: Make, table: Services, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(filing, "check", lambda *args: pytest.fail("checked"))
    player, api = browser().sit(OWN, "A"), f"/api/v1/campaigns/{OWN}"
    for number in (4, 60):
        asked = [
            player.json(f"{api}/orders", {"text": too_much(number)}),
            player.json(f"{api}/orders/check", {"text": too_much(number)}),
            player.post(f"{C}/orders", {"orders": too_much(number)}),
        ]
        assert [answer.status_code for answer in asked] == [422] * 3
        assert all("give each force one order" in answer.text for answer in asked)
    room = player.post(f"{C}/what-if", {"orders": "HOLD", "seat": "B", "guess": too_much(4)})
    assert "more pieces and provinces than any game" in room.text
    assert player.get(f"{api}/reach", params={"pieces": "19", "path": "PETR", "sheet": too_much(4)}).status_code == 422
    assert not intake.versions(table, OWN, "A")


def test_every_counter_may_be_ordered_on_a_long_way() -> None:
    lines = [f"MOVE #{code}: " + "-".join(["ARCH", "VOLO"] * 6) for code in standard_board().pieces]
    sheet = parse(standard_board(), "\n".join(lines), ("A", "B")).sheet
    assert len(sheet.orders) > 130 and effort.bounded(sheet) is sheet


def test_nor_is_more_added_to_what_stands(table: Services) -> None:
    line = "MOVE " + ",".join(f"#{code}" for code in sorted(standard_board().pieces)[10:70])
    more = f"{line}: " + "-".join(["ARCH", "VOLO"] * 12)
    for _ in range(5):
        intake.submit(table, OWN, "A", f"ADD\n{more}", source="web")
    with pytest.raises(Invalid, match="than any game"):
        intake.submit(table, OWN, "A", f"ADD\n{more}", source="web")
    assert len(intake.versions(table, OWN, "A")) == 5


def test_a_long_sheet_is_checked_before_the_campaign_is_locked(table: Services, monkeypatch: MonkeyPatch) -> None:
    seen: list[bool] = []
    problems = filing.problems

    def recorded(work: CampaignView, *args: Any) -> tuple[Problem, ...]:
        seen.append(isinstance(work, Transaction))
        return problems(work, *args)

    monkeypatch.setattr(filing, "problems", recorded)
    long = "MOVE Lenin: PETR-TIFL\nPRESS\n" + "x" * 6_000 + "\nEND"
    done = intake.submit(table, OWN, "A", long, source="web")
    assert seen == [False] and done.status == "taken"
    assert done.problems == intake.preview_orders(table, OWN, "A", long).problems
    again = intake.submit(table, OWN, "A", f"ADD\n{long}", source="web")
    assert True not in seen and again.added_to == 1


def test_who_has_no_room_left_has_no_work_done(table: Services, monkeypatch: MonkeyPatch) -> None:
    intake.submit(table, OWN, "A", "HOLD", source="web")
    monkeypatch.setattr(intake, "SOME_VERSIONS", 1)
    monkeypatch.setattr(intake, "MAX_VERSIONS", 1)
    monkeypatch.setattr(sheets, "read", lambda *args, **rest: pytest.fail("read"))
    for text_sent in ("HOLD", "PRESS " + "x" * 6_000):
        with pytest.raises(NotNow, match="sheets of yours"):
            intake.submit(table, OWN, "A", text_sent, source="web")


def test_an_order_beyond_all_measure_is_not_read_and_says_so(table: Services) -> None:
    done = intake.submit(table, OWN, "A", COSTLY["a name again and again"], source="web")
    assert [p.code for p in done.problems] == ["order-too-long"] and done.unread == 1


def test_what_is_sealed_is_read_however_long_it_is(table: Services) -> None:
    """Printed in full an order may be longer than it was written."""
    long = "MOVE Miller, " + "Miller, " * 400 + "Yudenich: ARCH-VOLO"
    assert [o.about.verb for o in sheets.sheet_of(standard_board(), long, ("A", "B")).orders] == ["MOVE"]


def test_one_order_has_so_many_problems_and_no_more(table: Services) -> None:
    text = "MOVE " + ", ".join(["Miller"] * 200) + ": ARCH-VOLO"
    problems = intake.preview_orders(table, OWN, "A", text).problems
    assert 1 <= len(problems) <= 20


SAME = "received_at, source, actor, raw, canonical, problems, unread, status, salt, receipt, resigns"
AGAIN = f"""
    INSERT INTO submissions (campaign_id, turn, phase, incarnation, letter, version, key, {SAME})
    SELECT campaign_id, turn, phase, incarnation, letter, :v, :k, {SAME} FROM submissions
    WHERE campaign_id = :c AND letter = 'A' AND version = 1
"""


def test_sheets_of_a_seat_are_numbered_to_an_end(table: Services) -> None:
    for _ in range(3):
        intake.submit(table, OWN, "A", "HOLD", source="web")
    with table.store.write() as session:
        for version in range(4, intake.MAX_VERSIONS + 1):
            session.execute(text(AGAIN), {"v": version, "k": f"k{version}", "c": OWN})
    with pytest.raises(NotNow, match="sheets of yours"):
        intake.submit(table, OWN, "A", "HOLD", source="web")
    assert intake.submit(table, OWN, "B", "HOLD", source="web").status == "taken"
    with pytest.raises(Invalid, match="characters"):
        intake.submit(table, OWN, "B", "#" * 70_000, source="web")


def test_long_sheets_of_a_seat_end_earlier_and_lists_show_the_newest(table: Services) -> None:
    nonsense = "\n".join(f"qz{n} wx yv {n}" for n in range(1_490)) + "\nPRESS " + "x" * 30_000
    intake.submit(table, OWN, "A", nonsense, source="web")
    with table.store.write() as session:
        for version in range(2, 71):
            session.execute(text(AGAIN), {"v": version, "k": f"k{version}", "c": OWN})
    with pytest.raises(NotNow, match="70 sheets of yours"):
        intake.submit(table, OWN, "A", "HOLD", source="web")
    with table.store.read() as session:
        kept = session.scalar(text("SELECT length(CAST(problems AS TEXT)) FROM submissions WHERE version = 1"))
    assert kept is not None and kept < 100_000
    newest = within(0.5, lambda: intake.versions(table, OWN, "A", intake.NEWEST))
    assert [row.version for row in newest] == list(range(21, 71))


def test_a_player_of_thousands_of_signs_is_no_player() -> None:
    assert within(0.5, lambda: new_player("a@b," * 24_000 + ">> x y", in_a_list=True)) is None


def test_empty_lines_above_a_guess_cost_nothing() -> None:
    own, others = within(0.5, lambda: what_if.with_guesses("\n" * 30_000 + "GUESS B\nHOLD"))
    assert set(others) == {"B"} and not own.strip()
    with pytest.raises(Invalid, match="characters"):
        what_if.with_guesses("\n" * 100_000)


class Slow(WhatIfRoom):
    """A room where every question takes too long."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(clock=lambda: self.now)

    def _run(self, question: Question) -> Answer:
        self.now += 20
        raise NotNow("whatif-long", "this took too long to try", "")


def test_a_question_that_takes_too_long_is_paid_for() -> None:
    room, codes = Slow(), []
    for _ in range(4):
        with pytest.raises(NotNow) as error:
            room.ask(Question(position={}, seat="A", orders=""), "own/A")
        codes.append(error.value.code)
    assert codes == ["whatif-long", "whatif-long", "whatif-long", "whatif-often"]


# --- press and letters


def test_an_address_in_a_line_that_cannot_be_read_is_printed_for_nobody(table: Services) -> None:
    sheet = "MOVE anna@players.test: PETR-PSKO\nPRESS\nWrite to me: anna@players.test\nEND"
    done = intake.submit(table, OWN, "A", sheet, source="web")
    assert "anna@" not in done.canonical and "[address hidden]" in done.canonical
    assert [piece.text for piece in done.press] == ["Write to me: anna@players.test"], "in press it is meant"


def test_an_issue_has_room_for_so_much_press_of_one_player(table: Services) -> None:
    letters.add_press(table, OWN, "A", "x" * 15_000)
    with pytest.raises(NotNow, match="characters of one player"):
        letters.add_press(table, OWN, "A", "y" * 6_000)
    letters.add_press(table, OWN, "B", "of another seat" * 500)
    for number in range(letters.PRESS_PIECES - 1):
        letters.add_press(table, OWN, "A", f"short {number}")
    with pytest.raises(NotNow, match="pieces"):
        letters.add_press(table, OWN, "A", "one more")
    intake.submit(table, OWN, "A", "PRESS\none from a sheet\nEND\nHOLD", source="web")
    printed = [item.text for item in letters.letters_of(table, OWN, "A") if item.kind == "press"]
    assert len(printed) == letters.PRESS_PIECES and "one from a sheet" not in printed
    (told,) = [mail for mail in outbox.listing(table, OWN, limit=1000) if mail.kind == "press_left_out"]
    assert told.letter == "A" and "| one from a sheet" in outbox.get(table, told.id).text


@pytest.mark.parametrize("status", ["removed", "quit"])
def test_who_is_out_of_the_game_writes_no_press_and_no_letters(browser: Make, table: Services, status: str) -> None:
    holders.remove(table, OWN, "D", "cheating")
    if status == "quit":
        with table.store.write() as session:
            session.execute(
                text("UPDATE seats SET status = 'quit' WHERE campaign_id = :c AND letter = 'D'"), {"c": OWN}
            )
    out = browser().sit(OWN, "D")
    assert out.post(f"{C}/press", {"text": "I was here"}).status_code == 403
    assert out.post(f"{C}/letters", {"to": ["A"], "text": "hello"}).status_code == 403
    with pytest.raises(NotAllowed):
        letters.add_letter(table, OWN, "D", ("A",), "hello")


@pytest.mark.parametrize("way", ["leave", "resign"])
def test_who_was_taken_out_does_not_leave_in_another_way(browser: Make, table: Services, way: str) -> None:
    holders.remove(table, OWN, "D", "cheating")
    assert browser().sit(OWN, "D").post(f"{C}/{way}").status_code == 409
    seat = lookups.state(table, OWN).seat("D")
    assert (seat.status, seat.standin, seat.held) == ("removed", False, True)
    holders.resign(table, OWN, "E")
    with pytest.raises(NotNow):
        holders.leave_to_standin(table, OWN, "E")


# --- what plain input may not do


def numbers_of(dependant: Dependant) -> Iterator[tuple[str, Any]]:
    for field in (*dependant.path_params, *dependant.query_params, *dependant.body_params):
        yield field.name, field.field_info
    for below in dependant.dependencies:
        yield from numbers_of(below)


def test_every_number_that_is_asked_for_has_bounds(app: FastAPI) -> None:
    """Beyond 64 bits the database raises, and a page becomes an error."""
    numbers = {
        f"{route.path} {name}": next((rule.le for rule in info.metadata if hasattr(rule, "le")), None)
        for route in flat(app.routes)
        if hasattr(route, "dependant")
        for name, info in numbers_of(route.dependant)
        if info.annotation in (int, int | None)
    }
    assert len(numbers) > 20
    assert not [name for name, most in numbers.items() if most is None or most >= 2**31]  # PostgreSQL's are no larger


def odd_addresses(campaign: str) -> Iterator[str]:
    yield from ("/c/%00", f"/c/{campaign}%00/desk", "/api/v1/campaigns/%00", "/in?next=%00")
    for query in ("letters?to=%00", "map?at=%00", "desk?version=0"):
        yield f"/c/{campaign}/{query}"
    for number in (2**31, 2**53, 2**63, 10**30):
        for page in ("desk?version=", "orders/", "held/", "letters?before=", "letters?reply=", "bells/", "steps/"):
            yield f"/c/{campaign}/{page}{number}"
            yield f"/c/{campaign}/{page}-{number}"


def odd_forms() -> Iterator[tuple[str, dict[str, object]]]:
    for number in (2**31, 2**53):
        yield f"proposals/{number}", {"agree": "true"}
        yield f"held/{number}", {}
        yield "press/withdraw", {"number": str(number)}
    yield "proposals", {"give": "1 PM\x00", "to": "B", "want": "1 AM"}
    yield "letters", {"text": "x", "to": ["B\x00"]}
    yield "what-if", {"orders": "HOLD", "seat": ["B\x00"], "guess": ["x"]}


def none_fails(app: FastAPI, services: Services, campaign: str) -> None:
    player = Browser(app, services).sit(campaign, "A")
    seen = {address: player.get(address).status_code for address in odd_addresses(campaign)}
    seen |= {f"POST {p} {f}": player.post(f"/c/{campaign}/{p}", f).status_code for p, f in odd_forms()}
    assert not {where: status for where, status in seen.items() if status >= 500}
    assert not {where for where in odd_addresses(campaign) if seen[where] not in (404, 422)}


def test_no_odd_number_and_no_nul_is_an_error_of_ours(app: FastAPI, table: Services) -> None:
    none_fails(app, table, OWN)


@pytest.mark.postgres
def test_nor_on_postgresql(postgres_url: str, clock: FakeClock) -> None:
    services = installed(settings_for(postgres_url), clock=clock, renderer=PlainRenderer())
    try:
        begun_there = start(services)
        none_fails(create_app(services, limiter=Limiter(factor=1000)), services, begun_there)
    finally:
        services.close()


def test_nothing_takes_a_raised_two_for_a_number() -> None:
    """`"²".isdigit()` is true, and int() raises; `isdecimal` is what is meant."""
    sources = Path(gm.__file__).parent.rglob("*.py")
    assert not [path.name for path in sources if ".isdigit()" in path.read_text("utf-8")]


@pytest.mark.parametrize(
    ("seat", "path", "form"),
    [
        ("A", f"{C}/proposals/9223372036854775808", {"agree": "true"}),
        ("A", f"{C}/letters?reply=9223372036854775808", {"to": "B", "text": "x"}),
        ("A", f"{C}/absence", {"start": "0001-01-01", "end": "9999-12-31"}),
        ("GM", f"{G}/extend", {"until": "9999-12-31T23:59", "reason": "x"}),
        ("GM", f"{G}/extend", {"until": "9990-01-01T00:00", "reason": "x"}),
        ("GM", f"{G}/extend", {"until": "0001-01-01T00:00", "reason": "x", "shorten": "true"}),
        ("GM", f"{G}/rollback", {"to": "²/first", "reason": "x", "sure": "true"}),
    ],
)
def test_odd_numbers_and_dates_are_refused(browser: Make, seat: str, path: str, form: dict[str, object]) -> None:
    assert browser().sit(OWN, seat).post(path, form).status_code in (404, 409, 422)


# --- what a Gamesmaster who plays learns


@pytest.fixture
def plays(table: Services) -> str:
    campaign = creation.create(
        table,
        name="With a player",
        players=[NewPlayer(n, f"{n.lower()}@x.test") for n in ("Greta", "Boris", "Cy", "Di")],
        gm_name="Greta",
        gm_address="greta@x.test",
        gm_letter="A",
        options=CampaignOptions(anonymous_letters=True),
    )
    creation.deal(table, campaign, "GM", force=True)
    assert not ticker.tick(table).failed
    send_all(table)
    return campaign


def send_all(services: Services, *refused: str) -> None:
    class Server:
        def send(self, mails: Sequence[Outgoing]) -> list[Sending]:
            return [Sending(m.id, m.lease, m.address not in refused, "550 no such user", permanent=True) for m in mails]

    while outbox.send_due(services, Server(), "test", 100):
        pass


def seen_by_gm(browser: Make, campaign: str) -> str:
    gm = browser().sit(campaign, "GM")
    pages = [gm.get(f"/gm/c/{campaign}{page}").text for page in ("", "/mail", "/audit", "/orders")]
    return "\n".join(pages)


def test_a_gamesmaster_who_plays_reads_no_subject_of_a_letter_that_failed(
    table: Services, browser: Make, plays: str
) -> None:
    letters.add_letter(table, plays, "B", ("C",), "Let us.", subject="Secret pact against Greta")
    send_all(table, "cy@x.test", "boris@x.test")
    seen = seen_by_gm(browser, plays)
    assert "Secret pact" not in seen and "mail bounces" not in seen and "letter/" not in seen
    assert not [m for m in outbox.listing(table, plays) if m.kind == "bounced"]
    failed = next(m for m in outbox.listing(table, plays, "failed") if m.kind == "letter")
    gm = browser().sit(plays, "GM")
    assert gm.post(f"/gm/c/{plays}/mail/retry", {"number": str(failed.id)}).status_code == 404


def test_a_gamesmaster_who_does_not_play_is_told_that_a_letter_failed_and_not_what_it_says(
    table: Services, browser: Make
) -> None:
    send_all(table)
    letters.add_letter(table, OWN, "B", ("C",), "Let us.", subject="Secret pact")
    send_all(table, "clara@own.test")
    seen = seen_by_gm(browser, OWN)
    assert "Secret pact" not in seen and "a private letter" in seen and "mail bounces" in seen


def test_a_gamesmaster_who_plays_does_not_learn_who_strikes_a_bargain(
    table: Services, browser: Make, plays: str
) -> None:
    before = seen_by_gm(browser, plays)
    made = proposals.propose(table, plays, "B", "GIVE 1 PM TO D FOR 1 PM")
    proposals.answer(table, plays, "D", made.number, True)
    proposals.propose(table, plays, "D", "GIVE 1 PM TO C FOR 1 PM")
    after = seen_by_gm(browser, plays)
    assert "proposal" not in after and "a private letter" not in after
    assert after.count(">Di<") == before.count(">Di<") and after.count(">Boris<") == before.count(">Boris<")
    assert "version 1" not in after and "source" not in after


def test_a_gamesmaster_who_plays_still_sees_what_running_the_campaign_needs(
    table: Services, browser: Make, plays: str
) -> None:
    intake.submit(table, plays, "B", "GIVE 1 PM TO C", source="web")
    deadlines.ask_extension(table, plays, "C", "a wedding")
    deadlines.extend(table, plays, hours=24, reason="a wedding")
    send_all(table, "di@x.test")
    seen = seen_by_gm(browser, plays)
    assert "letter: B; status: taken" in seen and "a wedding" in seen and "mail bounces" in seen
    assert "failed</span> to Di" in seen


# --- small things


def test_asking_for_a_link_is_answered_before_it_is_known_whether_there_is_one(app: FastAPI, table: Services) -> None:
    """Else the time of the answer tells which addresses are known."""
    queued_by_then: list[int] = []

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        async def watch(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body":
                queued_by_then.append(len(links_mailed(table)))

        await app(scope, receive, watch)

    visitor = Browser(watched, table)  # type: ignore[arg-type]
    form = {"csrf": visitor.csrf(), "address": "anna@own.test"}
    assert visitor.client.post("/in/link", data=form).status_code == 303
    assert queued_by_then[-1] == 0 and len(links_mailed(table)) == 1


def links_mailed(services: Services) -> list[str]:
    return [mail.address for mail in outbox.listing(services, None) if mail.kind == "links"]


def test_signing_out_empties_the_cache_of_the_browser(browser: Make) -> None:
    assert browser().sit(OWN, "A").post("/out").headers["clear-site-data"] == '"cache"'


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("no:address", "no:address"),
    ],
)
def test_callers_are_counted_by_what_they_cannot_choose(host: str, counted: str) -> None:
    class Asked:
        class client:
            pass

    Asked.client.host = host  # type: ignore[attr-defined]
    assert client_of(Asked) == counted  # type: ignore[arg-type]


def test_adding_upon_adding_makes_no_sheet_that_could_not_be_sent(table: Services) -> None:
    many = "\n".join(["VOTE END"] * 1_000)
    intake.submit(table, OWN, "A", many, source="web")
    with pytest.raises(Invalid, match="with what is on file"):
        intake.submit(table, OWN, "A", f"ADD\n{many}", source="web")
    assert intake.submit(table, OWN, "A", "ADD\nVOTE END", source="web").status == "taken"


@pytest.mark.parametrize("order", ["LOSE {}", "ATTACK Wrangel IN TVER WITH {}", "SUBVERT Wrangel IN TVER WITH {}"])
def test_long_lists_of_one_order_cost_no_more_than_their_length(table: Services, order: str) -> None:
    line = order.format(", ".join(["Gai", "Markin", "Sytin", "Kun"] * 80))[:1_990]
    within(2, lambda: intake.preview_orders(table, OWN, "A", "\n".join([line] * 8)))


def test_of_what_is_costly_only_so_much_of_one_caller_runs_at_once() -> None:
    limiter = Limiter()
    assert [limiter.begin("check", "a") for _ in range(8)] == [True] * 6 + [False] * 2
    assert limiter.begin("check", "b") and limiter.begin("what-if", "a"), "another caller, another kind"
    limiter.end("check", "a")
    assert limiter.begin("check", "a") and not limiter.begin("check", "a")
    assert all(limiter.begin("link", "a") for _ in range(100))


def asking(app: FastAPI, address: str, *seats: SeatKey, method: str = "GET") -> Request:
    scope = {"type": "http", "method": method, "path": f"/c/{OWN}/desk", "headers": [], "query_string": b""}
    scope |= {"app": app, "client": (address, 1), "path_params": {"campaign": OWN}, "state": {}}
    return Request(scope | {"kolokol.session": Session("sid", seats)})


Rule = Callable[[Request], AsyncIterator[None]]


async def let_in(rule: Rule, requests: Sequence[Request]) -> tuple[int, int]:
    """How many of these run at once; how many do when one of them has ended."""
    inside: list[AsyncIterator[None]] = []

    async def enter(request: Request) -> None:
        running = rule(request)
        await anext(running)
        inside.append(running)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(enter(request)) for request in requests]
        await asyncio.sleep(0.1)
        first = len(inside)
        assert await anext(inside[0], "ended") == "ended"
        await asyncio.sleep(0.1)
        second = len(inside)
        for task in tasks:
            task.cancel()
    return first, second


def apart(work: Coroutine[object, object, tuple[int, int]]) -> tuple[int, int]:
    """In a thread of its own: after a browser test this one has a loop of Playwright's that still runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def test_of_one_caller_eight_requests_run_at_once_and_the_others_wait(table: Services) -> None:
    app = create_app(table, limiter=Limiter())
    same = [asking(app, "203.0.113.7") for _ in range(12)]
    assert apart(let_in(guard, same)) == (8, 9)
    others = [asking(app, f"203.0.113.{n}") for n in range(8, 20)]
    assert apart(let_in(guard, others)) == (12, 12)


def test_of_one_seat_three_changes_run_at_once_wherever_they_come_from(table: Services) -> None:
    (change,) = [mark.dependency for mark in WRITE]
    app = create_app(table, limiter=Limiter())
    anna, boris = SeatKey(OWN, "A", "a"), SeatKey(OWN, "B", "b")
    everywhere = [asking(app, f"203.0.113.{n}", anna, method="POST") for n in range(9)]
    assert apart(let_in(change, everywhere)) == (3, 4)
    both = [asking(app, f"198.51.100.{n}", (anna, boris)[n % 2], method="POST") for n in range(4)]
    assert apart(let_in(change, both)) == (4, 4)


def test_the_timeline_is_made_once_for_each_issue(browser: Make, table: Services, monkeypatch: MonkeyPatch) -> None:
    reader, asked = browser(), []
    outcome = lookups.outcome
    monkeypatch.setattr(lookups, "outcome", lambda *args: asked.append(args) or outcome(*args))
    path = f"/api/v1/campaigns/{OPEN}/timeline"
    shown = reader.get(path).json()
    asked.clear()
    assert reader.get(path).json() == shown and not asked
    play(table, "first")
    later = reader.get(path).json()
    assert [f["phase"] for f in later["frames"]][-1] == "first" and len(later["frames"]) == len(shown["frames"]) + 1
