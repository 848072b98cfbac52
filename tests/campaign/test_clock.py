"""A clock that cannot be believed stops what happens by itself, and the Gamesmaster is told."""

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.services import Services, no_wake
from gm.rendering.newsroom import PlainRenderer
from gm.store.repositories import campaigns
from tests.campaign_fixtures import FakeClock, installed, settings_for, start


@pytest.fixture
def strict(store_url: str, clock: FakeClock) -> Iterator[Services]:
    """As it is set up for players: an hour is the most."""
    settings = settings_for(store_url, clock_jump_minutes=60)
    made = installed(settings, clock=clock, renderer=PlainRenderer(), wake=no_wake)
    yield made
    made.close()


def mails(services: Services, campaign: str) -> list[str]:
    return [mail.address for mail in outbox.listing(services, campaign, limit=500) if mail.kind == "clock"]


def test_an_hour_between_two_looks_is_nothing(strict: Services, clock: FakeClock) -> None:
    start(strict)
    clock.advance(minutes=60)
    assert ticker.tick(strict).halted is None


def test_a_jump_of_more_than_an_hour_stops_adjudication_and_tells_the_gamesmaster(
    strict: Services, clock: FakeClock
) -> None:
    campaign = start(strict)
    clock.advance(days=10)
    report = ticker.tick(strict)
    assert report.halted is not None and report.done == []
    assert lookups.state(strict, campaign).phase == "pregame" and lookups.state(strict, campaign).halted
    assert mails(strict, campaign) == ["gm@players.test"]
    clock.advance(minutes=1)
    assert ticker.tick(strict).halted is not None, "it stays so until somebody says that all is well"
    assert mails(strict, campaign) == ["gm@players.test"], "and is said once"


def test_a_clock_set_back_stops_adjudication(strict: Services, clock: FakeClock) -> None:
    campaign = start(strict)
    deadlines.close_early(strict, campaign)
    clock.advance(minutes=-20)
    assert "something happened" in (ticker.tick(strict).halted or "")
    assert lookups.state(strict, campaign).phase_state == "sealed"


def test_a_time_before_the_last_recorded_event_is_noticed_without_any_look_between(
    strict: Services, clock: FakeClock
) -> None:
    campaign = start(strict)
    clock.advance(minutes=30)
    intake.submit(strict, campaign, "A", "", source="web")
    clock.advance(minutes=-25)
    assert ticker.tick(strict).halted is not None


def test_who_waited_for_the_database_does_not_doubt_the_clock_by_what_others_did_meanwhile(
    services: Services, clock: FakeClock
) -> None:
    """A look that waits for its turn while two days pass, in which another worker looked."""
    start(services)
    found: list[str | None] = []
    look = threading.Thread(target=lambda: found.append(ticker.check_clock(services)))
    with services.store.write() as session:
        row = campaigns.clock(session)  # locked until the end of this block
        look.start()
        look.join(0.3)
        clock.advance(days=2)
        row.last_tick_at = clock.now()
    look.join(60)
    assert found == [None]


def test_clocks_of_two_machines_may_differ_by_a_moment(strict: Services, clock: FakeClock) -> None:
    start(strict)
    clock.advance(seconds=-3)
    assert ticker.tick(strict).halted is None


def test_once_accepted_everything_goes_on(strict: Services, clock: FakeClock) -> None:
    campaign = start(strict)
    clock.advance(days=10)
    assert ticker.tick(strict).halted is not None
    assert "the clock went from" in (ticker.accept_clock(strict) or "")
    report = ticker.tick(strict)
    assert report.halted is None and ("close", campaign) in report.done
    assert ticker.accept_clock(strict) is None


def test_orders_are_taken_and_deadlines_can_be_moved_while_it_is_halted(strict: Services, clock: FakeClock) -> None:
    campaign = start(strict)
    clock.advance(days=10)
    ticker.tick(strict)
    assert intake.submit(strict, campaign, "A", "", source="mail").status == "taken"
    deadlines.extend(strict, campaign, until=clock.now() + timedelta(days=2))
    ticker.accept_clock(strict)
    assert ticker.tick(strict).done == []
