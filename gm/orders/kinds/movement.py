"""Order classes: MOVE, ATTACH, STACK, EMIGRATE and EXIT."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from msgspec import Struct

from gm.board.model import Piece
from gm.orders.kinds.base import FIRST, About, Named, Order, print_all, print_piece


class Act(StrEnum):
    PICK = "+"
    DROP = "-"


class Handling(Struct, frozen=True):
    """`+WU2 URAL` or `-GU2 CHIT` in brackets after a province."""

    act: Act
    what: Named


class Stop(Struct, frozen=True):
    """One province of a path, with what is picked up and dropped there, left to right."""

    province: str
    handling: tuple[Handling, ...] = ()

    def printed(self) -> str:
        """`URAL(+WU2 URAL)`."""
        if not self.handling:
            return self.province
        return f"{self.province}({', '.join(f'{h.act.value}{h.what.printed()}' for h in self.handling)})"


class Move(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="MOVE",
        phases=(FIRST,),
        usage="MOVE force: path [BY RAIL] or MOVE force TO province",
        what="Move a force, listed top to bottom, along a path; in brackets + picks up and - drops in that province.",
        examples=(
            "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO",
            "MOVE Denikin, WU4 KUBA: KUBA-STAV-ASTR-KIRG-URAL(+WU2 URAL)-SAMA",
            "MOVE Stalin: KURS-OREL-TULA-TVER-NOVG-PETR-OLON-ARCH BY RAIL",
            "MOVE Lenin, RU8 PETR TO LIVO",
        ),
        rules=("17/5.0", "5.0", "J7", "J8", "J9", "J10"),
        words={"to": "_TO", "by rail": "RAIL"},
        done_by=("17/5.0", "5.13", "J7", "J10"),
        not_now=("5.11", "5.21"),
    )

    force: tuple[Named, ...]  # top to bottom
    path: tuple[Stop, ...] = ()  # from the start province if the player wrote it, else from the first step
    by_rail: bool = False
    to: str | None = None  # route left to the Gamesmaster (J9); then path is empty

    def printed(self) -> str:
        where = f" TO {self.to}" if self.to is not None else f": {'-'.join(s.printed() for s in self.path)}"
        return f"MOVE {print_all(self.force)}{where}{' BY RAIL' if self.by_rail else ''}"


class Attach(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="ATTACH",
        phases=(FIRST,),
        usage="ATTACH units TO leader",
        what="Pick up units where the Leader stands, without moving.",
        examples=("ATTACH RU2 KAZA TO Markin",),
        rules=("5.13", "J10"),
        words={"to": "_TO"},
        done_by=("5.13", "J10"),
        not_now=("5.11", "5.21"),
    )

    units: tuple[Named, ...]
    leader: Piece

    def printed(self) -> str:
        return f"ATTACH {print_all(self.units)} TO {print_piece(self.leader)}"


class Restack(Order, frozen=True, kw_only=True):
    """STACK PROV: ..."""

    about: ClassVar[About] = About(
        keyword="STACK",
        phases=(FIRST,),
        usage="STACK province: pieces",
        what="After all your movement exactly these pieces, top to bottom, form a stack.",
        examples=("STACK PSKO: Frunze, RU4 VLDM, Vatzetis, RU3 YARO, Gai",),
        rules=("7.1", "J3"),
        done_by=("7.1", "7.11", "J3"),
        not_now=("5.11", "5.21", "5.41"),
    )

    province: str
    pieces: tuple[Named, ...]

    def printed(self) -> str:
        return f"STACK {self.province}: {print_all(self.pieces)}"


class Emigrate(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="EMIGRATE",
        phases=(FIRST,),
        usage="EMIGRATE Czar|Gold FROM province",
        what="Take an Imperial unit off the map from a port, for White Victory Points.",
        examples=("EMIGRATE Czar FROM KHER",),
        rules=("13.3", "J15"),
        words={"from": "_FROM"},
        done_by=("13.31", "13.32", "J15"),
        not_now=("5.11", "5.21", "13.31"),
    )

    piece: Piece
    province: str

    def printed(self) -> str:
        return f"EMIGRATE {print_piece(self.piece)} FROM {self.province}"


class Exit(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="EXIT",
        phases=(FIRST,),
        usage="EXIT units",
        what="Czech units leave the map from Vladivostok.",
        examples=("EXIT BU3 CHEL/CZ",),
        rules=("5.66", "J15"),
        done_by=("5.66", "14.45", "J15"),
        not_now=("5.11", "5.21", "5.66"),
    )

    units: tuple[Named, ...]

    def printed(self) -> str:
        return f"EXIT {print_all(self.units)}"
