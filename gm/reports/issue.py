"""What a Bell is made from: the Outcome, and everything that the adjudicator does not know (names, dates, press)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from gm.adjudicator.outcome import Outcome
from gm.adjudicator.versions import DICE, READING
from gm.board.load import packed
from gm.board.model import Board
from gm.board.pack import PackFiles
from gm.position import Player, Position
from gm.reports.proof.beacon import BeaconChain


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    name: str  # as they sign
    present: bool = True  # False: on leave, listed in the colophon
    removed: bool = False  # taken out by the Gamesmaster in this Phase; who leaves otherwise has resigned


@dataclass(frozen=True, slots=True)
class PressItem:
    """One piece of press in the order of receipt. Nothing in it is trusted: renderings escape all of it."""

    text: str
    author: Player | None = None  # None: printed without a name
    dateline: str | None = None


@dataclass(frozen=True, slots=True)
class StoryEdit:
    """What the Gamesmaster did to one story: left it out, or put his own words for what is not empty here."""

    headline: str = ""
    text: str = ""
    killed: bool = False
    about: str = ""  # what it said before, for his desk


@dataclass(frozen=True, slots=True)
class Editorial:
    """What the Gamesmaster wrote; what was left empty is made from the events."""

    headline: str = ""
    lead: str = ""
    dateline: str = ""
    column: str = ""  # his own
    farewell: str = ""  # printed in the last issue
    stories: Mapping[str, StoryEdit] = field(default_factory=dict)  # by their keys


@dataclass(frozen=True, slots=True)
class Decision:
    """Something the rules leave to the Gamesmaster, with the reason given."""

    text: str
    reason: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """The seal that a player was given for their orders, and what proves it once the Phase is over."""

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
    reading: int = READING  # versions by which the Phase was judged
    dice: int = DICE
    board: str = ""  # digest of the campaign's own board; empty for the standard one
    names: str = ""  # digest of all that may be called by a name on it
    beacon_chain: BeaconChain | None = None  # the campaign's public beacon
    next_round: int | None = None  # of it, for the coming Phase
    beacon: Mapping[str, Any] = field(default_factory=dict)  # what it gave for this Phase
    record: str = ""  # digest of the Phase's whole record, as the archive keeps it
    dice_name: str = ""  # what the campaign's dice are keyed by, beside secrets and orders
    void: tuple[tuple[str, str], ...] = ()  # of Phases that became void unreported: what is said, and the digest


@dataclass(frozen=True, slots=True)
class SeatNews:
    """What all should know of a seat: that it changed hands, that its holder will be away, that a stand-in may play."""

    kind: str  # replaced, away, standin, removed, resigned; worded in templates/bell/labels.toml
    player: Player
    before: str = ""  # who held it
    starts: date | None = None
    ends: date | None = None


@dataclass(frozen=True, slots=True)
class Colophon:
    gamesmaster: str = ""
    gm_letter: Player | None = None  # the seat that the Gamesmaster plays
    archive: str = ""  # where old issues are
    desk: str = ""  # where players write their orders
    standbys: tuple[str, ...] = ()
    seats: tuple[SeatNews, ...] = ()
    notices: tuple[str, ...] = ()  # anything else the Gamesmaster wants to say


@dataclass(frozen=True, slots=True)
class BarometerRow:
    """What one player holds after one issue."""

    red: int  # Red leadership
    white: int  # White leadership
    pm: int
    am: int
    if_red: int  # points if Red had won now
    if_white: int


@dataclass(frozen=True, slots=True)
class Death:
    """A Leader (or the Czar) who fell."""

    name: str
    cause: str  # a table of obituaries.toml
    place: str = ""
    owner: Player | None = None
    by: Player | None = None


@dataclass(frozen=True, slots=True)
class Clash:
    """One attack, as later issues remember it."""

    place: str
    attacker: Player
    defender: Player | None
    result: str  # De, Ae, Ex


@dataclass(frozen=True, slots=True)
class HeldPurge:
    hands: tuple[Player, ...]  # sorted
    victim: Player
    points: int  # 0: it failed


@dataclass(frozen=True, slots=True)
class LongMarch:
    leader: str
    player: Player
    path: tuple[str, ...]
    alike: int | None = None  # others of the same length in the same Phase; None: not counted then


@dataclass(frozen=True, slots=True)
class Luck:
    """A player's attacks of one Phase: how many won, and how many would have by an average die."""

    attacks: int
    won: int
    expected: float


@dataclass(frozen=True, slots=True)
class Record:
    """What one issue leaves to those after it."""

    date: str = ""  # as its masthead had it
    headline: str = ""
    dead: tuple[Death, ...] = ()
    clashes: tuple[Clash, ...] = ()
    purges: tuple[HeldPurge, ...] = ()
    march: LongMarch | None = None
    luck: Mapping[Player, Luck] = field(default_factory=dict)
    relations: Mapping[str, int] = field(default_factory=dict)  # of each pair, `AB`: 2 the friendliest, 7 the worst


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier issue, as far as this one needs it: barometer, memory, and wordings not to be used again."""

    number: int
    rows: Mapping[Player, BarometerRow]
    wordings: tuple[str, ...] = ()  # templates that its stories used
    record: Record = field(default_factory=Record)


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
    void: tuple[int, ...] = ()  # numbers of the issues that an erratum withdraws
    errata: tuple[str, ...] = ()
    fairness: Fairness = Fairness()
    colophon: Colophon = Colophon()
    past: tuple[Past, ...] = ()  # oldest first
    album: tuple[tuple[str, Position], ...] = ()  # of the last issue: moments of the war, by their dates
    without_orders: tuple[Player, ...] = ()  # J39
    standins: Mapping[Player, str] = field(default_factory=dict)  # seats that stand-ins played, and in which style
    pack: PackFiles = ()  # the campaign's own board, as files: values that another process can read
    shorter: bool = False  # whether it plays the shorter game (J38)
    last_turn: int = 0  # the Game-Turn after which the war is over (H3); 0: none
    sample: bool = False  # of a play that was only tried out: nothing follows it

    @property
    def board(self) -> Board:
        """The board that the campaign is played on."""
        return packed(self.pack, shorter=self.shorter)


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a copy is meant. The caller turns the deadline into the reader's own time zone."""

    player: Player | None = None
    deadline: datetime | None = None
    zone: str = ""  # how the reader calls it: "Europe/Amsterdam"
    seal: str = ""  # over the public issue and all before it: so that the copy proves what was printed
    kept: bool | None = None  # of an erratum: whether orders of the player stand
    early: bool = False  # of an erratum: the Phase closes early when everybody is ready
    bargains: bool = True  # False: all the others are stand-ins, who trade with nobody and join nobody's Purge
