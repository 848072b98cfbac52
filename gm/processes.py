"""Second processes: they end with the one that started them, and one that reads what strangers send has limits."""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Lock, Thread
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
SECONDS = 3  # of processor time for one call; an ordinary mail takes milliseconds
MEGABYTES = 1_500  # of memory for the whole process


class Run(Protocol):
    """Calls a function, here or elsewhere."""

    def __call__(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...


def here(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    return function(*args, **kwargs)


class TooCostly(Exception):
    """A call took more processor time or memory than it may."""


class Ended(Exception):
    """The process is closed: nothing more is done in it."""


class Allowance:
    """Several calls, such as all for one mail, that share what one call may take. Where they run in this process they
    are not limited."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.elsewhere = 0.0  # processor time taken in another process

    def __call__(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if not isinstance(self._run, BoundedProcess):
            return self._run(function, *args, **kwargs)
        left = self._run.seconds - self.elsewhere
        if left <= 0:
            raise TooCostly(getattr(function, "__name__", ""))
        try:
            result, took = self._run.measured(left, function, args, kwargs)
        except TooCostly:
            self.elsewhere += left
            raise
        self.elsewhere += took
        return result


class BoundedProcess:
    """Calls functions, one after another, in a process of its own: a call that takes too much ends that process and
    not this one, and the next call gets a new one. Function, arguments and result must be picklable."""

    def __init__(self, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> None:
        self._seconds, self._megabytes = seconds, megabytes
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock()
        self._ended = False

    def __call__(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.measured(self._seconds, function, args, kwargs)[0]

    @property
    def seconds(self) -> int:
        return self._seconds

    def measured(
        self, seconds: float, function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[T, float]:
        """What it gives, and the processor time that it took."""
        with self._lock:
            if self._ended:
                raise Ended
            try:
                return self._opened().submit(_limited, seconds, function, args, kwargs).result()
            except (BrokenProcessPool, MemoryError) as error:
                self._close()
                raise TooCostly(getattr(function, "__name__", "")) from error

    def close(self) -> None:
        with self._lock:
            self._close()

    def end(self) -> None:
        """Close it for good: calls that wait raise Ended; the one that runs is waited for."""
        self._ended = True
        self.close()

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned: a fork of a process with threads may hold a lock that nobody releases.
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin, (self._megabytes,))
        return self._pool

    def _close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin(megabytes: int) -> None:
    end_with_parent()
    _limit(resource.RLIMIT_AS, megabytes * 2**20)


def _limited(
    seconds: float, function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[T, float]:
    """At the limit the system ends the process, whatever it is doing (SIGXCPU)."""
    began = time.process_time()
    _limit(resource.RLIMIT_CPU, math.floor(began + seconds) + 1)
    result = function(*args, **kwargs)
    return result, time.process_time() - began


def _limit(what: int, most: int) -> None:
    """The soft limit, which can be raised again; a lower hard one of the system's stays."""
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def keep_what_is_loaded() -> None:
    """Whatever is loaded by now (code, boards, templates, pictures) stays: the garbage collector need not look through
    it again each time."""
    gc.collect()
    gc.freeze()


def end_with_parent() -> None:
    """End this process when the one that started it is killed: nobody tells, but the pipe between them ends."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
