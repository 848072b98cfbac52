"""The what-if room as a process of its own: bounded in time and number, without settings, database or secrets."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from threading import BoundedSemaphore, Lock

import msgspec

from gm.errors import NotNow
from gm.whatif.question import Answer, Question

SECONDS_AN_HOUR = 60.0  # of processor time, for one seat
AT_ONCE = 2  # processes
AT_ONCE_ALONE = 1  # of them for games of one person: anybody begins as many of those as they have addresses
WAIT_SECONDS = 20.0  # seconds on the clock until a place is free, and again until an answer is there
KNOWN = 2000  # seats of which the last hour is remembered


_ALONE = "alone "


def alone(name: str) -> str:
    """Who asks from a game of one person, as the room knows them."""
    return _ALONE + name


def bare(environment: Mapping[str, str]) -> dict[str, str]:
    """What of the environment the process gets: how to find Python, no address of a database and no secret."""
    return {name: environment[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in environment}


class WhatIfRoom:
    """One for a process. What a seat has used up is remembered for an hour, in memory. Games of one person leave a
    place to the others."""

    def __init__(self, an_hour: float = SECONDS_AN_HOUR, clock: Callable[[], float] = time.monotonic) -> None:
        self._an_hour = an_hour
        self._clock = clock
        self._places, self._alone = BoundedSemaphore(AT_ONCE), BoundedSemaphore(AT_ONCE_ALONE)
        self._used: OrderedDict[str, list[tuple[float, float]]] = OrderedDict()
        self._asking: set[str] = set()
        self._lock = Lock()

    def ask(self, question: Question, who: str) -> Answer:
        """Raises NotNow if the seat has asked too much, too many ask at once, or the answer takes too long."""
        with self._lock:
            if who in self._asking:
                raise NotNow("whatif-busy", "your last question is still being tried", "wait for its answer")
            self._asking.add(who)
        try:
            if self._left(who) <= 0:
                raise NotNow("whatif-often", "you have asked a great deal within an hour", "try again a little later")
            with ExitStack() as held:
                for places in (self._alone, self._places) if who.startswith(_ALONE) else (self._places,):
                    if not places.acquire(timeout=WAIT_SECONDS):
                        raise NotNow("whatif-busy", "too many ask at the moment", "try again in a minute")
                    held.callback(places.release)
                return self._charged(question, who)
        finally:
            with self._lock:
                self._asking.discard(who)

    def _charged(self, question: Question, who: str) -> Answer:
        """What takes too long is paid for too: as long as it was waited for."""
        began, seconds = self._clock(), None
        try:
            found = self._run(question)
            seconds = found.seconds
            return found
        finally:
            now = self._clock()
            with self._lock:
                self._used.setdefault(who, []).append((now, now - began if seconds is None else seconds))
                self._used.move_to_end(who)
                while len(self._used) > KNOWN:
                    self._used.popitem(last=False)

    def _left(self, who: str) -> float:
        since = self._clock() - 3600
        with self._lock:
            kept = [(at, seconds) for at, seconds in self._used.get(who, ()) if at > since]
            if kept:
                self._used[who] = kept
        return self._an_hour - sum(seconds for _, seconds in kept)

    def _run(self, question: Question) -> Answer:
        command = [sys.executable, "-m", "gm.whatif.run"]
        asked = msgspec.json.encode(question)
        try:
            done = subprocess.run(
                command, input=asked, capture_output=True, env=bare(os.environ), cwd="/", timeout=WAIT_SECONDS
            )
        except subprocess.TimeoutExpired:
            done = None
        if done is None or done.returncode != 0:
            raise NotNow("whatif-long", "this took too long to try", "ask for fewer plays, or fewer orders")
        return msgspec.json.decode(done.stdout, type=Answer)
