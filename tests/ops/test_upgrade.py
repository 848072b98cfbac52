"""An installation of the first schema is brought to the present one, and its campaign plays on."""

from __future__ import annotations

import json
import shutil
import zipfile
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from gm import backup
from gm.adjudicator.versions import DICE, READING
from gm.campaign.export import archive, importing
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.services import no_wake
from gm.errors import NotNow
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.verify import verify
from gm.store import migrate
from gm.store.engine import make_engine
from tests.campaign_fixtures import START, FakeClock, installed, let_pass, settings_for
from tests.ops.make_first_schema import DATA, FIRST


def test_a_campaign_of_the_first_schema_upgrades_and_plays_on(elsewhere: str, tmp_path: Path) -> None:
    engine = "sqlite" if elsewhere.startswith("sqlite") else "postgresql"
    settings = settings_for(elsewhere)
    manifest = backup.restore(settings, DATA / f"first-schema-{engine}.backup")
    assert manifest.schema == FIRST
    database = make_engine(elsewhere)
    assert migrate.current(database) == migrate.head()
    database.dispose()

    clock = FakeClock(START + timedelta(days=8))
    services = installed(settings, clock=clock, wake=no_wake, renderer=PlainRenderer())
    try:
        [line] = lookups.overview(services)
        orders = intake.current_orders(services, line.id, "B")
        assert orders is not None and "VOTE" in orders.canonical, "what was on file still is"
        before = lookups.state(services, line.id)
        let_pass(services, clock, days=6)
        after = lookups.state(services, line.id)
        assert after.bell_number > before.bell_number
        archive.export(services, line.id, tmp_path / "archive", public=True)
        verdict = verify(importing.read_files(tmp_path / "archive"))
        assert verdict.ok and verdict.dice > 0, verdict.findings
        kept = [json.loads(path.read_text()) for path in sorted((tmp_path / "archive" / "phases").iterdir())]
        judged = [phase for phase in kept if phase["outcome"] is not None]
        assert (judged[0]["reading"], judged[0]["dice"]) == (1, 1), "rows of before were judged by version 1"
        assert (judged[-1]["reading"], judged[-1]["dice"]) == (READING, DICE)
    finally:
        services.close()


def test_a_database_file_of_the_first_schema_is_upgraded_by_the_service_itself(tmp_path: Path) -> None:
    """Nobody need call a command with SQLite: the new version is started on the old file."""
    path = tmp_path / "kolokol.sqlite"
    with zipfile.ZipFile(DATA / "first-schema-sqlite.backup") as box, path.open("wb") as out:
        shutil.copyfileobj(box.open(backup.DATABASE), out)
    engine = make_engine(f"sqlite:///{path}")
    assert migrate.current(engine) == FIRST
    services = installed(settings_for(f"sqlite:///{path}"), clock=FakeClock(START + timedelta(days=8)))
    assert migrate.current(engine) == migrate.head()
    assert len(lookups.overview(services)) == 1
    services.close()
    engine.dispose()


@pytest.mark.postgres
def test_on_a_server_nothing_is_changed_until_told(postgres_server: str) -> None:
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS untold WITH (FORCE)")
        connection.execute("CREATE DATABASE untold")
    url = postgres_server.replace("/postgres?", "/untold?")
    engine = make_engine(url)
    migrate.upgrade(engine, FIRST)
    with pytest.raises(NotNow, match="present schema") as refusal:
        installed(settings_for(url), clock=FakeClock())
    assert refusal.value.hint == "run: gm migrate"
    assert migrate.current(engine) == FIRST
    engine.dispose()
