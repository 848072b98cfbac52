"""What a Bell says, as one value. Text, HTML and JSON are renderings of it and add nothing of their own.

Every sentence in it is plain text, worded from templates/ (or by a person); nothing is escaped or wrapped yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from gm.position import Player
from gm.reports.barometer import Barometer

SCHEMA = "bell/1"  # of the JSON form; documented in schema/bell-v1.json


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened, in words, with the rules that decided it."""

    text: str
    rules: tuple[str, ...] = ()
    kind: str = ""  # the event or reason code, for programs
    link: str = ""  # where more of it can be found


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report under its own heading."""

    key: str
    title: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Deadline:
    at: datetime  # aware
    text: str  # in the reader's zone, written out
    utc: str  # the same in UTC; empty where the reader's zone is UTC
    what: str  # which orders are due


@dataclass(frozen=True, slots=True)
class Masthead:
    paper: str
    motto: str
    number: int
    issue: str  # "Issue #3"
    campaign: str
    turn: int
    phase: str
    game_date: str  # "June 1918 - Movement"
    published: date
    published_text: str
    deadline: Deadline | None


@dataclass(frozen=True, slots=True)
class Story:
    """A piece of the front page: the main story, or one in brief."""

    kind: str
    headline: str
    dateline: str
    lead: str
    byline: str = ""
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Obituary:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PositionLine:
    """One province of one holder, in Bell notation."""

    province: str
    name: str
    stacks: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Holding:
    """All that one player has, or (player None) the unaligned pieces."""

    player: Player | None
    title: str
    name: str  # of the player; empty if unknown or nobody's
    lines: tuple[PositionLine, ...]
    box: str
    box_changed: bool
    gained: tuple[str, ...] = ()  # pieces and markers since the last issue
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Positions:
    as_of: str
    holdings: tuple[Holding, ...]
    unaligned: Holding
    randomizer: str
    state: tuple[PositionLine, ...]  # what else is so: out of the game, flags, votes


@dataclass(frozen=True, slots=True)
class Loss:
    piece: str
    box: str  # a player's letter, or N


@dataclass(frozen=True, slots=True)
class Attack:
    """A line of the table of attacks. die None: no die was rolled, and note says why."""

    player: Player
    province: str
    name: str
    attackers: str
    defenders: str
    odds: str
    die: int | None
    result: str
    eliminated: tuple[Loss, ...]
    note: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderLine:
    number: int
    source: str  # as the player wrote it; only in his own copy
    canonical: str
    status: str
    status_text: str
    reasons: tuple[Item, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerOrders:
    player: Player
    title: str
    orders: tuple[OrderLine, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One player in the political barometer."""

    player: Player
    title: str
    red_leadership: int
    white_leadership: int
    pm: int
    am: int
    red_points: int
    white_points: int
    red_change: int  # against the last issue
    white_change: int


@dataclass(frozen=True, slots=True)
class PressPiece:
    dateline: str
    text: str
    signature: str


@dataclass(frozen=True, slots=True)
class Seal:
    player: Player
    title: str
    seal: str
    salt: str
    orders: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The fairness box: sentences for people, values for programs."""

    notes: tuple[str, ...]
    next_commitment: str
    commitment: str
    secret: str
    orders_digest: str
    chain: str  # over all issues before this one
    seals: tuple[Seal, ...]
    link: str = ""  # where everything can be checked; empty: nowhere but at home


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    player: Player
    title: str
    points: int


@dataclass(frozen=True, slots=True)
class BellView:
    masthead: Masthead
    story: Story
    stories: tuple[Story, ...]  # the next biggest, each with its headline
    briefs: tuple[Story, ...]
    obituaries: tuple[Obituary, ...]
    errata: tuple[str, ...]
    standings: tuple[Standing, ...]
    verdict: str  # who won, in one sentence; empty while the war goes on
    positions: Positions
    sections: tuple[Section, ...]  # what happened, in the order of the Phase
    attacks: tuple[Attack, ...]
    rulings: tuple[Item, ...]
    map_alt: str
    barometer: tuple[Reading, ...]
    course: Barometer  # the same over all issues, as the chart draws it
    press: tuple[PressPiece, ...]
    proof: Proof
    colophon: tuple[Item, ...]
    orders: tuple[PlayerOrders, ...]  # of all players, public once adjudicated
    own: PlayerOrders | None  # the reader's, annotated; nobody else's copy has it
    digest: str  # of the Position that it reports

    @property
    def wordings(self) -> tuple[str, ...]:
        """Every story template used, for the next issue to avoid."""
        return tuple(w for story in (self.story, *self.stories, *self.briefs) for w in story.wordings)
