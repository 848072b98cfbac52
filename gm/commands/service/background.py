"""Running a worker in a thread of the web process, so that one process does everything."""

from __future__ import annotations

import threading
from collections.abc import Callable

from gm.worker import Worker


def start(worker: Worker) -> Callable[[], None]:
    """Run the worker, with its receivers of mail, until the returned function is called."""
    stop = threading.Event()
    thread = threading.Thread(target=worker.run, args=(stop,), name="worker", daemon=True)
    thread.start()

    def end() -> None:
        stop.set()
        thread.join(20)

    return end
