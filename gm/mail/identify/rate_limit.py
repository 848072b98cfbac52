"""Rate limits: how much of one sender's mail is taken and answered. Counters are in memory, bounded, and per process:
they begin anew when the process does."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

MAX_SENDERS = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    accepted_a_minute: int = 60  # mails of one sender that a listener takes; the rest comes again later (450)
    answers_a_minute: int = 12
    answers_an_hour: int = 60
    answers_a_day: int = 200
    questions_an_hour: int = 4  # "did you send this?" to one seat; what else comes is held without asking
    unknown_kept_an_hour: int = 200  # of all strangers, whole; of the rest only the head
    claimed_kept_an_hour: int = 20  # likewise, of long mails that bear one player's address and no secret


DEFAULT = Limits()


class RateCounter:
    """Events of many senders within a window. Forgets the longest silent when there are too many."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._events: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, sender: str) -> int:
        """Count one more; gives how many there are now in the window."""
        now = self._clock()
        with self._lock:
            events = self._events.setdefault(sender, deque(maxlen=5000))
            self._events.move_to_end(sender)
            events.append(now)
            while events and events[0] <= now - self._seconds:
                events.popleft()
            while len(self._events) > MAX_SENDERS:
                self._events.popitem(last=False)
            return len(events)

    def count(self, sender: str) -> int:
        now = self._clock()
        with self._lock:
            return sum(1 for at in self._events.get(sender, ()) if at > now - self._seconds)


class Answers:
    """May this address be answered once more?"""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._minute, self._hour, self._day = (RateCounter(s, clock) for s in (60, 3600, 86400))

    def allow(self, address: str) -> bool:
        limits = self._limits
        if (
            self._minute.count(address) >= limits.answers_a_minute
            or self._hour.count(address) >= limits.answers_an_hour
            or self._day.count(address) >= limits.answers_a_day
        ):
            return False
        for counter in (self._minute, self._hour, self._day):
            counter.add(address)
        return True
