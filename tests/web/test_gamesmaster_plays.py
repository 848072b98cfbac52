"""A Gamesmaster who plays takes no time from the others and sees no more than they do; who closes early is printed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.roles import GM, KEEPER
from gm.campaign.services import Services
from gm.errors import NotAllowed
from tests.web.table import OWN, Browser

Make = Callable[[], Browser]


def begin(services: Services, **options: object) -> str:
    campaign = creation.create(
        services,
        name="With a player",
        players=[NewPlayer(n, f"{n.lower()}@x.test") for n in ("Xenia", "Yuri", "Zoya")],
        gm_name="Xenia",
        gm_address="xenia@x.test",
        gm_letter="A",
        options=options,
    )
    creation.deal(services, campaign, force=True)
    ticker.tick(services, "test")
    return campaign


def test_a_gamesmaster_who_plays_closes_nothing_early(browser: Make, table: Services) -> None:
    campaign = begin(table)
    gm = browser().sit(campaign, GM)
    assert "Close it now" not in gm.get(f"/gm/c/{campaign}").text
    assert gm.post(f"/gm/c/{campaign}/close").status_code == 403
    with pytest.raises(NotAllowed):  # the same by another way
        deadlines.extend(table, campaign, hours=-24, shorten=True, reason="I am in")
    assert lookups.state(table, campaign).phase_state == "open"
    told = lookups.state(table, campaign).deadline
    assert told is not None
    deadlines.close_early(table, campaign, KEEPER, "The server moves.")
    ticker.tick(table, "test")
    bell = lookups.latest_bell(table, campaign)
    assert bell is not None
    printed = " ".join(bell.text.split())
    assert "Whoever keeps the installation closed this Phase on" in printed
    assert f"{told:%H:%M}" in printed and "The server moves." in printed


@pytest.mark.parametrize(("reason", "printed"), [("", "none was given"), ("All are in.", "All are in.")])
def test_the_bell_says_that_a_phase_was_closed_early(browser: Make, table: Services, reason: str, printed: str) -> None:
    gm = browser().sit(OWN, GM)
    told = lookups.state(table, OWN).deadline
    assert told is not None and "Close it now" in gm.get(f"/gm/c/{OWN}").text
    gm.post(f"/gm/c/{OWN}/close", {"reason": reason})
    page = " ".join(gm.get(f"/gm/c/{OWN}/draft/copy/public").text.split())
    assert "The Gamesmaster closed this Phase on" in page and "before its deadline, which was" in page
    assert f"{told.day} {told:%B %Y}" in page and printed in page


def test_where_players_do_not_see_who_is_ready_a_gamesmaster_who_plays_does_not(browser: Make, table: Services) -> None:
    campaign = begin(table, show_ready=False)
    gm = browser().sit(campaign, GM)
    intake.submit(table, campaign, "B", "GIVE 1 PM TO C", source="mail")
    intake.say_ready(table, campaign, "B", True)
    at = f"/gm/c/{campaign}"
    for page in (at, f"{at}/orders", f"{at}/seats", "/gm"):
        seen = gm.get(page).text
        assert 'tag good">in<' not in seen and 'tag good">ready' not in seen and ": has ordered" not in seen, page
    assert "B ready" not in (log := gm.get(f"{at}/audit").text) and ">orders<" not in log
    assert not [line for line in lookups.audit(table, campaign) if line.action in ("orders", "ready")]
    assert "Whoever is missing is reminded." in gm.post(f"{at}/nudge", follow=True).text
    assert [line.data for line in lookups.audit(table, campaign) if line.action == "nudge"] == [{}]
    queued = outbox.listing(table, campaign)
    assert any(mail.kind == "reminder" for mail in queued)
    subjects = [mail.subject for mail in queued if mail.kind == "reminder" and mail.letter == "C"]
    assert not [
        line for line in outbox.shown_to_gm(table, campaign) if line.subject in subjects and line.name == "Zoya"
    ]
    state = lookups.state_for_gm(table, campaign)
    assert [(seat.ordered, seat.ready, seat.told) for seat in state.seats] == [
        (False, False, True),
        (False, False, False),
        (False, False, False),
    ]
    assert lookups.state(table, campaign).seat("B").ready
