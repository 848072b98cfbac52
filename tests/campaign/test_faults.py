"""Many campaigns due at once, several workers, kill -9 at random points: everything happens exactly once."""

import multiprocessing
import random
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from gm.campaign import ticker
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.verify import verify
from gm.store.jobs import WakeUps
from gm.store.tables import Adjudication, PhaseRow
from tests.campaign import fault_worker
from tests.campaign_fixtures import installed, new_campaign, tick
from tests.support import examples

CAMPAIGNS = examples(60, here=20)
KILLS = examples(20, here=8)
ROUNDS = (("pregame", 48), ("first", 48))  # each time all campaigns are due at once
PATIENCE = 400  # seconds until something is certainly wrong, on a busy machine too
# Nobody waits for anybody: a deadline a day after the Phase opens, no grace.
OPTIONS = {"pregame_days": 1, "first_days": 1, "second_days": 1, "min_hours": 0, "grace_hours": 0, "reminders": []}


class Gang:
    """So many worker processes; one that is killed is replaced."""

    def __init__(self, number: int, url: str, folder: Path) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.campaign.fault_worker"])
        self._args = (url, str(folder))
        self.workers = [self._hire() for _ in range(number)]
        self.killed = 0

    def _hire(self):
        process = self._context.Process(target=fault_worker.run, args=self._args, daemon=True)
        process.start()
        return process

    def kill_one(self, chance: random.Random) -> None:
        index = chance.randrange(len(self.workers))
        self.workers[index].kill()  # SIGKILL
        self.workers[index].join()
        self.workers[index] = self._hire()
        self.killed += 1

    def dismiss(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.join()


def prepare(url: str, folder: Path) -> tuple[Services, list[str]]:
    (folder / "offset").write_text("0")
    clock = fault_worker.PushedClock(folder / "offset")
    services = installed(fault_worker.fault_settings(url), clock=clock, renderer=PlainRenderer())
    campaigns = [new_campaign(services, f"Front {number}", **OPTIONS) for number in range(CAMPAIGNS)]
    for campaign in campaigns:
        creation.deal(services, campaign, force=True)
    tick(services)
    for number, campaign in enumerate(campaigns):
        intake.submit(services, campaign, "ABC"[number % 3], "GIVE 1 PM TO D", source="web")
    return services, campaigns


def in_phase(services: Services, phase: str) -> int:
    with services.store.read() as session:
        query = select(func.count()).where(PhaseRow.phase == phase, PhaseRow.state == "open")
        return session.scalar(query) or 0


def play(services: Services, gang: Gang, folder: Path, wake) -> None:
    chance = random.Random(1918)
    until = time.monotonic() + PATIENCE
    for done, (phase, hours) in enumerate(ROUNDS, start=1):
        assert in_phase(services, phase) == CAMPAIGNS
        (folder / "offset").write_text(str(hours * done))
        following = {"pregame": "first", "first": "second"}[phase]
        while in_phase(services, following) < CAMPAIGNS or gang.killed < KILLS * done // len(ROUNDS):
            wake()
            time.sleep(chance.uniform(0.05, 0.6))
            if gang.killed < KILLS * done // len(ROUNDS):
                gang.kill_one(chance)
            assert time.monotonic() < until, f"{in_phase(services, following)} of {CAMPAIGNS} are in {following}"
    while outbox.listing(services, None, "queued", 1):
        wake()
        time.sleep(0.2)
        assert time.monotonic() < until, "mail is stuck in the outbox"


def check(services: Services, campaigns: list[str], folder: Path) -> None:
    with services.store.read() as session:
        adjudicated = Counter(row.campaign_id for row in session.scalars(select(Adjudication)))
    assert adjudicated == dict.fromkeys(campaigns, 3), "the deal and two Phases of each"
    for campaign in campaigns:
        log = Counter(row.action for row in lookups.audit(services, campaign, 1000))
        assert (log["seal"], log["adjudicate"], log["publish"]) == (3, 3, 3)
        assert [line.number for line in lookups.bells(services, campaign)] == [1, 2, 3]
    sent = Counter((folder / "sent.log").read_text().split())
    queued = {mail.message_id: mail for mail in outbox.listing(services, None, limit=100_000)}
    assert len(queued) >= CAMPAIGNS * 5 * 3 and set(sent) == set(queued), "none lost, none unknown"
    assert {mail.state for mail in queued.values()} == {"sent"}
    for number, campaign in enumerate(campaigns):
        archive.export(services, campaign, folder / f"archive-{number}", public=True)
        verdict = verify(importing.read_files(folder / f"archive-{number}"))
        assert verdict.ok and verdict.dice > 0, verdict.findings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "workers"), [("sqlite", 2), pytest.param("postgresql", 3, marks=pytest.mark.postgres)]
)
def test_whatever_is_killed_every_phase_is_adjudicated_once_and_no_mail_is_lost(
    engine: str, workers: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = request.getfixturevalue("sqlite_url" if engine == "sqlite" else "postgres_url")
    services, campaigns = prepare(url, tmp_path)
    push = WakeUps(url) if engine == "postgresql" else None
    gang = Gang(workers, url, tmp_path)
    try:
        play(services, gang, tmp_path, lambda: push and push(services.clock.now() - timedelta(days=99), True))
    finally:
        gang.dismiss()
    assert gang.killed == KILLS
    check(services, campaigns, tmp_path)
    assert ticker.tick(services).done == []
    services.close()
    if push:
        push.close()
