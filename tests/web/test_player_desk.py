"""The player's desk without a script: orders, versions, letters, his seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gm.campaign import inbox, intake, lookups, press
from gm.campaign.services import Services
from tests.web.table import OWN, Browser

Make = Callable[[], Browser]
C = f"/c/{OWN}"
LENIN = "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"


@pytest.fixture
def anna(browser: Make) -> Browser:
    return browser().sit(OWN, "A")


def test_saving_gives_the_receipt_of_a_mail(anna: Browser, table: Services) -> None:
    page = anna.post(f"{C}/orders", {"orders": f"{LENIN}\r\nnonsense"}).text
    on_file = intake.current_orders(table, OWN, "A")
    assert on_file is not None
    assert on_file.receipt in page
    assert LENIN in page
    assert "NOT UNDERSTOOD" in page
    assert "Without orders" in page
    assert on_file.raw == f"{LENIN}\nnonsense"


def test_versions_are_kept_and_can_be_taken_up_again(anna: Browser) -> None:
    anna.post(f"{C}/orders", {"orders": LENIN})
    anna.post(f"{C}/orders", {"orders": "MOVE Lenin: PETR-NOVG"})
    page = anna.get(f"{C}/orders").text
    assert page.index("Version 2") < page.index("Version 1")
    assert LENIN in anna.get(f"{C}/desk?version=1").text
    assert anna.get(f"{C}/desk?version=9").status_code == 404


def test_orders_for_another_phase_are_refused_and_said_so(anna: Browser) -> None:
    page = anna.post(f"{C}/orders", {"orders": f"ORDERS August 1918 First Phase\n{LENIN}"}).text
    assert "Not taken" in page
    assert "another Phase" in page


def test_resign_among_the_orders_asks_first(anna: Browser, table: Services) -> None:
    answer = anna.post(f"{C}/orders", {"orders": "RESIGN"})
    assert answer.headers["location"] == f"{C}/resign"
    assert lookups.state(table, OWN).seat("A").status == "held"
    anna.post(f"{C}/resign")
    assert lookups.state(table, OWN).seat("A").status == "resigning"


def test_asking_to_wait_and_taking_it_back(anna: Browser, table: Services) -> None:
    anna.post(f"{C}/wait", {"on": "true"})
    assert lookups.state(table, OWN).seat("A").waiting
    assert "Let it close early again" in anna.get(f"{C}/desk").text
    anna.post(f"{C}/wait")
    assert not lookups.state(table, OWN).seat("A").waiting


def test_the_deadline_is_told_in_his_own_time_zone(anna: Browser) -> None:
    anna.post(f"{C}/zone", {"zone": "Asia/Tokyo"})
    assert "(Asia/Tokyo)" in anna.get(f"{C}/desk").text
    assert anna.post(f"{C}/zone", {"zone": "Mars/Base"}).status_code == 422


def test_letters_go_to_whom_they_are_addressed_and_are_answered(anna: Browser, browser: Make, table: Services) -> None:
    anna.post(f"{C}/letters", {"to": ["B"], "subject": "Pskov", "text": "Shall we?"})
    assert anna.post(f"{C}/letters", {"to": ["Z"], "text": "x"}).status_code == 422
    boris, clara = browser().sit(OWN, "B"), browser().sit(OWN, "C")
    assert "Shall we?" in boris.get(f"{C}/letters").text
    assert "Shall we?" not in clara.get(f"{C}/letters").text
    number = press.letters_of(table, OWN, "B")[0].id
    assert "Shall we?" not in clara.get(f"{C}/letters?reply={number}").text
    boris.post(f"{C}/letters?reply={number}", {"to": ["A"], "text": "We shall."})
    assert press.letters_of(table, OWN, "A")[-1].in_reply_to == number


def test_press_waits_for_the_next_bell(anna: Browser) -> None:
    anna.post(f"{C}/press", {"text": "All is well.", "dateline": "Petrograd"})
    assert "waits for the next Bell" in anna.get(f"{C}/letters").text
    assert anna.post(f"{C}/press", {"text": "  "}).status_code == 422


def test_held_mail_counts_once_its_sender_says_so_and_nobody_else_can(
    anna: Browser, browser: Make, table: Services
) -> None:
    stored = inbox.store(table, b"From: anna@own.test\r\n\r\nMOVE Lenin: PETR-PSKO\r\n", source="test")
    inbox.hold(table, stored.id, OWN, "A", "no token")
    boris = browser().sit(OWN, "B")
    assert boris.get(f"{C}/held/{stored.id}").status_code == 404
    assert boris.post(f"{C}/held/{stored.id}").status_code == 404
    assert "MOVE Lenin" in anna.get(f"{C}/held/{stored.id}").text
    anna.post(f"{C}/held/{stored.id}")
    assert inbox.get(table, stored.id).state == "new"


def test_the_desk_shows_only_published_positions_and_own_orders(anna: Browser, table: Services) -> None:
    intake.submit(table, OWN, "B", "MOVE Tukhachevsky, RU8 NOVG: NOVG-TVER", source="mail")
    for path in ("/desk", "/desk.svg", "/orders", "/letters", "/seat", ""):
        assert "NOVG-TVER" not in anna.get(f"{C}{path}").text
