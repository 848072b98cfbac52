"""The Gamesmaster's desk without a script: every button does what it says, and only to his own campaign."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace

import pytest

from gm.campaign import calendar, inbox, intake, lifecycle, lookups, outbox
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services
from gm.web.app import create_app
from gm.web.limits import Limiter
from gm.web.sample import orders_of_1976
from tests.web.table import OTHER, OWN, Browser

Make = Callable[[], Browser]
G = f"/gm/c/{OWN}"


@pytest.fixture
def gm(browser: Make) -> Browser:
    return browser().sit(OWN, "GM")


def everybody_orders(services: Services, phase: str = "first") -> None:
    for letter, text in orders_of_1976(phase).items():
        intake.submit(services, OWN, letter, text, source="mail")


def test_he_sees_at_a_glance_who_has_ordered(gm: Browser, table: Services) -> None:
    intake.submit(table, OWN, "B", "", source="mail")
    page = gm.get("/gm").text
    assert "1 of 5" in page
    assert "campaign other" not in page


def test_he_extends_pauses_and_resumes(gm: Browser, table: Services) -> None:
    before = lookups.state(table, OWN).deadline
    gm.post(f"{G}/extend", {"hours": "24", "reason": "snow"})
    after = lookups.state(table, OWN).deadline
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 86_400
    gm.post(f"{G}/pause", {"reason": "holidays"})
    assert lookups.state(table, OWN).status == "paused"
    gm.post(f"{G}/resume")
    assert lookups.state(table, OWN).status == "running"
    gm.post(f"{G}/extend", {"until": "2026-04-01T18:30"})
    assert str(lookups.state(table, OWN).deadline) == "2026-04-01 18:30:00+00:00"
    assert gm.post(f"{G}/extend", {"hours": "", "until": ""}).status_code == 422


def test_orders_on_behalf_are_filed_and_told(gm: Browser, table: Services) -> None:
    answer = gm.post(f"{G}/orders", {"letter": "C", "text": "MOVE Denikin: KUBA-STAV"}, follow=True)
    assert "Filed for C: version 1, 1 orders, 0 with problems" in answer.text
    assert any(m.letter == "C" and m.kind == "on_behalf" for m in outbox.listing(table, OWN))
    assert "MOVE Denikin: KUBA-STAV" in gm.get(f"{G}/orders").text
    assert gm.post(f"{G}/orders", {"letter": "Z", "text": "x"}).status_code == 404


def test_from_the_last_orders_to_the_printed_bell(gm: Browser, table: Services) -> None:
    everybody_orders(table)
    gm.post(f"{G}/close")
    gm.post(f"{G}/draft", {"headline": "PETROGRAD EMPTY", "lead": "The trains are full."})
    gm.post(f"{G}/decide", {"text": "The Don is the Don.", "reason": "So printed."})
    copies = {who: gm.get(f"{G}/draft/copy/{who}") for who in ("A", "B", "public")}
    for copy in copies.values():
        assert "PETROGRAD EMPTY" in copy.text.upper()
        assert "The Don is the Don." in copy.text
        assert "script-src" not in copy.headers["content-security-policy"]
    assert copies["A"].text != copies["B"].text  # each has his own orders below
    assert gm.get(f"{G}/draft/copy/Z").status_code == 404
    assert gm.get(f"{G}/draft/map.png").headers["content-type"] == "image/png"
    assert "#3 is printed" in gm.post(f"{G}/publish", follow=True).text
    assert gm.post(f"{G}/publish").status_code == 409


def test_he_rolls_back_only_if_he_means_it(gm: Browser, table: Services) -> None:
    everybody_orders(table)
    gm.post(f"{G}/close")
    gm.post(f"{G}/publish")
    assert gm.post(f"{G}/rollback", {"to": "1/first", "reason": "A slip"}).status_code == 409
    gm.post(f"{G}/rollback", {"to": "1/first", "reason": "A slip", "sure": "true", "keep": "true"})
    state = lookups.state(table, OWN)
    assert (state.turn, state.phase) == (1, "first")


def test_a_gamesmaster_who_plays_sees_nothing_that_players_do_not(browser: Make, table: Services) -> None:
    campaign = lifecycle.create(
        table,
        name="With a player",
        players=[NewPlayer(n, f"{n.lower()}@x.test") for n in ("Xenia", "Yuri", "Zoya")],
        gm_name="Xenia",
        gm_address="xenia@x.test",
        gm_letter="A",
    )
    gm = browser().sit(campaign, "GM")
    gm.post(f"/gm/c/{campaign}/deal", {"force": "true"})
    intake.submit(table, campaign, "B", "GIVE 1 PM TO C", source="mail")
    page = gm.get(f"/gm/c/{campaign}/orders").text
    assert "version 1" in page
    assert "GIVE 1 PM" not in page
    assert gm.get(f"/gm/c/{campaign}/draft/copy/B").status_code == 403


def test_mail_that_failed_is_tried_again_and_only_his_own(gm: Browser, table: Services) -> None:
    for mail in outbox.claim(table, "test", 100):
        outbox.failed(table, mail.id, mail.lease, "no such mailbox", permanent=True)
    own, other = (next(m for m in outbox.listing(table, c, "failed")) for c in (OWN, OTHER))
    assert "no such mailbox" in gm.get(f"{G}/mail").text
    gm.post(f"{G}/mail/retry", {"number": str(own.id)})
    assert gm.post(f"{G}/mail/retry", {"number": str(other.id)}).status_code == 404
    states = {m.id: m.state for c in (OWN, OTHER) for m in outbox.listing(table, c)}
    assert (states[own.id], states[other.id]) == ("queued", "failed")


def test_the_quarantine_is_looked_into_and_let_go(gm: Browser, table: Services) -> None:
    raw = b"From: anna@own.test\r\nSubject: <b>hm</b>\r\n\r\nMOVE Lenin: PETR-PSKO\r\n"
    ids = {}
    for campaign in (OWN, OTHER):
        ids[campaign] = inbox.store(table, raw + campaign.encode(), source="test", sender="anna@own.test").id
        inbox.quarantine(table, ids[campaign], "no token", campaign)
    page = gm.get(f"{G}/inbox/{ids[OWN]}")
    assert "MOVE Lenin" in page.text
    assert "<b>hm</b>" not in page.text
    assert gm.get(f"{G}/inbox/{ids[OTHER]}").status_code == 404
    assert gm.post(f"{G}/inbox/release", {"number": str(ids[OTHER]), "letter": "A"}).status_code == 404
    gm.post(f"{G}/inbox/release", {"number": str(ids[OWN]), "letter": "A"})
    assert (inbox.get(table, ids[OWN]).state, inbox.get(table, ids[OWN]).letter) == ("new", "A")
    assert inbox.get(table, ids[OTHER]).state == "quarantined"


def test_seats_are_handed_over_and_removed(gm: Browser, table: Services) -> None:
    gm.post(f"{G}/seats/replace", {"letter": "A", "name": "Olga", "address": "olga@own.test", "zone": "UTC"})
    gm.post(f"{G}/seats/remove", {"letter": "C", "reason": "silence"})
    gm.post(f"{G}/seats/reader", {"name": "Stas", "address": "stas@own.test", "standby": "true"})
    state = lookups.state(table, OWN)
    assert state.seat("A").name == "Olga"
    assert state.seat("C").status == "removed"
    assert "stas@own.test" in gm.get(f"{G}/seats").text
    assert gm.post(f"{G}/seats/remove", {"letter": "Z", "reason": "x"}).status_code == 404


def test_requests_are_answered(gm: Browser, browser: Make, table: Services) -> None:
    anna = browser().sit(OWN, "A")
    anna.post(f"/c/{OWN}/extension", {"reason": "two days, please"})
    anna.post(f"/c/{OWN}/absence", {"start": "2026-03-10", "end": "2026-03-20"})
    assert anna.post(f"/c/{OWN}/absence", {"start": "2026-03-20", "end": "2026-03-10"}).status_code == 422
    assert "two days, please" in gm.get(G).text
    for request in calendar.requests(table, OWN):
        gm.post(f"{G}/settle", {"number": str(request.id), "granted": "true" if request.kind == "absence" else ""})
    assert {r.kind: r.state for r in calendar.requests(table, OWN)} == {"absence": "granted", "extension": "declined"}


def test_a_campaign_is_opened_with_one_form_and_mistakes_are_told(browser: Make, table: Services) -> None:
    gm = browser().sit(OWN, "GM")
    form = {
        "name": "Winter",
        "players": "Anna anna@w.test Europe/London\nBoris <boris@w.test>\nC: Clara, clara@w.test UTC",
        "gm_name": "Gregor",
        "gm_address": "gregor@w.test",
        "zone": "Europe/London",
    }
    for change in ({"players": "nobody"}, {"zone": "Mars/Base"}, {"players": "One one@w.test"}):
        answer = gm.post("/gm/new", form | change)
        assert answer.status_code == 422
        assert "Winter" in answer.text  # what was typed is still there
    answer = gm.post("/gm/new", form)
    assert answer.headers["location"] == "/gm/c/winter"
    assert [(s.letter, s.name, s.zone) for s in lookups.state(table, "winter").seats] == [
        ("A", "Anna", "Europe/London"),
        ("B", "Boris", "UTC"),
        ("C", "Clara", "UTC"),
    ]
    assert len([m for m in outbox.listing(table, "winter") if m.kind == "invitation"]) == 3


def zipped(**files: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"pack/{name}.toml", text)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "verdict"),
    [
        ("map.toml", b"[provinces.PETR]\nname = 'Leningrad'\n", "can be played"),
        ("map.toml", b"[provinces.PETR]\nport = 'perhaps'\n", "cannot be used"),
        ("map.toml", b"this is not toml", "cannot be used"),
        ("pack.zip", zipped(map="[provinces.PETR]\nname = 'Leningrad'\n"), "can be played"),
    ],
)
def test_a_board_pack_is_checked(gm: Browser, name: str, data: bytes, verdict: str) -> None:
    answer = gm.post("/gm/board", files={"pack": (name, data)})
    assert answer.status_code == 200
    assert verdict in answer.text


@pytest.mark.parametrize(
    ("name", "data"), [("a.exe", b"MZ"), ("pack.zip", b"PK broken"), ("map.toml", b"\xff\xfe\x00")]
)
def test_what_is_no_pack_is_refused_kindly(gm: Browser, name: str, data: bytes) -> None:
    assert gm.post("/gm/board", files={"pack": (name, data)}).status_code in (200, 422)


def test_the_standin_is_offered_only_where_there_is_one(browser: Make, table: Services) -> None:
    """This installation has none; one that has gets the buttons and they work."""
    assert "stand-in" not in browser().sit(OWN, "GM").get(f"{G}/seats").text
    assert "stand-in" not in browser().sit(OWN, "A").get(f"/c/{OWN}/seat").text
    able = replace(table, standin=lambda board, position, player, seed: "")
    gm = Browser(create_app(able, limiter=Limiter(factor=1000)), able).sit(OWN, "GM")
    assert "Let the stand-in play" in gm.get(f"{G}/seats").text
    gm.post(f"{G}/seats/standin", {"letter": "B", "on": "true"})
    assert lookups.state(able, OWN).seat("B").standin


def test_the_calendar_is_changed_from_the_next_phase_on_and_everybody_told(gm: Browser, table: Services) -> None:
    form = {
        "pregame_days": "7",
        "first_days": "10",
        "second_days": "3",
        "hour": "18:30",
        "zone": "Europe/Berlin",
        "publish": "manual",
        "grace_hours": "12",
        "early_close": "true",
    }
    before = lookups.state(table, OWN).deadline
    assert "The players have been told" in gm.post(f"{G}/options", form, follow=True).text
    state = lookups.state(table, OWN)
    assert (state.options.first_days, state.options.hour, state.options.zone) == (10, "18:30", "Europe/Berlin")
    assert state.deadline == before
    assert len([m for m in outbox.listing(table, OWN) if m.kind == "charter"]) == 5
    assert "Nothing is changed" in gm.post(f"{G}/options", form, follow=True).text
    assert gm.post(f"{G}/options", form | {"hour": "late"}).status_code == 422
