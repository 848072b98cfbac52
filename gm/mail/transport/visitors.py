"""Who may be connected to the listener: not so many that no files are left for the database and the web, and whoever
brings players' mail before whoever brings nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import structlog

from gm.campaign.access.networks import neighbourhood, network
from gm.mail.identify.rate_limit import RateCounter

log = structlog.get_logger("mail")
MOST, MOST_OF_ONE = 100, 40  # connections in all, and of one relay: a caller that brings players' mail
MOST_OF_OTHERS, FEW_OF_ONE = 60, 20  # of all who have brought none, and of one neighbourhood of them
RELAY_SECONDS = 7 * 86400.0  # that it is remembered who brought players' mail
SPARED_SECONDS = 10.0  # that a connection which brings a player's mail is not closed for another
CALLS_A_MINUTE, NEIGHBOURS_CALLS = 150, 1200  # new connections of one caller, no relay, and of its neighbourhood
# The mail server of this machine, as the guides have it, is a relay from the start.
AT_HOME = frozenset(map(network, ("127.0.0.1", "::1")))


class Visitor(Protocol):
    """A connection."""

    @property
    def is_busy(self) -> bool:
        """With a player's mail."""

    def dismiss(self) -> None: ...


@dataclass(slots=True)
class _Place:
    caller: str
    is_relay: bool
    since: float  # it has brought nothing

    @property
    def neighbourhood(self) -> str:
        return neighbourhood(self.caller)


class Visitors:
    """The open connections of a listener. Where there is no place, somebody makes room who brings no player's mail: of
    those who are most, the one that has brought nothing for longest."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[Visitor, _Place] = {}
        self._relays = RateCounter(RELAY_SECONDS, clock)
        self._calls = RateCounter(60, clock)
        self._told_at = float("-inf")

    def enter(self, host: str, visitor: Visitor) -> bool:
        caller = network(host)
        place = _Place(caller, caller in AT_HOME or bool(self._relays.count(caller)), self._clock())
        if (place.is_relay or not self._calls_too_often(caller)) and self._has_room(place):
            self._open[visitor] = place
            return True
        if self._clock() > self._told_at + 60:  # whoever knocks does so thousands of times
            self._told_at = self._clock()
            log.warning("too many connections to the listener", host=host, open=len(self._open))
        return False

    def _calls_too_often(self, caller: str) -> bool:
        """Whoever is refused for their own calls counts nothing for the neighbours."""
        return (
            self._calls.add(caller) > CALLS_A_MINUTE
            or self._calls.add(f"near {neighbourhood(caller)}") > NEIGHBOURS_CALLS
        )

    def _has_room(self, new: _Place) -> bool:
        """Relays have places that nobody else gets, and of the others they take some where those do not suffice."""
        others = [visitor for visitor, place in self._open.items() if not place.is_relay]
        if new.is_relay:
            own = [v for v, place in self._open.items() if place.is_relay and place.caller == new.caller]
            if len(own) >= MOST_OF_ONE:
                return self._make_room(own)
            return len(self._open) < MOST or self._make_room(others) or self._make_room(list(self._open))
        near = [visitor for visitor in others if self._open[visitor].neighbourhood == new.neighbourhood]
        if len(near) >= FEW_OF_ONE:
            return self._make_room(near)
        return (len(others) < MOST_OF_OTHERS and len(self._open) < MOST) or self._make_room(others)

    def _make_room(self, among: list[Visitor]) -> bool:
        if not among:
            return False
        near = Counter(self._open[visitor].neighbourhood for visitor in among)
        same = Counter(self._open[visitor].caller for visitor in among)

        def first_to_go(visitor: Visitor) -> tuple[bool, int, int, float]:
            place = self._open[visitor]
            return visitor.is_busy, -near[place.neighbourhood], -same[place.caller], place.since

        leaving = min(among, key=first_to_go)
        if leaving.is_busy and self._open[leaving].since > self._clock() - SPARED_SECONDS:
            return False
        self.leave(leaving)
        leaving.dismiss()
        return True

    def brought_mail(self, visitor: Visitor) -> None:
        if visitor in self._open:
            place = self._open[visitor]
            self._relays.add(place.caller)
            place.is_relay, place.since = True, self._clock()

    def leave(self, visitor: Visitor) -> None:
        self._open.pop(visitor, None)
