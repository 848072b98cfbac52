"""The worker: looks for what is due, sends mail, reads what came in. On SQLite a loop in one process; on PostgreSQL any
number of processes, woken by jobs. Any of them may be killed at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import structlog

from gm.campaign import outbox, ticker
from gm.campaign.ports import Sender
from gm.campaign.services import Services
from gm.mail.wiring import MailIn, sender_for
from gm.store import jobs
from gm.store.jobs import Bellpush, Collected

log = structlog.get_logger(__name__)
BATCH = 20


class Source(Protocol):
    """Something that runs beside the worker: an IMAP mailbox, an LMTP listener."""

    def start(self) -> object: ...

    def stop(self) -> object: ...


def worker_name() -> str:
    return f"{socket.gethostname()}/{os.getpid()}"


def make_worker(services: Services) -> Worker:
    """A worker with the mail that the settings describe. A receipt goes out as soon as its mail is dealt with."""
    worker = Worker(services, sender_for(services))
    worker.sources = (MailIn(services, after=worker.post),)
    return worker


@dataclass
class Worker:
    services: Services
    sender: Sender
    chores: Sequence[Callable[[], object]] = ()  # done at every look: mail that waits in the inbox
    sources: Sequence[Source] = ()
    name: str = field(default_factory=worker_name)

    def __post_init__(self) -> None:
        self._halted: str | None = None
        self._collected: Collected | None = None
        if isinstance(self.services.wake, Bellpush):
            self._collected = Collected(self.services.wake)
            self.services = replace(self.services, wake=self._collected)

    def look(self) -> ticker.TickReport:
        """Everything that is due, and the chores."""
        try:
            return self._look()
        finally:
            if self._collected is not None:
                self._collected.release()

    def _look(self) -> ticker.TickReport:
        report = ticker.tick(self.services, self.name)
        for kind, campaign in report.done:
            log.info("done", kind=kind, campaign=campaign)
        for kind, campaign, error in report.failed:
            log.error("failed", kind=kind, campaign=campaign, error=error)
        if report.halted != self._halted:
            log.warning("halted" if report.halted else "going_on", reason=report.halted)
            self._halted = report.halted
        for chore in self.chores:
            self._guarded(chore)
        return report

    def post(self) -> int:
        """All mail that may go now."""
        total = 0
        while (number := outbox.send_due(self.services, self.sender, self.name, BATCH)) > 0:
            total += number
        return total

    def once(self) -> tuple[ticker.TickReport, int]:
        return self.look(), self.post()

    def run(self) -> None:
        """Until the process is told to stop."""
        for source in self.sources:
            source.start()
        log.info("worker_started", name=self.name, engine="sqlite" if self.services.store.is_sqlite else "postgresql")
        try:
            if self.services.store.is_sqlite:
                self._loop()
            else:
                self._jobs()
        finally:
            for source in self.sources:
                source.stop()
            log.info("worker_stopped", name=self.name)

    def _loop(self) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            self._guarded(self.look)
            self._guarded(self.post)
            stop.wait(self.services.settings.tick_seconds)

    def _jobs(self) -> None:
        app = jobs.make_app(self.services.settings.database_url, self.look, self.post)
        self._guarded(self.look)  # what became due while nobody was there
        self._guarded(self.post)
        asyncio.run(jobs.run(app, self.name))

    @staticmethod
    def _guarded(step: Callable[[], object]) -> None:
        try:
            step()
        except Exception:  # a worker that dies of one bad moment is of no use
            log.exception("step_failed")
