"""The web on a table set once: every test gets a copy of the database."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from gm.campaign.services import Services
from gm.web.app import create_app
from gm.web.guard.limits import Limiter
from tests.campaign_fixtures import FakeClock, installed, settings_for
from tests.web.table import KEEPER, Browser, QuickNewsroom, set_table


@pytest.fixture(scope="session")
def set_database(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "set.sqlite"
    shutil.copy(sqlite_template, path)
    settings = settings_for(f"sqlite:///{path}")
    services = installed(settings, clock=FakeClock(), renderer=QuickNewsroom())
    set_table(services)
    services.close()
    return path


@pytest.fixture
def table(set_database: Path, tmp_path: Path, clock: FakeClock) -> Iterator[Services]:
    path = tmp_path / "kolokol.sqlite"
    shutil.copy(set_database, path)
    settings = settings_for(f"sqlite:///{path}", admins=KEEPER)
    services = installed(settings, clock=clock, renderer=QuickNewsroom())
    yield services
    services.close()


@pytest.fixture
def app(table: Services) -> FastAPI:
    return create_app(table, limiter=Limiter(factor=1000))


@pytest.fixture
def browser(app: FastAPI, table: Services) -> Callable[[], Browser]:
    return lambda: Browser(app, table)
