"""Planner of the commander's First Phase: where every force goes, and its assassination."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gm.board.model import OPPOSED, Board, Color, Piece
from gm.orders import kinds as m
from gm.orders.rules.stacking import LIMIT, fault
from gm.position import Player, Position, Stack
from gm.standin.commander.battles import gain
from gm.standin.commander.worth import Worth
from gm.standin.distances import Ground
from gm.standin.fanatic.assassins import commands
from gm.standin.forces import OwnForce

MOST_MARKERS = 6  # on one attempt: a Leader of 3 then falls by a throw of 5 or more


@dataclass(frozen=True, slots=True)
class Temper:
    """What a plan puts its weight on; the trials decide between tempers."""

    rivals: float = 0.3  # how far a rival's stack can be expected to stay where it is
    gather: float = 0.7  # units that nobody leads
    least: float = 0.3  # gain below which an attack is not looked for
    caution: float = 0.3  # weight of what enemies near the goal could do
    join: bool = True  # small forces seek the company of larger ones


TEMPERS = (
    Temper(),
    Temper(rivals=0.6, caution=0.15),
    Temper(caution=0.8, least=0.8),
    Temper(rivals=0.1, gather=1.0, caution=0.5),
    Temper(rivals=0.3, caution=0.0, join=False),
    Temper(gather=1.5, least=0.1),
    Temper(rivals=1.0, caution=0.3),
    Temper(rivals=0.05, caution=1.5, least=0.5),
    Temper(rivals=0.6, gather=1.0, caution=0.0),
    Temper(rivals=0.2, gather=0.4, least=1.5, caution=0.3),
    Temper(rivals=0.45, caution=0.6, join=False),
    Temper(rivals=0.0, gather=1.2, least=0.1, caution=0.2),
)


@dataclass(frozen=True, slots=True)
class Undertaking:
    """Something that one or several forces could do."""

    score: float
    goal: str
    forces: tuple[int, ...]  # by their place in the list
    target: Stack | None = None
    units: tuple[Piece, ...] = ()


class Planner:
    def __init__(self, ground: Ground, seat: Player, worth: Worth, temper: Temper) -> None:
        self.ground = ground
        self.board: Board = ground.board
        self.position: Position = ground.position
        self.seat = seat
        self.worth = worth
        self.temper = temper

    def plan(self, forces: Sequence[OwnForce]) -> None:
        """Give every force its way: the most promising undertaking first, as long as there is one."""
        claimed = {p for f in forces for p in f.picks}
        struck: set[Stack] = set()
        while True:
            free = [i for i, f in enumerate(forces) if f.way is None]
            moves = [*self._attacks(forces, free, struck), *self._pickups(forces, free, claimed)]
            if not moves:
                break
            best = max(moves, key=lambda mv: (mv.score / len(mv.forces), mv.goal, [-i for i in mv.forces]))
            for index in best.forces:
                forces[index].go(best.goal)
            if best.target is not None:
                struck.add(best.target)
            if best.units:
                forces[best.forces[0]].gathers = best.units
                claimed.update(best.units)
        for force in sorted((f for f in forces if f.way is None), key=lambda f: (-f.strength, f.pieces[0].code)):
            self._settle(force, forces)

    # --- attacks ---

    def _attacks(
        self, forces: Sequence[OwnForce], free: Sequence[int], struck: Iterable[Stack]
    ) -> Iterable[Undertaking]:
        done = set(struck)
        for target in self.position.stacks:
            if target.owner == self.seat or target in done or not target.strength:
                continue
            stays = 1.0 if self._immovable(target) else self.temper.rivals
            for color in Color:
                if target.color not in OPPOSED[color]:
                    continue
                near = [i for i in free if forces[i].color is color and target.province in forces[i].reach]
                near.sort(key=lambda i: (-forces[i].strength, i))
                for number in range(1, min(len(near), 3) + 1):
                    team = near[:number]
                    value = stays * gain(self.board, self.worth, [forces[i] for i in team], target)
                    value -= sum(self.risk(forces[i], target.province, target) for i in team) / number
                    if value > self.temper.least:
                        yield Undertaking(value, target.province, tuple(team), target)

    def _immovable(self, stack: Stack) -> bool:
        return stack.owner is None or stack.owner in self.position.quitters

    # --- units without a Leader, the Czar and the Gold ---

    def _pickups(self, forces: Sequence[OwnForce], free: Sequence[int], claimed: set[Piece]) -> Iterable[Undertaking]:
        for stack in self.position.stacks:
            if stack.owner is not None or any(p in claimed for p in stack.pieces):
                continue
            for index in free:
                force = forces[index]
                if not force.leaders or stack.province not in force.reach or stack.province == force.province:
                    continue
                if stack.color is not None and stack.color is not force.color:
                    continue
                units = self._fitting(force, stack)
                if units:
                    value = self.temper.gather * sum(self.worth.held(u) for u in units)
                    value -= self.risk(force, stack.province, None)
                    if value > self.temper.least:
                        yield Undertaking(value, stack.province, (index,), None, units)

    def _fitting(self, force: OwnForce, stack: Stack) -> tuple[Piece, ...]:
        chosen: list[Piece] = []
        for unit in sorted(stack.units, key=lambda u: (-u.value, u.code)):
            if fault(self.board, [*force.pieces, *chosen, unit]) is None:
                chosen.append(unit)
        return (*chosen, *stack.imperials)

    # --- the rest ---

    def risk(self, force: OwnForce, province: str, target: Stack | None) -> float:
        """What a force may lose to those who stand at its goal, the target aside, or next to it."""
        if not self.temper.caution:
            return 0.0
        foes = 0.0
        for stack in self.position.at(province):
            if stack is not target and self._threat(stack, force.color):
                foes += stack.strength
        for near in self.board.borders[province]:
            foes += 0.3 * sum(s.strength for s in self.position.at(near) if self._threat(s, force.color))
        danger = min(1.0, foes / (foes + 2 * force.strength + 1)) if foes else 0.0
        return self.temper.caution * danger * self.worth.force(force.pieces)

    def _threat(self, stack: Stack, color: Color) -> bool:
        theirs = stack.owner is not None and stack.owner != self.seat and stack.owner not in self.position.quitters
        return theirs and stack.color is not None and color in OPPOSED[stack.color]

    def _settle(self, force: OwnForce, forces: Sequence[OwnForce]) -> None:
        """Stay, or go where it is safer: to a larger force that has room, or away."""
        options = {force.province: -self.risk(force, force.province, None)}
        for host in forces if self.temper.join and not force.fixed else ():
            room = len(host.pieces) + len(host.gathers) + len(force.pieces) <= LIMIT
            if host is force or host.color is not force.color or host.fixed or not room or host.way is None:
                continue
            if host.pieces[0].nation == force.pieces[0].nation and host.goal in force.reach:
                together = OwnForce(host.goal, force.color, (*host.pieces, *force.pieces))
                bonus = 0.4 * min(force.strength, host.strength) * self.worth.side(force.color)
                options[host.goal] = bonus - self.risk(together, host.goal, None)
        if force.imperials or not self.temper.join:
            for province in sorted(force.reach):
                options.setdefault(province, -self.risk(force, province, None) - 0.05)
        force.go(max(sorted(options), key=lambda p: (options[p], p == force.province)))


def murder(board: Board, position: Position, seat: Player, worth: Worth, forces: Sequence[OwnForce]) -> m.Order | None:
    """The most rewarding attempt that a Leader of one's own will be there for."""
    markers = min(position.box(seat).am, MOST_MARKERS)
    if not markers:
        return None
    ends = {f.goal for f in forces if f.leaders}
    best: tuple[float, Piece, int] | None = None
    for other in position.active:
        for target in commands(board, position, other) if other != seat else ():
            if position.where[target].province in ends:
                for number in range(1, markers + 1):
                    value = _success(target.value - number + 8) * worth.taken(target, other) - 0.4 * number
                    if best is None or value > best[0]:
                        best = value, target, number
    if best is None or best[0] <= 0:
        return None
    return m.Assassinate(targets=(best[1],), markers=best[2])


def _success(needed: int) -> float:
    """The chance that two dice reach a total (10.0)."""
    return sum(1 for a in range(1, 7) for b in range(1, 7) if a + b >= needed) / 36
