"""What forces do that have no attack to make: the Non-Attack Policies (A12), by their printed numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.adjudicator.steps.replacement import LAST_REPLACEMENT
from gm.board.model import OPPOSED, Board, Color, Piece
from gm.board.ways import CAPITALS
from gm.orders import kinds as m
from gm.orders.rules.stacking import LIMIT, fault
from gm.position import Box, Player, Position, Stack
from gm.standin.distances import FAR, Ground
from gm.standin.forces import OwnForce, named
from gm.standin.tracks import Outlook

SMALL = 3  # strength up to which a force is a screen rather than an army


class Policies:
    """Finds something to do for each force in turn, and remembers what is taken care of."""

    def __init__(self, ground: Ground, seat: Player, outlook: Outlook, forces: Sequence[OwnForce]) -> None:
        self.ground = ground
        self.board: Board = ground.board
        self.position: Position = ground.position
        self.seat = seat
        self.outlook = outlook
        self.forces = forces
        self.claimed: set[Piece] = {p for f in forces for p in f.picks}
        self.guarded: set[tuple[str, Color]] = set()

    def send_all(self) -> None:
        """Every force that has no way yet gets one, if only to stay."""
        for policy in (self._leave, self._hide, self._gather, self._garrison, self._join, self._screen):
            for force in self.forces:
                if force.way is None:
                    policy(force)
        for force in self.forces:
            if force.way is None:
                force.go(force.province)

    # 1: Czechs and the Czar of a White player go home

    def _leave(self, force: OwnForce) -> None:
        if self.outlook is not Outlook.WHITE:
            return
        exits = self._exits(force)
        if exits:

            def way_home(province: str) -> tuple[int, int, str]:
                left = min(self.ground.distance(province, gate) for gate in exits)
                return left, len(force.reach[province].path), province

            force.go(min(force.reach, key=way_home))

    def _exits(self, force: OwnForce) -> list[str]:
        if self.board.czar in force.pieces and force.leaders:
            return [p.code for p in self.board.provinces.values() if p.port]
        nation = force.pieces[0].nation
        gate = self.board.nations[nation].exit_from if nation and not force.leaders else None
        return [gate] if gate else []

    # 3 and 4: whoever has the Czar or the Gold keeps away from everybody else, and near Green units for hire

    def _hide(self, force: OwnForce) -> None:
        if not force.imperials:
            return
        force.go(max(force.reach, key=lambda p: (self._peace(force, p), p == force.province, p)))

    def _peace(self, force: OwnForce, province: str) -> int:
        foes = [s.province for s in self._opposed(force.color)]
        afar = min((self.ground.distance(province, foe) for foe in foes), default=FAR)
        friends = sum(f.strength for f in self.forces if f is not force and f.goal == province)
        return 4 * min(afar, 6) + min(friends, 12)

    def _opposed(self, color: Color) -> list[Stack]:
        return [s for s in self.position.stacks if s.owner != self.seat and s.color in OPPOSED[color]]

    # 5: units that nobody leads are taken along

    def _gather(self, force: OwnForce) -> None:
        if force.color not in (Color.RED, Color.WHITE) or force.fixed or len(force.pieces) >= LIMIT:
            return
        best: tuple[tuple[int, int, str], str, list[Piece]] | None = None
        for stack in self.position.stacks:
            province = stack.province
            if stack.owner is not None or stack.color is not force.color or province not in force.reach:
                continue
            if self._danger(force.color, province) > force.strength + stack.strength:
                continue
            units = self._fitting(force, stack.units)
            if units and province != force.province:
                key = (sum(u.value for u in units), -len(force.reach[province].path), province)
                if best is None or key > best[0]:
                    best = key, province, units
        if best is not None:
            _, province, units = best
            force.go(province)
            force.gathers = tuple(units)
            self.claimed.update(units)

    def _fitting(self, force: OwnForce, units: Iterable[Piece]) -> list[Piece]:
        chosen: list[Piece] = []
        for unit in sorted(units, key=lambda u: (-u.value, u.code)):
            if unit not in self.claimed and fault(self.board, [*force.pieces, *chosen, unit]) is None:
                chosen.append(unit)
        return chosen

    def _danger(self, color: Color, province: str) -> int:
        """The strength of what could attack a force of a colour where it stands, or be attacked by it."""
        return sum(s.strength for s in self.position.at(province) if s.owner != self.seat and _foes(s.color, color))

    # 6 and 7: the capitals, and the provinces where units will come back

    def _garrison(self, force: OwnForce) -> None:
        if force.color not in (Color.RED, Color.WHITE) or not force.leaders:
            return
        if force.color is Color.RED and self.outlook is not Outlook.RED:
            return
        posts = [p for p in self._posts(force.color) if (p, force.color) not in self.guarded and p in force.reach]
        posts = [p for p in posts if self._danger(force.color, p) <= force.strength]
        if posts:
            post = min(posts, key=lambda p: (p not in CAPITALS, len(force.reach[p].path), p))
            self.guarded.add((post, force.color))
            force.go(post)

    def _posts(self, color: Color) -> list[str]:
        """Where a garrison is wanted: nobody of the colour stands there, or one of the seat's own forces does."""
        wanted = set(CAPITALS) if color is Color.RED else set()
        if self.position.turn <= LAST_REPLACEMENT:
            boxes: list[Box] = [*self.position.boxes.values(), self.position.neutral]
            wanted |= {h.piece.home for b in boxes for h in b.held if h.piece.is_unit and h.piece.color is color}
        mine = {f.goal for f in self.forces if f.way is not None and f.color is color}
        held = {s.province for s in self.position.stacks if s.color is color and s.owner not in (self.seat, None)}
        return sorted(p for p in wanted - mine - held if p in self.board.provinces)

    # 5 again: the small go to the strongest of their colour that still has room

    def _join(self, force: OwnForce) -> None:
        if force.strength > SMALL or force.fixed:
            return
        hosts = [
            f
            for f in self.forces
            if f is not force
            and f.color is force.color
            and f.pieces[0].nation == force.pieces[0].nation
            and f.strength > force.strength
            and f.goal in force.reach
            and not f.fixed
            and len(f.pieces) + len(f.gathers) + len(force.pieces) <= LIMIT
        ]
        if hosts:
            host = max(hosts, key=lambda f: (f.strength, -f.pieces[0].code))
            if host.way is None:
                host.go(host.province)
            force.go(host.goal)

    # 8: the small that are left over stand before the large

    def _screen(self, force: OwnForce) -> None:
        if force.strength > SMALL:
            return
        large = [f for f in self.forces if f.color is force.color and f.strength > 2 * SMALL]
        foes = [s.province for s in self._opposed(force.color) if s.strength > SMALL]
        fronts = [
            p
            for f in large
            for p in self.board.neighbours(f.goal, force.color)
            if p in force.reach and (p, force.color) not in self.guarded and not self._danger(force.color, p)
        ]
        if fronts and foes:
            front = min(fronts, key=lambda p: (min(self.ground.distance(p, foe) for foe in foes), p))
            self.guarded.add((front, force.color))
            force.go(front)


def _foes(one: Color | None, other: Color) -> bool:
    return one is not None and other in OPPOSED[one]


def departures(board: Board, outlook: Outlook, forces: Sequence[OwnForce]) -> list[m.Order]:
    """EXIT and EMIGRATE for a White player's forces that end where they can leave the map (policy 1)."""
    if outlook is not Outlook.WHITE:
        return []
    orders: list[m.Order] = []
    for force in forces:
        nation = force.pieces[0].nation
        if nation is not None and not force.leaders and board.nations[nation].exit_from == force.goal:
            orders.append(m.Exit(units=named(board, [p for p in force.pieces if p.is_unit])))
        elif board.czar in force.pieces and board.provinces[force.goal].port:
            orders.append(m.Emigrate(piece=board.czar, province=force.goal))
    return orders
