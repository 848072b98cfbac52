"""Which attacks a fanatic looks for (A5-A8): targets by the Attack Priority Table, forces by the odds they make.

The same search serves both Phases: in the First a force counts wherever it can get to, in the Second where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gm.adjudicator.chance import Chance
from gm.board.model import OPPOSED, Board, Color, Piece
from gm.orders import kinds as m
from gm.orders.rules.odds import highest
from gm.orders.rules.shorter import does_without
from gm.position import Player, Position, Stack
from gm.standin.distances import Way
from gm.standin.forces import OwnForce, named
from gm.standin.tracks import Outlook, Rolled, Tracks

ESCORT_ODDS = 3  # units with the Czar or the Gold need not attack at less


@dataclass(frozen=True, slots=True)
class PlannedAttack:
    target: Stack
    forces: tuple[OwnForce, ...]
    subversion: bool = False


def priorities(board: Board, outlook: Outlook) -> Iterator[tuple[Color, Color]]:
    """Own colour and colour to attack, in the order of the table: all of I, then II, then III."""
    rows = board.fanatic.priorities[outlook]
    for priority in range(3):
        for units, cells in rows:
            for target in cells[priority]:
                yield units, target


def wanted_attacks(
    board: Board, position: Position, seat: Player, outlook: Outlook, rolled: Rolled, forces: Sequence[OwnForce]
) -> list[PlannedAttack]:
    """The attacks of a Game-Turn, as many as the strategy wants and as the odds allow."""
    row = board.fanatic.strategies[rolled.die]
    search = _Search(board, position, seat, row.odds, list(forces), board.fanatic.own_targets)
    if row.vindictive:
        if rolled.grudge is not None:
            search.against(board, rolled, row.attacks)
        return search.found
    for units, color in priorities(board, outlook):
        targets = [s for s in position.stacks if s.color is color and search.is_target(s)]
        while targets and len(search.found) < row.attacks and search.best(units, targets):
            pass
    return search.found


class _Search:
    def __init__(
        self, board: Board, position: Position, seat: Player, odds: int, forces: list[OwnForce], own: bool
    ) -> None:
        self.best_odds = highest(board)
        self.position = position
        self.seat = seat
        self.odds = odds
        self.free = forces
        self.own = own
        self.found: list[PlannedAttack] = []

    def is_target(self, stack: Stack) -> bool:
        return stack.owner != self.seat or self.own

    def against(self, board: Board, rolled: Rolled, wanted: int) -> None:
        """Everything at one player; the holder of the Czar or the Gold first at the stack that has it (A6)."""
        theirs = [s for s in self.position.stacks if s.owner == rolled.grudge]
        if rolled.imperial is not None:
            piece = board.czar if rolled.imperial == board.czar.name else board.gold
            escort = [s for s in theirs if piece in s.pieces]
            any(self.best(color, escort) for color in Color)
        while len(self.found) < wanted and any(self.best(color, theirs) for color in Color):
            pass

    def best(self, units: Color, targets: Sequence[Stack]) -> bool:
        """Settle the attack of one colour at the best odds that can be had; False if there is none."""
        done = {attack.target for attack in self.found}
        able = [f for f in self.free if f.color is units]
        choice: tuple[tuple[int, int, int, int], Stack, tuple[OwnForce, ...]] | None = None
        for target in targets if able else ():
            if target in done or target.color not in OPPOSED[units] or not target.strength:
                continue
            near = [f for f in able if target.province in f.reach]
            forces = self._enough(near, target.strength)
            if forces:
                odds = min(sum(f.strength for f in forces) // target.strength, self.best_odds)
                afar = sum(f.province != target.province for f in forces)
                key = (odds, target.strength, -afar, -target.pieces[0].code)
                if choice is None or key > choice[0]:
                    choice = key, target, forces
        if choice is None:
            return False
        _, target, forces = choice
        self.found.append(PlannedAttack(target, forces))
        for force in forces:
            self.free.remove(force)
            force.go(target.province)
        return True

    def _enough(self, forces: list[OwnForce], defence: int) -> tuple[OwnForce, ...]:
        """The fewest, strongest first, that make the highest odds all could make; none if those are too low."""
        escorts = [f for f in forces if f.imperials]
        if escorts and sum(f.strength for f in forces) < ESCORT_ODDS * defence:
            forces = [f for f in forces if f not in escorts]
        forces = sorted(forces, key=lambda f: (-f.strength, f.pieces[0].code))
        odds = min(sum(f.strength for f in forces) // defence, self.best_odds)
        if odds < self.odds:
            return ()
        chosen, total = [], 0
        for force in forces:
            if total >= odds * defence:
                break
            chosen.append(force)
            total += force.strength
        return tuple(chosen)


# --- Second Phase ---


def standing_forces(board: Board, position: Position, seat: Player) -> list[OwnForce]:
    """A seat's stacks as forces that stay where they are; those that may not attack left out (8.28)."""
    found: dict[tuple[str, int], OwnForce] = {}
    for stack in position.owned(seat):
        nation = stack.units[0].nation if stack.units and not stack.leaders else None
        able = bool(stack.leaders) or (nation is not None and board.nations[nation].movable)
        if able and stack.color is not None:
            # Stacks that no name could tell apart attack together or not at all.
            twins = board.twins[distinct(board, stack.pieces).twin_key]
            key = stack.province, twins[0].code
            if key in found:
                found[key].pieces += stack.pieces
            else:
                way = Way((stack.province,))
                found[key] = OwnForce(stack.province, stack.color, stack.pieces, (), stack, {stack.province: way})
    return list(found.values())


def subversions(
    board: Board, position: Position, seat: Player, outlook: Outlook, rolled: Rolled, attacks: Sequence[PlannedAttack]
) -> list[PlannedAttack]:
    """Red attacks on Blue that need no fight: from next door, without risk (8.3)."""
    row = board.fanatic.strategies[rolled.die]
    if does_without(board, position, m.Subvert):
        return []
    if row.vindictive or (Color.RED, Color.BLUE) not in list(priorities(board, outlook)):
        return []
    factor = 2 if position.subversion_doubled else 1
    free = [s for s in position.owned(seat) if s.color is Color.RED and s.leaders and _idle(s, position)]
    found: list[PlannedAttack] = []
    done = [attack.target for attack in attacks]
    targets = [s for s in position.stacks if s.color is Color.BLUE and s.owner != seat and s not in done]
    for target in sorted(targets, key=lambda s: (-s.strength, s.sort_key())):
        near = [s for s in free if board.passable(s.province, target.province, Color.RED)]
        if (
            len(attacks) + len(found) < row.attacks
            and factor * sum(s.strength for s in near) >= row.odds * target.strength
        ):
            forces = [OwnForce(s.province, Color.RED, s.pieces, (), s) for s in near]
            found.append(PlannedAttack(target, tuple(forces), subversion=True))
            free = [s for s in free if s not in near]
    return found


def _idle(stack: Stack, position: Position) -> bool:
    return not any(s.color is not None and s.color is not Color.RED for s in position.at(stack.province))


def considered(
    tracks: Tracks, position: Position, seat: Player, chance: Chance, rolled: Rolled, attacks: Sequence[PlannedAttack]
) -> list[PlannedAttack]:
    """Those that are not talked out of (A8); each attack on somebody makes the next one on them easier."""
    if rolled.grudge is not None:
        return list(attacks)
    found = []
    for number, attack in enumerate(attacks, start=1):
        owner = attack.target.owner
        if owner is None or owner == seat or owner in position.quitters:
            found.append(attack)
            continue
        if chance.die(f"stand-in/{seat}/consideration/{number}") <= tracks.between(seat, owner):
            found.append(attack)
            tracks = tracks.shifted([(seat, owner, 1)])
    return found


def attack_orders(board: Board, position: Position, attacks: Sequence[PlannedAttack]) -> list[m.Order]:
    orders: list[m.Order] = []
    for attack in attacks:
        target = target_name(board, position, attack.target)
        if target is None:
            continue
        attackers = named(board, [p for f in attack.forces for p in _by_name(board, f.pieces)])
        kind = m.Subvert if attack.subversion else m.Attack
        orders.append(kind(target=target, province=attack.target.province, attackers=attackers))
    return orders


def target_name(board: Board, position: Position, target: Stack) -> m.Named | None:
    """A name that means this stack of its province; None if it would mean another one with the same counters."""
    for piece in target.pieces:
        if piece.is_imperial:
            continue
        twins = board.twins[piece.twin_key]
        here = [s for p in twins if (s := position.where.get(p)) is not None and s.province == target.province]
        if here[0] is target:
            return m.Named(twins)
    return None


def _by_name(board: Board, pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces by which to name a stack: one that has no twins, else all that could be meant."""
    best = distinct(board, pieces)
    return [best] if len(board.twins[best.twin_key]) == 1 else [p for p in pieces if p.twin_key == best.twin_key]


def distinct(board: Board, pieces: Sequence[Piece]) -> Piece:
    """The piece by which a stack is best named: one without twins, if there is one."""
    return min((p for p in pieces if not p.is_imperial), key=lambda p: len(board.twins[p.twin_key]))
