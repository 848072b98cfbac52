"""What a Bell is made from: the Outcome, and everything that the adjudicator does not know (names, dates, press)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from gm.adjudicator.outcome import Outcome, Points
from gm.position import Player, Position


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    name: str  # as he signs himself
    present: bool = True  # False: on leave, listed in the colophon


@dataclass(frozen=True, slots=True)
class PressItem:
    """One piece of press in the order of receipt. Nothing in it is trusted: renderings escape all of it."""

    text: str
    author: Player | None = None  # None: printed without a name
    dateline: str | None = None


@dataclass(frozen=True, slots=True)
class Editorial:
    """What the Gamesmaster wrote himself; what he leaves empty is made from the events."""

    headline: str = ""
    lead: str = ""
    dateline: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """Something the rules leave to the Gamesmaster, with his reason."""

    text: str
    reason: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """The seal that a player was given for his orders, and what proves it once the Phase is over."""

    player: Player
    seal: str  # the salted hash
    salt: str = ""
    orders: str = ""  # the sealed text, public after adjudication


@dataclass(frozen=True, slots=True)
class Fairness:
    """What a reader needs to check the dice and the seals."""

    next_commitment: str = ""  # SHA-256 of the coming Phase's secret
    commitment: str = ""  # what was printed before this Phase
    secret: str = ""  # of this Phase, revealed
    orders_digest: str = ""  # of all sealed orders of this Phase
    chain: str = ""  # the seal over all issues before this one
    receipts: tuple[Receipt, ...] = ()
    check: str = ""  # the page where anybody can have all of it checked


@dataclass(frozen=True, slots=True)
class Colophon:
    gamesmaster: str = ""
    address: str = ""  # where the Gamesmaster can be reached
    orders_to: str = ""  # where orders go; a reply does the same
    archive: str = ""  # where old issues are
    standbys: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()  # anything else the Gamesmaster wants to say


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier issue, as far as this one needs it: for the barometer, and so that no wording comes twice."""

    number: int
    position: Position
    points: Mapping[Player, Points]
    wordings: tuple[str, ...] = ()  # templates that its story used


@dataclass(frozen=True, slots=True)
class Issue:
    """All of one issue."""

    number: int
    outcome: Outcome
    campaign: str
    published: date
    paper: str = ""  # empty: The Bell
    players: Mapping[Player, PlayerInfo] = field(default_factory=dict)
    deadline: datetime | None = None  # aware; of the orders that follow this issue
    press: tuple[PressItem, ...] = ()
    editorial: Editorial = Editorial()
    decisions: tuple[Decision, ...] = ()
    errata: tuple[str, ...] = ()
    fairness: Fairness = Fairness()
    colophon: Colophon = Colophon()
    past: tuple[Past, ...] = ()  # oldest first
    without_orders: tuple[Player, ...] = ()  # J39


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a copy is meant. The caller turns the deadline into the reader's own time zone."""

    player: Player | None = None
    deadline: datetime | None = None
    zone: str = ""  # how the reader calls it: "Europe/Amsterdam"
