"""What keeps browsers and servers out of trouble: headers, limits, sizes, escaping."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest
from fastapi import FastAPI

from gm.campaign.access import links
from gm.campaign.access.ended_sessions import end_keepers, keeper_mark
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import letters
from gm.campaign.services import Services
from gm.web import pages
from gm.web.app import create_app
from gm.web.guard.limits import RATES, Limiter
from gm.web.guard.session import SeatKey, Session, Sessions
from gm.wording import templates_folder
from tests.campaign_fixtures import settings_for
from tests.stopwatch import within
from tests.web.table import KEEPER, OPEN, OWN, Browser

Make = Callable[[], Browser]
PAGES = ("/", "/in", "/rulings", f"/c/{OPEN}", f"/c/{OPEN}/bells/2", f"/c/{OPEN}/map", "/api/v1/board", "/nothing")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
HOSTILE = "\"><script>alert(1)</script>'<img src=x onerror=alert(2)>"


def test_every_answer_carries_its_armour(browser: Make) -> None:
    visitor = browser()
    for path in PAGES:
        headers = visitor.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy, path
        assert "script-src 'self'" in policy, path
        assert "unsafe" not in policy, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-frame-options"] == "DENY"


def test_no_page_brings_code_or_style_of_its_own(browser: Make) -> None:
    gm = browser().sit(OWN, "GM").sit(OWN, "A")
    paths = (*PAGES, f"/c/{OWN}/desk", f"/c/{OWN}/letters", f"/c/{OWN}/seat", "/gm", "/gm/new", f"/gm/c/{OWN}")
    for path in paths:
        page = gm.get(path).text
        if not page.startswith("<!"):
            continue
        assert not re.search(r"<script(?![^>]*\bsrc=)", page), path
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page), path
        outside = [u for u in re.findall(r'(?:src|href)="(https?:[^"]+)"', page) if "127.0.0.1" not in u]
        assert not outside, path


def test_what_players_write_is_never_markup(browser: Make, table: Services) -> None:
    anna, boris = browser().sit(OWN, "A"), browser().sit(OWN, "B")
    anna.post(f"/c/{OWN}/letters", {"to": ["B", "GM"], "subject": HOSTILE, "text": HOSTILE})
    anna.post(f"/c/{OWN}/press", {"dateline": HOSTILE, "text": HOSTILE})
    anna.post(f"/c/{OWN}/orders", {"orders": HOSTILE})
    anna.post(f"/c/{OWN}/extension", {"reason": HOSTILE})
    gm = browser().sit(OWN, "GM")
    pages = [
        anna.get(f"/c/{OWN}/desk"),
        anna.get(f"/c/{OWN}/orders"),
        anna.get(f"/c/{OWN}/seat"),
        anna.get(f"/c/{OWN}/letters"),
        boris.get(f"/c/{OWN}/letters"),
        gm.get(f"/gm/c/{OWN}"),
        gm.get(f"/gm/c/{OWN}/orders"),
        gm.get(f"/gm/c/{OWN}/mail"),
        gm.get(f"/gm/c/{OWN}/audit"),
    ]
    assert any("alert(1)" in page.text for page in pages)
    for page in pages:
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
    assert letters.letters_of(table, OWN, "C") == []


def test_a_body_that_is_too_large_is_refused(browser: Make) -> None:
    anna = browser().sit(OWN, "A")
    assert anna.post(f"/c/{OWN}/orders", {"orders": "x" * 400_000}).status_code == 413
    chunks = (b"x" * 1000 for _ in range(400))  # without saying beforehand how much it is
    assert anna.client.post(f"/c/{OWN}/orders", content=chunks, headers=FORM).status_code == 413
    assert anna.post(f"/c/{OWN}/orders", {"orders": "# " + "x" * 59_000}).status_code == 303


FIELD = b'--XX\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n--XX--\r\n'


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", '"PunyCode"', "unicode_escape", "utf-16", "nobody-knows", "x" * 50_000]
)
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=XX", "application/json"])
def test_nobody_chooses_the_characters_of_a_body(browser: Make, charset: str, kind: str) -> None:
    """Python's decoders are many, and two of them take the square of their text; unknown names are never forgotten."""
    for given in (f"{kind}; charset={charset}", f"{kind}; charset=utf-8 ; CHARSET = {charset}"):
        body = FIELD % (b"csrf", b"a" * 200_000)
        answer = within(
            1,
            lambda given=given, body=body: browser().client.post("/in", content=body, headers={"Content-Type": given}),
        )
        assert answer.status_code == 415


def test_a_form_in_utf_8_may_say_so(browser: Make) -> None:
    visitor = browser()
    for charset in ("utf-8", '"UTF-8"', "utf8"):
        body = FIELD % (b"csrf", visitor.csrf().encode())
        kind = f"multipart/form-data; boundary=XX; charset={charset}"
        assert visitor.client.post("/in", content=body, headers={"Content-Type": kind}).status_code == 422  # no token


@pytest.mark.parametrize(("seat", "status"), [("", 413), ("A", 413), ("reader", 413), ("GM", 200), ("keeper", 200)])
def test_only_who_may_lay_a_board_sends_a_large_body(browser: Make, seat: str, status: int) -> None:
    caller = browser().sit(OWN, seat) if seat else browser()
    pack = b"[pack]\nname = 'large'\n" + b"#" * 350_000
    files = {"pack": ("a.toml", pack, "application/octet-stream")}
    assert caller.post("/gm/board", files=files).status_code == status
    form = caller.client.build_request("POST", "/gm/board", data={"csrf": caller.csrf()}, files=files)
    chunks = (bytes(form.read()[i : i + 50_000]) for i in range(0, 400_000, 50_000))  # not saying how much it is
    kind = {"Content-Type": form.headers["content-type"]}
    assert caller.client.post("/gm/board", content=chunks, headers=kind).status_code == status


def test_a_nul_byte_never_reaches_the_database(browser: Make) -> None:
    anna = browser().sit(OWN, "A")
    assert anna.post(f"/c/{OWN}/orders", {"orders": "MOVE\x00"}).status_code == 422
    assert anna.json(f"/api/v1/campaigns/{OWN}/orders", {"text": "\x00"}).status_code == 422
    assert anna.get("/c/%00/desk").status_code == 404


def test_guessing_is_slowed_down(table: Services) -> None:
    visitor = Browser(create_app(table, limiter=Limiter()), table)
    codes = [visitor.post("/in", {"token": "guess"}).status_code for _ in range(RATES["sign-in"].burst + 3)]
    assert codes[0] == 403
    assert codes[-1] == 429


def test_the_limiter_lets_go_again_with_time() -> None:
    now = [0.0]
    limiter = Limiter(lambda: now[0])
    waits = [limiter.take("link", "me") for _ in range(6)]
    assert waits[:4] == [0, 0, 0, 0]
    assert waits[4] > 0
    assert limiter.take("link", "somebody else") == 0
    now[0] += 60
    assert limiter.take("link", "me") == 0


def test_over_https_the_cookie_is_bound_to_the_host_and_never_sent_in_the_clear() -> None:
    sessions = Sessions(b"x" * 32, settings_for("sqlite://", base_url="https://bell.example"))
    header = sessions.header(Session(sid="x"))
    assert header.startswith("__Host-kolokol=")
    assert "; Secure" in header


def test_a_session_survives_its_cookie_and_forgets_its_flashes_once_shown() -> None:
    sessions = Sessions(b"x" * 32, settings_for("sqlite://"))
    session = Session(sid="s", seats=(SeatKey("own", "A", "f"),), admin="a@b")
    session.flash("good", "done")
    again = sessions.load(sessions.dump(session))
    assert (again.sid, again.seats, again.admin) == ("s", session.seats, "a@b")
    assert again.take_flashes() == [["good", "done"]]
    assert again.take_flashes() == []
    assert sessions.load("nonsense") == Session()


def test_a_keeper_ends_every_session_and_link_of_before(browser: Make, table: Services) -> None:
    """A copied cookie of a keeper was good for two months, and longer when it was used."""
    old = links.sign(table, Ticket(Purpose.ADMIN, data={"address": KEEPER}))
    keeper = browser().sit(OWN, "A")
    assert keeper.post("/in", {"token": old}).status_code == 303
    assert keeper.get("/gm/new").status_code == 200
    settings = replace(table.settings, admins=KEEPER)
    end_keepers(replace(table, settings=settings))
    assert keeper.get("/gm/new").status_code != 200
    assert keeper.get(f"/c/{OWN}/desk").status_code == 200, "the seat in the same cookie has keys of its own"
    assert browser().post("/in", {"token": old}).status_code == 403
    fresh = Ticket(Purpose.ADMIN, fingerprint=keeper_mark(table, KEEPER), data={"address": KEEPER})
    assert keeper.post("/in", {"token": links.sign(table, fresh)}).status_code == 303
    assert keeper.get("/gm/new").status_code == 200


def test_static_files_may_be_kept_for_ever_because_their_name_changes(browser: Make, app: FastAPI) -> None:
    visitor = browser()
    page = visitor.get("/").text
    for path in re.findall(r'"(/static/[^"]+)"', page):
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        assert "immutable" in answer.headers["cache-control"]
    assert visitor.get("/static/old/css/site.css").status_code == 404


def test_a_style_that_is_made_from_a_template_gets_a_new_address_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pages.static_version()
    shutil.copytree(templates_folder(), tmp_path / "templates")
    with (tmp_path / "templates" / "bell" / "page.css").open("a") as style:
        style.write("p { color: red }")
    monkeypatch.setattr(pages, "templates_folder", lambda: tmp_path / "templates")
    assert pages.static_version.__wrapped__() != before


def test_a_head_is_answered_like_a_page_without_the_page(browser: Make) -> None:
    visitor = browser()
    whole, head = visitor.get("/rulings"), visitor.client.head("/rulings")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-security-policy"] == whole.headers["content-security-policy"]
    assert visitor.client.head("/nothing").status_code == 404


def costly(parts: int) -> bytes:
    """A form whose parts have long heads, each of which takes its reader two milliseconds."""
    head = b'Content-Disposition: form-data; name="a"' + b";" * 4_000
    return b"".join(b"--XX\r\n%s\r\n\r\nx\r\n" % head for _ in range(parts)) + b"--XX--\r\n"


@pytest.mark.parametrize(
    ("seat", "path", "kind", "body"),
    [
        ("", "/in", "multipart/form-data; boundary=XX", costly(68)),
        ("", "/in", "multipart/form-data; boundary=XX", FIELD % (b"a", b"x") * 1_000),
        ("", "/in", "application/x-www-form-urlencoded", b"&" * 19_000),
        ("A", f"/c/{OWN}/orders", "multipart/form-data; boundary=XX", costly(60)),
        ("A", f"/c/{OWN}/orders", "application/x-www-form-urlencoded", b"&" * 299_000),
        ("GM", "/gm/board", "multipart/form-data; boundary=XX", costly(900)),
        ("GM", "/gm/board", "multipart/form-data; boundary=-", b"--" * 900_000),
        ("GM", "/gm/new", "multipart/form-data; boundary=XX", costly(60)),
    ],
)
def test_a_form_that_costs_much_to_read_is_refused_before_it_is_read(
    browser: Make, seat: str, path: str, kind: str, body: bytes
) -> None:
    """Once a few hundred of them within the limits held all pages for everybody."""
    caller = browser().sit(OWN, seat) if seat else browser()
    began = process_time()
    answer = caller.client.post(path, content=body, headers={"Content-Type": kind})
    assert answer.status_code == 413 and process_time() - began < 0.2


def test_who_has_no_seat_sends_no_large_form(browser: Make) -> None:
    assert browser().client.post("/in", content=b"a=" + b"x" * 30_000, headers=FORM).status_code == 413
    assert browser().client.post("/in", content=b"a=" + b"x" * 10_000, headers=FORM).status_code == 403
