"""On PostgreSQL workers are woken by jobs; a job is a hint that may be lost or come twice."""

import multiprocessing
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from structlog.testing import capture_logs

from gm.campaign.manage import deadlines
from gm.campaign.reads import lookups
from gm.rendering.newsroom import PlainRenderer
from gm.store.jobs import WakeUps
from tests.campaign import fault_worker
from tests.campaign_fixtures import installed, start, tick

pytestmark = pytest.mark.postgres


def waiting(url: str) -> list[tuple[str, str]]:
    with psycopg.connect(url) as connection:
        query = "SELECT task_name, queueing_lock FROM jobs.procrastinate_jobs WHERE status = 'todo' ORDER BY id"
        return [(name, lock) for name, lock in connection.execute(query)]


def test_however_often_it_rings_there_is_one_job_a_minute_and_kind(postgres_url: str) -> None:
    push = WakeUps(postgres_url)
    later = datetime.now(UTC).replace(second=0) + timedelta(hours=1)
    for seconds in (0, 10, 20):
        push(None, mail=True)
        push(later + timedelta(seconds=seconds), mail=False)
        push(datetime.now(UTC) - timedelta(days=1), mail=False)
    push.close()
    assert waiting(postgres_url) == [
        ("post", "post/now"),
        ("look", f"look/{later:%Y-%m-%dT%H:%M}"),
        ("look", "look/now"),
    ]


def test_a_lost_wake_up_is_no_error(postgres_server: str) -> None:
    push = WakeUps(postgres_server)  # a database in which nobody has made the tables
    with capture_logs() as logged:
        push(datetime.now(UTC), mail=True)
    push.close()
    assert [entry["event"] for entry in logged] == ["wake_up_lost"]


def test_a_deadline_leaves_a_job_for_its_minute(postgres_url: str, tmp_path: Path) -> None:
    (tmp_path / "offset").write_text("0")
    clock = fault_worker.PushedClock(tmp_path / "offset")
    services = installed(fault_worker.fault_settings(postgres_url), clock=clock, renderer=PlainRenderer())
    campaign = start(services, reminders=[])
    deadline = lookups.state(services, campaign).deadline
    services.close()
    assert ("look", f"look/{deadline:%Y-%m-%dT%H:%M}") in waiting(postgres_url)


@pytest.mark.slow
def test_a_worker_is_woken_by_what_another_process_does(postgres_url: str, tmp_path: Path) -> None:
    (tmp_path / "offset").write_text("0")
    clock = fault_worker.PushedClock(tmp_path / "offset")
    services = installed(fault_worker.fault_settings(postgres_url), clock=clock, renderer=PlainRenderer())
    campaign = start(services)
    tick(services)
    context = multiprocessing.get_context("spawn")
    worker = context.Process(target=fault_worker.run, args=(postgres_url, str(tmp_path)), daemon=True)
    worker.start()
    try:
        until = time.monotonic() + 180
        while not (tmp_path / "sent.log").exists() or len((tmp_path / "sent.log").read_text().split()) < 10:
            assert time.monotonic() < until, "the worker never came up"
            time.sleep(0.1)
        deadlines.close_early(services, campaign)
        woken = time.monotonic()  # by a job, not by the minute's look
        while lookups.state(services, campaign).phase != "first":
            assert time.monotonic() < woken + 55, "nobody woke the worker"
            time.sleep(0.05)
        while not any(mail.kind == "bell" and mail.state == "sent" for mail in _second_bell(services, campaign)):
            assert time.monotonic() < woken + 240, "the Bell was not sent"
            time.sleep(0.05)
    finally:
        worker.kill()
        worker.join()
        services.close()


def _second_bell(services, campaign: str):
    from gm.campaign.mailbox import outbox

    return [mail for mail in outbox.listing(services, campaign, limit=500) if "/bell/2/" in mail.key]
