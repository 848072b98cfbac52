"""The worker: handles due alarms, sends and receives mail, each without waiting for the others. Bells are made
in a second process. On SQLite one worker, on PostgreSQL any number, woken by jobs. Any may be killed at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

import structlog

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.ports import Sender
from gm.campaign.services import Services
from gm.mail.wiring import MailIn, sender_for
from gm.processes import keep_what_is_loaded
from gm.rendering.newsroom import Newsroom
from gm.rendering.process import RendererProcess
from gm.standin.process import StandInProcess
from gm.standin.record import written
from gm.store import jobs
from gm.store.jobs import Collected, WakeUps

log = structlog.get_logger(__name__)
BATCH = 5  # mails; then it is looked again what goes next
BESIDE = 2  # campaigns whose stand-ins are waited for at a time; each seat of them takes its turn
WARM_UP_AFTER = 20.0  # seconds; what lives shorter than that need not be ready for a deadline


class Source(Protocol):
    """Something that runs beside the worker: an IMAP mailbox, an LMTP listener."""

    def start(self) -> object: ...

    def stop(self) -> object: ...


def worker_name() -> str:
    return f"{socket.gethostname()}/{os.getpid()}"


def make_worker(services: Services) -> Worker:
    """A worker with the mail that the settings describe. A receipt goes out as soon as its mail is dealt with; whoever
    reads mail waits for nothing that is sent."""
    if isinstance(services.renderer, Newsroom):
        services = replace(services, renderer=RendererProcess())
    if services.standin is written:
        services = replace(services, standin=StandInProcess())
    mail_in = MailIn(services)
    worker = Worker(replace(services, settle=mail_in.settle), sender_for(services), sources=(mail_in,))
    mail_in.after = worker.wake_sender
    return worker


@dataclass
class Worker:
    services: Services
    sender: Sender
    sources: Sequence[Source] = ()
    name: str = field(default_factory=worker_name)

    def __post_init__(self) -> None:
        self._halted: str | None = None
        self._collected: Collected | None = None
        self._mail_waits = threading.Event()
        self._turns = outbox.Turns()
        self._sending: threading.Thread | None = None
        self._closed = threading.Event()
        self._helper: threading.Thread | None = None
        self._beside: ThreadPoolExecutor | None = None
        self._thought_of: set[str] = set()  # campaigns for which something is done beside all else
        if isinstance(self.services.wake, WakeUps):
            self._collected = Collected(self.services.wake)
            self.services = replace(self.services, wake=self._collected)
        elif self.services.store.is_sqlite:
            self.services = replace(self.services, wake=self.wake)
        self.services = replace(self.services, beside=self.do_beside)

    def wake(self, at: datetime | None, mail: bool) -> None:
        if mail:
            self.wake_sender()

    def for_the_web(self, services: Services) -> Services:
        """What serves the web in the same process: its mail goes out at once, and what takes long is done here."""
        wake = self.wake if services.store.is_sqlite else services.wake
        return replace(services, wake=wake, beside=self.do_beside)

    def do_beside(self, campaign: str, work: Callable[[Services], object]) -> bool:
        """What takes long for one campaign, while all else goes on; False: this worker does not run."""
        if self._beside is None:
            return False
        if campaign not in self._thought_of:
            self._thought_of.add(campaign)
            self._beside.submit(self._guarded, lambda: self._done_beside(campaign, work))
        return True

    def _done_beside(self, campaign: str, work: Callable[[Services], object]) -> None:
        try:
            work(self.services)
        finally:
            self._thought_of.discard(campaign)
        if not self._closed.is_set():
            self.look()  # what follows from it is due
            self.wake_sender()

    def wake_sender(self) -> None:
        self._mail_waits.set()

    def look(self) -> ticker.TickReport:
        """Handle everything that is due, and the regular tasks."""
        try:
            return self._look()
        finally:
            if self._collected is not None:
                self._collected.release()

    def _look(self) -> ticker.TickReport:
        report = self._tick(self.name)
        if report.halted != self._halted:
            log.warning("halted" if report.halted else "going_on", reason=report.halted)
            self._halted = report.halted
        return report

    def _tick(self, name: str) -> ticker.TickReport:
        report = ticker.tick(self.services, name, more=self._call_for_help)
        for kind, campaign in report.done:
            log.info("done", kind=kind, campaign=campaign)
        for kind, campaign, error in report.failed:
            log.error("failed", kind=kind, campaign=campaign, error=error)
        return report

    def _call_for_help(self, number: int) -> None:
        """More than one thing is due: other workers may take some, or a thread, while this one renders."""
        if self._collected is not None:
            self._collected.call_for_help(number)
        elif isinstance(self.services.renderer, RendererProcess) and (
            self._helper is None or not self._helper.is_alive()
        ):
            self._helper = threading.Thread(target=self._guarded, args=(self._help,), name="helper", daemon=True)
            self._helper.start()

    def _help(self) -> None:
        self._tick(f"{self.name}/2")

    def post(self) -> int:
        """Send all mail that may go now."""
        total = 0
        while (number := outbox.send_due(self.services, self.sender, self.name, BATCH, self._turns)) > 0:
            total += number
        return total

    def once(self) -> tuple[ticker.TickReport, int]:
        return self.look(), self.post()

    def run(self, stop: threading.Event | None = None) -> None:
        """Until the process is told to stop; in a thread beside the web, until `stop` is set."""
        self.open()
        warming = threading.Timer(WARM_UP_AFTER, self._warm_up)
        warming.daemon = True
        warming.start()
        log.info("worker_started", name=self.name, engine="sqlite" if self.services.store.is_sqlite else "postgresql")
        try:
            if stop is not None:
                self._loop(stop)
            elif self.services.store.is_sqlite:
                self._loop(_stopped_by_signals())
            else:
                self._jobs()
        finally:
            warming.cancel()
            self.close()
            if isinstance(self.services.renderer, RendererProcess):
                self.services.renderer.close()
            log.info("worker_stopped", name=self.name)

    def open(self) -> None:
        """Begin to receive and to send mail."""
        for source in self.sources:
            source.start()
        self._sending = threading.Thread(target=self._send, name="sending", daemon=True)
        self._sending.start()
        if isinstance(self.services.standin, StandInProcess):
            self._beside = ThreadPoolExecutor(BESIDE, thread_name_prefix="beside")

    def close(self) -> None:
        for source in self.sources:
            source.stop()
        self._closed.set()
        self.wake_sender()
        beside, self._beside = self._beside, None
        if beside is not None:
            beside.shutdown(wait=False, cancel_futures=True)
        if isinstance(self.services.standin, StandInProcess):
            self.services.standin.close()
        if beside is not None:
            beside.shutdown()
        if self._sending is not None:
            self._sending.join(20)

    def _warm_up(self) -> None:
        keep_what_is_loaded()
        if isinstance(self.services.renderer, RendererProcess):
            self._guarded(self.services.renderer.warm_up)

    def _loop(self, stop: threading.Event) -> None:
        while not stop.is_set():
            self._guarded(self.look)
            self.wake_sender()
            stop.wait(self.services.settings.tick_seconds)
        if self._helper is not None:
            self._helper.join(20)

    def _send(self) -> None:
        """Beside all else: what is ready goes out while the next Bell is being rendered, and while mail is read."""
        while not self._closed.is_set():
            self._mail_waits.wait(self.services.settings.tick_seconds)  # also while a look takes long
            self._mail_waits.clear()
            self._guarded(self.post)

    def _jobs(self) -> None:
        app = jobs.make_app(self.services.settings.database_url, self.look, self.post)
        self._guarded(self.look)  # what became due while no worker ran
        self._guarded(self.post)
        asyncio.run(jobs.run(app, self.name))

    @staticmethod
    def _guarded(step: Callable[[], object]) -> None:
        try:
            step()
        except Exception:  # one error must not end the worker
            log.exception("step_failed")


def _stopped_by_signals() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop
