"""Setting up and tearing down a rehearsal: settings, database, clock, mail and processes."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from gm.bootstrap import bootstrap
from gm.config import Settings
from gm.rehearsal.clock import PushedClock
from gm.rehearsal.crew import Crew, Reaper, free_port
from gm.rehearsal.director import Director, Plan
from gm.rehearsal.invariants import examine
from gm.rehearsal.post import Postman, PostOffice
from gm.rehearsal.process import CLOCK
from gm.rehearsal.report import Report, report
from gm.rendering.newsroom import PlainRenderer
from gm.store import migrate
from gm.store.engine import make_engine

DOMAIN = "bell.test"


@dataclass(frozen=True, slots=True)
class Stage:
    plan: Plan
    folder: Path
    database_url: str = ""  # empty: SQLite in the folder
    workers: int = 2
    kill: bool = False
    kill_every: float = 8.0  # seconds, more or less
    plain: bool = False  # Bells with the bare facts, which are printed quickly


def settings_for(stage: Stage) -> Settings:
    """As in production, but that nothing leaves this machine and that time may jump."""
    smtp, web = free_port(), free_port()
    return replace(
        Settings(),
        database_url=stage.database_url or f"sqlite:///{stage.folder}/kolokol.sqlite",
        sqlite_sync="normal",
        secret_key=f"rehearsal-{stage.plan.seed}-".ljust(40, "x"),
        base_url=f"http://127.0.0.1:{web}",
        listen=f"127.0.0.1:{web}",
        behind_proxy=True,
        mail_transport="smtp",
        mail_from=f"gm@{DOMAIN}",
        mail_domain=DOMAIN,
        orders_address=f"orders@{DOMAIN}",
        smtp_host="127.0.0.1",
        smtp_port=smtp,
        smtp_tls="none",
        mails_per_minute=100_000,
        mail_lease_seconds=5,
        render_lease_seconds=20,
        tick_seconds=1,
        clock_jump_minutes=60 * 24 * 365,
        log_format="json",
    )


def rehearse(stage: Stage) -> Report:
    stage.folder.mkdir(parents=True, exist_ok=True)
    settings = settings_for(stage)
    engine = make_engine(settings.database_url)
    migrate.upgrade(engine)
    engine.dispose()
    clock = PushedClock(stage.folder / CLOCK)
    began, opened = time.monotonic(), clock.now().timestamp()
    services = bootstrap(settings, clock=clock, renderer=PlainRenderer() if stage.plain else None)
    office = PostOffice(settings.smtp_port)
    crew = Crew(settings, stage.folder, stage.workers, stage.plain)
    reaper = None
    try:
        crew.wait_for_web()
        postman = Postman(crew.ports, Random(stage.plan.seed))
        director = Director(stage.plan, services, clock, crew, office, postman)
        if stage.kill:
            reaper = Reaper(crew, Random(stage.plan.seed + 1), stage.kill_every)
        director.run()
    finally:
        if reaper is not None:
            reaper.stop()
        crew.dismiss()
        office.close()
    try:
        seconds = time.monotonic() - began
        return report(director, examine(director, stage.folder), seconds, opened)
    finally:
        services.close()
