"""A simple Red player for the game for one person: throws whatever is nearest to Petrograd and Tver out at 3-1.

It measures how hard the game is (docs/solitaire.md) and plays the random games of the tests to their end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.solitaire.event_types import SolitaireEnded
from gm.adjudicator.solitaire.sequence import opening, play_on
from gm.adjudicator.solitaire.victory import others_left
from gm.board.load import standard_board
from gm.board.model import Board, Color, Piece
from gm.board.paths import reachable, shortest_path
from gm.board.ways import CAPITALS, next_steps
from gm.orders import kinds as m
from gm.orders.rules.stacking import LIMIT
from gm.orders.rules.steps import LED_POINTS
from gm.position import RED_PLAYER, Phase, Position, Stack

SAFE = 3  # at 3-1 the defender never stands (8.5)


def sheet(board: Board, position: Position) -> m.Sheet:
    """What it writes for the sheet that is open; attacks one at a time, DONE when none is worth it."""
    if position.phase is Phase.FIRST:
        return m.Sheet(tuple(Campaign(board, position).orders()))
    return m.Sheet(tuple(_attack(board, position) or [m.Done()]))


@cache
def distances(board: Board) -> Mapping[str, int]:
    """How many provinces every province is from Petrograd or Tver, along its way."""
    steps = next_steps(board)
    found: dict[str, int] = dict.fromkeys(CAPITALS, 0)

    def length(province: str) -> int:
        if province not in found:
            found[province] = 1 + length(steps[province][0])
        return found[province]

    for province in steps:
        length(province)
    return found


def _enemies(board: Board, position: Position) -> list[Stack]:
    """Whom Red must be rid of, the nearest to the capitals first, of those the strongest."""
    far = distances(board)
    return sorted(
        others_left(board, position.stacks), key=lambda s: (far.get(s.province, 99), -s.strength, s.sort_key())
    )


class OwnForce(Struct, frozen=True):
    leader: Piece
    start: str
    units: tuple[Piece, ...]

    @property
    def strength(self) -> int:
        return self.leader.value + sum(p.value for p in self.units)


class Campaign:
    """Deployment and movement of one Game-Turn."""

    def __init__(self, board: Board, position: Position) -> None:
        assert position.solitaire is not None
        self.board, self.position = board, position
        self.used: set[Piece] = set()
        self.on_map = [p for s in position.owned(RED_PLAYER) for p in s.leaders]
        waiting = sorted(position.solitaire.reserve, key=lambda p: (-p.value, p.code))
        self.waiting = waiting[: position.solitaire.deployable]
        self.units: dict[str, list[Piece]] = {}
        for stack in position.stacks:
            if stack.color is Color.RED:
                self.units.setdefault(stack.province, []).extend(p for p in stack.units if p.color is Color.RED)
        self._reach: dict[str, frozenset[str]] = {}

    def orders(self) -> Iterable[m.Order]:
        yield from self._relieve()
        yield from self._fortify()
        covered: set[str] = set()
        for enemy in _enemies(self.board, self.position):
            needed = SAFE * enemy.strength
            garrison = [s for s in self.position.owned(RED_PLAYER) if s.province == enemy.province in CAPITALS]
            if garrison and enemy.province not in covered and garrison[0].strength >= needed:
                covered.add(enemy.province)  # the garrison deals with one of them
                continue
            while needed > 0:
                force = self._force(enemy.province, needed)
                least = 1 if enemy.province in CAPITALS else enemy.strength * 2
                if force is None or force.strength < least:
                    break
                needed = 0 if force.strength >= needed or enemy.province not in CAPITALS else needed - force.strength
                yield from self._march(force, enemy.province)

    def _relieve(self) -> Iterable[m.Order]:
        """S20: a Red unit into each capital that has none."""
        assert self.position.solitaire is not None
        for capital in CAPITALS if self.position.solitaire.contested else ():
            if Color.RED in self.position.colors.get(capital, ()):
                continue
            for leader in [p for p in (*self.waiting, *self.on_map) if p not in self.used]:
                if orders := self._bring(leader, capital):
                    yield from orders
                    break

    def _bring(self, leader: Piece, capital: str) -> list[m.Order]:
        """The strongest units that this Leader can bring to the capital, from where he stands or on his way."""
        stack = self.position.where.get(leader)
        for start in sorted(self.units, key=lambda p: -sum(u.value for u in self.units[p])):
            units = self._strongest(start, leader.value)
            if not units or start in CAPITALS:
                continue
            if stack is None:
                if capital in self._reachable(start):
                    return list(self._march(OwnForce(leader, start, units), capital))
                continue
            there = self._road(stack.province, start)
            on = self._road(start, capital)
            if there and on and len(there) + len(on) - 2 <= LED_POINTS:
                picks = tuple(m.Handling(m.Act.PICK, m.Named((u,))) for u in units)
                path = [m.Stop(p, picks if p == start else ()) for p in (*there, *on[1:])]
                self.used.update((leader, *units))
                return [m.Move(force=(m.Named((leader,)),), path=tuple(path))]
        return []

    def _road(self, start: str, goal: str) -> tuple[str, ...] | None:
        return shortest_path(self.board, start, goal, Color.RED, max_steps=LED_POINTS, may_pass=self._passes)

    def _passes(self, province: str) -> bool:
        return self.position.colors.get(province, frozenset()) <= {Color.RED}

    def _fortify(self) -> Iterable[m.Order]:
        """Lenin and Trotsky hold a capital each, with the strongest units there in one force."""
        homes = [s.province for p in self.on_map if (s := self.position.where[p]).province in CAPITALS]
        for leader in [p for p in self.on_map if p not in self.used]:
            here = self.position.where[leader].province
            if here not in CAPITALS:  # the other capital, if he can get there
                free = [c for c in CAPITALS if c not in homes and c in self._reachable(here)]
                if not free:
                    continue
                homes.append(free[0])
                yield from self._march(OwnForce(leader, here, self._strongest(here, leader.value)), free[0])
                continue
            units = self._strongest(here, leader.value)
            self.used.update((leader, *units))
            if units:
                yield m.Restack(province=here, pieces=tuple(m.Named((p,)) for p in (leader, *units)))
                yield m.Attach(units=tuple(m.Named((u,)) for u in units), leader=leader)

    def _strongest(self, province: str, number: int) -> tuple[Piece, ...]:
        free = [u for u in self.units.get(province, ()) if u not in self.used]
        return tuple(sorted(free, key=lambda u: -u.value)[: min(number, LIMIT - 1)])

    def _force(self, goal: str, needed: int) -> OwnForce | None:
        """The weakest force that is strong enough, else the strongest."""
        found: list[OwnForce] = []
        for leader in [*self.on_map, *self.waiting]:
            if leader in self.used:
                continue
            at_home = self.position.where.get(leader)
            starts = [at_home.province] if at_home else sorted(self.units)
            for start in starts:
                if start != goal and goal not in self._reachable(start):
                    continue
                units = sorted((u for u in self.units.get(start, ()) if u not in self.used), key=lambda u: -u.value)
                most = min(leader.value, LIMIT - 1)
                found += [OwnForce(leader, start, tuple(units[:n])) for n in range(min(most, len(units)) + 1)]
        enough = [f for f in found if f.strength >= needed]
        if enough:
            return min(enough, key=lambda f: (f.strength, f.leader.code, f.start))
        return max(found, key=lambda f: (f.strength, -f.leader.code, f.start), default=None)

    def _reachable(self, start: str) -> frozenset[str]:
        if start not in self._reach:
            road = reachable(self.board, start, Color.RED, max_steps=LED_POINTS, may_pass=self._passes)
            self._reach[start] = road | reachable(self.board, start, Color.RED, True, may_pass=self._passes)
        return self._reach[start]

    def _march(self, force: OwnForce, goal: str) -> Iterable[m.Order]:
        self.used.update((force.leader, *force.units))
        if force.leader in self.waiting:
            yield m.Deploy(leader=force.leader, province=force.start)
        names = tuple(m.Named((p,)) for p in force.units)
        if force.start != goal:
            yield m.Move(force=(m.Named((force.leader,)), *names), to=goal)
        elif force.units:
            # Exactly these fight together: whoever else stands with the Leader keeps out of it.
            yield m.Attach(units=names, leader=force.leader)


def _attack(board: Board, position: Position) -> list[m.Order]:
    """The next attack that is worth it: certain ones first, in a capital any that is allowed."""
    assert position.solitaire is not None
    fresh = [
        s for s in position.owned(RED_PLAYER) if s.leaders and not set(s.pieces) & set(position.solitaire.attacked)
    ]
    for enemy in _enemies(board, position):
        if set(enemy.pieces) & set(position.solitaire.defended):
            continue
        ours = sorted((s for s in fresh if s.province == enemy.province), key=lambda s: s.strength)
        desperate = enemy.province in CAPITALS and not position.solitaire.contested
        chosen = _enough(ours, enemy, 1 if desperate else 4)
        if chosen:
            return [_order(m.Attack, enemy, chosen)]
        if enemy.color is Color.BLUE and not ours:
            near = [s for s in fresh if board.passable(s.province, enemy.province, Color.RED)]
            idle = [s for s in near if not any(e.province == s.province for e in _enemies(board, position))]
            if idle and 2 * sum(s.strength for s in idle) >= enemy.strength:
                return [_order(m.Subvert, enemy, idle)]
    return []


def _enough(ours: Sequence[Stack], enemy: Stack, least: int) -> list[Stack]:
    """The weakest stack that makes it certain, else as many as it takes; none below `least` halves of the enemy."""
    for stack in ours:
        if stack.strength >= SAFE * enemy.strength:
            return [stack]
    chosen: list[Stack] = []
    for stack in reversed(ours):
        chosen.append(stack)
        if sum(s.strength for s in chosen) >= SAFE * enemy.strength:
            break
    return chosen if 2 * sum(s.strength for s in chosen) >= least * enemy.strength else []


def _order(kind: type[m.Attack] | type[m.Subvert], enemy: Stack, ours: Sequence[Stack]) -> m.Order:
    names = tuple(m.Named((s.pieces[0],)) for s in ours)
    return kind(target=m.Named((enemy.pieces[0],)), province=enemy.province, attackers=names)


# --- many games, to see how hard it is ---


class GameEnd(Struct, frozen=True):
    result: str  # red decisive, red substantive, red marginal, draw, white decisive
    turn: int
    outnumbered: bool  # more hostile stacks in the capitals at the first sheet than Red Leaders


def play_games(number: int, *, contested: bool = False) -> Iterator[GameEnd]:
    """Games of this player, the first `number` of an endless row that is always the same."""
    board = standard_board()
    for game in range(number):
        yield play_game(board, game, contested=contested)


def play_game(board: Board, seed: int, *, contested: bool = False) -> GameEnd:
    position, number, outnumbered = opening(contested=contested), 0, False
    while True:
        sheets = {RED_PLAYER: sheet(board, position)} if position.phase is not Phase.SETUP else {}
        chance = ProvableChance(seed.to_bytes(32, "big"), "measure", position.turn, position.phase, str(number))
        outcome = play_on(board, position, sheets, chance)
        position, number = outcome.after, number + 1
        if number == 1:
            outnumbered = _outnumbered(position)
        if position.phase is Phase.FINISHED:
            ended = next(e for e in outcome.events if isinstance(e, SolitaireEnded))
            result = f"{ended.winner} {ended.level}" if ended.winner else ended.level
            return GameEnd(result, ended.turn, outnumbered)


def _outnumbered(position: Position) -> bool:
    assert position.solitaire is not None
    hostile = [s for c in CAPITALS for s in position.at(c) if s.color not in (None, Color.RED)]
    leaders = sum(len(s.leaders) for s in position.owned(RED_PLAYER)) + position.solitaire.deployable
    return len(hostile) > leaders
