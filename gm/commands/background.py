"""A worker in a thread beside the web, for one process on SQLite."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

from gm.worker import Worker

log = structlog.get_logger()


def start(worker: Worker, seconds: float) -> Callable[[], None]:
    """Look every so often until the function that this gives is called."""
    done = threading.Event()

    def loop() -> None:
        while not done.wait(seconds):
            try:
                worker.once()
            except Exception as error:  # the next look may do better
                log.error("worker.failed", exc_info=error)

    thread = threading.Thread(target=loop, name="worker", daemon=True)
    thread.start()

    def stop() -> None:
        done.set()
        thread.join(10)

    return stop
