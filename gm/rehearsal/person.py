"""A player of a rehearsal: when they act, by mail or web, and what they write, with typical lapses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from gm.orders.kinds import Resign, Sheet
from gm.position import Position
from gm.rehearsal.browser import Browser
from gm.rehearsal.player import RandomPlayer
from gm.rehearsal.post import Mailbox

GRID = timedelta(hours=8)  # people act at these times of the day, so that many act at once
QUESTIONS = ("HELP", "STATUS", "POSITIONS", "MAP", "HISTORY", "RULINGS", "HELP MOVE", "DEADLINE")


@dataclass(frozen=True, slots=True)
class Deed:
    """Something to do at a time."""

    at: datetime
    kind: str  # orders, question, press, letter, stranger, holiday
    late: bool = False


def on_the_grid(moment: datetime) -> datetime:
    """The next time at which people act: the same for all campaigns."""
    start = datetime.min.replace(tzinfo=UTC)
    return start + GRID * math.ceil((moment - start) / GRID)


@dataclass
class Person:
    campaign: str
    letter: str
    name: str
    address: str
    player: RandomPlayer
    chance: Random
    browser: Browser
    prefers_web: bool
    mails_sent: int = 0
    signed_in: bool = False
    # The last seal given for each (turn, phase, incarnation), and by mail the Message-ID whose answer gives it.
    seals: dict[tuple[int, str, int], str] = field(default_factory=dict)
    awaited: list[tuple[tuple[int, str, int], str]] = field(default_factory=list)

    def plan(self, opened: datetime, deadline: datetime, grace: timedelta) -> list[Deed]:
        """What they will do in a Phase."""
        chance = self.chance
        deeds = []
        opened = on_the_grid(opened)
        day = min(deadline - GRID, opened + timedelta(hours=36))
        slots = max(1, int((day - opened) / GRID))
        roll = chance.random()
        if roll < 0.92:  # in time, perhaps twice
            deeds.append(Deed(opened + GRID * chance.randint(0, slots), "orders"))
            if chance.random() < 0.15:
                deeds.append(Deed(deeds[0].at + GRID * chance.randint(1, 2), "orders"))
        elif roll < 0.95:  # in the grace
            deeds.append(Deed(deadline + grace * chance.uniform(0.1, 0.8), "orders"))
        elif roll < 0.97:  # too late
            deeds.append(Deed(deadline + grace + timedelta(minutes=20), "orders", late=True))
        for kind, often in (("question", 0.1), ("press", 0.15), ("letter", 0.1), ("stranger", 0.02), ("holiday", 0.03)):
            if chance.random() < often:
                deeds.append(Deed(opened + GRID * chance.randint(0, slots), kind))
        return deeds

    def orders(self, position: Position) -> str:
        """Random ones. Nobody resigns, for that needs a click that only a person should make."""
        sheet = self.player.sheet(position, self.letter)
        orders = tuple(order for order in sheet.orders if not isinstance(order, Resign))
        return Sheet(orders).printed() if orders else "VOTE CONTINUE\n"

    def is_ready(self) -> bool:
        """Whether they say so with their orders."""
        return self.chance.random() < 0.8

    def uses_web(self) -> bool:
        return self.chance.random() < (0.9 if self.prefers_web else 0.1)

    def letter_to(self, box: Mailbox, words: str, **headers: str) -> tuple[str, str, bytes]:
        """(Message-ID, recipient, the mail): an answer to the newest mail in their box."""
        assert box.newest is not None, f"{self.address} has nothing to answer"
        to, subject, reference = box.newest
        self.mails_sent += 1
        identity = f"<{self.mails_sent}.{self.address}>"
        head = {
            "From": f"{self.name} <{self.address}>",
            "To": to,
            "Subject": f"Re: {subject}",
            "Message-ID": identity,
            "In-Reply-To": reference,
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Transfer-Encoding": "8bit",
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        quoted = f"\n\nOn some day, {to} wrote:\n> {subject}\n> and so on\n-- \n{self.name}\n"
        lines = [f"{name}: {value}" for name, value in head.items()]
        raw = "\r\n".join([*lines, "", *(words + quoted).splitlines(), ""]).encode()
        return identity, to.rpartition("<")[2].rstrip("> "), raw
