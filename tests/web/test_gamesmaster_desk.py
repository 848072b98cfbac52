"""The Gamesmaster's desk without a script: every button does what it says, and only to his own campaign."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gm.campaign import ticker
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import drafting, intake, publishing, rollback
from gm.campaign.ports import BellDocument, NewPlayer
from gm.campaign.reads import lookups, summaries
from gm.campaign.roles import KEEPER
from gm.campaign.services import Services
from gm.reports.issue import Issue
from gm.reports.proof.verify import verify
from gm.store.repositories import campaigns
from gm.web.app import create_app
from gm.web.guard.limits import Limiter
from gm.web.sample import orders_of_1976
from tests.stopwatch import within
from tests.web.table import OPEN, OTHER, OWN, Browser, QuickNewsroom

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


def test_he_kills_one_story_rewrites_another_and_has_a_column(gm: Browser, table: Services) -> None:
    everybody_orders(table)
    gm.post(f"{G}/close")
    made = drafting.preview(table, OWN)
    before = made.document.json["bell"]
    first, second = before["stories"]
    brief = before["briefs"][0]
    evil = "</p><script>alert(1)</script> & == POSITIONS =="
    gm.post(f"{G}/draft", {"column": f"The post was late.\r\n\r\n{evil}"})
    assert gm.post(f"{G}/draft/story", {"key": "no/SUCH", "killed": "true"}).status_code == 404
    gm.post(f"{G}/draft/story", {"key": brief["key"], "text": brief["lead"], "killed": "true"})
    # What comes back unchanged is no edit; the headline alone is.
    gm.post(f"{G}/draft/story", {"key": first["key"], "headline": f"Mine {evil}", "text": first["lead"]})
    gm.post(f"{G}/draft/story", {"key": second["key"], "headline": second["headline"], "text": f"Told anew. {evil}"})
    page = gm.get(f"{G}/draft").text
    assert "Left out: " in page
    assert "<script>alert" not in page
    gm.post(f"{G}/publish")

    printed = gm.get(f"/api/v1/campaigns/{OWN}/bells/3").json()["document"]["bell"]
    column = {"dateline": "", "text": f"The post was late.\n\n{evil}", "signature": "Gregor", "key": ""}
    assert printed["column"] == column
    told = [s["key"] for s in (printed["story"], *printed["stories"], *printed["briefs"])]
    assert brief["key"] not in told
    edited = {s["key"]: s for s in printed["stories"]}
    assert (edited[first["key"]]["headline"], edited[first["key"]]["lead"]) == (f"Mine {evil}", first["lead"])
    assert (edited[second["key"]]["lead"], edited[second["key"]]["facts"]) == (f"Told anew. {evil}", [])
    ours = {"column", "stories", "briefs"}
    assert {k: v for k, v in printed.items() if k not in ours} == {k: v for k, v in before.items() if k not in ours}
    text = gm.get(f"/c/{OWN}/bells/3.txt").text
    assert "FROM THE GAMESMASTER" in text
    for words in ("  The post was late.", "-- Gregor", "Told anew."):
        assert words in text
    assert brief["lead"][:50] not in " ".join(text.split())
    assert not re.search(r"^== POSITIONS ==$", text, re.MULTILINE)
    claimed = [m for batch in iter(lambda: outbox.claim(table, "test", 100), []) for m in batch]
    copies = [m for m in claimed if m.kind == "bell" and "Told anew." in m.text]
    assert len(copies) == len(made.draft.readers)
    for sheet in (gm.get(f"/c/{OWN}/bells/3").text, *(m.html for m in copies)):
        assert "From the Gamesmaster" in sheet
        assert "<script>alert" not in sheet
        assert "&lt;script&gt;alert(1)" in sheet


def test_small_pieces_are_edited_and_left_out_like_stories(gm: Browser, table: Services) -> None:
    everybody_orders(table)
    gm.post(f"{G}/close")
    house = next(s for s in drafting.preview(table, OWN).stories if s.place == "house")
    assert f'value="{house.key}"' in gm.get(f"{G}/draft").text
    gm.post(f"{G}/draft/story", {"key": house.key, "text": "Lost: one war."})
    assert "Lost: one war." in " ".join(drafting.preview(table, OWN).document.text.split())
    gm.post(f"{G}/draft/story", {"key": house.key, "text": "Lost: one war.", "killed": "true"})
    assert drafting.preview(table, OWN).document.json["bell"]["press"] == []
    assert "Left out: " in gm.get(f"{G}/draft").text


def test_the_headline_goes_with_the_main_story(gm: Browser, table: Services) -> None:
    everybody_orders(table)
    gm.post(f"{G}/close")
    gm.post(f"{G}/draft", {"headline": "About that one", "column": "Mine."})
    main, second = drafting.preview(table, OWN).stories[:2]
    gm.post(f"{G}/draft/story", {"key": second.key, "killed": "true"})
    assert drafting.preview(table, OWN).document.headline == "About that one"
    gm.post(f"{G}/draft/story", {"key": main.key, "killed": "true"})
    after = drafting.preview(table, OWN).document
    assert "About that one" not in after.text
    assert after.json["bell"]["column"]["text"] == "Mine."


def test_a_story_left_out_comes_back_and_words_are_taken_back(gm: Browser, table: Services) -> None:
    everybody_orders(table)
    gm.post(f"{G}/close")
    before = drafting.preview(table, OWN)
    main, story = before.stories[:2]
    gm.post(f"{G}/draft/story", {"key": main.key, "killed": "true"})
    assert drafting.preview(table, OWN).stories[0].key != main.key, "the next one leads"
    gm.post(f"{G}/draft/story", {"key": main.key})
    gm.post(f"{G}/draft/story", {"key": story.key, "headline": story.headline, "text": "Mine."})
    assert drafting.preview(table, OWN).stories[1].text == "Mine."
    gm.post(f"{G}/draft/story", {"key": story.key})
    assert drafting.preview(table, OWN).document.text == before.document.text


def test_his_farewell_waits_for_the_last_issue(gm: Browser, table: Services, tmp_path: Path) -> None:
    gm.post(f"{G}/draft", {"column": "Of June.", "farewell": "Goodbye.\r\n\r\n<b>All</b> of you."})
    gm.post(f"{G}/close")
    gm.post(f"{G}/publish")
    played = lookups.bell(table, OWN, 3)
    assert "Of June." in played.text
    assert "Goodbye." not in played.text
    page = gm.get(f"{G}/draft").text
    assert "Of June." not in page, "a column is of one issue"
    assert "Goodbye." in page
    creation.finish(table, OWN, "We must part.")
    ticker.tick(table)
    last = lookups.bell(table, OWN, 4)
    assert last.json["bell"]["closing"]["farewell"] == "Goodbye.\n\n<b>All</b> of you."
    assert "  Goodbye.\n\n  <b>All</b> of you." in last.text
    assert "&lt;b&gt;All&lt;/b&gt; of you." in last.html
    assert "Of June." not in last.text
    archive.export(table, OWN, tmp_path / "archive")
    assert verify(importing.read_files(tmp_path / "archive")).ok
    importing.import_archive(table, tmp_path / "archive", as_id="copy")
    assert lookups.bell(table, "copy", 4).text == last.text


def test_he_rolls_back_only_if_he_means_it(gm: Browser, table: Services) -> None:
    everybody_orders(table)
    gm.post(f"{G}/close")
    gm.post(f"{G}/publish")
    assert gm.post(f"{G}/rollback", {"to": "1/first", "reason": "A slip"}).status_code == 409
    gm.post(f"{G}/rollback", {"to": "1/first", "reason": "A slip", "sure": "true", "keep": "true"})
    state = lookups.state(table, OWN)
    assert (state.turn, state.phase) == (1, "first")


def test_a_gamesmaster_who_plays_sees_nothing_that_players_do_not(browser: Make, table: Services) -> None:
    campaign = creation.create(
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
    assert 'tag good">in<' in page and "version" not in page
    assert "GIVE 1 PM" not in page
    assert gm.get(f"/gm/c/{campaign}/draft/copy/B").status_code == 403
    gm.post(f"/gm/c/{campaign}/draft", {"column": "As I see it."})
    assert "As I see it." in gm.get(f"/gm/c/{campaign}/draft").text
    assert gm.post(f"/gm/c/{campaign}/draft/story", {"key": "deal", "killed": "true"}).status_code == 403
    again = {"to": "0/pregame", "reason": "Better dice", "sure": "true"}
    refused = gm.post(f"/gm/c/{campaign}/rollback", again)
    assert refused.status_code == 403 and "rolls nothing back" in refused.text
    rollback.rollback(table, campaign, 0, "pregame", "a slip", KEEPER)
    assert lookups.state(table, campaign).phase == "pregame"


def test_mail_that_failed_is_tried_again_and_only_his_own(gm: Browser, table: Services) -> None:
    for mail in (m for claimed in iter(lambda: outbox.claim(table, "test", 100), []) for m in claimed):
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
    for request in deadlines.requests(table, OWN):
        gm.post(f"{G}/settle", {"number": str(request.id), "granted": "true" if request.kind == "absence" else ""})
    assert {r.kind: r.state for r in deadlines.requests(table, OWN)} == {"absence": "granted", "extension": "declined"}


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


def test_the_rules_of_the_house_are_chosen_in_the_form_and_told_in_the_invitation(gm: Browser, table: Services) -> None:
    form = {
        "name": "Autumn",
        "players": "Anna anna@a.test\nBoris boris@a.test\nClara clara@a.test",
        "gm_name": "Gregor",
        "gm_address": "gregor@a.test",
        "deal": "three-pots",
        "victory": "key-areas",
        "key_areas": "petr, kiev",
        "last_turn": "6",
    }
    refused = gm.post("/gm/new", form | {"key_areas": "PETR ATLANTIS"})
    assert refused.status_code == 422 and "ATLANTIS" in refused.text
    assert gm.post("/gm/new", form).headers["location"] == "/gm/c/autumn"
    rules = lookups.options_of(table, "autumn").game
    assert (rules.deal, rules.victory, rules.key_areas, rules.last_turn) == (
        "three-pots",
        "key-areas",
        ("PETR", "KIEV"),
        6,
    )
    invitation = next(m for m in outbox.listing(table, "autumn") if m.kind == "invitation")
    told = " ".join(invitation.text.split())
    assert "The deal [H1] is from three pots" in told and "The key areas: PETR and KIEV" in told
    assert "The last Game-Turn [H3] is number 6" in told


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
    ("name", "data"),
    [
        ("a.exe", b"MZ"),
        ("pack.zip", b"PK broken"),
        ("map.toml", b"\xff\xfe\x00"),
        ("x" * 300 + ".toml", b"[pack]\n"),
        ("deep.toml", b"x = " + b"[" * 100_000),
        ("tables.toml", b"x = " + b"{a=" * 50_000),
        ("keys.toml", b"a" + b".a" * 100_000 + b" = 1"),
        ("head.toml", b"[a" + b".a" * 100_000 + b"]"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_is_no_pack_is_refused_kindly(gm: Browser, name: str, data: bytes) -> None:
    assert within(3, lambda: gm.post("/gm/board", files={"pack": (name, data)})).status_code in (200, 422)


def test_the_standin_is_offered_only_where_there_is_one(browser: Make, table: Services) -> None:
    """This installation has one, with buttons that work; one that has none promises nothing."""
    none = replace(table, standin=None)
    at_none = Browser(create_app(none, limiter=Limiter(factor=1000)), none)
    assert "stand-in" not in at_none.sit(OWN, "GM").get(f"{G}/seats").text
    assert "stand-in" not in at_none.sit(OWN, "A").get(f"/c/{OWN}/seat").text
    gm = browser().sit(OWN, "GM")
    assert "Let a stand-in play" in gm.get(f"{G}/seats").text
    gm.post(f"{G}/seats/standin", {"letter": "B", "on": "true", "style": "commander"})
    seat = lookups.state(table, OWN).seat("B")
    assert (seat.standin, seat.style, seat.held) == (True, "commander", True)
    assert "played by a commander" in gm.get(f"{G}/seats").text
    gm.post(f"{G}/seats/standin", {"letter": "B", "on": "false"})
    assert not lookups.state(table, OWN).seat("B").standin


def test_a_seat_is_left_to_a_stand_in_and_taken_over_again(browser: Make, table: Services) -> None:
    boris, gm = browser().sit(OWN, "B"), browser().sit(OWN, "GM")
    assert "Leave your seat to a stand-in?" in boris.get(f"/c/{OWN}/leave").text
    assert boris.post(f"/c/{OWN}/leave").status_code == 303
    assert boris.get(f"/c/{OWN}/desk").status_code in (303, 404)  # their link is void
    seat = lookups.state(table, OWN).seat("B")
    assert (seat.name, seat.standin, seat.held) == ("Belsky", True, False)
    assert "a stand-in has the seat to itself" in gm.get(f"{G}/seats").text
    gm.post(f"{G}/seats/replace", {"letter": "B", "name": "Nadia", "address": "nadia@own.test"})
    seat = lookups.state(table, OWN).seat("B")
    assert (seat.name, seat.standin, seat.held) == ("Nadia", False, True)
    briefing = next(m for m in outbox.listing(table, OWN, None, 50) if m.kind == "briefing")
    assert "in place of Belsky" in briefing.text
    gm.post(f"{G}/seats/leave", {"letter": "B", "style": "commander"})
    assert lookups.state(table, OWN).seat("B").style == "commander"


def test_a_player_says_play_for_me_until(browser: Make, table: Services) -> None:
    anna = browser().sit(OWN, "A")
    assert "Play for me until" in anna.get(f"/c/{OWN}/seat").text
    anna.post(f"/c/{OWN}/absence", {"end": "2026-03-12", "standin": "true"})
    (asked,) = deadlines.requests(table, OWN)
    assert (asked.starts, asked.ends, asked.standin) == (table.clock.now().date(), date(2026, 3, 12), True)
    assert "until 12 March" in anna.get(f"/c/{OWN}/seat").text


def test_a_seat_can_be_a_stand_ins_from_the_start(gm: Browser, table: Services) -> None:
    players = "Anna anna@new.test\nBoris boris@new.test\nfanatic\nF: commander"
    form = {"name": "Four", "players": players, "gm_name": "Gregor", "gm_address": "g@new.test"}
    assert gm.post("/gm/new", form).status_code == 303
    seats = {s.letter: (s.name, s.standin, s.style, s.held) for s in lookups.state(table, "four").seats}
    assert seats["C"] == ("Cherkasov", True, "fanatic", False)
    assert seats["F"] == ("Filin", True, "commander", False)
    invited = [m for m in outbox.listing(table, "four", None, 50) if m.kind == "invitation"]
    assert {m.letter for m in invited} == {"A", "B"}
    text = " ".join(invited[0].text.split())
    assert "the players are Anna, Boris, Cherkasov (a stand-in) and Filin (a stand-in)." in text
    refused = gm.post("/gm/new", form | {"name": "Five", "players": "fanatic\n" * 3})
    assert (refused.status_code, "somebody has to play" in refused.text) == (422, True)


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
        "ready": "said",
        "early_close_hours": "6",
    }
    before = lookups.state(table, OWN).deadline
    assert "The players have been told" in gm.post(f"{G}/options", form, follow=True).text
    state = lookups.state(table, OWN)
    assert (state.options.first_days, state.options.hour, state.options.zone) == (10, "18:30", "Europe/Berlin")
    assert state.deadline == before
    assert len([m for m in outbox.listing(table, OWN) if m.kind == "charter"]) == 5
    assert "Nothing is changed" in gm.post(f"{G}/options", form, follow=True).text
    assert gm.post(f"{G}/options", form | {"hour": "late"}).status_code == 422


# --- corrections on the map


def test_the_map_is_corrected_by_the_form_and_everybody_is_told(gm: Browser, table: Services) -> None:
    page = gm.get(f"/gm/c/{OWN}/correct").text
    lenin = re.search(r'value="(map\|#\d+)">RL3 Lenin', page)
    assert lenin is not None and "tell everybody" in page
    assert "RL3" in gm.get(f"/gm/c/{OWN}/correct.svg").text or "Lenin" in gm.get(f"/gm/c/{OWN}/correct.svg").text
    form = {"what": lenin[1], "to": "", "owner": "C", "reason": "he was traded in May", "rule": "17/3.0"}
    answer = gm.post(f"/gm/c/{OWN}/correct", form, follow=True)
    assert "Corrected." in answer.text
    stack = next(s for p, s in summaries.position(table, OWN).where.items() if p.name == "Lenin")
    assert stack.owner == "C"
    told = [m for m in outbox.listing(table, OWN, limit=50) if m.kind == "correction"]
    assert len(told) == 7 and all("he was traded in May" in " ".join(m.text.split()) for m in told)
    assert "he was traded in May" in gm.get(f"/gm/c/{OWN}/audit").text


def test_what_the_form_may_not_do_it_says_and_a_gamesmaster_who_plays_is_sent_to_the_keeper(
    gm: Browser, table: Services
) -> None:
    form = {"lines": "ADD Lenin TO KIEV OWNER A", "reason": "twice"}
    answer = gm.post(f"/gm/c/{OWN}/correct", form)
    assert answer.status_code == 422 and "twice" in answer.text
    with table.store.write() as session:
        row = campaigns.get(session, OWN)
        assert row is not None
        row.gm_letter = "A"
    assert "You play, so you correct nothing" in gm.get(f"/gm/c/{OWN}/correct").text
    assert gm.get(f"/gm/c/{OWN}/correct.svg").status_code == 404
    assert gm.post(f"/gm/c/{OWN}/correct", {"lines": "OWNER Lenin C", "reason": "mine"}).status_code == 403
    second = {"letter": "B", "name": "Nobody", "address": "second@address.test"}
    assert gm.post(f"/gm/c/{OWN}/seats/replace", second).status_code == 403  # B's orders and letters go with the seat


class CountingNewsroom(QuickNewsroom):
    composed = 0

    def compose(self, issue: Issue) -> BellDocument:
        self.composed += 1
        return super().compose(issue)


def test_what_was_shown_as_a_draft_is_not_set_again_to_be_published(table: Services) -> None:
    """Setting an issue with its pictures takes a second or two: the Gamesmaster has waited for it already."""
    newsroom = CountingNewsroom()
    services = replace(table, renderer=newsroom)
    for letter, text in orders_of_1976("first").items():
        intake.submit(services, OPEN, letter, text, source="mail")
    ticker.tick(services)
    shown = drafting.preview(services, OPEN)
    number = publishing.publish(services, OPEN, "GM")
    assert newsroom.composed == 1
    assert lookups.bell(services, OPEN, number).text == shown.document.text


def test_the_audit_log_tells_ready_from_not_ready(browser: Make, table: Services) -> None:
    """Both once read "C ready"."""
    for said in (True, False):
        intake.say_ready(table, OWN, "C", said)
    rows = re.findall(r"<td>ready</td><td>([^<]*)</td>", browser().sit(OWN, "GM").get(f"/gm/c/{OWN}/audit").text)
    assert rows == ["letter: C; ready: no", "letter: C; ready: yes"]
