"""What an adjudication yields: the new Position, the events in order, what became of every order, every roll.

An event carries typed data for the report and the changes that it made. Nothing changes but through an event, so
replaying the changes on the old Position gives the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from gm.board.model import Color, Piece
from gm.orders.kinds import Goods, Order
from gm.position import Held, Player, Position, Stack

# --- changes: the few ways in which a Position can become another one -------------------------------------------


class Restacked(Struct, frozen=True):
    """These stacks are replaced by those."""

    before: tuple[Stack, ...]
    after: tuple[Stack, ...]


class Marked(Struct, frozen=True):
    """A marker comes (or, negative, goes). place: a player's box, `RANDOMIZER` or `GONE`."""

    place: str
    marker: str
    number: int


class Boxed(Struct, frozen=True):
    """A piece comes into a box (None: the neutral box), or leaves it."""

    box: Player | None
    held: Held
    out: bool = False


class Gone(Struct, frozen=True):
    """A piece leaves the game."""

    piece: Piece


class Returned(Struct, frozen=True):
    """A piece that was out of the game is taken up again, by a correction."""

    piece: Piece


class Flagged(Struct, frozen=True):
    """A field of the Position gets a new value: flags, votes, quitters, victory, turn and phase."""

    name: str
    value: object


Change = Restacked | Marked | Boxed | Gone | Returned | Flagged
RANDOMIZER = "RANDOMIZER"
GONE = "GONE"

# --- rolls --------------------------------------------------------------------------------------------------------


class Roll(Struct, frozen=True):
    """One appeal to luck: what for (`combat/LIVO/A/1`), what came, and the table cell that it hit."""

    occasion: str
    dice: tuple[int, ...] = ()
    drawn: str | None = None  # a chit, a player, a deal: what was drawn instead of rolled
    cell: str | None = None  # "8.5 4-1/5 = Ex"
    options: tuple[str, ...] = ()  # what was drawn from
    among: tuple[str, ...] = ()  # the players whom a deal went round


# --- events: one small class each -----------------------------------------------------------------------------------


class Event(Struct, frozen=True, kw_only=True):
    rules: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


class Dealt(Event, frozen=True, kw_only=True):
    """15.3: what each player was dealt, and the initial deployment."""

    hands: Mapping[Player, Goods]


class Traded(Event, frozen=True, kw_only=True):
    giver: Player
    receiver: Player
    given: Goods
    returned: Goods | None = None  # None: a gift


class Seized(Event, frozen=True, kw_only=True):
    player: Player
    leader: Piece
    units: tuple[Piece, ...]
    losers: tuple[Player, ...]
    province: str


class Moved(Event, frozen=True, kw_only=True):
    player: Player
    number: int  # of the order in the player's sheet
    pieces: tuple[Piece, ...]  # the force as it stands at the end, top to bottom
    path: tuple[str, ...]  # start, then each province really entered
    intended: tuple[str, ...]  # what the order asked for
    by_rail: bool = False
    picked: tuple[tuple[str, Piece], ...] = ()
    dropped: tuple[tuple[str, Piece], ...] = ()
    stopped: str | None = None  # reason code if the path was cut short


class Stacked(Event, frozen=True, kw_only=True):
    player: Player
    number: int
    province: str
    pieces: tuple[Piece, ...]


class Left(Event, frozen=True, kw_only=True):
    """A piece left the map of its own will: the Czechs by Vladivostok (5.66), an Imperial unit by a port (13.3)."""

    player: Player
    piece: Piece
    province: str


class Abandoned(Event, frozen=True, kw_only=True):
    """J2: units that no Leader of their stack has room for any more."""

    owner: Player | None
    province: str
    pieces: tuple[Piece, ...]


class AssassinationTried(Event, frozen=True, kw_only=True):
    player: Player
    number: int
    target: Piece
    owner: Player | None
    province: str
    markers: int
    dice: int
    total: int
    success: bool


class PurgeFiled(Event, frozen=True, kw_only=True):
    """One Purge order that was filed, and why it was valid or disallowed: a code for the template's sentence."""

    player: Player
    number: int
    object: Player
    participants: tuple[Player, ...]
    using: int
    division: tuple[tuple[Player, int], ...]
    separately: bool
    verdict: str  # "valid" or a reason code


class PurgeRolled(Event, frozen=True, kw_only=True):
    participants: tuple[Player, ...]
    object: Player
    counter: bool
    leadership: Mapping[Player, int]
    markers: Mapping[Player, int]  # as counted: doubled in a Counterpurge
    strength: int
    dice: int
    result: str  # a number or "C"


class PurgeSpoils(Event, frozen=True, kw_only=True):
    """What one player took: Leaders with all that is attached to them, and Politburo Markers."""

    player: Player
    victim: Player
    points: int
    leaders: tuple[Piece, ...] = ()
    pieces: tuple[Piece, ...] = ()  # everything that changed hands with the Leaders
    pm: int = 0
    unspent: int = 0


class ExecutionOrdered(Event, frozen=True, kw_only=True):
    participants: tuple[Player, ...]
    markers: int
    holder: Player
    answer: str  # "complied" | "refused" | "pending"


class ExecutionAnswered(Event, frozen=True, kw_only=True):
    """A pending order of an earlier Phase: complied, refused or lapsed."""

    holder: Player | None
    answer: str


class EpidemicStruck(Event, frozen=True, kw_only=True):
    dice: tuple[int, int]
    provinces: tuple[str, ...]
    lost: tuple[tuple[str, Piece], ...]


class SubversionDoubled(Event, frozen=True, kw_only=True):
    dice: tuple[int, int]
    already: bool = False


class DrawEvent(Event, frozen=True, kw_only=True):
    """12.13 through the Random Events Table: the recipient was drawn."""

    dice: tuple[int, int]
    recipient: Player | None


class ChitDrawn(Event, frozen=True, kw_only=True):
    player: Player
    chit: str | None  # None: the Randomizer was empty
    set_aside: bool = False
    withdrawn: tuple[Piece, ...] = ()
    gained: tuple[Piece, ...] = ()  # units that the Control Marker brought


class Fought(Event, frozen=True, kw_only=True):
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


class RevolutionShaken(Event, frozen=True, kw_only=True):
    """J33: Lenin or Trotsky fell."""

    leader: Piece
    owner: Player | None
    pm_lost: int
    suspended: int


class Replaced(Event, frozen=True, kw_only=True):
    units: tuple[Piece, ...]
    refused: tuple[tuple[Piece, str], ...] = ()  # unit and the rule that kept it in its box


class Voted(Event, frozen=True, kw_only=True):
    player: Player
    end: bool


class Quit(Event, frozen=True, kw_only=True):
    player: Player


class Won(Event, frozen=True, kw_only=True):
    color: Color
    condition: int  # of 14.1
    points: Mapping[Player, int]


class Spot(Struct, frozen=True):
    """Where a counter or marker is: map, box (owner None: the neutral one), randomizer, gone."""

    kind: str
    province: str = ""
    owner: Player | None = None


class Correction(Struct, frozen=True):
    """One thing that the Gamesmaster put right, before and after."""

    kind: str  # moved, added, removed, given, marker
    before: Spot
    after: Spot
    piece: Piece | None = None
    marker: str = ""
    number: int = 0


class Corrected(Event, frozen=True, kw_only=True):
    """The Gamesmaster corrected the position that a Phase was played from, or a result of its draft."""

    reason: str
    parts: tuple[Correction, ...]
    draft: bool = False
    insisted: tuple[str, ...] = ()  # reason codes of what breaks 7.1 all the same


class PhaseEnded(Event, frozen=True, kw_only=True):
    """Turn and phase move on; flags of the Phase are cleared."""


# --- results ----------------------------------------------------------------------------------------------------------


class Status(StrEnum):
    DONE = "done"
    PARTLY = "partly"
    FAILED = "failed"
    UNREAD = "unread"


class Reason(Struct, frozen=True):
    """Why an order came to what it came to: a code for the template, the rules, the data of the sentence."""

    code: str
    rules: tuple[str, ...]
    data: Mapping[str, object] = field(default_factory=dict)


class OrderResult(Struct, frozen=True):
    player: Player
    number: int  # A1 is the first thing A wrote
    order: Order
    status: Status
    reasons: tuple[Reason, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule for reason in self.reasons for rule in reason.rules))


class Points(Struct, frozen=True):
    """Running Victory Points for both outcomes (14.4)."""

    red: int
    white: int


class Outcome(Struct, frozen=True):
    before: Position
    after: Position
    events: tuple[Event, ...]
    results: tuple[OrderResult, ...]
    rolls: tuple[Roll, ...]
    points: Mapping[Player, Points]

    def result(self, player: Player, number: int) -> OrderResult | None:
        return next((r for r in self.results if r.player == player and r.number == number), None)
