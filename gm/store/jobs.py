"""Wake-ups on PostgreSQL: procrastinate jobs that say "look now". The work itself is in rows, so a job may be lost or
come twice without harm; the minute's own look makes up for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import structlog
from procrastinate import App, PsycopgConnector, RetryStrategy, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Status

log = structlog.get_logger(__name__)
SCHEMA_PATH = "-c search_path=jobs,public"
LOOK, POST = "look", "post"  # for what is due, for mail to be sent
PATIENCE = RetryStrategy(max_attempts=5, exponential_wait=2)
KEEP_HOURS = 24
STALLED_SECONDS = 600


def _connection(url: str) -> dict[str, Any]:
    return {
        "conninfo": url.replace("postgresql+psycopg://", "postgresql://", 1),
        "kwargs": {"options": SCHEMA_PATH},
        "min_size": 1,
        "max_size": 4,
    }


class Bellpush:
    """What a process that serves the web or the command line rings to wake the workers."""

    def __init__(self, url: str) -> None:
        self._app = App(connector=SyncPsycopgConnector(**_connection(url)))
        self._open = False
        self._announced: set[str] = set()  # minutes to come for which there is a job

    def __call__(self, at: datetime | None, mail: bool) -> None:
        try:
            if not self._open:
                self._app.open()
                self._open = True
            if at is not None:
                self._ring(LOOK, at)
            if mail:
                self._ring(POST, None)
        except (ConnectorException, OSError) as error:
            log.warning("wake_up_lost", error=str(error))  # the next minute's look finds it

    def _ring(self, name: str, at: datetime | None) -> None:
        """One job a minute and kind is enough, however many deadlines fall into it."""
        moment = at if at is not None and at > datetime.now(UTC) else None
        lock = f"{name}/{moment:%Y-%m-%dT%H:%M}" if moment else f"{name}/now"
        if lock in self._announced:
            return
        job = self._app.configure_task(name, schedule_at=moment, queueing_lock=lock)
        try:
            job.defer()
        except AlreadyEnqueued:
            pass
        if moment is not None:
            self._announced.add(lock)

    def close(self) -> None:
        if self._open:
            self._app.close()


class Collected:
    """What a worker's own work would ring for, kept until the look is over: it needs no waking meanwhile."""

    def __init__(self, push: Bellpush) -> None:
        self._push = push
        self._moments: set[datetime] = set()
        self._mail = False

    def __call__(self, at: datetime | None, mail: bool) -> None:
        if at is not None:
            self._moments.add(at)
        self._mail = self._mail or mail

    def release(self) -> None:
        """Ring once for each minute to come, and once for all the mail."""
        moments, mail = sorted(self._moments), self._mail
        self._moments, self._mail = set(), False
        now = datetime.now(UTC)
        for moment in moments:
            if moment > now:
                self._push(moment, False)
        if mail:
            self._push(None, True)

    def close(self) -> None:
        self._push.close()


def make_app(url: str, look: Callable[[], object], post: Callable[[], object]) -> App:
    """The jobs of a worker: look for what is due, send mail, and once an hour sweep up."""
    app = App(connector=PsycopgConnector(**_connection(url)))

    @app.task(name=LOOK, retry=PATIENCE)
    def look_now() -> None:
        look()

    @app.task(name=POST, retry=PATIENCE)
    def post_now() -> None:
        post()

    @app.periodic(cron="* * * * *")
    @app.task(name="minute", queueing_lock="minute")
    def minute(timestamp: int) -> None:
        look()
        post()

    @app.periodic(cron="17 * * * *")
    @app.task(name="sweep", queueing_lock="sweep")
    async def sweep(timestamp: int) -> None:
        """Jobs of killed workers are ended (the rows they stood for are still there), old ones removed."""
        for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS):
            await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=True)
        await app.job_manager.delete_old_jobs(nb_hours=KEEP_HOURS, include_failed=True)

    return app


async def run(app: App, name: str) -> None:
    """Run jobs until the process is told to stop."""
    async with app.open_async():
        await app.run_worker_async(name=name, concurrency=2, fetch_job_polling_interval=5)
