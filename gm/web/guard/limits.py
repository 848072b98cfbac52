"""Rate limits per caller and kind of request: token buckets in memory, one set per process."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_CALLERS = 20_000  # the least recently used are dropped first


@dataclass(frozen=True, slots=True)
class Rate:
    burst: int
    per_minute: float


# Generous to a person, tight to a program that guesses.
RATES = {
    "sign-in": Rate(20, 10),
    "link": Rate(4, 1),
    "read": Rate(400, 600),
    "write": Rate(40, 40),
    "check": Rate(120, 240),
    "what-if": Rate(10, 10),
}


class Limiter:
    def __init__(self, clock: Callable[[], float] = time.monotonic, factor: float = 1.0) -> None:
        self._clock = clock
        self._factor = factor  # load tests raise it
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

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
