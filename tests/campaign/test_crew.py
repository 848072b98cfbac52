"""Who does what when much is due at once: workers share it, receipts go before Bells, the press has its own process."""

import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.phase import intake
from gm.campaign.ports import BellDocument, Outgoing, Sending
from gm.campaign.services import Services, no_wake
from gm.rendering.newsroom import Newsroom, PlainRenderer
from gm.rendering.process import RendererProcess
from gm.worker import Worker
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick
from tests.reports.sample import issues
from tests.reports.test_map_picture import assert_looks_like, opened


def test_two_workers_begin_a_long_list_at_different_places_and_take_a_few_at_a_time() -> None:
    due = [(number, f"campaign-{number}") for number in range(50)]
    one, other = ticker._share(due, "host/101"), ticker._share(due, "host/102")
    assert len(one) == len(other) == ticker.SHARE
    assert not set(one) & set(other)
    assert ticker._share(due[:3], "host/101") == due[:3]


class Post:
    """Notes what is sent, in order."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sending]:
        for mail in mails:
            self.kinds.append(mail.kind)
            yield Sending(mail.id, mail.lease, True)


def test_a_receipt_goes_before_the_bells_that_were_queued_before_it(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    intake.submit(services, campaign, "A", "VOTE END", source="mail")
    post = Post()
    Worker(services, post).post()
    first_bell = post.kinds.index("bell")
    assert first_bell > 0
    assert set(post.kinds[first_bell:]) == {"bell"}


def test_whoever_reads_mail_sends_its_receipts_and_no_bells(services: Services) -> None:
    start(services)
    post = Post()
    worker = Worker(services, post)
    worker.post_receipts()
    assert "bell" not in post.kinds
    assert worker.post() > 0
    assert "bell" in post.kinds


def test_bells_are_claimed_a_few_at_a_time(services: Services) -> None:
    start(services)
    start(services, name="Another")
    Worker(services, Post()).post_receipts()
    assert 0 < len(outbox.claim(services, "w", limit=20)) <= outbox.BELLS


@pytest.mark.postgres
def test_more_than_one_due_campaign_calls_other_workers(postgres_url: str, clock: FakeClock) -> None:
    services = installed(settings_for(postgres_url), clock=clock, renderer=PlainRenderer(), wake=no_wake)
    for name in ("One", "Two", "Three"):
        start(services, name=name, reminders=[], grace_hours=0)
    services.close()
    rung = installed(settings_for(postgres_url), clock=clock, renderer=PlainRenderer())
    clock.advance(days=30)
    report = Worker(rung, Post()).look()
    rung.close()
    assert len({campaign for kind, campaign in report.done if kind == "publish"}) == 3
    with psycopg.connect(postgres_url) as connection:
        query = "SELECT queueing_lock FROM jobs.procrastinate_jobs WHERE queue_name = 'look' ORDER BY queueing_lock"
        locks = [lock for (lock,) in connection.execute(query)]
    assert {"look/help/0", "look/help/1"} <= set(locks)


def test_two_that_look_at_once_do_each_thing_once(services: Services, clock: FakeClock) -> None:
    """One looks while the other is in the middle of it: what is taken is passed over."""
    names = [start(services, name=f"Game {n}", reminders=[], grace_hours=0) for n in range(3)]
    clock.advance(days=30)
    inner: list[tuple[str, str]] = []

    class Interrupted(PlainRenderer):
        def compose(self, issue):  # type: ignore[no-untyped-def]
            if not inner:
                inner.append(("begun", ""))
                inner.extend(tick(services))
            return super().compose(issue)

    outer = tick(replace(services, renderer=Interrupted()))
    published = [campaign for kind, campaign in outer + inner if kind == "publish"]
    assert sorted(published) == sorted(names)
    assert len([1 for kind, _ in inner if kind == "publish"]) == 2


@pytest.mark.slow
def test_the_press_in_its_own_process_prints_the_same_and_survives_its_death(tmp_path: Path) -> None:
    issue = issues()[3]
    here, there = Newsroom(), RendererProcess()
    try:
        expected = here.compose(issue)
        assert_same(there.compose(issue), expected)
        assert there._pool is not None
        (pid,) = there._pool._processes
        os.kill(pid, signal.SIGKILL)
        assert_same(there.compose(issue), expected)
        assert_same(there.compose(issue), expected)
    finally:
        there.close()


def assert_same(one: BellDocument, other: BellDocument) -> None:
    """To the letter, and the map to the eye."""
    assert replace(one, png=None) == replace(other, png=None)
    assert one.png is not None and other.png is not None
    assert_looks_like(opened(one.png), opened(other.png))
