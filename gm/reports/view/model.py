"""What a Bell says, as one value. Text, HTML and JSON are renderings of it and add nothing of their own.

Every sentence in it is plain text, worded from templates/ (or by a person); nothing is escaped or wrapped yet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime

from gm.position import Player
from gm.reports.issue import Record
from gm.reports.view.barometer import Barometer

_MARKERS = re.compile(r"\b[PA]M\b")

SCHEMA = "bell/1"  # of the JSON form; documented in schema/bell-v1.json

ALMANAC, HOUSE = "almanac", "house"  # keys of what the paper prints of its own


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
class Fact:
    """One thing that a story claims: `fell`, `RL3 Lenin`, in `PETR`, by `B`. A test holds each against the Outcome."""

    what: str
    who: str = ""  # a piece in Bell notation, or a player's letter
    where: str = ""
    by: str = ""  # a player's letter, a piece, or a number


@dataclass(frozen=True, slots=True)
class Story:
    """A piece of the front page: the main story, or one in brief."""

    kind: str
    headline: str
    dateline: str
    lead: str
    byline: str = ""
    wordings: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    key: str = ""  # what it is about, the same however it is worded: the Gamesmaster edits it by this


@dataclass(frozen=True, slots=True)
class Obituary:
    name: str
    text: str
    wording: str = ""

    @property
    def key(self) -> str:
        """The Gamesmaster edits it by this."""
        return f"obituary/{self.name}"


@dataclass(frozen=True, slots=True)
class PositionLine:
    """One province of one holder, in Bell notation."""

    province: str
    name: str
    stacks: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Cause:
    """How pieces or markers came to a player or went: a word for the sentence in `yours.got` or `yours.went`."""

    how: str
    gained: bool
    what: tuple[str, ...]
    place: str = ""  # of pieces: the province in which it happened
    who: str = ""  # the other player in it, or the Leader whose death it was, or the Marker that was drawn
    player: Player | None = None  # the other player's letter


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
    given_up: tuple[str, ...] = ()  # all that went with a player who left the game, what came in the same Phase too
    causes: tuple[Cause, ...] = ()  # of gained and lost, but for what was given up; issues of before have none


@dataclass(frozen=True, slots=True)
class Positions:
    as_of: str
    holdings: tuple[Holding, ...]
    unaligned: Holding
    randomizer: str
    state: tuple[PositionLine, ...]  # what else is so: out of the game, flags, votes

    @property
    def legends(self) -> tuple[str, ...]:
        """The labels that explain the list: of Markers and numbers only if it has any."""
        boxes = (self.randomizer, *(h.box for h in self.holdings))
        markers = ("markers_legend",) if any(_MARKERS.search(text) for text in boxes) else ()
        return ("legend", *markers, *(("numbered_legend",) if self.numbered else ()))

    @property
    def marked(self) -> bool:
        """Whether anything in the list has the mark of what changed."""
        found = (*self.holdings, self.unaligned)
        return any(h.box_changed or any(line.changed for line in h.lines) for h in found)

    @property
    def numbered(self) -> bool:
        """Whether units that are alike have their numbers."""
        found = (*self.holdings, self.unaligned)
        return any(" #" in text for h in found for text in (h.box, *(line.stacks for line in h.lines)))


@dataclass(frozen=True, slots=True)
class Loss:
    piece: str
    box: str  # a player's letter, or N


@dataclass(frozen=True, slots=True)
class AttackRow:
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
    source: str  # as the player wrote it; only in the player's own copy
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
    red_change: int  # since the last issue; the chart's small figures: since its first (`Barometer.change`)
    white_change: int


@dataclass(frozen=True, slots=True)
class PressPiece:
    dateline: str
    text: str
    signature: str
    key: str = ""  # of a piece of the house: the Gamesmaster edits it by this


@dataclass(frozen=True, slots=True)
class Seal:
    player: Player
    title: str
    seal: str
    salt: str
    orders: str


@dataclass(frozen=True, slots=True)
class ProofLine:
    """What is said of the public beacon, or of a Phase that became void, and the value to it."""

    text: str
    value: str


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
    reading: int = 1  # versions by which the Phase was judged; issues of before say nothing, and mean 1
    dice: int = 1
    board: str = ""  # digest of the campaign's own board
    beacon: tuple[ProofLine, ...] = ()  # where the campaign uses one
    record: str = ""  # digest of the Phase's whole record; issues of before have none
    void: tuple[ProofLine, ...] = ()  # digests of the records of Phases that became void before any issue reported them
    dice_name: str = ""  # what the dice are keyed by, beside secrets and orders; issues of before have none
    seal: str = ""  # over this issue and all before it; only a reader's copy can print it
    names: str = ""  # digest of the names on the campaign's own board; issues of before have none


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    player: Player
    title: str
    points: int
    margin: int = 0  # behind the first


@dataclass(frozen=True, slots=True)
class MonthLine:
    """An issue in the look back of the last one."""

    number: int
    date: str
    headline: str


@dataclass(frozen=True, slots=True)
class LuckLine:
    title: str
    attacks: int
    won: int  # the enemy destroyed, or an exchange
    expected: float
    exchanged: int = 0  # of those won


@dataclass(frozen=True, slots=True)
class Closing:
    """What only the last issue has."""

    months: tuple[MonthLine, ...]
    dead: tuple[str, ...]  # who, how, where, by whom
    luck: tuple[LuckLine, ...]
    awards: tuple[Item, ...]
    farewell: str
    maps: tuple[str, ...] = ()  # the dates of the small maps


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
    attacks: tuple[AttackRow, ...]
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
    almanac: str = ""  # what happened in that month outside the game
    column: PressPiece | None = None  # the Gamesmaster's own
    closing: Closing | None = None  # of the last issue
    yours: tuple[Item, ...] = ()  # the box of a player's own copy; nobody else's has it
    desk: str = ""  # where a player's copy leads to: their desk
    own_alt: str = ""  # their own map in words
    record: Record = field(default_factory=Record)  # what later issues remember of it

    @property
    def relations(self) -> tuple[tuple[Player, tuple[int, ...]], ...]:
        """How each player stands to each, in the order of the barometer; 0 to themselves. Empty: nobody knows."""
        players = [r.player for r in self.barometer]
        known = self.record.relations
        found = [(a, tuple(known.get("".join(sorted((a, b))), 0) for b in players)) for a in players]
        return tuple(found) if known else ()

    @property
    def barometer_note(self) -> str:
        """The label under the barometer: where nothing has changed yet, after the last issue, and in between."""
        if self.verdict:
            return "barometer_note_end"
        moved = any(r.red_change or r.white_change for r in self.barometer)
        return "barometer_note" if moved or len(self.course.issues) > 1 else "barometer_note_first"

    @property
    def wordings(self) -> tuple[str, ...]:
        """Every story template used, for the next issue to avoid."""
        told = (w for story in (self.story, *self.stories, *self.briefs) for w in story.wordings)
        return (*told, *(o.wording for o in self.obituaries if o.wording))
