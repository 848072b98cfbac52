"""The processes of a rehearsal: starting, watching, killing at random, restarting."""

from __future__ import annotations

import multiprocessing
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

from gm.config import Settings
from gm.rehearsal import process


def free_port() -> int:
    """A port at which nobody listens, below those that the system gives to outgoing calls: it stays free a while."""
    while True:
        port = Random().randrange(20_000, 32_000)
        with socket.socket() as s, suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port


def rss_megabytes(pid: int) -> float | None:
    """Memory of a process; None where the system does not tell, or it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


class Crew:
    """One web and so many workers. Each worker has its own mail listener, as each machine of an installation would."""

    def __init__(self, settings: Settings, folder: Path, workers: int, plain: bool = False) -> None:
        self._context: ForkServerContext = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["gm.rehearsal.process"])
        self._settings = settings
        self._folder = str(folder)
        self._plain = plain
        self._lock = threading.Lock()
        self.ports = [free_port() for _ in range(workers)]
        self.kills = 0
        self.memory: dict[str, list[float]] = {"web": [], "worker": []}
        self.web = self._start(process.serve, settings, "web")
        self.workers = [self._hire(number) for number in range(workers)]

    def _start(self, target: Callable[..., None], settings: Settings, name: str) -> BaseProcess:
        arguments = (settings, self._folder, name, self._plain)
        made = self._context.Process(target=target, args=arguments)  # no daemon: a worker has a process of its own
        made.start()
        return made

    def _hire(self, number: int) -> BaseProcess:
        settings = replace(self._settings, lmtp_listen=f"127.0.0.1:{self.ports[number]}")
        return self._start(process.work, settings, f"worker-{number}")

    def wait_for_web(self, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self._settings.base_url}/healthz", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise TimeoutError("the web did not start; see web.log")

    def kill_one(self, chance: Random) -> None:
        """Kill a worker with SIGKILL, whatever it is doing."""
        with self._lock:
            number = chance.randrange(len(self.workers))
            self.workers[number].kill()
            self.workers[number].join()
            self.workers[number] = self._hire(number)
            self.kills += 1

    def replace_the_dead(self) -> int:
        """Restart a worker that ended by itself, and count it: it should not have."""
        dead = 0
        with self._lock:
            for number, worker in enumerate(self.workers):
                if not worker.is_alive():
                    self.workers[number] = self._hire(number)
                    dead += 1
        return dead

    def weigh(self) -> None:
        with self._lock:
            for kind, processes in (("web", [self.web]), ("worker", self.workers)):
                found = [mb for p in processes if p.pid and (mb := rss_megabytes(p.pid)) is not None]
                if found:
                    self.memory[kind].append(max(found))

    def dismiss(self) -> None:
        with self._lock:
            for member in (*self.workers, self.web):
                member.terminate()
            for member in (*self.workers, self.web):
                member.join(10)
                if member.is_alive():
                    member.kill()
                    member.join()


class Reaper:
    """Kills a worker every few seconds until told to stop."""

    def __init__(self, crew: Crew, chance: Random, seconds: float) -> None:
        self._crew = crew
        self._chance = chance
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reaper", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(self._chance.uniform(0.2, 1.8) * self._seconds):
            self._crew.kill_one(self._chance)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
