"""A seat's forces: what stands together or can be put together in a province, and the orders that move it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gm.board.model import Board, Color, Piece
from gm.orders import kinds as m
from gm.orders.rules.stacking import LIMIT, NOT_FOR_GOLD, at_the_bottom, fault
from gm.position import Player, Position, Stack
from gm.standin.distances import Ground, Reach, Way

LEADER_COLORS = (Color.RED, Color.WHITE)


@dataclass(slots=True)
class OwnForce:
    """Pieces that move and stand as one stack, and what was decided about them."""

    province: str
    color: Color
    pieces: tuple[Piece, ...]  # top to bottom
    picks: tuple[Piece, ...] = ()  # of these, the ones that are nobody's yet
    stack: Stack | None = None  # the stack that it is already, if it need not form up
    reach: Reach = field(default_factory=dict)
    way: Way | None = None  # None: nothing decided
    gathers: tuple[Piece, ...] = ()  # picked up where the way ends
    fixed: bool = False  # an escort of the Czar or the Gold: never stacked anew

    @property
    def strength(self) -> int:
        return sum(p.value for p in self.pieces)

    @property
    def goal(self) -> str:
        return self.way.path[-1] if self.way else self.province

    @property
    def leaders(self) -> tuple[Piece, ...]:
        return tuple(p for p in self.pieces if p.is_leader)

    @property
    def imperials(self) -> tuple[Piece, ...]:
        return tuple(p for p in self.pieces if p.is_imperial)

    def go(self, province: str) -> None:
        self.way = self.reach[province]


def muster(ground: Ground, seat: Player, seized: Iterable[Piece] = ()) -> list[OwnForce]:
    """All the forces that a seat can move, formed up in each province as Section 22 stacks them."""
    position, taken = ground.position, frozenset(seized)
    forces: list[OwnForce] = []
    for province in sorted({s.province for s in position.owned(seat)}):
        own = [s for s in position.at(province) if s.owner == seat]
        led = [f for color in LEADER_COLORS for f in _led(ground.board, position, province, color, own, taken)]
        _take_imperials(position, province, led)
        forces += led
        forces += _foreign(ground.board, province, own)
    for force in forces:
        force.reach = ground.reach(force.province, force.pieces, force.color)
    return forces


def _led(
    board: Board,
    position: Position,
    province: str,
    color: Color,
    own: Sequence[Stack],
    taken: frozenset[Piece],
) -> list[OwnForce]:
    stacks = [s for s in own if s.leaders and s.color is color]
    if not stacks:
        return []
    neutral = [s for s in position.at(province) if s.owner is None and s.color is color]
    loose = [u for s in neutral for u in s.units if u.color is color]
    forces = []
    for stack in [s for s in stacks if s.imperials or any(u.color is not color for u in s.units)]:
        more = _room(board, [*stack.pieces, *(taken if board.gold in stack.pieces else ())], loose)
        loose = [u for u in loose if u not in more]
        hired = sorted((p for p in taken if board.gold in stack.pieces), key=lambda p: p.code)
        greens = _greens(board, position, stack, (*more, *hired))
        pieces = tuple(at_the_bottom(stack.pieces, (*hired, *more, *greens)))
        forces.append(OwnForce(province, color, pieces, (*more, *greens), stack, fixed=True))
        stacks.remove(stack)
    leaders = [p for s in stacks for p in s.leaders]
    units = [u for s in stacks for u in s.units]
    nobodys = frozenset(loose)
    for pieces in stacked(leaders, [*units, *loose], nobodys):
        picks = tuple(p for p in pieces if p in nobodys)
        whole = next((s for s in stacks if set(s.pieces) == set(pieces)), None)
        forces.append(OwnForce(province, color, whole.pieces if whole else pieces, picks, whole))
    return forces


def _room(board: Board, pieces: Sequence[Piece], units: Sequence[Piece]) -> tuple[Piece, ...]:
    """As many of some units, the strongest first, as may join a stack."""
    chosen: list[Piece] = []
    for unit in sorted(units, key=lambda u: (-u.value, u.code)):
        if fault(board, [*pieces, *chosen, unit]) is None:
            chosen.append(unit)
    return tuple(chosen)


def _greens(board: Board, position: Position, stack: Stack, more: Sequence[Piece]) -> tuple[Piece, ...]:
    """Nobody's Green units that the Gold can hire where it stands (J13)."""
    if board.gold not in stack.pieces:
        return ()
    neutral = [s for s in position.at(stack.province) if s.owner is None]
    return _room(board, [*stack.pieces, *more], hirelings(neutral))


def hirelings(stacks: Iterable[Stack]) -> list[Piece]:
    """The Green units of some stacks that the Gold could hire (13.26, 13.27)."""
    units = [u for s in stacks if not s.leaders for u in s.units]
    return [u for u in units if u.color is Color.GREEN and u.nation not in NOT_FOR_GOLD]


def seizures(board: Board, position: Position, seat: Player) -> list[m.Seize]:
    """Green units of other players that a Leader with the Gold takes from them in the trade step (A12.4, J6)."""
    stack = position.where.get(board.gold)
    if stack is None or stack.owner != seat or not stack.leaders:
        return []
    others = [s for s in position.at(stack.province) if s.owner not in (None, seat)]
    units = _room(board, stack.pieces, hirelings(others))
    return [m.Seize(units=named(board, units), leader=stack.leaders[0])] if units else []


def _take_imperials(position: Position, province: str, forces: Sequence[OwnForce]) -> None:
    """An Imperial unit that nobody holds goes with the strongest force of the province that may have it (J12)."""
    for stack in position.at(province):
        able = [f for f in forces if stack.color is None or stack.color is f.color]
        if stack.owner is None and stack.imperials and able:
            best = max(able, key=lambda f: (f.strength, -f.pieces[0].code))
            best.pieces += stack.imperials
            best.picks += stack.imperials
            best.fixed = True


def stacked(leaders: Sequence[Piece], units: Sequence[Piece], nobodys: Iterable[Piece] = ()) -> list[tuple[Piece, ...]]:
    """Section 22: the lowest code leads the strongest units, the next ones on top of them, up to five (7.11)."""
    strange = frozenset(nobodys)
    left = sorted(units, key=lambda u: (-u.value, u in strange, u.code))
    found: list[tuple[Piece, ...]] = []
    for leader in sorted(leaders, key=lambda p: p.code):
        led = left[: min(leader.value, LIMIT - 1)]
        left = left[len(led) :]
        if found and len(found[-1]) + 1 + len(led) <= LIMIT:
            found[-1] = (leader, *led, *found[-1])
        else:
            found.append((leader, *led))
    return found


def _foreign(board: Board, province: str, own: Sequence[Stack]) -> list[OwnForce]:
    """Blue and Green units, nation by nation (7.14)."""
    forces: list[OwnForce] = []
    by_nation: dict[str, list[Stack]] = {}
    for stack in own:
        nation = stack.units[0].nation if stack.units and not stack.leaders else None
        if nation is not None and board.nations[nation].movable and stack.color is not None:
            by_nation.setdefault(nation, []).append(stack)
    for _, stacks in sorted(by_nation.items()):
        color = stacks[0].color
        assert color is not None
        forces += [OwnForce(province, color, s.pieces, (), s, fixed=True) for s in stacks if s.imperials]
        loose = sorted([u for s in stacks if not s.imperials for u in s.units], key=lambda u: (-u.value, u.code))
        for first in range(0, len(loose), LIMIT):
            pieces = tuple(loose[first : first + LIMIT])
            whole = next((s for s in stacks if set(s.pieces) == set(pieces)), None)
            forces.append(OwnForce(province, color, whole.pieces if whole else pieces, (), whole))
    return forces


# --- orders ---


def named(board: Board, pieces: Iterable[Piece]) -> tuple[m.Named, ...]:
    """Pieces as an order names them; counters that nobody can tell apart by their number."""
    counts: dict[str, int] = {}
    for piece in pieces:
        counts[piece.twin_key] = counts.get(piece.twin_key, 0) + 1
    return tuple(m.Named(board.twins[key], count) for key, count in counts.items())


def movement_orders(board: Board, forces: Sequence[OwnForce]) -> list[m.Order]:
    """MOVE for whoever goes or picks up, then STACK for those who should stand otherwise than they came."""
    orders: list[m.Order] = []
    for force in forces:
        if force.goal != force.province or force.gathers:
            orders.append(_move(board, force))
        elif force.picks:
            own = [p for p in force.pieces if p not in force.picks]
            orders.append(m.Move(force=named(board, own), path=(_picking(board, force.province, force.picks),)))
    ends: dict[tuple[str, Color, str | None], list[OwnForce]] = {}
    for force in forces:
        if not force.fixed:
            ends.setdefault((force.goal, force.color, force.pieces[0].nation), []).append(force)
    for (province, _, nation), there in sorted(ends.items(), key=lambda end: (end[0][0], end[0][1], end[0][2] or "")):
        orders += _restack(board, province, nation, there)
    return orders


def _move(board: Board, force: OwnForce) -> m.Move:
    assert force.way is not None
    stops = [m.Stop(province) for province in force.way.path]
    if force.gathers:
        stops[-1] = _picking(board, force.goal, force.gathers)
    return m.Move(force=named(board, force.pieces), path=tuple(stops), by_rail=force.way.by_rail)


def _picking(board: Board, province: str, pieces: Sequence[Piece]) -> m.Stop:
    return m.Stop(province, tuple(m.Handling(m.Act.PICK, name) for name in named(board, pieces)))


def _restack(board: Board, province: str, nation: str | None, forces: Sequence[OwnForce]) -> list[m.Order]:
    """STACK orders for forces of one player and colour that end in one province."""
    forming = [f for f in forces if f.stack is None and f.goal == f.province and not f.picks]
    if len(forces) == 1 and not forming:
        return []
    pieces = [p for f in forces for p in (*f.pieces, *f.gathers)]
    if nation is None:
        wanted = stacked([p for p in pieces if p.is_leader], [p for p in pieces if p.is_unit])
    else:
        units = sorted(pieces, key=lambda u: (-u.value, u.code))
        wanted = [tuple(units[first : first + LIMIT]) for first in range(0, len(units), LIMIT)]
    standing = {frozenset((*f.pieces, *f.gathers)) for f in forces if f not in forming}
    return [
        m.Restack(province=province, pieces=named(board, found)) for found in wanted if frozenset(found) not in standing
    ]
