"""The state of a moving force: what is in it, where it has been, what it picked up, dropped and could not do."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from gm.board.model import Color, Piece
from gm.orders.kinds import Attach, Move
from gm.position import Player


class Trouble(Struct, frozen=True):
    """Something of an order that does not happen: a reason's code, and what it is about."""

    code: str
    piece: Piece | None = None
    province: str | None = None
    stop: int = 0  # which province of the path, counted as the force goes
    rules: tuple[str, ...] = ()  # what the circumstances add to the rules of the code
    data: Mapping[str, object] = field(default_factory=dict)


class Force(Struct):
    """One MOVE or ATTACH as it is carried out."""

    player: Player
    number: int
    order: Move | Attach
    pieces: list[Piece] = field(default_factory=list)  # top to bottom, as it stands now
    path: list[str] = field(default_factory=list)  # start, then each province entered
    intended: tuple[str, ...] = ()
    by_rail: bool = False
    leader: Piece | None = None  # first named: his code and value count in a tie (J11)
    first: Piece | None = None  # first named of a force without a Leader: its code counts (J45)
    been: set[Piece] = field(default_factory=set)  # every piece that was ever part of it
    claims: list[tuple[str, Piece]] = field(default_factory=list)  # uncontrolled pieces taken
    picked: list[tuple[str, Piece]] = field(default_factory=list)
    dropped: list[tuple[str, Piece]] = field(default_factory=list)
    joined: dict[Piece, int] = field(default_factory=dict)  # where on the path, if not at its start
    left: dict[Piece, int] = field(default_factory=dict)  # where on the path it was dropped
    troubles: list[Trouble] = field(default_factory=list)
    stayed: set[Piece] = field(default_factory=set)  # left where it set out, in the stacks in which they stood (J41)
    stopped: str | None = None  # why the path was cut short
    acted: bool = False  # a bracket was carried out
    graces: set[str] = field(default_factory=set)  # rules that let it through where others are stopped

    @property
    def at(self) -> str:
        return self.path[-1]

    @property
    def went(self) -> bool:
        return len(self.path) > 1

    @property
    def happens(self) -> bool:
        return self.went or self.acted

    @property
    def color(self) -> Color | None:
        """A Leader's force has his colour even for the Green units under the Gold (13.26)."""
        if self.leader is not None:
            return self.leader.color
        # All of one nation (7.14), though none of them may be left.
        return next((p.color for p in (*self.pieces, *self.been) if p.is_unit), None)

    def route_of(self, piece: Piece) -> list[str]:
        """The provinces that one piece of the force was in, in order."""
        return self.path[self.joined.get(piece, 0) : self.left.get(piece, len(self.path) - 1) + 1]

    def trouble(
        self,
        code: str,
        piece: Piece | None = None,
        province: str | None = None,
        rules: tuple[str, ...] = (),
        **data: object,
    ) -> None:
        self.troubles.append(Trouble(code, piece, province, max(len(self.path) - 1, 0), rules, data))

    def halt(self, code: str, province: str | None, *rules: str, **data: object) -> None:
        self.stopped = code
        self.trouble(code, None, province, rules, **data)
