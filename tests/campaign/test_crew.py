"""Who does what when much is due at once: workers share it, receipts go before Bells, the press has its own process."""

import gc
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import select

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.manage import deadlines
from gm.campaign.phase import drafting, intake
from gm.campaign.ports import BellDocument, Mail, Outgoing, Sending
from gm.campaign.services import Services, no_wake
from gm.mail.wiring import MailIn
from gm.rendering.newsroom import Newsroom, PlainRenderer
from gm.rendering.process import RendererProcess
from gm.store.tables import Alarm
from gm.worker import Worker, make_worker
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick
from tests.reports.sample import issues
from tests.reports.test_map_picture import assert_looks_like, opened


def test_two_workers_begin_a_long_list_at_different_places_and_take_a_few_at_a_time() -> None:
    due = [(number, f"campaign-{number}") for number in range(50)]
    one, other = ticker._share(due, "host/101"), ticker._share(due, "host/102")
    assert len(one) == len(other) == ticker.SHARE
    assert not set(one) & set(other)
    assert ticker._share(due[:3], "host/101") == due[:3]


def test_a_worker_keeps_a_few_issues_in_memory_however_many_campaigns_it_publishes(sqlite_services: Services) -> None:
    """A thousand deadlines at once left a worker with 900 MB."""
    gc.collect()
    before = sum(isinstance(kept, BellDocument) for kept in gc.get_objects())
    for number in range(drafting.PREVIEWS + 5):
        start(sqlite_services, name=f"Campaign {number}")
    gc.collect()
    kept = sum(isinstance(kept, BellDocument) for kept in gc.get_objects()) - before
    assert 0 < kept <= drafting.PREVIEWS


class Post:
    """Notes what is sent, in order."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sending]:
        for mail in mails:
            self.kinds.append(mail.kind)
            yield Sending(mail.id, mail.lease, True)


def test_what_is_not_a_bell_goes_before_the_bells_that_were_queued_before_it(
    services: Services, clock: FakeClock
) -> None:
    campaign = start(services)
    intake.submit(services, campaign, "A", "VOTE END", source="mail")
    post = Post()
    Worker(services, post).post()
    assert post.kinds[:8].count("bell") <= 2, "one in four, while others wait"
    assert set(post.kinds[8:]) == {"bell"}


def test_whoever_reads_mail_waits_for_nothing_that_is_sent(services: Services) -> None:
    """Ten letters to all in one mail kept the mail of another campaign waiting for nineteen seconds."""
    start(services)
    worker = make_worker(services)
    post = worker.sender = Post()
    (mail_in,) = worker.sources
    assert isinstance(mail_in, MailIn)
    mail_in.after()
    assert not post.kinds and worker.post() > 0 and "bell" in post.kinds


def test_bells_are_claimed_a_few_at_a_time(services: Services) -> None:
    start(services)
    start(services, name="Another")
    claimed = [[mail.kind for mail in some] for some in iter(lambda: outbox.claim(services, "w", limit=5), [])]
    assert all(kinds.count("bell") <= 1 and len(kinds) <= 5 for kinds in claimed)
    assert sum(kinds.count("bell") for kinds in claimed) >= 10


def test_bells_wait_while_many_campaigns_are_due(services: Services, clock: FakeClock) -> None:
    """Else the pictures of the first readers keep the last campaigns from being printed. Nothing else waits."""
    names = [start(services, name=f"Game {n}", reminders=[], grace_hours=0) for n in range(outbox.CROWD)]
    Worker(services, Post()).post()
    overdue = max(due_at(services, name) for name in names)
    clock.advance(seconds=(overdue - clock.now()).total_seconds())
    queue(services, names[0], ("bell", "a@x.test"), ("receipt", "b@x.test"))
    assert claimed(services) == ["receipt"]
    Worker(services, Post()).look()
    assert claimed(services).count("bell") > outbox.CROWD, "all are printed: now they go"


def test_no_bell_waits_for_a_crowd_for_longer_than_some_minutes(services: Services, clock: FakeClock) -> None:
    names = [start(services, name=f"Game {n}", reminders=[], grace_hours=0) for n in range(outbox.CROWD)]
    Worker(services, Post()).post()
    overdue = max(due_at(services, name) for name in names)
    clock.advance(seconds=(overdue - clock.now() - outbox.HELD / 2).total_seconds())
    queue(services, names[0], ("bell", "a@x.test"))
    clock.advance(seconds=outbox.HELD.total_seconds() * 0.6)
    queue(services, names[0], ("bell", "b@x.test"))
    assert claimed(services) == []
    clock.advance(seconds=outbox.HELD.total_seconds() * 0.45)
    assert claimed(services) == ["bell"], "the first has waited for long enough, the crowd is still there"


def test_bells_of_the_soonest_deadline_go_first(services: Services) -> None:
    late, soon = start(services), start(services, name="Another")
    Worker(services, Post()).post()
    deadlines.extend(services, late, hours=120)
    Worker(services, Post()).post()
    queue(services, late, ("bell", "a@x.test"), ("bell", "b@x.test"))
    queue(services, soon, ("bell", "c@x.test"), ("bell", "d@x.test"))
    found = [mail.campaign for some in iter(lambda: outbox.claim(services, "w", 5), []) for mail in some]
    assert found == [soon, soon, late, late]


def claimed(services: Services) -> list[str]:
    return [mail.kind for some in iter(lambda: outbox.claim(services, "w", 5), []) for mail in some]


def due_at(services: Services, campaign: str) -> datetime:
    with services.store.read() as session:
        found = session.scalar(select(Alarm.due_at).where(Alarm.campaign_id == campaign, Alarm.kind == "close"))
    assert found is not None
    return found


def test_no_campaign_nor_seat_takes_all_that_may_be_sent(services: Services) -> None:
    many, few = start(services), start(services, name="Another")
    Worker(services, Post()).post()
    queue(services, many, *(("letter", f"{to}@x.test") for _ in range(10) for to in "bcde"))
    queue(services, many, *(("answer", "a@x.test") for _ in range(10)), ("bell", "b@x.test"))
    turns = outbox.Turns()
    first = [mail.address for mail in outbox.claim(services, "w", 5, turns)]
    assert first == ["a@x.test"] * 3 + ["b@x.test"] * 2, "three answers, a letter, a Bell"
    queue(services, few, ("letter", "z@y.test"), ("receipt", "y@y.test"))
    queue(services, many, ("letter", "a@x.test"))
    then = [(mail.kind, mail.address) for mail in outbox.claim(services, "w", 5, turns)]
    assert then[:2] == [("receipt", "y@y.test"), ("answer", "a@x.test")] and then[-1] == ("letter", "z@y.test")
    rest = [mail.address for _ in range(5) for mail in outbox.claim(services, "w", 5, turns) if mail.kind == "letter"]
    assert sorted(rest) == [f"{to}@x.test" for to in "abcde"], "each gets one before any a second"


def queue(services: Services, campaign: str, *mails: tuple[str, str]) -> None:
    for kind, address in mails:
        key = f"{kind}/{address}/{len(outbox.listing(services, None, limit=5000))}"
        outbox.queue(services, Mail(key, kind, address, "Name", kind, "x", campaign, "A"))


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
