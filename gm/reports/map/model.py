"""What the drawn map shows, as plain values: stacks, moves and marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gm.board.model import Board

PieceKind = Literal["leader", "unit", "imperial"]
PieceColor = Literal["red", "white", "green", "blue", "imperial"]
MarkKind = Literal["battle", "subversion", "epidemic", "purge", "assassination"]


@dataclass(frozen=True, slots=True)
class MapPiece:
    label: str  # a Leader's name, a unit's home province, "Czar" or "Gold"
    kind: PieceKind
    color: PieceColor
    value: int
    nation: str | None = None


@dataclass(frozen=True, slots=True)
class MapStack:
    province: str
    owner: str | None  # a player's letter
    pieces: tuple[MapPiece, ...]  # top to bottom

    @property
    def color(self) -> PieceColor:
        """A stack has the colour of its first Leader, else of its first unit (13.26)."""
        ranked = sorted(self.pieces, key=lambda p: ("leader", "unit", "imperial").index(p.kind))
        return ranked[0].color if ranked else "imperial"

    @property
    def strength(self) -> int:
        """Leaders count with their Leadership Value (8.26)."""
        return sum(p.value for p in self.pieces)

    @property
    def leaders(self) -> tuple[MapPiece, ...]:
        return tuple(p for p in self.pieces if p.kind == "leader")

    @property
    def units(self) -> tuple[MapPiece, ...]:
        return tuple(p for p in self.pieces if p.kind == "unit")

    @property
    def imperials(self) -> tuple[MapPiece, ...]:
        return tuple(p for p in self.pieces if p.kind == "imperial")

    @property
    def nations(self) -> tuple[str, ...]:
        """The nations of its Blue units, each once, in order."""
        return unique(p.nation for p in self.units if p.color == "blue" and p.nation)


@dataclass(frozen=True, slots=True)
class MapMove:
    owner: str | None
    color: PieceColor
    path: tuple[str, ...]  # provinces really entered, the start first
    stopped_at: str | None = None
    intended: tuple[str, ...] = ()  # the whole route as ordered


@dataclass(frozen=True, slots=True)
class MapMark:
    kind: MarkKind
    province: str


@dataclass(frozen=True, slots=True)
class MapView:
    title: str
    date_line: str
    stacks: tuple[MapStack, ...] = ()
    moves: tuple[MapMove, ...] = ()
    marks: tuple[MapMark, ...] = ()
    mine: str | None = None  # the player whose forces stand out
    board: Board | None = None  # whose names, railways and crossings are printed; None: the standard one

    def __post_init__(self) -> None:
        if self.board is not None and not self.board.pack:
            object.__setattr__(self, "board", None)  # one way to say it: sheets are kept by it


def unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
