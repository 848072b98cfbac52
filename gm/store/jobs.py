"""Wake-ups of workers on PostgreSQL: procrastinate jobs. The work itself is in rows, so a job may be lost or
come twice without harm: every worker also looks once a minute."""

from __future__ import annotations

import asyncio
import time
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
RETRY = RetryStrategy(max_attempts=5, exponential_wait=2)
HELPERS = 8  # that one worker calls at most
KEEP_HOURS = 24
STALLED_SECONDS = 600
MAIL_SECONDS = 2.0


def _connection(url: str) -> dict[str, Any]:
    return {
        "conninfo": url.replace("postgresql+psycopg://", "postgresql://", 1),
        "kwargs": {"options": SCHEMA_PATH},
        "min_size": 1,
        "max_size": 4,
    }


class WakeUps:
    """Wakes the workers, from a process that serves the web or runs a command."""

    def __init__(self, url: str) -> None:
        self._app = App(connector=SyncPsycopgConnector(**_connection(url)))
        self._open = False
        self._announced: set[str] = set()  # minutes to come for which there is a job

    def __call__(self, at: datetime | None, mail: bool) -> None:
        try:
            self._opened()
            if at is not None:
                self._ring(LOOK, at)
            if mail:
                self._ring(POST, None)
        except (ConnectorException, OSError) as error:
            log.warning("wake_up_lost", error=str(error))  # the next minute's look finds it

    def _opened(self) -> None:
        if not self._open:
            self._app.open()
            self._open = True

    def call_for_help(self, number: int) -> None:
        """So much is due that other workers should look too, if they are free."""
        try:
            self._opened()
            for helper in range(min(number - 1, HELPERS)):
                self._ring(LOOK, None, f"{LOOK}/help/{helper}")
        except (ConnectorException, OSError) as error:
            log.warning("wake_up_lost", error=str(error))

    def _ring(self, name: str, at: datetime | None, lock: str = "") -> None:
        """One job a minute and kind is enough, however many deadlines fall into it."""
        moment = at if at is not None and at > datetime.now(UTC) else None
        lock = lock or (f"{name}/{moment:%Y-%m-%dT%H:%M}" if moment else f"{name}/now")
        if lock in self._announced:
            return
        job = self._app.configure_task(name, schedule_at=moment, queueing_lock=lock, queue=name)
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
    """Wake-ups that a worker's own work causes, kept until its tick is over: it needs no waking meanwhile."""

    def __init__(self, push: WakeUps) -> None:
        self._push = push
        self._moments: set[datetime] = set()
        self._mail = False
        self._rung = 0.0

    def __call__(self, at: datetime | None, mail: bool) -> None:
        if at is not None:
            self._moments.add(at)
        self._mail = self._mail or mail
        if mail and time.monotonic() > self._rung + MAIL_SECONDS:  # a long look: mail need not wait for its end
            self._rung, self._mail = time.monotonic(), False
            self._push(None, True)

    def call_for_help(self, number: int) -> None:
        self._push.call_for_help(number)

    def release(self) -> None:
        """Queue one wake-up for each minute to come, and one for all the mail."""
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
    """The jobs of a worker: handle what is due, send mail, and once an hour remove old jobs."""
    app = App(connector=PsycopgConnector(**_connection(url)))

    @app.task(name=LOOK, queue=LOOK, retry=RETRY)
    def look_now() -> None:
        look()

    @app.task(name=POST, queue=POST, retry=RETRY)
    def post_now() -> None:
        post()

    @app.periodic(cron="* * * * *")
    @app.task(name="minute", queue=LOOK, queueing_lock="minute")
    def minute(timestamp: int) -> None:
        look()

    @app.periodic(cron="* * * * *")
    @app.task(name="minute_post", queue=POST, queueing_lock="minute_post")
    def minute_post(timestamp: int) -> None:
        post()

    @app.periodic(cron="17 * * * *")
    @app.task(name="sweep", queue=POST, queueing_lock="sweep")
    async def sweep(timestamp: int) -> None:
        """Jobs of killed workers are ended (the rows they stood for are still there), old ones removed."""
        for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS):
            await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=True)
        await app.job_manager.delete_old_jobs(nb_hours=KEEP_HOURS, include_failed=True)

    return app


async def run(app: App, name: str) -> None:
    """Run jobs until the process is told to stop: looking and sending side by side, each one at a time."""
    async with app.open_async():
        sending = asyncio.create_task(
            app.run_worker_async(queues=[POST], name=f"{name}/{POST}", concurrency=1, install_signal_handlers=False)
        )
        try:
            await app.run_worker_async(queues=[LOOK], name=name, concurrency=1, fetch_job_polling_interval=5)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
