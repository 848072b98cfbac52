"""What a player's own orders would come to on the published positions, if nobody else did anything (J7-J10, J13).

Only published knowledge goes in, so only what the player may know comes out. Ties with other players' forces and
what they do to the board are the adjudicator's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from gm.board.model import OPPOSED, Board, Color, Piece
from gm.orders import model as m
from gm.orders.shape import NOT_FOR_GOLD, at_the_bottom, fault
from gm.orders.steps import barred, find_route, goes_by_rail, must_stop, strangers
from gm.position import Player, Position, Stack

Refusal = Callable[[Piece], str | None]


@dataclass(frozen=True)
class Trouble:
    """Something of a MOVE that will not happen: a reason's code, and what it is about."""

    code: str
    piece: Piece | None = None
    province: str | None = None
    stop: int = 0  # which province of the path, counted as the force goes
    data: dict[str, object] = field(default_factory=dict)


@dataclass
class March:
    """A force and how far it would come."""

    number: int
    order: m.Move | m.Attach
    path: list[str] = field(default_factory=list)
    intended: tuple[str, ...] = ()
    by_rail: bool = False
    leader: Piece | None = None
    pieces: list[Piece] = field(default_factory=list)
    been: set[Piece] = field(default_factory=set)
    dropped: list[tuple[str, Piece]] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    acted: bool = False

    @property
    def at(self) -> str:
        return self.path[-1]

    @property
    def happens(self) -> bool:
        return len(self.path) > 1 or self.acted

    @property
    def color(self) -> Color | None:
        if self.leader:
            return self.leader.color
        return next((p.color for p in self.pieces if p.is_unit), None)

    def trouble(self, code: str, piece: Piece | None = None, province: str | None = None, **data: object) -> None:
        self.troubles.append(Trouble(code, piece, province, max(len(self.path) - 1, 0), data))


def forecast(board: Board, position: Position, player: Player, orders: Sequence[m.Order]) -> Forecast:
    """All MOVE and ATTACH orders of a sheet, in their order."""
    made = Forecast(board, position, player)
    for number, order in enumerate(orders, start=1):
        if isinstance(order, m.Move | m.Attach):
            made.marches[number] = made.march(number, order)
    return made


@dataclass
class Forecast:
    board: Board
    position: Position
    player: Player
    moved: set[Piece] = field(default_factory=set)
    marches: dict[int, March] = field(default_factory=dict)

    # Where everything would end

    def place_of(self, piece: Piece) -> str | None:
        """The province in which a piece would stand after all the player's own movement."""
        for march in self.marches.values():
            if not march.happens:
                continue
            if piece in march.pieces:
                return march.at
            for province, dropped in march.dropped:
                if dropped is piece:
                    return province
        stack = self.position.where.get(piece)
        return stack.province if stack else None

    def is_own(self, piece: Piece) -> bool:
        stack = self.position.where.get(piece)
        return stack is not None and stack.owner == self.player

    def will_be_his(self, piece: Piece) -> bool:
        """His now, or in one of his forces at some time: what STACK may regroup (J3)."""
        if self.is_own(piece):
            return True
        return any(piece in march.been for march in self.marches.values() if march.happens)

    # One force

    def march(self, number: int, order: m.Move | m.Attach) -> March:
        march = March(number, order)
        if isinstance(order, m.Attach):
            if self._muster(march, m.Move(force=(m.Named((order.leader,)),))):
                march.intended = (march.at,)
                self._handle(march, [m.Handling(m.Act.PICK, unit) for unit in order.units])
        elif self._muster(march, order):
            stops = self._stops(march, order)
            if stops is None:
                march.trouble("no-route", province=order.to, goal=order.to)
            else:
                self._go(march, order, stops)
        if len(march.path) > 1:
            self.moved |= march.been
        return march

    def _muster(self, march: March, order: m.Move) -> bool:
        start = self._start(order)
        if start is None:
            first = order.force[0].options[0]
            march.trouble(self._why_no_force(first), first)
            return False
        march.path = [start]
        march.leader = next((p for n in order.force for p in n.options if p.is_leader and self._ready(p, start)), None)
        gold = any(self.board.gold in n.options for n in order.force)
        gold = gold and self._refusal(march, self.board.gold, gold=True) is None
        for named in order.force:
            self._enlist(march, named, gold)
        self._trim(march)
        march.been |= set(march.pieces)
        return bool(march.pieces)

    def is_mover(self, piece: Piece) -> bool:
        """Own Leaders, and own Blue and Green units, can move a force (13.11)."""
        return self.is_own(piece) and (piece.is_leader or piece.nation is not None)

    def _ready(self, piece: Piece, province: str) -> bool:
        return self.is_mover(piece) and piece not in self.moved and self.position.where[piece].province == province

    def _start(self, order: m.Move) -> str | None:
        movers = [p for n in order.force for p in n.options if self.is_mover(p) and p not in self.moved]
        movers.sort(key=lambda p: not p.is_leader)  # a Leader moves the force wherever he is named
        places = [self.position.where[p].province for p in movers]
        if order.path and order.path[0].province in places:
            return order.path[0].province
        return places[0] if places else None

    def _enlist(self, march: March, named: m.Named, gold: bool) -> None:
        self._take(march, named, lambda p: self._refusal(march, p, gold=gold), march.pieces.append)

    def _trim(self, march: March) -> None:
        """Named pieces beyond J2 stay behind, last named first."""
        while (code := fault(self.board, march.pieces)) and code in _BEYOND:
            last = next(p for p in reversed(march.pieces) if _BEYOND[code](p))
            march.pieces.remove(last)
            march.trouble(code, last, march.at)

    def _stops(self, march: March, order: m.Move) -> list[m.Stop] | None:
        if order.to is not None:
            route = find_route(self.board, self.position, march.pieces, march.at, order.to)
            return [m.Stop(p) for p in route] if route else None
        stops = list(order.path)
        if not stops or stops[0].province != march.at:
            stops.insert(0, m.Stop(march.at))
        return stops

    def _go(self, march: March, order: m.Move, stops: Sequence[m.Stop]) -> None:
        march.intended = tuple(s.province for s in stops)
        march.by_rail = goes_by_rail(self.board, march.pieces, march.intended, order.by_rail)
        for index, stop in enumerate(stops):
            if index:
                taken = len(march.path) - 1
                code = barred(self.board, march.pieces, march.at, stop.province, by_rail=march.by_rail, taken=taken)
                if code:
                    march.trouble(code, None, stop.province, here=march.at)
                    return
                march.path.append(stop.province)
            self._handle(march, stop.handling)
            if index == len(stops) - 1:
                return
            if not self._can_go_on(march):
                march.trouble("nothing-left-to-lead", None, march.at)
                return
            if index and must_stop(self.board, self.position, march.at, march.pieces, march.been):
                colors = strangers(self.position, march.at, march.color, march.been)
                march.trouble("stopped", None, march.at, colors=tuple(sorted(colors)))
                return

    def _can_go_on(self, march: March) -> bool:
        """A drop that leaves Red or White units without a Leader ends the move (J10)."""
        if march.leader is None:
            return any(p.is_unit for p in march.pieces)
        return any(p.is_leader for p in march.pieces)

    def _handle(self, march: March, handlings: Iterable[m.Handling]) -> None:
        for handling in handlings:
            if handling.act is m.Act.PICK:
                self._pick(march, handling.what)
            else:
                self._drop(march, handling.what)

    def _pick(self, march: March, named: m.Named) -> None:
        gold = self.board.gold in march.pieces

        def refusal(piece: Piece) -> str | None:
            return self._refusal(march, piece, gold=gold) or fault(self.board, [*march.pieces, piece])

        def join(piece: Piece) -> None:
            march.pieces = [*march.pieces, piece] if piece.is_imperial else at_the_bottom(march.pieces, [piece])
            march.been.add(piece)
            march.acted = True

        self._take(march, named, refusal, join)

    def _drop(self, march: March, named: m.Named) -> None:
        carried = [p for p in named.options if p in march.pieces][: named.count]
        for piece in carried:
            march.pieces.remove(piece)
            march.dropped.append((march.at, piece))
            march.acted = True
        if len(carried) < named.count:
            march.trouble("not-in-force", named.one, march.at)

    def _take(self, march: March, named: m.Named, refusal: Refusal, join: Callable[[Piece], None]) -> None:
        """As many of the named pieces as can be had, own ones first."""
        options = sorted(named.options, key=lambda p: not self.is_own(p))
        refusals = {p: "moved-already" if p in march.pieces else refusal(p) for p in options}
        able = [p for p in options if refusals[p] is None]
        kinds = {p.twin_key for p in able if self.is_own(p) == self.is_own(able[0])}
        if len(kinds) > 1:
            march.trouble("ambiguous-name", named.one, march.at, near=tuple(sorted(kinds)))
        wanted = named.count
        for piece in able:
            reason = refusal(piece) if wanted else None
            if wanted and reason is None:
                join(piece)
                wanted -= 1
            elif reason is not None:
                refusals[piece] = reason
        if wanted:
            reasons = [r for r in refusals.values() if r is not None]
            march.trouble(next((r for r in reasons if r != "not-there"), "not-there"), named.one, march.at)

    # Who may join

    def _refusal(self, march: March, piece: Piece, *, gold: bool) -> str | None:
        """Why a piece cannot join the force where it stands now; None if it can."""
        stack = self.position.where.get(piece)
        if piece in self.moved or piece in march.been:
            return "moved-already"
        if stack is None:
            return "not-on-map"
        if stack.province != march.at:
            return "not-there"
        if stack.owner is not None and stack.owner != self.player:
            return "held-by-another" if piece.is_imperial else "not-his"
        return self._unfit(march, piece, gold=gold) or (None if stack.owner else self._unclaimed(march, piece, stack))

    def _unfit(self, march: March, piece: Piece, *, gold: bool) -> str | None:
        if piece.is_imperial:
            return None
        if march.leader is None:  # Blue or Green units by themselves: one nation, and nobody else (7.14)
            nation = next((p.nation for p in march.pieces if p.is_unit), piece.nation)
            return None if piece.nation is not None and piece.nation == nation else "mixed-colours"
        if piece.color is march.leader.color:
            return None
        if piece.color is not Color.GREEN:
            return "wrong-colour"
        if piece.nation in NOT_FOR_GOLD:
            return "cannot-be-bought"
        return None if gold else "no-gold"

    def _unclaimed(self, march: March, piece: Piece, stack: Stack) -> str | None:
        """An uncontrolled piece: may this force have it (J11, J12)?"""
        if piece.is_leader:
            return "not-his"
        if piece.is_imperial:
            foes = OPPOSED[march.color] if march.color else frozenset()
            return "guarded" if any(p.color in foes for p in stack.units) else None
        return "immovable" if march.leader is None else None

    def _why_no_force(self, piece: Piece) -> str:
        """None of the pieces named first can move anything: the most telling reason."""
        stack = self.position.where.get(piece)
        if piece in self.moved:
            return "moved-already"
        if stack is None:
            return "not-on-map"
        if stack.owner not in (None, self.player) or piece.is_leader:
            return "not-his"
        return "immovable" if piece.nation is not None and stack.owner is None else "no-mover"


_BEYOND: dict[str, Callable[[Piece], bool]] = {
    "over-five": lambda p: not p.is_imperial,
    "over-capacity": lambda p: p.is_unit,
    "over-two-green": lambda p: p.color is Color.GREEN,
}
