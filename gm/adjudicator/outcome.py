"""What an adjudication yields: the new Position, the events in order, what became of every order, every roll.

An event carries typed data for the report and the changes that it made. Nothing changes but through an event, so
replaying the changes on the old Position gives the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from gm.board.model import Color, Piece
from gm.orders.model import Goods, Order
from gm.position import Held, Player, Position, Stack
from gm.values import dataclass, plain

# --- changes: the few ways in which a Position can become another one -------------------------------------------


@dataclass(frozen=True, slots=True)
class Restacked:
    """These stacks are replaced by those."""

    before: tuple[Stack, ...]
    after: tuple[Stack, ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """A marker comes (or, negative, goes). place: a player's box, `RANDOMIZER` or `GONE`."""

    place: str
    marker: str
    number: int


@dataclass(frozen=True, slots=True)
class Boxed:
    """A piece comes into a box (None: the neutral box), or leaves it."""

    box: Player | None
    held: Held
    out: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """A piece leaves the game."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class Flagged:
    """A field of the Position gets a new value: flags, votes, quitters, victory, turn and phase."""

    name: str
    value: object


Change = Restacked | Marked | Boxed | Gone | Flagged
RANDOMIZER = "RANDOMIZER"
GONE = "GONE"

# --- rolls --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Roll:
    """One appeal to luck: what for (`combat/LIVO/A/1`), what came, and the table cell that it hit."""

    occasion: str
    dice: tuple[int, ...] = ()
    drawn: str | None = None  # a chit, a player, a deal: what was drawn instead of rolled
    cell: str | None = None  # "8.5 4-1/5 = Ex"


# --- events: one small class each -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    rules: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(Event):
    """15.3: what each player was dealt, and the initial deployment."""

    hands: Mapping[Player, Goods]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traded(Event):
    giver: Player
    receiver: Player
    given: Goods
    returned: Goods | None = None  # None: a gift


@dataclass(frozen=True, slots=True, kw_only=True)
class Seized(Event):
    player: Player
    leader: Piece
    units: tuple[Piece, ...]
    losers: tuple[Player, ...]
    province: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    player: Player
    number: int  # of the order in the player's sheet
    pieces: tuple[Piece, ...]  # the force as it stands at the end, top to bottom
    path: tuple[str, ...]  # start, then each province really entered
    intended: tuple[str, ...]  # what the order asked for
    by_rail: bool = False
    picked: tuple[tuple[str, Piece], ...] = ()
    dropped: tuple[tuple[str, Piece], ...] = ()
    stopped: str | None = None  # reason code if the path was cut short


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacked(Event):
    player: Player
    number: int
    province: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Event):
    """A piece left the map of its own will: the Czechs by Vladivostok (5.66), an Imperial unit by a port (13.3)."""

    player: Player
    piece: Piece
    province: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Abandoned(Event):
    """J2: units that no Leader of their stack has room for any more."""

    owner: Player | None
    province: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssassinationTried(Event):
    player: Player
    number: int
    target: Piece
    owner: Player | None
    province: str
    markers: int
    dice: int
    total: int
    success: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeFiled(Event):
    """One Purge order that was filed, and why it was valid or disallowed: a code for the template's sentence."""

    player: Player
    number: int
    object: Player
    participants: tuple[Player, ...]
    using: int
    division: tuple[tuple[Player, int], ...]
    separately: bool
    verdict: str  # "valid" or a reason code


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeRolled(Event):
    participants: tuple[Player, ...]
    object: Player
    counter: bool
    leadership: Mapping[Player, int]
    markers: Mapping[Player, int]  # as counted: doubled in a Counterpurge
    strength: int
    dice: int
    result: str  # a number or "C"


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeSpoils(Event):
    """What one player took: Leaders with all that is attached to them, and Politburo Markers."""

    player: Player
    victim: Player
    points: int
    leaders: tuple[Piece, ...] = ()
    pieces: tuple[Piece, ...] = ()  # everything that changed hands with the Leaders
    pm: int = 0
    unspent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionOrdered(Event):
    participants: tuple[Player, ...]
    markers: int
    holder: Player
    answer: str  # "complied" | "refused" | "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionAnswered(Event):
    """A pending order of an earlier Phase: complied, refused or lapsed."""

    holder: Player | None
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EpidemicStruck(Event):
    dice: tuple[int, int]
    provinces: tuple[str, ...]
    lost: tuple[tuple[str, Piece], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubversionDoubled(Event):
    dice: tuple[int, int]
    already: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawEvent(Event):
    """12.13 through the Random Events Table: the recipient was drawn."""

    dice: tuple[int, int]
    recipient: Player | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChitDrawn(Event):
    player: Player
    chit: str | None  # None: the Randomizer was empty
    set_aside: bool = False
    withdrawn: tuple[Piece, ...] = ()
    gained: tuple[Piece, ...] = ()  # units that the Control Marker brought


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought(Event):
    player: Player
    number: int
    province: str
    subversion: bool
    attackers: tuple[Stack, ...]
    defender: Stack
    attack: int  # as counted: doubled if so
    defence: int
    odds: str  # true odds as printed, e.g. "7-1" though the table ends at 6-1
    die: int
    result: str  # Ae, De, Ex
    no_effect: bool = False
    lost_by_attacker: tuple[Piece, ...] = ()
    lost_by_defender: tuple[Piece, ...] = ()
    credited_to_attacker: Player | None = None  # box of the defender's losses
    credited_to_defender: Player | None = None  # box of the attacker's losses; None: neutral
    captured: tuple[Piece, ...] = ()  # Imperial units that changed sides


@dataclass(frozen=True, slots=True, kw_only=True)
class RevolutionShaken(Event):
    """J33: Lenin or Trotsky fell."""

    leader: Piece
    owner: Player | None
    pm_lost: int
    suspended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced(Event):
    units: tuple[Piece, ...]
    refused: tuple[tuple[Piece, str], ...] = ()  # unit and the rule that kept it in its box


@dataclass(frozen=True, slots=True, kw_only=True)
class Voted(Event):
    player: Player
    end: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Quit(Event):
    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Won(Event):
    color: Color
    condition: int  # of 14.1
    points: Mapping[Player, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEnded(Event):
    """Turn and phase move on; flags of the Phase are cleared."""


# --- results ----------------------------------------------------------------------------------------------------------


@plain
class Status(StrEnum):
    DONE = "done"
    PARTLY = "partly"
    FAILED = "failed"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an order came to what it came to: a code for the template, the rules, the data of the sentence."""

    code: str
    rules: tuple[str, ...]
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OrderResult:
    player: Player
    number: int  # A1 is the first thing A wrote
    order: Order
    status: Status
    reasons: tuple[Reason, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule for reason in self.reasons for rule in reason.rules))


@dataclass(frozen=True, slots=True)
class Points:
    """Running Victory Points for both outcomes (14.4)."""

    red: int
    white: int


@dataclass(frozen=True, slots=True)
class Outcome:
    before: Position
    after: Position
    events: tuple[Event, ...]
    results: tuple[OrderResult, ...]
    rolls: tuple[Roll, ...]
    points: Mapping[Player, Points]

    def result(self, player: Player, number: int) -> OrderResult | None:
        return next((r for r in self.results if r.player == player and r.number == number), None)
