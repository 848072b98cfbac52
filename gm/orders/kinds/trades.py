"""Order classes: GIVE, ACCEPT, REFUSE GIFTS and SEIZE."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from gm.board.model import Piece
from gm.orders.kinds.base import (
    AM_WORDS,
    FIRST,
    ORDER_PHASES,
    PM_WORDS,
    PREGAME,
    SECOND,
    WITH_WORDS,
    About,
    Named,
    Order,
    StandingOrder,
    clause,
    print_all,
    print_leaders,
    print_piece,
)
from gm.position import Player


class Goods(Struct, frozen=True):
    """What changes hands: markers, and before the game Leaders."""

    pm: int = 0
    am: int = 0
    leaders: tuple[Piece, ...] = ()

    def printed(self) -> str:
        parts = [print_piece(p) for p in self.leaders]
        parts += [f"{n} {name}" for n, name in ((self.pm, "PM"), (self.am, "AM")) if n]
        return ", ".join(parts) or "0 PM"


class Give(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="GIVE",
        phases=ORDER_PHASES,
        usage="GIVE goods TO player [FOR goods]",
        what="Trade markers; before the game also Leaders. With FOR the other player must order the mirror of it.",
        examples=("GIVE 2 PM TO B", "GIVE 1 AM TO B FOR 1 PM", "GIVE Wrangel, Ulagi TO C FOR 2 PM"),
        rules=("17/4.2", "15.33", "J5"),
        words={"to": "_TO", "for": "_FOR", **PM_WORDS, **AM_WORDS},
        done_by=("J5", "17/4.2", "15.33"),
    )

    what: Goods
    to: Player
    for_: Goods | None = None

    def printed(self) -> str:
        in_return = "" if self.for_ is None else f" FOR {self.for_.printed()}"
        return f"GIVE {self.what.printed()} TO {self.to}{in_return}"


class Accept(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="ACCEPT",
        phases=(PREGAME,),
        usage="ACCEPT leaders FROM player",
        what="Before the game: take Leaders that another player gives for nothing.",
        examples=("ACCEPT Wrangel FROM E",),
        rules=("15.33", "J5"),
        words={"from": "_FROM"},
        done_by=("J5", "15.33"),
        not_now=("15.33", "J5"),
    )

    leaders: tuple[Piece, ...]
    giver: Player

    def printed(self) -> str:
        return f"ACCEPT {print_leaders(self.leaders)} FROM {self.giver}"


class RefuseGifts(StandingOrder, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="REFUSE GIFTS",
        phases=ORDER_PHASES,
        usage="REFUSE GIFTS [FROM player]",
        what="Decline gifts of markers, all of them or those of one player.",
        examples=("REFUSE GIFTS FROM B", "REFUSE GIFTS"),
        rules=("J5",),
        words={"gifts": "_GIFTS", "gift": "_GIFTS", "from": "_FROM"},
        done_by=("J5",),
    )

    giver: Player | None = None

    def printed(self) -> str:
        return f"{self.prefix}REFUSE GIFTS{clause('FROM', self.giver or '')}"


class Seize(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="SEIZE",
        phases=(FIRST, SECOND),
        usage="SEIZE units WITH leader",
        what="A Leader with the Gold takes other players' Green units in his province.",
        examples=("SEIZE GU4 KIEV WITH Kolchak",),
        rules=("13.26", "J6"),
        words=WITH_WORDS,
        done_by=("13.26", "17/13.26", "J6"),
    )

    units: tuple[Named, ...]
    leader: Piece

    def printed(self) -> str:
        return f"SEIZE {print_all(self.units)} WITH {print_piece(self.leader)}"
