"""What a player asks of the what-if room, and what is found: plain data that one process hands another as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from gm.board.pack import PackFiles

MOST_TIMES = 500


class Question(Struct, frozen=True):
    """Only what is published, and what the asker typed: neither a secret nor anybody's sealed orders."""

    position: Mapping[str, Any]
    seat: str
    orders: str
    others: Mapping[str, str] = field(default_factory=dict)  # guesses that were typed, by letter
    standins: bool = False  # seats without a typed guess are played as a fanatic would; else they send nothing
    times: int = 100
    options: Mapping[str, Any] = field(default_factory=dict)  # house rules
    cooperation: Mapping[str, int] = field(
        default_factory=dict
    )  # the stand-ins' tracks: `AB` and where the pair stands
    names: Mapping[str, str] = field(default_factory=dict)  # of the players
    campaign: str = ""
    seed: str = ""
    pack: PackFiles = ()  # the campaign's own board


class Fight(Struct, frozen=True):
    """One attack, over all the times that it took place."""

    by: str
    place: str
    attackers: str
    target: str
    owner: str | None
    mine: bool  # the asker attacks or is attacked
    subversion: bool
    odds: str  # the most frequent
    results: Mapping[str, int]  # De, Ex, Ae
    lost: Mapping[str, int]  # pieces of the asker that fell in it, and how often


class PurgeTried(Struct, frozen=True):
    participants: tuple[str, ...]
    object: str
    counter: bool
    strength: int
    results: Mapping[str, int]  # `C` or points


class MurderTried(Struct, frozen=True):
    by: str
    target: str
    owner: str | None
    tried: int
    killed: int


class Fate(Struct, frozen=True):
    """What became of one order of the asker."""

    number: int
    text: str
    done: int
    partly: int
    failed: int
    waited: int = 0  # it only stood on file: a vote, or there was no occasion for it
    why: str = ""  # the most frequent reason where it was not done whole


class Spread(Struct, frozen=True):
    """Points before the Phase, on average after it, and the middle eight tenths."""

    before: int
    mean: float
    low: int
    high: int


class Answer(Struct, frozen=True):
    times: int
    guesses: int  # different sets of orders that stand-ins wrote for the others; 0 if none wrote any
    seconds: float  # of processor time
    fights: tuple[Fight, ...]
    purges: tuple[PurgeTried, ...]
    murders: tuple[MurderTried, ...]
    fates: tuple[Fate, ...]
    red: Spread
    white: Spread
    leaders: Mapping[str, int]  # own Leaders that were lost, and how often
    strength: int  # own combat strength on the map before the Phase, Leaders and units
    strength_lost: float  # of that, on average
    taken: float  # strength of others' pieces that came into the asker's box, on average
    unread: tuple[str, ...]  # lines of the asker's own that nobody understood
    unread_guesses: Mapping[str, tuple[str, ...]]  # of the sheets that were typed for others, by letter
    sample: str  # a Bell as it might read
