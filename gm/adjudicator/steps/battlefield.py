"""The stacks of a combat step as the adjudicator keeps them: with the losses that they take (J29, J30)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import without
from gm.adjudicator.outcome import Reason
from gm.adjudicator.reasons import because
from gm.board.model import Color, Piece
from gm.orders.rules.odds import BattleLines, LeftOut, Prospect, StackId
from gm.position import Player, Stack

_OPPOSITION = {Color.RED: "8.12", Color.WHITE: "8.13", Color.GREEN: "8.14", Color.BLUE: "8.15"}


class Battlefield(BattleLines):
    def __init__(
        self,
        play: PhaseInPlay,
        attacked: Collection[Piece] = (),
        defended: Mapping[Player, Collection[Piece]] | None = None,
    ) -> None:
        super().__init__(play.table.stacks(), attacked, defended)
        self.play = play

    def update(self, number: StackId, lost: Collection[Piece]) -> tuple[Stack, list[Stack]]:
        """Take losses out of a stack: what it was, and what is left."""
        stack = self.remnant(number)
        assert stack is not None
        rest = without(self.play.table, stack, lost)
        self.set(number, rest[0] if rest and not all(p.is_imperial for p in rest[0].pieces) else None)
        return stack, rest

    def reasons(self, prospect: Prospect) -> list[Reason]:
        """Why named stacks were left out."""
        return [self._reason(prospect, left) for left in prospect.left_out]

    def _reason(self, prospect: Prospect, left: LeftOut) -> Reason:
        piece = left.named.one
        if left.code == "not-opposed":
            # The lines of 8.1 by which two colours are friends.
            target = self.start(prospect.target).color if prospect.target is not None else None
            friends = [_OPPOSITION[c] for c in (piece.color, target) if c is not None]
            return because(left.code, "8.11", *friends, piece=piece)
        if left.code in ("not-red", "not-adjacent") and left.stack is not None:
            piece = self.start(left.stack).pieces[0]
        if left.code == "not-adjacent":
            return because(left.code, piece=piece, province=prospect.province)
        return because(left.code, piece=piece)
