"""Forecast of a player's own movement on the published positions, if nobody else did anything (J7-J10, J13).

Only published knowledge goes in, so only what the player may know comes out. Ties with other players' forces and
what they do to the board are left to the adjudicator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.orders.rules.force import Force
from gm.orders.rules.march import MovementContext
from gm.position import Player, Position


def forecast(board: Board, position: Position, player: Player, orders: Sequence[m.Order]) -> Forecast:
    """All MOVE and ATTACH orders of a sheet, in their order."""
    made = Forecast(MovementContext(board, position, position, player, particular=True))
    for number, order in enumerate(orders, start=1):
        if isinstance(order, (m.Move, m.Attach)):
            made.marches[number] = made.sight.march(number, order)
    return made


@dataclass
class Forecast:
    sight: MovementContext
    marches: dict[int, Force] = field(default_factory=dict)

    @cached_property
    def _ends(self) -> dict[Piece, str]:
        """Where the pieces of the player's forces would end; of several that name a piece the first has it (5.25)."""
        ends: dict[Piece, str] = {}
        for march in self.marches.values():
            if march.happens:
                for province, dropped in march.dropped:
                    ends.setdefault(dropped, province)
                for piece in march.pieces:
                    ends.setdefault(piece, march.at)
        return ends

    @cached_property
    def led_by(self) -> dict[Piece, int]:
        """Which order first takes a piece along, if it goes anywhere."""
        taken: dict[Piece, int] = {}
        for number, march in self.marches.items():
            if march.happens:
                for piece in march.been:
                    taken.setdefault(piece, number)
        return taken

    @cached_property
    def forces(self) -> dict[str, list[list[Piece]]]:
        """The player's stacks and forces, by the province in which they would stand after all their own movement."""
        found: dict[str, list[list[Piece]]] = {}
        for stack in self.sight.snapshot.owned(self.sight.player):
            found.setdefault(stack.province, []).append([p for p in stack.pieces if p not in self.led_by])
        for march in self.marches.values():
            if march.happens:
                found.setdefault(march.at, []).append(march.pieces)
        return found

    def place_of(self, piece: Piece) -> str | None:
        """The province in which a piece would stand after all the player's own movement."""
        stack = self.sight.snapshot.where.get(piece)
        return self._ends.get(piece) or (stack.province if stack else None)

    def will_be_his(self, piece: Piece) -> bool:
        """The player's now, or in one of their forces at some time: what STACK may regroup (J3)."""
        return self.sight.is_own(piece) or piece in self.led_by

    def instead(self, number: int, order: m.Move) -> Force:
        """What another order in the place of this one would come to, with what the orders before it have moved."""
        earlier = {p for n, march in self.marches.items() if n < number and march.went for p in march.been}
        sight = self.sight
        return MovementContext(
            sight.board, sight.snapshot, sight.published, sight.player, particular=True, moved=earlier
        ).march(number, order)
