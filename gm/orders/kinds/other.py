"""Order classes: VOTE, RESIGN, PRESS, HOLD, the solitaire game's DEPLOY and DONE, and what was not understood."""

from __future__ import annotations

from typing import ClassVar

from gm.board.model import Piece
from gm.orders.kinds.base import (
    FIRST,
    ORDER_PHASES,
    SECOND,
    About,
    Named,
    Order,
    clause,
    print_piece,
    print_players,
)
from gm.orders.kinds.lines import PRESS_END, goes_on
from gm.position import Player


class Deploy(Order, frozen=True, kw_only=True):
    """Solitaire: a Red Leader comes back on the map, alone in a province or on a Red unit (24.11)."""

    about: ClassVar[About] = About(
        keyword="DEPLOY",
        phases=(FIRST,),
        usage="DEPLOY leader TO province or DEPLOY leader ON unit",
        what="Playing alone: a Red Leader comes back on the map, alone in a province or on top of a Red unit.",
        examples=("DEPLOY Tukhachevsky TO NOVG", "DEPLOY Frunze ON RU4 VLDM"),
        rules=("24.11", "S7"),
        words={"to": "_TO", "on": "_ON"},
        solitaire=True,
    )

    leader: Piece
    province: str | None = None
    unit: Named | None = None

    def printed(self) -> str:
        where = f"TO {self.province}" if self.unit is None else f"ON {self.unit.printed()}"
        return f"DEPLOY {print_piece(self.leader)} {where}"


class Done(Order, frozen=True, kw_only=True):
    """Solitaire: no more attacks in this Combat Phase."""

    about: ClassVar[About] = About(
        keyword="DONE",
        phases=(SECOND,),
        usage="DONE",
        what="Playing alone: no more attacks in this Game-Turn.",
        examples=("DONE",),
        rules=("19.2", "S14"),
        solitaire=True,
        done_by=("19.2", "S14"),
    )

    def printed(self) -> str:
        return "DONE"


class Vote(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="VOTE",
        phases=(FIRST, SECOND),
        usage="VOTE END|CONTINUE",
        what="Whether you agree to end the game; on file until changed.",
        examples=("VOTE END", "VOTE CONTINUE"),
        rules=("14.1", "J35"),
        words={"end": "END", "continue": "CONTINUE"},
        done_by=("14.1", "J35"),
    )

    end: bool

    def printed(self) -> str:
        return "VOTE END" if self.end else "VOTE CONTINUE"


class Resign(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="RESIGN",
        phases=ORDER_PHASES,
        usage="RESIGN",
        what="Leave the game after this Phase; you will be asked to confirm.",
        examples=("RESIGN",),
        rules=("14.2", "J37"),
        done_by=("14.21", "J37"),
    )

    def printed(self) -> str:
        return "RESIGN"


class Press(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="PRESS",
        phases=ORDER_PHASES,
        usage='PRESS [AS "dateline"] [TO players] text, up to END; without END, to an empty line before the next order',
        what="Printed in the next Bell; with TO passed on to these players only. Nothing before END is an order.",
        examples=('PRESS AS "Petrograd (P.I.S.)" All quiet on the Neva.', "PRESS TO B, C Meet me in Tver."),
    )

    text: str
    dateline: str | None = None  # PRESS AS "..."
    to: tuple[Player, ...] = ()  # empty: printed in the next Bell

    def printed(self) -> str:
        # The text below the heading, closed by END: then no line of it can be taken for a heading or an order.
        dateline = "" if self.dateline is None else f' AS "{self.dateline}"'
        return f"PRESS{dateline}{clause('TO', print_players(self.to))}\n{self.text}\nEND"


class Hold(Order, frozen=True, kw_only=True):
    """`HOLD`, `HOLD Lenin, RU8 PETR`: says that nothing is ordered. Understood, and left out of what is sealed."""

    about: ClassVar[About] = About(
        keyword="HOLD",
        phases=ORDER_PHASES,
        usage="HOLD [pieces or provinces]",
        what="Says that you mean to order nothing, or nothing for these: what has no order stays where it is.",
        examples=("HOLD", "HOLD Lenin, RU8 PETR"),
    )

    what: str = ""  # in the player's own words

    def printed(self) -> str:
        return f"HOLD {self.what}".rstrip()


class Unread(Order, frozen=True, kw_only=True):
    """A line that was not understood. It keeps its number, so that `A3` means the third thing the player wrote."""

    def printed(self) -> str:
        # Closed, so that it swallows nothing that stands behind it when the sheet is read again.
        if self.source[:5].lower() == "press" and not PRESS_END.fullmatch(self.source, 5):
            return f"{self.source}\nEND"
        return f"{self.source}\n" if goes_on(self.source) else self.source
