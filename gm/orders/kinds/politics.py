"""Order classes: ASSASSINATE, PURGE, COUNTERPURGE, EXECUTE CZAR, COMPLY and REFUSE EXECUTION."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import ClassVar

from gm.board.model import Piece
from gm.orders.kinds.base import (
    AM_WORDS,
    COMMITTEE_WORDS,
    FIRST,
    PM_WORDS,
    SECOND,
    WITH_WORDS,
    About,
    Order,
    StandingOrder,
    clause,
    print_leaders,
    print_piece,
    print_players,
)
from gm.position import Player


class Against(StrEnum):
    """Whom a Counterpurge strikes, if not a player by letter."""

    STRONGEST = "STRONGEST"
    WEAKEST = "WEAKEST"
    NEVER = "NEVER"


def print_prizes(taking: Iterable[Piece | None]) -> str:
    return ", ".join("PM" if p is None else print_piece(p) for p in taking)


class Assassinate(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="ASSASSINATE",
        phases=(FIRST,),
        usage="ASSASSINATE leaders WITH number|ALL",
        what="Set Assassin Markers on a Leader whose route meets one of yours at its end; of several, on the first.",
        examples=("ASSASSINATE Trotsky WITH 2", "ASSASSINATE Trotsky, Tukhachevsky WITH ALL"),
        rules=("17/10.0", "J16", "J17"),
        words={"all": "ALL", **WITH_WORDS, **AM_WORDS},
        not_now=("10.11", "17/10.0"),
    )

    targets: tuple[Piece, ...]
    markers: int | None  # None: ALL

    def printed(self) -> str:
        return f"ASSASSINATE {print_leaders(self.targets)} WITH {'ALL' if self.markers is None else self.markers}"


class Purge(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="PURGE",
        phases=(FIRST, SECOND),
        usage=(
            "PURGE player [WITH players] USING number PM [DIVIDE player number, ...] [TAKING leaders, PM] [SEPARATELY]"
        ),
        what="Purge another player's Red Leaders; a joint Purge needs WITH and DIVIDE, alike in all its orders.",
        examples=("PURGE B USING 8 PM", "PURGE B WITH E USING 3 PM DIVIDE A 2, E 1 TAKING Tukhachevsky, PM"),
        rules=("17/11.0", "11.1", "J18", "J19", "J20", "J21"),
        words={"divide": "_DIVIDE", "taking": "_TAKING", "separately": "SEPARATELY", **COMMITTEE_WORDS},
    )

    object: Player
    partners: tuple[Player, ...] = ()
    using: int = 0
    division: tuple[tuple[Player, int], ...] = ()
    taking: tuple[Piece | None, ...] = ()  # None: a Politburo Marker
    separately: bool = False
    conditional: bool = False  # an IF stood behind it: understood, never allowed (J19)

    def printed(self) -> str:
        return (
            f"PURGE {self.object}"
            + clause("WITH", print_players(self.partners))
            + (f" USING {self.using} PM" if self.using else "")
            + clause("DIVIDE", ", ".join(f"{p} {n}" for p, n in self.division))
            + clause("TAKING", print_prizes(self.taking))
            + (" SEPARATELY" if self.separately else "")
            + (" IF ..." if self.conditional else "")
        )


class Counterpurge(StandingOrder, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="COUNTERPURGE",
        phases=(FIRST, SECOND),
        usage="COUNTERPURGE STRONGEST|WEAKEST|NEVER|player [TAKING leaders, PM] [IF PURGED BY player]",
        what="What to do if a Purge of you fails with a C.",
        examples=(
            "COUNTERPURGE STRONGEST",
            "COUNTERPURGE A IF PURGED BY A",
            "COUNTERPURGE NEVER",
            "STANDING COUNTERPURGE WEAKEST TAKING PM",
        ),
        rules=("11.24", "J21"),
        words={
            "strongest": "STRONGEST",
            "weakest": "WEAKEST",
            "never": "NEVER",
            "taking": "_TAKING",
            "if": "_IF",
            "purged": "_PURGED",
            "by": "_BY",
            **PM_WORDS,
        },
        done_by=("17/11.0", "J21"),
    )

    against: Against | Player
    taking: tuple[Piece | None, ...] = ()
    if_by: Player | None = None

    def decides(self, targets: Sequence[Player]) -> bool:
        """Whether it says what to do if only these may be struck (J21); of several orders the first such counts."""
        return self.needs <= set(targets)

    @property
    def needs(self) -> frozenset[Player]:
        """Who must be among those whom it may strike."""
        named = (self.if_by, None if isinstance(self.against, Against) else self.against)
        return frozenset(player for player in named if player is not None)

    def printed(self) -> str:
        against = self.against.value if isinstance(self.against, Against) else self.against
        return (
            f"{self.prefix}COUNTERPURGE {against}"
            + clause("TAKING", print_prizes(self.taking))
            + clause("IF PURGED BY", self.if_by or "")
        )


class Execute(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="EXECUTE",
        phases=(FIRST, SECOND),
        usage="EXECUTE CZAR [WITH players] USING number PM",
        what="Order the Czar's execution; the committee needs 10 markers.",
        examples=("EXECUTE CZAR WITH A, E USING 4 PM",),
        rules=("13.5", "J22"),
        words={"czar": "_CZAR", "tsar": "_CZAR", **COMMITTEE_WORDS},
    )

    partners: tuple[Player, ...] = ()
    using: int = 0

    def printed(self) -> str:
        using = f" USING {self.using} PM" if self.using else ""
        return f"EXECUTE CZAR{clause('WITH', print_players(self.partners))}{using}"


class Comply(StandingOrder, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="COMPLY",
        phases=(FIRST, SECOND),
        usage="COMPLY",
        what="Carry out an order to execute the Czar, if it comes while you hold him.",
        examples=("COMPLY",),
        rules=("13.54", "J22"),
        done_by=("13.54", "17/13.5", "J22"),
    )

    def printed(self) -> str:
        return f"{self.prefix}COMPLY"


class RefuseExecution(StandingOrder, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="REFUSE EXECUTION",
        phases=(FIRST, SECOND),
        usage="REFUSE EXECUTION",
        what="Decline an order to execute the Czar, if it comes while you hold him.",
        examples=("REFUSE EXECUTION",),
        rules=("13.54", "J22"),
        words={"execution": "_EXECUTION"},
        done_by=("13.54", "17/13.5", "J22"),
    )

    def printed(self) -> str:
        return f"{self.prefix}REFUSE EXECUTION"
