"""Whose mail is read next: of those who wait, that of whoever has taken least processor time of late."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from gm.campaign.mailbox import inbox
from gm.campaign.seats import holders
from gm.campaign.seats.holders import Seat
from gm.campaign.services import Services
from gm.errors import GmError
from gm.mail.identify.rate_limit import Spent
from gm.mail.identify.recognise import tokens_of
from gm.mail.parse import headers
from gm.mail.parse.headers import HEAD
from gm.processes import Allowance, Run

NOBODY = ""  # all mail that bears no secret
MOST_KNOWN = 20_000  # mails of which it is remembered whose they are
MOST_TOKENS = 10  # of one mail


def known_seats(services: Services, addresses: Sequence[str], subject: str = "") -> Iterator[Seat]:
    """The seats whose secrets a mail bears, in the order in which they stand there."""
    for token, _ in list(dict.fromkeys(tokens_of(addresses, subject)))[:MOST_TOKENS]:
        if (seat := holders.seat_by_token(services, token)) is not None:
            yield seat


def bears_secret(services: Services, head: bytes) -> bool:
    """Whether a mail with this head was sent to the secret address of a seat."""
    return any(True for _ in known_seats(services, *_addresses(head)))


class Turns:
    """One for a process, and in memory: a new process begins with nobody's time spent."""

    def __init__(self, services: Services, seconds: Callable[[], float]) -> None:
        self._services = services
        self._owners: OrderedDict[int, Seat] = OrderedDict()
        self._answered: dict[str, int] = {}
        self._spent = Spent(3600, seconds)

    def bears(self, number: int, seat: Seat) -> None:
        """A mail bears this seat's secret."""
        self._owners[number] = seat
        while len(self._owners) > MOST_KNOWN:
            self._owners.popitem(last=False)

    def whose(self, number: int) -> str:
        """By the secret that it bears, whatever sender it names, or by the seat that it was released for."""
        seat = self.seat_of(number)
        return seat.address if seat is not None else NOBODY

    def seat_of(self, number: int) -> Seat | None:
        if number not in self._owners:
            told = inbox.addressed(self._services, number, HEAD)
            seat = self._seat(told) if told is not None else None
            if seat is None:
                return None
            self.bears(number, seat)
        return self._owners[number]

    def _seat(self, told: inbox.Addressed) -> Seat | None:
        if told.campaign and told.letter:
            try:
                return holders.seat_of(self._services, told.campaign, told.letter)
            except GmError:  # the campaign is gone
                return None
        found = next(known_seats(self._services, told.envelope_to.split(",")), None)
        return found or next(known_seats(self._services, *_addresses(told.head)), None)

    def first(self, waiting: Sequence[int]) -> int:
        """Of these mails, which are in the order in which they came: of one person's the first."""
        firsts: dict[str, int] = {}
        for number in waiting:
            firsts.setdefault(self.whose(number), number)
        return min((self._spent.of(who), number) for who, number in firsts.items())[1]

    def first_question(self, waiting: Sequence[int]) -> int:
        """Likewise of what-ifs, each of which takes as long as any other."""
        firsts: dict[str, int] = {}
        for number in waiting:
            firsts.setdefault(self.whose(number), number)
        who, number = min(firsts.items(), key=lambda item: (self._answered.get(item[0], 0), item[1]))
        if len(self._answered) > MOST_KNOWN:
            self._answered.clear()
        self._answered[who] = max(self._answered.values(), default=0) + 1
        return number

    def has_spent(self, who: str) -> float:
        """Seconds of processor time in the last hour."""
        return self._spent.of(who)

    @contextmanager
    def on_account_of(self, who: str, run: Run) -> Iterator[Allowance]:
        """For all that one mail makes us do: what it takes here and elsewhere is noted."""
        allowance, began = Allowance(run), time.thread_time()
        try:
            yield allowance
        finally:
            self._spent.add(who, time.thread_time() - began + allowance.elsewhere)


def _addresses(head: bytes) -> tuple[Sequence[str], str]:
    try:
        message = headers.parse_head(head)
        return headers.addresses(message, *headers.RECIPIENTS), headers.text(message, "Subject")
    except Exception:  # a head that nobody can read bears no secret
        return (), ""
