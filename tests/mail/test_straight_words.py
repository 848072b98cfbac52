"""What a Gamesmaster does is told as what it is: a rollback, a removal, the end; and what one who plays cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.campaign import ticker
from gm.campaign.export.archive import export
from gm.campaign.export.site import write_site
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import intake, rollback
from gm.campaign.reads import lookups
from gm.campaign.roles import KEEPER
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import NotAllowed
from gm.store.mail_tables import Outbox
from gm.web.app import create_app
from tests.campaign_fixtures import FIVE, FakeClock, installed, settings_for
from tests.mail.post import LETTERS, Post, copy_of
from tests.web.table import Browser

SENT = "VOTE END"


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign whose Bells come from the real press: dealt, the trades played, June open."""
    path = tmp_path_factory.mktemp("printed") / "printed.sqlite"
    services = installed(settings_for(f"sqlite:///{path}", orders_address="orders@bell.test"), clock=FakeClock())
    creation.create(
        services,
        name="June 1918",
        players=FIVE,
        gm_name="Anna",
        gm_address="anna@players.test",
        gm_letter="A",
        options={"ready": "automatic", "public": True},
    )
    for letter in LETTERS:
        creation.accept(services, "june-1918", letter)
    tick(services)
    for letter in "ABC":
        intake.submit(services, "june-1918", letter, SENT, source="mail")
    deadlines.close_early(services, "june-1918", KEEPER)
    tick(services)
    services.close()
    return path


@pytest.fixture
def post(printed: Path, tmp_path: Path) -> Iterator[Post]:
    clock = FakeClock()
    url = copy_of(printed, tmp_path)
    services = installed(settings_for(url, orders_address="orders@bell.test"), clock=clock)
    yield Post(services, "june-1918", clock)
    services.close()


def tick(services: Services) -> None:
    report = ticker.tick(services)
    assert not report.failed, report.failed


def bell(post: Post, letter: str = "B") -> Outbox:
    rows = outbox.listing(post.services, post.campaign, limit=1000)
    return next(row for row in rows if row.kind == "bell" and row.letter == letter)


def flat(text: str) -> str:
    return " ".join(text.split())


# --- a rollback


def test_an_erratum_says_what_it_is_which_issues_are_void_and_that_no_orders_stand(post: Post) -> None:
    rollback.rollback(post.services, post.campaign, 0, "pregame", "I misread Boris's gift.", actor=KEEPER)
    tick(post.services)
    mail = bell(post)
    headline = lookups.bells(post.services, post.campaign)[-1].headline
    assert headline.startswith("Erratum: issue #2 is void, ") and "the trades before the game" in headline
    assert mail.subject.startswith(headline), "all that a hurried reader sees, there and in HISTORY"
    said = flat(mail.text)
    assert (
        "The keeper of this installation has gone back to the start of the trades before the game: from there on"
        in said
    )
    assert "The reason: “I misread Boris's gift.” Issue #2 is void" in said and "No orders stand" in said


def test_with_the_old_orders_kept_the_phase_is_open_for_its_full_time(post: Post) -> None:
    for letter in "DE":
        holders.set_standin(post.services, post.campaign, letter, True, actor=KEEPER)  # the Gamesmaster plays
    rollback.rollback(post.services, post.campaign, 0, "pregame", "The wrong dice", keep_orders=True, actor=KEEPER)
    tick(post.services)
    said = flat(bell(post).text)
    assert "are forgotten: they no longer count towards the two Phases in a row after which the Gamesmaster is" in said
    assert "sealed for it (A, B and C) stand, unless" in said and "open again until the deadline above" in said
    assert "None stand from" not in said, "a stand-in is not asked for orders"
    state = lookups.state(post.services, post.campaign)
    assert state.full_deadline is None and [s.letter for s in state.seats if s.ordered] == ["A", "B", "C"]
    assert state.opened_at is not None and state.deadline is not None and (state.deadline - state.opened_at).days >= 7
    for letter in "ABC":
        post.write(letter, "READY")
    assert lookups.state(post.services, post.campaign).full_deadline is not None, "now they have said so"


def test_void_issues_are_marked_in_every_list(post: Post, tmp_path: Path) -> None:
    rollback.rollback(post.services, post.campaign, 0, "pregame", "The wrong dice", actor=KEEPER)
    tick(post.services)
    (history,) = post.write("B", "HISTORY")
    assert [line.split()[1] for line in history.text.splitlines() if line.strip().startswith("#")].count("VOID:") == 1
    browser = Browser(create_app(post.services), post.services)
    page = browser.get("/c/june-1918/bells").text
    assert page.count(">void<") == 1 and page.index("#3") < page.index(">void<") < page.index("#1")
    assert browser.get("/c/june-1918").text.count(">void<") == 1
    assert browser.get("/c/june-1918/feed.atom").text.count("VOID: ") == 1
    assert "This issue is void" in browser.get("/c/june-1918/bells/2").text
    assert "This issue is void" not in browser.get("/c/june-1918/bells/1").text
    rows = browser.get("/api/v1/campaigns/june-1918/bells").json()
    assert [row["number"] for row in rows if row["void"]] == [2]
    assert browser.get("/api/v1/campaigns/june-1918/bells/2").json()["void"] is True
    write_site(post.services, post.campaign, tmp_path / "site")
    assert (tmp_path / "site/index.html").read_text().count("VOID: ") == 1
    assert (tmp_path / "site/feed.xml").read_text().count("VOID: ") == 1
    assert "This issue is void" in (tmp_path / "site/bells/002.html").read_text()
    export(post.services, post.campaign, tmp_path / "archive", public=True)
    assert (tmp_path / "archive/bells/index.json").read_text().count('"void": true') == 1


# --- a Gamesmaster who plays


def test_that_the_gamesmaster_plays_is_told_in_the_invitation_every_bell_and_on_the_page(post: Post) -> None:
    mails = outbox.listing(post.services, post.campaign, limit=1000)
    invitations = {mail.letter: flat(mail.text) for mail in mails if mail.kind == "invitation"}
    assert all("Anna is Gamesmaster and plays A as well" in invitations[letter] for letter in "BCDE")
    first = next(mail for mail in mails if mail.kind == "bell" and mail.letter == "B" and "#1" in mail.subject)
    assert "also plays A, and can neither see nor enter the orders of others" in flat(first.text)
    browser = Browser(create_app(post.services), post.services)
    assert "who also plays A" in browser.get("/c/june-1918").text


def test_a_gamesmaster_who_plays_enters_and_sees_nobodys_orders(post: Post) -> None:
    post.write("B", "MOVE Lenin: PETR-PSKO")
    anna = Browser(create_app(post.services), post.services).sit(post.campaign, "GM")
    refused = anna.post("/gm/c/june-1918/orders", {"letter": "B", "text": "VOTE END"})
    assert refused.status_code == 403 and post.orders_of("B").startswith("MOVE Lenin: PETR-PSKO")
    for path in ("orders", "", "mail", "audit", "seats"):
        page = anna.get(f"/gm/c/june-1918/{path}".rstrip("/")).text
        assert "Lenin" not in page and "File them" not in page, path
    with pytest.raises(NotAllowed):
        lookups.orders_of(post.services, post.campaign, "GM")


def test_the_keeper_enters_them_on_record_and_the_player_is_told_by_whom(
    post: Post, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = post.newest()
    intake.submit(post.services, post.campaign, "B", "VOTE END", source="gm", actor="keeper")
    (told,) = post.since(before)
    assert "The keeper of this installation has entered" in told.text
    (entry,) = [row for row in lookups.audit(post.services, post.campaign) if row.action == "orders"][:1]
    assert entry.actor == "keeper"


# --- leaving, and the end


def test_a_removal_is_no_resignation_and_the_orders_on_file_count_as_he_was_told(post: Post) -> None:
    post.write("D", "VOTE END")
    before = post.newest()
    holders.remove(post.services, post.campaign, "D", "He insulted Clara.")
    (told,) = [mail for mail in post.since(before) if mail.letter == "D"]
    assert "still count" in flat(told.text) and "He insulted Clara." in flat(told.text)
    deadlines.close_early(post.services, post.campaign, KEEPER)
    tick(post.services)
    said = flat(bell(post).text)
    assert "resign" not in said.lower() and "Dmitri (“D”) is taken out of the game" in said
    assert "VOTE END" in said, "his vote was counted"
    (refused,) = post.write("D", "VOTE CONTINUE")
    assert "Your orders were not taken: you are out of the game." in flat(refused.text)


def test_a_removed_player_without_orders_is_told_that_his_forces_hold(post: Post) -> None:
    before = post.newest()
    holders.remove(post.services, post.campaign, "D", "")
    (told,) = [mail for mail in post.since(before) if mail.letter == "D"]
    assert "no orders on file" in flat(told.text)


def test_whatever_ends_the_war_the_last_bell_has_the_standings(post: Post) -> None:
    creation.finish(post.services, post.campaign, "The holidays are over.", actor=KEEPER)
    tick(post.services)
    said = flat(bell(post).text)
    assert "The holidays are over." in said and "FINAL STANDINGS" in said.upper()
    assert "Nobody has won: the Gamesmaster ended the war" in said and all(player.name in said for player in FIVE)
    assert "curtain rises" not in said.lower()
