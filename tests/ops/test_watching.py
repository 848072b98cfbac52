"""Whoever watches the service learns whether it is there and works, and its figures; strangers learn nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.ports import Mail
from gm.campaign.services import Services, no_wake
from gm.rendering.newsroom import PlainRenderer
from gm.store.engine import Store
from gm.web.app import create_app
from tests.campaign_fixtures import FakeClock, installed, settings_for, start


@pytest.fixture
def services(store_url: str, clock: FakeClock) -> Iterator[Services]:
    """With a press that is quick: what a Bell looks like does not matter here."""
    made = installed(settings_for(store_url), clock=clock, wake=no_wake, renderer=PlainRenderer())
    yield made
    made.close()


HERE, AWAY = ("127.0.0.1", 40000), ("203.0.113.5", 40000)


def client(services: Services, caller: tuple[str, int] = HERE) -> TestClient:
    return TestClient(create_app(services), base_url="http://127.0.0.1:8000", client=caller)


def figure(text: str, name: str) -> float:
    [line] = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(line.split()[1])


def test_the_web_says_that_it_is_there_and_whether_a_worker_looks(sqlite_services: Services, clock: FakeClock) -> None:
    web = client(sqlite_services)
    assert web.get("/healthz").text == "ok\n"
    assert web.get("/readyz").text == "ok, but no worker is looking\n"
    ticker.tick(sqlite_services)
    assert web.get("/readyz").text == "ok\n"
    clock.advance(minutes=30)
    assert web.get("/readyz").text == "ok, but no worker is looking\n"


def test_without_its_database_it_is_alive_but_not_ready(sqlite_services: Services) -> None:
    broken = replace(sqlite_services, store=Store("postgresql://nobody@127.0.0.1:1/none"))
    web = client(broken)
    assert web.get("/healthz").status_code == 200
    assert web.get("/readyz").status_code == 503


def test_figures_are_true_on_both_engines(services: Services, clock: FakeClock) -> None:
    start(services)
    outbox.queue(services, Mail("k", "links", "anna@players.test", "Anna", "subject", "text"))
    for mail in (m for claimed in iter(lambda: outbox.claim(services, "w", 100), []) for m in claimed):
        outbox.sent(services, mail.id, mail.lease) if mail.key != "k" else outbox.failed(
            services, mail.id, mail.lease, "550", permanent=True
        )
    text = client(services).get("/metrics").text
    assert 'kolokol_campaigns{status="running"} 1.0' in text
    assert 'kolokol_phases{state="open"} 1.0' in text
    assert figure(text, "kolokol_mails_failed") == 1
    assert figure(text, "kolokol_mails_waiting") == 0
    assert figure(text, "kolokol_mails_total") >= 7
    assert figure(text, "kolokol_clock_halted") == 0
    assert figure(text, "kolokol_overdue") == 0
    clock.advance(days=30)
    late = client(services).get("/metrics").text
    assert figure(late, "kolokol_overdue") >= 1 and figure(late, "kolokol_overdue_seconds") > 86400


def test_nobody_is_named_in_the_figures(sqlite_services: Services) -> None:
    campaign = start(replace(sqlite_services, renderer=PlainRenderer()))
    text = client(sqlite_services).get("/metrics").text
    assert campaign not in text and "players.test" not in text and "Anna" not in text


@pytest.mark.parametrize(
    ("token", "caller", "headers", "status"),
    [
        ("", HERE, {}, 200),
        ("", AWAY, {}, 404),
        ("", HERE, {"X-Forwarded-For": "203.0.113.5"}, 404),  # a proxy on this machine asks for somebody else
        ("watcher", AWAY, {"Authorization": "Bearer watcher"}, 200),
        ("watcher", AWAY, {"Authorization": "Bearer other"}, 404),
        ("watcher", HERE, {}, 404),
    ],
)
def test_figures_are_for_this_machine_or_for_who_has_the_token(
    sqlite_services: Services, token: str, caller: tuple[str, int], headers: dict[str, str], status: int
) -> None:
    services = replace(sqlite_services, settings=replace(sqlite_services.settings, metrics_token=token))
    assert client(services, caller).get("/metrics", headers=headers).status_code == status
