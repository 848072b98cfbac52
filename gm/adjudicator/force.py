"""A force on the move, and which pieces a player may put into one (J10-J13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gm.adjudicator.outcome import Reason
from gm.adjudicator.stacks import NOT_FOR_GOLD
from gm.board.model import OPPOSED, Board, Color, Piece
from gm.position import Player, Position


@dataclass
class Force:
    """One MOVE order as it is carried out."""

    player: Player
    number: int
    pieces: list[Piece] = field(default_factory=list)  # top to bottom, as it stands now
    path: list[str] = field(default_factory=list)  # start, then each province entered
    intended: tuple[str, ...] = ()
    by_rail: bool = False
    leader: Piece | None = None  # first named: his code and value count in a tie (J11)
    been: set[Piece] = field(default_factory=set)  # every piece that was ever part of it
    claims: list[tuple[str, Piece]] = field(default_factory=list)  # uncontrolled pieces taken
    picked: list[tuple[str, Piece]] = field(default_factory=list)
    dropped: list[tuple[str, Piece]] = field(default_factory=list)
    routes: dict[Piece, list[str]] = field(default_factory=dict)
    reasons: list[Reason] = field(default_factory=list)
    stopped: str | None = None
    acted: bool = False  # a bracket was carried out
    cut: bool = False  # something of the order was not done

    @property
    def at(self) -> str:
        return self.path[-1]

    @property
    def went(self) -> bool:
        return len(self.path) > 1

    @property
    def color(self) -> Color | None:
        """A Leader's force has his colour even for the Green units under the Gold (13.26)."""
        return self.leader.color if self.leader else next((p.color for p in self.pieces if p.is_unit), None)

    def miss(self, reason: Reason) -> None:
        self.reasons.append(reason)
        self.cut = True

    def join(self, piece: Piece) -> None:
        self.been.add(piece)
        self.routes.setdefault(piece, [self.at])


@dataclass
class Sight:
    """What one player may reach for: the snapshot, and what he has moved already."""

    board: Board
    snapshot: Position
    player: Player
    winners: Mapping[Piece, Player]  # ties that are settled (J11)
    barred: frozenset[tuple[Piece, Player]]  # settled, but he cannot get there after all
    seized: frozenset[Piece]
    moved: set[Piece] = field(default_factory=set)

    def is_own(self, piece: Piece) -> bool:
        stack = self.snapshot.where.get(piece)
        return stack is not None and stack.owner == self.player

    def own_first(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """A name that fits his own piece and another means his own."""
        return pieces if len(pieces) == 1 else sorted(pieces, key=lambda p: not self.is_own(p))

    def is_mover(self, piece: Piece) -> bool:
        """Own Leaders, and own Blue and Green units, can move a force (13.11)."""
        return self.is_own(piece) and (piece.is_leader or piece.nation is not None)

    def refusal(self, force: Force, piece: Piece, *, gold: bool) -> str | None:
        """Why a piece cannot join the force where it stands now; None if it can."""
        stack = self.snapshot.where.get(piece)
        if piece in self.moved or piece in force.been:
            return "moved-already"
        if stack is None or stack.province != force.at:
            return "not-there"
        if stack.owner is not None and stack.owner != self.player:
            if piece in self.seized:
                return "seized"
            return "held-by-another" if piece.is_imperial else "not-his"
        return self._unfit(force, piece, gold=gold) or (None if stack.owner else self._unclaimed(force, piece))

    def _unfit(self, force: Force, piece: Piece, *, gold: bool) -> str | None:
        if piece.is_imperial:
            return None
        if force.leader is None:  # Blue or Green units by themselves: one nation, and nobody else (7.14)
            nation = next((p.nation for p in force.pieces if p.is_unit), piece.nation)
            return None if piece.nation is not None and piece.nation == nation else "mixed-colours"
        if piece.color is force.leader.color:
            return None
        if piece.color is not Color.GREEN:
            return "wrong-colour"
        if piece.nation in NOT_FOR_GOLD:
            return "cannot-be-bought"
        return None if gold else "no-gold"

    def _unclaimed(self, force: Force, piece: Piece) -> str | None:
        """An uncontrolled piece: may this force have it (J11, J12)?"""
        if piece.is_leader:
            return "not-his"
        if piece.is_imperial:
            foes = OPPOSED[force.color] if force.color else frozenset()
            if any(p.color in foes for p in self.snapshot.where[piece].units):
                return "guarded"
        elif force.leader is None:
            return "immovable"
        if self.winners.get(piece, self.player) != self.player or (piece, self.player) in self.barred:
            return "lost-claim"
        return None

    def why_no_force(self, pieces: Sequence[Piece]) -> str:
        """None of the pieces named first can move anything: the most telling reason."""
        piece = pieces[0]
        stack = self.snapshot.where.get(piece)
        if piece in self.moved:
            return "moved-already"
        if stack is None:
            return "not-there"
        if piece in self.seized and stack.owner != self.player:
            return "seized"
        if stack.owner not in (None, self.player):
            return "not-his"
        if piece.is_leader:
            return "not-his"
        return "immovable" if piece.nation is not None and stack.owner is None else "no-mover"
