"""Combat odds: which stacks take part in an attack, which are left out and why, strengths and odds (8, J26-J30).

Checker, web desk and adjudicator ask these functions; only the stacks that they put in differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.board.model import OPPOSED, Board, Color, Piece, may_join
from gm.orders.kinds import Attack, Named, Order, Subvert
from gm.orders.rules.shorter import does_without
from gm.orders.rules.targets import meant
from gm.position import Player, Position, Stack

StackId = int  # a stack as it was at the start of the step; in a Position the index of the stack


def odds(attack: int, defence: int) -> str | None:
    """The odds rounded in the defender's favour, uncapped (`7-1`); None below 1-2 (8.47, J26)."""
    if attack >= defence:
        return f"{attack // defence}-1"
    return "1-2" if 2 * attack >= defence else None


def column_of(board: Board, label: str) -> str:
    """The column of the Combat Results Table for these odds; those beyond the table use its last (8.48)."""
    columns = board.tables.odds
    return label if label in columns else columns[-1]


def highest(board: Board) -> int:
    """The odds of the table's last column, to one: more strength than that brings no better results (8.48)."""
    return int(board.tables.odds[-1].split("-")[0])


def results_of(board: Board, label: str) -> dict[int, str]:
    """What each face of the die brings at these odds."""
    tables = board.tables
    column = tables.odds.index(column_of(board, label))
    return {die: tables.combat[die][column] for die in sorted(tables.combat)}


def opposed(stack: Stack, other: Stack) -> bool:
    """Whether one stack may attack the other (8.1)."""
    return stack.color is not None and other.color in OPPOSED[stack.color]


def apart(stacks: Iterable[Stack]) -> tuple[int, int]:
    """The strength of the Reds among them and that of all others, who may not attack side by side (8.22)."""
    found = [(stack.color is Color.RED, stack.strength) for stack in stacks]
    return sum(strength for red, strength in found if red), sum(strength for red, strength in found if not red)


def brought(stacks: Iterable[Stack], target: Stack) -> int:
    """The most that stacks of one player can bring together against another."""
    return max(apart(stack for stack in stacks if opposed(stack, target)))


class LeftOut(Struct, frozen=True):
    """A named stack that does not take part (J30)."""

    named: Named
    code: str  # of gm/orders/rules/reasons.py
    stack: StackId | None  # None: no such stack


class Prospect(Struct, frozen=True):
    """What an ATTACK or SUBVERT comes to, up to the die."""

    province: str
    subversion: bool
    target: StackId | None  # None: it is not in the province
    defender: Stack | None  # as it stands now; None if it is gone
    attackers: tuple[StackId, ...]  # those that count
    stacks: tuple[Stack, ...]  # the same, as they stand now
    left_out: tuple[LeftOut, ...]
    attack: int
    defence: int
    odds: str | None  # uncapped; None if no die is rolled
    refusal: str | None  # why no die is rolled: a code of gm/orders/rules/reasons.py; None if one is


class BattleLines:
    """The stacks of a combat step. They keep their identity through it, whatever they lose (J29, J30)."""

    def __init__(
        self,
        stacks: Sequence[Stack],
        attacked: Collection[Piece] = (),
        defended: Mapping[Player, Collection[Piece]] | None = None,
    ) -> None:
        """`attacked`, `defended`: pieces that have attacked, or were attacked by a player, earlier in the Phase."""
        self._start = tuple(stacks)
        self._now: list[Stack | None] = list(stacks)
        # An Imperial unit alone is no stack that could fight.
        self._ids = {p: number for number, stack in enumerate(self._start) if stack.strength for p in stack.pieces}
        # Has attacked: not again (8.25). Who attacked whom: not again (J29).
        self.fought = {self._ids[p] for p in attacked if p in self._ids}
        self.struck = {(r, self._ids[p]) for r, found in (defended or {}).items() for p in found if p in self._ids}

    def remnant(self, stack: StackId) -> Stack | None:
        """What is left of a stack."""
        return self._now[stack]

    def start(self, stack: StackId) -> Stack:
        return self._start[stack]

    def id_of(self, piece: Piece) -> StackId:
        """The stack that a piece stood in at the start."""
        return self._ids[piece]

    def set(self, number: StackId, stack: Stack | None) -> None:
        self._now[number] = stack

    def target(self, player: Player, named: Named, province: str) -> StackId | None:
        """The stack that a name means: of twins one in the province, still there, not yet attacked by the player."""
        if len(named.options) == 1:
            return self._ids.get(named.one)
        return min(
            (self._ids[p] for p in named.options if p in self._ids),
            key=lambda c: (self._start[c].province != province, self._now[c] is None, (player, c) in self.struck),
            default=None,
        )

    def attackers(
        self, player: Player, names: Sequence[Named], province: str | None, target_color: Color | None
    ) -> tuple[list[StackId], list[LeftOut]]:
        """The named stacks that may attack, in the order named, and why the others may not."""
        found: list[StackId] = []
        left_out: list[LeftOut] = []
        for named, number in meant(names, self._ids, lambda c: self._remoteness(c, player, province)):
            code = "not-in-province" if number is None else self._unable(player, number, province, target_color)
            if code is None and number is not None:
                if number in found:
                    continue
                if target_color is None or not found or may_join(self._color(found[0]), self._color(number)):
                    found.append(number)
                    continue
                code = "not-friends"
            assert code is not None
            left_out.append(LeftOut(named, code, number))
        return found, left_out

    def agitators(self, board: Board, player: Player, order: Subvert) -> tuple[list[StackId], list[LeftOut]]:
        """Red stacks next door, the border passable for Red (8.31, 8.32)."""
        found, left_out = self.attackers(player, order.attackers, None, None)
        fit: list[StackId] = []
        for number in found:
            stack = self._now[number]
            assert stack is not None
            code = None
            if stack.color is not Color.RED:
                code = "not-red"
            elif not board.passable(stack.province, order.province, Color.RED):
                code = "not-adjacent"
            if code is None:
                fit.append(number)
            else:
                left_out.append(LeftOut(_name_of(order.attackers, self._start[number]), code, number))
        return fit, left_out

    def strength(self, stacks: Iterable[StackId]) -> int:
        return sum(stack.strength for number in stacks if (stack := self._now[number]))

    def _remoteness(self, number: StackId, player: Player, province: str | None) -> tuple[bool, bool, bool, bool]:
        start = self._start[number]
        elsewhere = province is not None and start.province != province
        return elsewhere, start.owner != player, self._now[number] is None, number in self.fought

    def _color(self, number: StackId) -> Color | None:
        stack = self._now[number]
        return stack.color if stack else None

    def _unable(self, player: Player, number: StackId, province: str | None, target: Color | None) -> str | None:
        stack = self._now[number]
        start = self._start[number]
        if start.owner != player:
            return "leaderless" if start.owner is None and start.color in (Color.RED, Color.WHITE) else "not-his-stack"
        if stack is None:
            return "attacker-gone"
        if province is not None and stack.province != province:
            return "not-in-province"
        if number in self.fought:
            return "attacked-already"
        if stack.owner != player:
            return "leaderless"  # its last Leader fell in this step
        if target is not None and (stack.color is None or target not in OPPOSED[stack.color]):
            return "not-opposed"
        return None


def _name_of(names: Sequence[Named], stack: Stack) -> Named:
    """The name by which an order means a stack."""
    return next(named for named in names if not set(named.options).isdisjoint(stack.pieces))


def assess(board: Board, lines: BattleLines, player: Player, order: Attack | Subvert, *, doubled: bool) -> Prospect:
    """One ATTACK or SUBVERT on these stacks. `doubled`: the event "Subversion doubled" is in force (12.12)."""
    target = lines.target(player, order.target, order.province)
    if target is not None and lines.start(target).province != order.province:
        target = None
    color = lines.start(target).color if target is not None else None
    subversion = isinstance(order, Subvert)
    if isinstance(order, Subvert):
        able, left_out = lines.agitators(board, player, order)
    else:
        able, left_out = lines.attackers(player, order.attackers, order.province, color)
        able = [number for number in able if number != target]
    defender = lines.remnant(target) if target is not None else None
    attack = lines.strength(able) * (2 if subversion and doubled else 1)
    defence = defender.strength if defender else 0
    label = odds(attack, defence) if able and defender else None
    refusal = None
    if target is None:
        refusal = "target-not-there"
    elif subversion and color is not Color.BLUE:
        refusal = "not-blue"
    elif subversion and not able:
        refusal = "left-out"
    elif defender is None:
        refusal = "target-gone"
    elif not able:
        refusal = "left-out"
    elif (player, target) in lines.struck:
        refusal = "same-target-twice"
    elif label is None:
        refusal = "below-half"
    return Prospect(
        province=order.province,
        subversion=subversion,
        target=target,
        defender=defender,
        attackers=tuple(able),
        stacks=tuple(stack for number in able if (stack := lines.remnant(number))),
        left_out=tuple(left_out),
        attack=attack,
        defence=defence,
        odds=label,
        refusal=refusal,
    )


def prospects(board: Board, position: Position, player: Player, orders: Sequence[Order]) -> dict[int, Prospect]:
    """Every ATTACK and SUBVERT of a sheet, by number, as if it stood on the published Position and nobody else acted.

    A stack attacks once, so an order may depend on those that come before it in the combat step (8.25, J27, J28).
    """
    solitaire = position.solitaire
    lines = (
        BattleLines(position.stacks, solitaire.attacked, {player: solitaire.defended})
        if solitaire
        else BattleLines(position.stacks)
    )
    doubled = position.subversion_doubled
    battles = [(n, o) for n, o in enumerate(orders, start=1) if isinstance(o, Attack | Subvert)]
    if not solitaire:  # the game for one person plays the sheet as it is written (S14)
        battles.sort(key=lambda pair: _precedence(board, lines, player, *pair, doubled=doubled))
    found: dict[int, Prospect] = {}
    for number, order in battles:
        prospect = assess(board, lines, player, order, doubled=doubled)
        if does_without(board, position, type(order)):
            prospect = replace(prospect, odds=None, refusal="not-in-masses")
        found[number] = prospect
        if prospect.refusal is None and prospect.target is not None:
            lines.fought.update(prospect.attackers)
            lines.struck.add((player, prospect.target))
    return dict(sorted(found.items()))


def subversions(
    board: Board, position: Position, player: Player, own: Sequence[Stack], targets: Iterable[Stack]
) -> Iterator[tuple[Subvert, Prospect]]:
    """The subversion of each Blue stack among the targets by all of one's own that can, where a die is rolled (8.3)."""
    for target in targets:
        if target.color is not Color.BLUE or not target.strength or target.owner == player:
            continue
        able = [s for s in own if s.color is Color.RED and board.passable(s.province, target.province, Color.RED)]
        order = Subvert(
            target=Named((target.pieces[0],)),
            province=target.province,
            attackers=tuple(Named((s.pieces[0],)) for s in able),
        )
        found = prospects(board, position, player, [order])[1] if able else None
        if found is not None and found.refusal is None:
            yield order, found


def _precedence(
    board: Board, lines: BattleLines, player: Player, number: int, order: Attack | Subvert, *, doubled: bool
) -> tuple[bool, int, str, int]:
    """Subversion first, the strongest before the others (J27); then province by province, as listed (J28)."""
    if isinstance(order, Attack):
        return True, 0, order.province, number
    strength = assess(board, lines, player, order, doubled=doubled).attack
    return False, -strength, order.province, number
