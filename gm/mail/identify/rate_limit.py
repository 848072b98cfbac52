"""Rate limits: how much of one sender's mail is taken and answered. Counters are in memory, bounded, and per process:
they begin anew when the process does."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

MAX_SENDERS = 10_000
PIECES = 60  # of a window, in each of which what is used is added up


@dataclass(frozen=True, slots=True)
class Limits:
    accepted_a_minute: int = 60  # mails of one sender that a listener takes; the rest comes again later (450)
    accepted_a_day: int = 1000  # likewise, to one secret address
    bytes_a_day: int = 30_000_000  # of one person's mail that are kept; of long mails beyond that the head
    answers_a_minute: int = 12
    answers_an_hour: int = 60
    answers_a_day: int = 200
    questions_an_hour: int = 4  # "did you send this?" to one seat; what else comes is held without asking
    unknown_kept_an_hour: int = 200  # of all strangers, whole; of the rest only the head
    claimed_kept_an_hour: int = 20  # likewise, of long mails that bear one player's address and no secret
    seconds_an_hour: float = 30  # of processor time for one person's mail; what comes then is read last of all
    nobodys_seconds_an_hour: float = 300  # for all mail without a secret; of what comes then only the head is read


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


class Spent:
    """How much of something (seconds, bytes) each has used within a window. Forgets as RateCounter does."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._used: OrderedDict[str, deque[tuple[float, float]]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, who: str, amount: float) -> float:
        """Gives how much it is now in the window."""
        now = self._clock()
        with self._lock:
            used = self._used.setdefault(who, deque())
            self._used.move_to_end(who)
            if used and now - used[-1][0] < self._seconds / PIECES:
                now, before = used.pop()
                amount += before
            used.append((now, amount))
            while len(self._used) > MAX_SENDERS:
                self._used.popitem(last=False)
        return self.of(who)

    def of(self, who: str) -> float:
        now = self._clock()
        with self._lock:
            used = self._used.get(who, deque())
            while used and used[0][0] <= now - self._seconds:
                used.popleft()
            return sum(amount for _, amount in used)


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
