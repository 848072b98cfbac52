"""People on the web: a link pasted on the sign-in page, declining, readers taken off, how orders came."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gm.campaign.mailbox import inbox, outbox
from gm.campaign.manage import creation
from gm.campaign.phase import intake
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.store.tables import Campaign
from tests.web.table import KEEPER, OWN, Browser, people, ticket

Make = Callable[[], Browser]


@pytest.mark.parametrize(
    "wrapped", ["{base}/in#{token}", " <{base}/in#{token}> ", "{base}/in#{half}\r\n {rest}", "{token}"]
)
def test_a_link_pasted_on_the_sign_in_page_opens_the_desk(browser: Make, table: Services, wrapped: str) -> None:
    token = ticket(table, OWN, "A")
    pasted = wrapped.format(base=table.settings.base_url, token=token, half=token[:70], rest=token[70:])
    answer = browser().post("/in", {"token": pasted})
    assert answer.status_code == 303 and answer.headers["location"] == f"/c/{OWN}/desk"


def test_the_gamesmaster_takes_a_reader_off_the_list(browser: Make, table: Services) -> None:
    gm = browser().sit(OWN, "GM")
    assert "Rita" in gm.get(f"/gm/c/{OWN}/seats").text
    page = gm.post(f"/gm/c/{OWN}/seats/strike", {"address": f"rita@{OWN}.test"}, follow=True).text
    assert "gets no more mail" in page and not holders.readers(table, OWN)
    assert gm.post(f"/gm/c/{OWN}/seats/strike", {"address": f"anna@{OWN}.test"}).status_code == 404


def test_an_invited_player_declines_on_the_page(browser: Make, table: Services) -> None:
    facts = {"gm_name": "Gregor", "gm_address": "gm@new.test"}
    campaign = creation.create(table, name="New", players=people("new"), **facts)
    anna = browser().sit(campaign, "A")
    assert "No, thank you" in anna.get(f"/c/{campaign}/seat").text
    anna.post(f"/c/{campaign}/decline", {"note": "exams"})
    assert holders.seat_of(table, campaign, "A").address == ""


def test_orders_are_said_to_have_come_by_something(browser: Make, table: Services) -> None:
    intake.submit(table, OWN, "A", "VOTE END", source="mail")
    page = browser().sit(OWN, "GM").get(f"/gm/c/{OWN}/orders").text
    assert "came by mail" in page and "came by submitted" not in page


def put_aside(services: Services, campaign: str | None) -> int:
    raw = f"From: Anna <anna@new.test>\nTo: orders@bell.test\nSubject: orders\n\nVOTE END {campaign}\n".encode()
    number = inbox.store(services, raw, source="pipe", sender="anna@new.test").id
    inbox.quarantine(services, number, "unknown sender", campaign)
    return number


def test_the_gamesmaster_is_told_once_a_day_of_mail_put_aside_and_lets_it_in(browser: Make, table: Services) -> None:
    numbers = [put_aside(table, OWN) for _ in range(1)]
    inbox.quarantine(table, numbers[0], "unknown sender", OWN)
    (notice,) = [m for m in outbox.listing(table, OWN) if m.kind == "aside"]
    assert f"/gm/c/{OWN}/mail" in notice.text and notice.address == f"gm@{OWN}.test"
    gm = browser().sit(OWN, "GM")
    assert "VOTE END" in gm.get(f"/gm/c/{OWN}/inbox/{numbers[0]}").text
    gm.post(f"/gm/c/{OWN}/inbox/release", {"number": numbers[0], "letter": "A"})
    assert inbox.get(table, numbers[0]).state == "new"


def test_where_the_gamesmaster_plays_the_keeper_lets_it_in(browser: Make, table: Services) -> None:
    with table.store.write() as session:
        session.get(Campaign, OWN).gm_letter = "A"  # type: ignore[union-attr]
    number = put_aside(table, OWN)
    (notice,) = [m for m in outbox.listing(table, None) if m.kind == "aside"]
    assert notice.address == KEEPER
    gm, keeper = browser().sit(OWN, "GM"), browser().sit(OWN, "keeper")
    assert gm.get(f"/gm/c/{OWN}/inbox/{number}").status_code == 404
    assert f"/gm/inbox/{number}" in keeper.get("/gm").text and "VOTE END" in keeper.get(f"/gm/inbox/{number}").text
    keeper.post("/gm/inbox/release", {"number": number, "seat": f"{OWN}/B"})
    assert (inbox.get(table, number).state, inbox.get(table, number).letter) == ("new", "B")
