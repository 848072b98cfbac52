"""The field of battle: stacks keep their identity through the combat step, whatever they lose (J29, J30)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gm.adjudicator.outcome import Reason
from gm.adjudicator.play import Play
from gm.adjudicator.reasons import because
from gm.adjudicator.stacks import without
from gm.board.model import OPPOSED, Color, Piece, may_join
from gm.orders.meant import meant
from gm.orders.model import Named
from gm.position import Player, Stack

_OPPOSITION = {Color.RED: "8.12", Color.WHITE: "8.13", Color.GREEN: "8.14", Color.BLUE: "8.15"}
Corps = int  # a stack as it was at the start of the step


class Field:
    def __init__(self, play: Play) -> None:
        self.play = play
        self._start = play.table.stacks()
        self._now: list[Stack | None] = list(self._start)
        # An Imperial unit alone is no stack that could fight.
        self._corps = {p: corps for corps, stack in enumerate(self._start) if stack.strength for p in stack.pieces}
        self.fought: set[Corps] = set()  # has attacked: not again (8.25)
        self.struck: set[tuple[Player, Corps]] = set()  # who attacked whom: not again (J29)

    def remnant(self, corps: Corps) -> Stack | None:
        """What is left of a stack."""
        return self._now[corps]

    def start(self, corps: Corps) -> Stack:
        return self._start[corps]

    def target(self, player: Player, named: Named, province: str) -> Corps | None:
        """The stack that a name means: of twins one in the province, still there, not yet attacked by the player."""
        if len(named.options) == 1:
            return self._corps.get(named.one)
        return min(
            (self._corps[p] for p in named.options if p in self._corps),
            key=lambda c: (self._start[c].province != province, self._now[c] is None, (player, c) in self.struck),
            default=None,
        )

    def update(self, corps: Corps, lost: Collection[Piece]) -> tuple[Stack, list[Stack]]:
        """Take losses out of a stack: what it was, and what is left."""
        stack = self._now[corps]
        assert stack is not None
        rest = without(self.play.table, stack, lost)
        self._now[corps] = rest[0] if rest and not all(p.is_imperial for p in rest[0].pieces) else None
        return stack, rest

    def set(self, corps: Corps, stack: Stack) -> None:
        self._now[corps] = stack

    def attackers(
        self, player: Player, names: Sequence[Named], province: str | None, target_color: Color | None
    ) -> tuple[list[Corps], list[Reason]]:
        """The named stacks that may attack, in the order named, and why the others may not."""
        found: list[Corps] = []
        reasons: list[Reason] = []
        for named, corps in meant(names, self._corps, lambda c: self._remoteness(c, player, province)):
            code = "not-in-province" if corps is None else self._unable(player, corps, province, target_color)
            if code is None and corps is not None:
                if corps in found:
                    continue
                if target_color is None or not found or may_join(self._color(found[0]), self._color(corps)):
                    found.append(corps)
                    continue
                code = "not-friends"
            assert code is not None
            reasons.append(because(code, *_friends(code, named.options[0], target_color), piece=named.options[0]))
        return found, reasons

    def _remoteness(self, corps: Corps, player: Player, province: str | None) -> tuple[bool, bool, bool, bool]:
        start = self._start[corps]
        elsewhere = province is not None and start.province != province
        return elsewhere, start.owner != player, self._now[corps] is None, corps in self.fought

    def _color(self, corps: Corps) -> Color | None:
        stack = self._now[corps]
        return stack.color if stack else None

    def _unable(self, player: Player, corps: Corps, province: str | None, target: Color | None) -> str | None:
        stack = self._now[corps]
        start = self._start[corps]
        if start.owner != player:
            return "leaderless" if start.owner is None and start.color in (Color.RED, Color.WHITE) else "not-his-stack"
        if stack is None:
            return "attacker-gone"
        if province is not None and stack.province != province:
            return "not-in-province"
        if corps in self.fought:
            return "attacked-already"
        if stack.owner != player:
            return "leaderless"  # its last Leader fell in this step
        if target is not None and (stack.color is None or target not in OPPOSED[stack.color]):
            return "not-opposed"
        return None


def _friends(code: str, attacker: Piece, target: Color | None) -> tuple[str, ...]:
    """The lines of 8.1 by which two colours are friends."""
    if code != "not-opposed":
        return ()
    colors = [c for c in (attacker.color, target) if c is not None]
    return ("8.11", *(_OPPOSITION[c] for c in colors))
