"""Rate limits per caller and kind of request, and of how many run at once: in memory, one set per process."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_CALLERS = 20_000  # the least recently used are dropped first


@dataclass(frozen=True, slots=True)
class Rate:
    burst: int
    per_minute: float
    at_once: int = 0  # requests of one caller that run side by side; 0: any number


# Generous to a person, tight to a program that guesses.
RATES = {
    "sign-in": Rate(20, 10),
    "link": Rate(4, 1),
    "read": Rate(400, 600, at_once=8),
    "write": Rate(40, 40, at_once=3),
    "check": Rate(120, 240, at_once=6),
    "what-if": Rate(10, 10, at_once=2),
}


class Limiter:
    def __init__(self, clock: Callable[[], float] = time.monotonic, factor: float = 1.0) -> None:
        self._clock = clock
        self._factor = factor  # load tests raise it
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._running: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def begin(self, kind: str, caller: str) -> bool:
        """Whether one more may run beside those that do; then `end` must be told."""
        most = RATES[kind].at_once * self._factor
        with self._lock:
            if most and self._running[kind, caller] >= most:
                return False
            self._running[kind, caller] += 1
            return True

    def end(self, kind: str, caller: str) -> None:
        with self._lock:
            self._running[kind, caller] -= 1
            if self._running[kind, caller] <= 0:
                del self._running[kind, caller]

    def take(self, kind: str, caller: str) -> float:
        """Seconds to wait; 0 if it may go on now."""
        rate = RATES[kind]
        burst, speed = rate.burst * self._factor, rate.per_minute * self._factor / 60
        now = self._clock()
        key = (kind, caller)
        with self._lock:
            tokens, since = self._buckets.pop(key, (burst, now))
            tokens = min(burst, tokens + (now - since) * speed)
            allowed = tokens >= 1
            self._buckets[key] = (tokens - 1 if allowed else tokens, now)
            while len(self._buckets) > MOST_CALLERS:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else max((1 - tokens) / speed, 1.0)
