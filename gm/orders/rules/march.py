"""Carrying out one player's movement on a snapshot, as if they moved first (17/5.0, J7-J10, J12, J13).

The adjudicator walks everybody's orders like this on the snapshot of the Phase and settles the ties; the checker walks
one player's orders on the published positions, where nobody else does anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from gm.board.model import OPPOSED, Board, Color, Piece
from gm.orders.kinds import Act, Attach, Handling, Move, Named, Stop
from gm.orders.rules.force import Force
from gm.orders.rules.stacking import NOT_FOR_GOLD, at_the_bottom, beyond_leading, fault
from gm.orders.rules.steps import NOBODY, Party, find_route, goes_by_rail, strangers
from gm.position import Player, Position


class MovementContext(Struct):
    """What one player's movement depends on: the snapshot, what they have moved already, and how ties were settled."""

    board: Board
    snapshot: Position
    published: Position  # the Gamesmaster finds routes on these (J9)
    player: Player
    winners: Mapping[Piece, Player] = field(default_factory=dict)  # ties that are settled (J11)
    barred: frozenset[tuple[Piece, Player]] = frozenset()  # settled, but the player cannot get there after all
    seized: frozenset[Piece] = frozenset()
    particular: bool = False  # the checker wants to know if a name could mean several counters
    moved: set[Piece] = field(default_factory=set)

    def march(self, number: int, order: Move | Attach) -> Force:
        """Carry out one order and say what came of it."""
        force = Force(self.player, number, order)
        if isinstance(order, Attach):
            if _muster(self, force, (Named((order.leader,)),), None):
                force.intended = (force.at,)
                _handle(self, force, [Handling(Act.PICK, unit) for unit in order.units])
        elif _muster(self, force, order.force, order.path[0].province if order.path else None):
            stops = _stops(self, force, order)
            if stops is None:
                force.trouble("no-route", None, order.to, goal=order.to)
            else:
                _go(self, force, order, stops)
        if force.went:  # what it set down before it set out has not moved (5.25, 13.15)
            self.moved |= {p for p in force.been if force.left.get(p) != 0}
        elif not force.acted:  # nothing came of it: it claims nothing
            force.claims.clear()
        return force

    # --- who may join ---

    def is_own(self, piece: Piece) -> bool:
        stack = self.snapshot.where.get(piece)
        return stack is not None and stack.owner == self.player

    def own_first(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """A name that fits the player's own piece and another means their own."""
        return pieces if len(pieces) == 1 else sorted(pieces, key=lambda p: not self.is_own(p))

    def is_ready(self, piece: Piece) -> bool:
        """Own Leaders, and Blue and Green units by their marker, can move a force (13.11), once (5.25)."""
        if piece in self.moved or not self.is_own(piece):
            return False
        return piece.is_leader or (piece.nation is not None and not self.is_bought(piece))

    def is_bought(self, piece: Piece) -> bool:
        """A Green unit that is the player's by the Gold alone: of their Leader's colour, and led like it (13.26)."""
        bound = bool(self.snapshot.where[piece].leaders)
        return bound and f"{piece.nation} control" not in self.snapshot.box(self.player).markers.chits

    def refusal(self, force: Force, piece: Piece, *, gold: bool) -> str | None:
        """Why a piece cannot join the force where it stands now; None if it can."""
        stack = self.snapshot.where.get(piece)
        if piece in self.moved or piece in force.been:
            return "moved-already"
        if stack is None or stack.province != force.at:
            return "not-there"
        if stack.owner is not None and stack.owner != self.player:
            if piece in self.seized:
                return "seized"
            return "held-by-another" if piece.is_imperial else "not-his"
        return self._unfit(force, piece, gold=gold) or (None if stack.owner else self._unclaimed(force, piece))

    def _unfit(self, force: Force, piece: Piece, *, gold: bool) -> str | None:
        if piece.is_imperial:
            return None
        if force.leader is None:  # Blue or Green units by themselves: one nation, and nobody else (7.14)
            nation = next((p.nation for p in force.pieces if p.is_unit), piece.nation)
            return None if piece.nation is not None and piece.nation == nation else "mixed-colours"
        if piece.color is force.leader.color:
            return None
        if piece.color is not Color.GREEN:
            return "wrong-colour"
        if piece.nation in NOT_FOR_GOLD:
            return "cannot-be-bought"
        return None if gold else "no-gold"

    def _unclaimed(self, force: Force, piece: Piece) -> str | None:
        """An uncontrolled piece: may this force have it (J11, J12)?"""
        if piece.is_leader:
            return "not-his"
        if piece.is_imperial:
            foes = OPPOSED[force.color] if force.color else frozenset()
            if any(p.color in foes for p in self.snapshot.where[piece].units):
                return "guarded"
        elif force.leader is None:
            return "immovable"
        if self.winners.get(piece, self.player) != self.player or (piece, self.player) in self.barred:
            return "lost-claim"
        return None

    def why_no_force(self, piece: Piece) -> str:
        """Nobody named can move anything: the most telling reason about the piece named first."""
        stack = self.snapshot.where.get(piece)
        if piece in self.moved:
            return "moved-already"
        if stack is None:
            return "not-there"
        if piece in self.seized and stack.owner != self.player:
            return "seized"
        if stack.owner not in (None, self.player) or piece.is_leader:
            return "not-his"
        return "immovable" if piece.nation is not None and stack.owner is None else "no-mover"


# --- the force forms up ---


def _muster(sight: MovementContext, force: Force, named: Sequence[Named], written: str | None) -> bool:
    """Find where the force starts and who of those named is with it; False if nobody can move."""
    if _whole_stack(sight, force, named):
        return True
    where = sight.snapshot.where
    ready = [p for name in named for p in name.options if sight.is_ready(p)]
    if not ready:
        first = named[0].one
        force.trouble(sight.why_no_force(first), first)
        return False
    leaders = [p for p in ready if p.is_leader]
    places = [where[p].province for p in leaders or ready]  # a Leader moves the force wherever he is named
    start = written if written in places or any(where[p].province == written for p in ready) else places[0]
    assert start is not None
    force.path.append(start)
    force.leader = next((p for p in leaders if where[p].province == start), None)
    gold = any(sight.board.gold in name.options for name in named)
    gold = gold and sight.refusal(force, sight.board.gold, gold=True) is None
    for name in named:
        _take(sight, force, name, lambda p: sight.refusal(force, p, gold=gold), force.pieces.append)
    _trim(sight.board, force)
    if force.leader is not None and force.leader not in force.pieces:
        force.pieces.clear()  # the Leader himself was one too many
        return False
    force.first = force.pieces[0] if force.pieces else None
    force.been.update(force.pieces)
    force.claims += [(start, piece) for piece in force.pieces if where[piece].owner is None]
    return bool(force.pieces)


def _whole_stack(sight: MovementContext, force: Force, named: Sequence[Named]) -> bool:
    """The usual order: a Leader takes his whole stack. Then no piece can be missing, too many or another's."""
    first = named[0].options[0]
    stack = sight.snapshot.where.get(first)
    if stack is None or stack.owner != sight.player or len(stack.pieces) != len(named) or not first.is_leader:
        return False
    pieces = [n.options[0] for n in named if len(n.options) == 1]
    if tuple(pieces) != stack.pieces or not sight.moved.isdisjoint(pieces):
        return False
    force.path.append(stack.province)
    force.leader = first
    force.pieces = pieces
    force.been.update(pieces)
    return True


_BEYOND: Mapping[str, Callable[[Piece], bool]] = {
    "over-five": lambda p: not p.is_imperial,
    "over-capacity": lambda p: p.is_unit,
    "over-two-green": lambda p: p.color is Color.GREEN,
}


def _trim(board: Board, force: Force) -> None:
    """Named pieces beyond J2 stay behind, last named first."""
    while (code := fault(board, force.pieces)) and code in _BEYOND:
        last = next(p for p in reversed(force.pieces) if _BEYOND[code](p))
        force.pieces.remove(last)
        force.trouble(code, last, force.at)


def _take(
    sight: MovementContext,
    force: Force,
    named: Named,
    refusal: Callable[[Piece], str | None],
    join: Callable[[Piece], None],
) -> None:
    """As many of the named pieces as can be had, own ones first; a reason if they are too few."""
    wanted = named.count
    telling = "not-there"
    if sight.particular and len(named.options) > 1:
        _ask_back(sight, force, named, refusal)
    for piece in sight.own_first(named.options):
        if not wanted:
            return
        code = "moved-already" if piece in force.pieces else refusal(piece)
        if code is None:
            join(piece)
            wanted -= 1
        elif telling == "not-there":
            telling = code
    if wanted:
        force.trouble(telling, named.one, force.at)


def _ask_back(sight: MovementContext, force: Force, named: Named, refusal: Callable[[Piece], str | None]) -> None:
    """Counters of several nations fit the name, and nothing decides between them."""
    able = [p for p in named.options if p not in force.pieces and refusal(p) is None]
    own = [p for p in able if sight.is_own(p)]
    kinds = {p.twin_key for p in own or able}
    if len(kinds) > 1:
        force.trouble("ambiguous-name", named.one, force.at, near=tuple(sorted(kinds)))


def _stops(sight: MovementContext, force: Force, order: Move) -> Sequence[Stop] | None:
    if order.to is not None:
        route = find_route(sight.board, sight.published, force.pieces, force.at, order.to, by_rail=order.by_rail)
        return [Stop(p) for p in route] if route else None
    if order.path and order.path[0].province == force.at:
        return order.path
    return (Stop(force.at), *order.path)


# --- the force marches ---


def _go(sight: MovementContext, force: Force, order: Move, stops: Sequence[Stop]) -> None:
    board, colors, path, last = sight.board, sight.snapshot.colors, force.path, len(stops) - 1
    party = Party(force.pieces)
    force.intended = tuple([s.province for s in stops])
    force.by_rail = goes_by_rail(board, force.pieces, force.intended, order.by_rail)
    here = path[0]
    for index, stop in enumerate(stops):
        if index:
            unled = beyond_leading(board, force.pieces) if force.dropped else []  # J41: judged at each departure
            if unled:
                party = Party([p for p in force.pieces if p not in unled])
            code = party.barred(board, here, stop.province, force.by_rail, index - 1)
            if code:
                bought = ("13.26", "J13") if code == "region-green" and party.led else ()
                force.halt(code, stop.province, *bought, here=here)
                return
            if unled:
                _shed(force, unled)
            here = stop.province
            path.append(here)
        if stop.handling:
            _handle(sight, force, stop.handling)
            party = Party(force.pieces)
        if index == last:
            return
        if stop.handling and not _can_go_on(force):
            force.halt("nothing-left-to-lead", here)
            return
        if index and (others := colors.get(here, NOBODY) - {party.color}):
            if party.must_stop(board, sight.snapshot, here, force.been):
                found = strangers(sight.snapshot, here, force.color, force.been)
                force.halt("stopped", here, *_no_grace(board, force, found), colors=tuple(sorted(found)))
                return
            force.graces |= {"13.23", "J14"} if Color.BLUE in others else {"13.26", "J13"}


def _shed(force: Force, unled: Sequence[Piece]) -> None:
    """Leave behind what nobody who goes on can transport, with the Leader or Imperial unit that was dropped (J41)."""
    here = len(force.path) - 1
    lost = ("13.29",) if any(p.is_imperial and force.left[p] == here for _, p in force.dropped) else ()
    for piece in unled:
        force.pieces.remove(piece)
        force.trouble("unled-on-march", piece, force.at, lost)
    if here:
        force.left.update(dict.fromkeys(unled, here))
        end = len(force.dropped)
        while end and force.dropped[end - 1][1].is_imperial and force.dropped[end - 1][0] == force.at:
            end -= 1  # units stand above an Imperial unit
        force.dropped[end:end] = [(force.at, piece) for piece in unled]
        return
    # They never set out: whoever was dropped there stays with them.
    force.stayed = {*unled, *(piece for _, piece in force.dropped)}
    force.been.difference_update(unled)
    force.claims = [claim for claim in force.claims if claim[1] not in unled]
    force.picked = [picked for picked in force.picked if picked[1] not in unled]


def _no_grace(board: Board, force: Force, found: set[Color]) -> list[str]:
    """The rules by which a train, the Czar or the Gold did not get the force through."""
    rules = ["5.52"] if force.by_rail else []
    if board.czar in force.pieces:
        rules += ["13.23", "J14"] if force.color is Color.WHITE else ["13.24"]
    if board.gold in force.pieces and Color.GREEN in found:
        rules += ["13.26", "J13"]
    return rules


def _can_go_on(force: Force) -> bool:
    """A drop that leaves Red or White units without a Leader ends the move (J10)."""
    if force.leader is None:
        return any(p.is_unit for p in force.pieces)
    return force.leader in force.pieces or any(p.is_leader for p in force.pieces)


def _handle(sight: MovementContext, force: Force, handlings: Sequence[Handling]) -> None:
    """The brackets of one province, from left to right (J10)."""
    for handling in handlings:
        if handling.act is Act.PICK:
            _pick(sight, force, handling.what)
        else:
            _drop(force, handling.what)


def _pick(sight: MovementContext, force: Force, named: Named) -> None:
    gold = sight.board.gold in force.pieces

    def refusal(piece: Piece) -> str | None:
        return sight.refusal(force, piece, gold=gold) or fault(sight.board, [*force.pieces, piece])

    def join(piece: Piece) -> None:
        force.pieces = [*force.pieces, piece] if piece.is_imperial else at_the_bottom(force.pieces, [piece])
        force.been.add(piece)
        force.joined[piece] = len(force.path) - 1
        force.picked.append((force.at, piece))
        if sight.snapshot.where[piece].owner is None:
            force.claims.append((force.at, piece))
        force.acted = True

    _take(sight, force, named, refusal, join)


def _drop(force: Force, named: Named) -> None:
    carried = [p for p in named.options if p in force.pieces][: named.count]
    for piece in carried:
        force.pieces.remove(piece)
        force.left[piece] = len(force.path) - 1
        force.dropped.append((force.at, piece))
        force.acted = True
    if len(carried) < named.count:
        force.trouble("not-in-force", named.one, force.at)
