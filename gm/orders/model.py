"""One frozen class an order. Names are resolved to pieces of the Board; whether they stand where the player
thinks is for the checker (before the deadline) and the adjudicator (after it)."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from gm.board.model import Piece
from gm.position import Player
from gm.values import dataclass, plain


@plain
class Window(StrEnum):
    """When an order may be given."""

    PREGAME = "pregame"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Named:
    """Pieces as a player names them: any `count` of `options` (twins, or those a short name fits)."""

    options: tuple[Piece, ...]
    count: int = 1

    @property
    def one(self) -> Piece:
        return self.options[0]


@dataclass(frozen=True, slots=True)
class Goods:
    """What changes hands: markers, and before the game Leaders."""

    pm: int = 0
    am: int = 0
    leaders: tuple[Piece, ...] = ()


@plain
class Act(StrEnum):
    PICK = "+"
    DROP = "-"


@dataclass(frozen=True, slots=True)
class Handling:
    """`+WU2 URAL` or `-GU2 CHIT` in brackets after a province."""

    act: Act
    what: Named


@dataclass(frozen=True, slots=True)
class Stop:
    """One province of a path, with what is picked up and dropped there, left to right."""

    province: str
    handling: tuple[Handling, ...] = ()


@plain
class Against(StrEnum):
    """Whom a Counterpurge strikes, if not a player by letter."""

    STRONGEST = "STRONGEST"
    WEAKEST = "WEAKEST"
    NEVER = "NEVER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    # Where it stood in the sheet; two orders that say the same are equal wherever they stand.
    line: int = field(default=0, compare=False)
    source: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Give(Order):
    what: Goods
    to: Player
    for_: Goods | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(Order):
    leaders: tuple[Piece, ...]
    giver: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseGifts(Order):
    giver: Player | None = None
    standing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Seize(Order):
    units: tuple[Named, ...]
    leader: Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Order):
    force: tuple[Named, ...]  # top to bottom
    path: tuple[Stop, ...] = ()  # from the start province if the player wrote it, else from the first step
    by_rail: bool = False
    to: str | None = None  # route left to the Gamesmaster (J9); then path is empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Attach(Order):
    units: tuple[Named, ...]
    leader: Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Restack(Order):
    """STACK PROV: ..."""

    province: str
    pieces: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Emigrate(Order):
    piece: Piece
    province: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit(Order):
    units: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assassinate(Order):
    targets: tuple[Piece, ...]
    markers: int | None  # None: ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge(Order):
    object: Player
    partners: tuple[Player, ...] = ()
    using: int = 0
    division: tuple[tuple[Player, int], ...] = ()
    taking: tuple[Piece | None, ...] = ()  # None: a Politburo Marker
    separately: bool = False
    conditional: bool = False  # an IF stood behind it: understood, never allowed (J19)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterpurge(Order):
    against: Against | Player
    taking: tuple[Piece | None, ...] = ()
    if_by: Player | None = None
    standing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Execute(Order):
    partners: tuple[Player, ...] = ()
    using: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Comply(Order):
    standing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseExecution(Order):
    standing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lose(Order):
    pieces: tuple[Named, ...]
    standing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Order):
    pieces: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Order):
    target: Named
    province: str
    attackers: tuple[Named, ...]
    lose: tuple[Named, ...] | None = None  # indented under this attack; None: the Phase's LOSE list
    take: tuple[Named, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subvert(Order):
    target: Named
    province: str
    attackers: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote(Order):
    end: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Order):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(Order):
    text: str
    dateline: str | None = None  # PRESS AS "..."
    to: tuple[Player, ...] = ()  # empty: printed in the next Bell


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread(Order):
    """A line that was not understood. It keeps its number, so that `A3` means the third thing he wrote."""


@dataclass(frozen=True, slots=True)
class Guard:
    """`ORDERS June 1918 First Phase`: for which Phase the sheet is meant."""

    turn: int
    phase: str  # Window value


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that one player sent for a Phase: order number n is orders[n - 1]."""

    orders: tuple[Order, ...] = ()
    guard: Guard | None = None
    add: bool = False  # ADD: keep what was sent before
    cancel: bool = False  # CANCEL ALL
