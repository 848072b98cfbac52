"""One player's movement against the snapshot, as if he moved first (17/5.0, J7-J10, J13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gm.adjudicator.force import Force, Sight
from gm.adjudicator.reasons import because
from gm.adjudicator.seizure import at_the_bottom
from gm.adjudicator.stacks import fault
from gm.board.model import Board, Color, Piece
from gm.orders.model import Act, Attach, Handling, Move, Named, Stop
from gm.orders.steps import barred, find_route, goes_by_rail, must_stop, strangers
from gm.position import Position


def walk(sight: Sight, published: Position, number: int, order: Move | Attach) -> Force:
    """Carry out one MOVE (or ATTACH, its short form) and say what came of it."""
    force = Force(sight.player, number)
    if isinstance(order, Attach):
        return _attach(sight, force, order)
    if not _muster(sight, force, order):
        return force
    stops = _stops(sight.board, published, force, order)
    if stops is None:
        force.miss(because("no-route", goal=order.to))
        return force
    _march(sight, force, order, stops)
    return _finish(sight, force)


def _attach(sight: Sight, force: Force, order: Attach) -> Force:
    leader = Named((order.leader,))
    if _muster(sight, force, Move(force=(leader,))):
        force.intended = (force.at,)
        _handle(sight, force, [Handling(Act.PICK, unit) for unit in order.units])
    return _finish(sight, force)


def _finish(sight: Sight, force: Force) -> Force:
    if force.went:
        sight.moved.update(force.been)
    elif not force.acted:  # nothing came of it: he reached for nothing
        force.claims.clear()
    return force


def _more(code: str, piece: Piece) -> tuple[str, ...]:
    """Rules that depend on the piece: whose marker a Blue or Green unit waits for, whom the Gold buys."""
    if code == "immovable":
        return ("5.71",) if piece.color is Color.GREEN else ("5.61", "5.62")
    return ("J13",) if code in ("no-gold", "cannot-be-bought") else ("J10",)


# --- the force forms up ---


def _muster(sight: Sight, force: Force, order: Move) -> bool:
    """Find where the force starts and who of those named is with it; False if nobody can move."""
    start = _start(sight, order)
    if start is None:
        pieces = [p for named in order.force for p in named.options]
        code = sight.why_no_force(pieces)
        force.miss(because(code, *_more(code, pieces[0]), piece=pieces[0]))
        return False
    force.path = [start]
    force.leader = next(
        (p for n in order.force for p in n.options if p.is_leader and _ready(sight, p, start)),
        None,
    )
    gold = any(sight.board.gold in n.options for n in order.force)
    gold = gold and sight.refusal(force, sight.board.gold, gold=True) is None
    for named in order.force:
        _enlist(sight, force, named, gold)
    _trim(sight.board, force)
    where = sight.snapshot.where
    for piece in force.pieces:
        force.join(piece)
        if where[piece].owner is None:
            force.claims.append((start, piece))
    return bool(force.pieces)


def _ready(sight: Sight, piece: Piece, province: str) -> bool:
    return sight.is_mover(piece) and piece not in sight.moved and sight.snapshot.where[piece].province == province


def _start(sight: Sight, order: Move) -> str | None:
    movers = [p for named in order.force for p in named.options if sight.is_mover(p) and p not in sight.moved]
    if len(movers) > 1:
        movers.sort(key=lambda p: not p.is_leader)  # a Leader moves the force wherever he is named
    places = [sight.snapshot.where[p].province for p in movers]
    if order.path and order.path[0].province in places:
        return order.path[0].province
    return places[0] if places else None


def _enlist(sight: Sight, force: Force, named: Named, gold: bool) -> None:
    wanted = named.count
    refusals: list[str] = []
    for piece in sight.own_first(named.options):
        if not wanted:
            break
        refusal = "moved-already" if piece in force.pieces else sight.refusal(force, piece, gold=gold)
        if refusal is None:
            force.pieces.append(piece)
            wanted -= 1
        else:
            refusals.append(refusal)
    if wanted:
        telling = next((r for r in refusals if r != "not-there"), "not-there")
        force.miss(because(telling, *_more(telling, named.options[0]), piece=named.options[0], province=force.at))


_TRIM: dict[str, Callable[[Piece], bool]] = {
    "over-five": lambda p: not p.is_imperial,
    "over-capacity": lambda p: p.is_unit,
    "over-two-green": lambda p: p.color is Color.GREEN,
}


def _trim(board: Board, force: Force) -> None:
    """Named pieces beyond J2 stay behind, last named first."""
    while (code := fault(board, force.pieces)) and code in _TRIM:
        last = next(p for p in reversed(force.pieces) if _TRIM[code](p))
        force.pieces.remove(last)
        force.miss(because(code, "J10", piece=last, province=force.at))


def _stops(board: Board, published: Position, force: Force, order: Move) -> list[Stop] | None:
    if order.to is not None:
        route = find_route(board, published, force.pieces, force.at, order.to, by_rail=order.by_rail)
        return [Stop(p) for p in route] if route else None
    stops = list(order.path)
    if not stops or stops[0].province != force.at:
        stops.insert(0, Stop(force.at))
    return stops


# --- the force marches ---


def _march(sight: Sight, force: Force, order: Move, stops: Sequence[Stop]) -> None:
    board = sight.board
    force.intended = tuple(s.province for s in stops)
    force.by_rail = goes_by_rail(board, force.pieces, force.intended, order.by_rail)
    for index, stop in enumerate(stops):
        if index:
            code = barred(
                board, force.pieces, force.at, stop.province, by_rail=force.by_rail, taken=len(force.path) - 1
            )
            if code:
                _halt(force, code, province=stop.province, here=force.at)
                return
            force.path.append(stop.province)
            for piece in force.pieces:
                force.routes[piece].append(stop.province)
        _handle(sight, force, stop.handling)
        if index == len(stops) - 1:
            return
        if not _can_go_on(force):
            _halt(force, "nothing-left-to-lead", province=force.at)
            return
        if index and must_stop(board, sight.snapshot, force.at, force.pieces, force.been):
            colors = strangers(sight.snapshot, force.at, force.color, force.been)
            _halt(force, "stopped", province=force.at, colors=tuple(sorted(colors)))
            return


def _halt(force: Force, code: str, **data: object) -> None:
    force.stopped = code
    force.miss(because(code, **data))


def _can_go_on(force: Force) -> bool:
    """A drop that leaves Red or White units without a Leader ends the move (J10)."""
    if force.leader is None:
        return any(p.is_unit for p in force.pieces)
    return any(p.is_leader for p in force.pieces)


def _handle(sight: Sight, force: Force, handlings: Sequence[Handling]) -> None:
    """The brackets of one province, from left to right (J10)."""
    for handling in handlings:
        if handling.act is Act.PICK:
            _pick(sight, force, handling.what)
        else:
            _drop(force, handling.what)


def _pick(sight: Sight, force: Force, named: Named) -> None:
    gold = sight.board.gold in force.pieces
    wanted = named.count
    refusals: list[str] = []
    for piece in sight.own_first(named.options):
        if not wanted:
            break
        refusal = sight.refusal(force, piece, gold=gold) or fault(sight.board, [*force.pieces, piece])
        if refusal is not None:
            refusals.append(refusal)
            continue
        force.pieces = (
            [*force.pieces, piece] if piece.is_imperial else list(at_the_bottom(tuple(force.pieces), [piece]))
        )
        force.join(piece)
        force.picked.append((force.at, piece))
        if sight.snapshot.where[piece].owner is None:
            force.claims.append((force.at, piece))
        force.acted = True
        wanted -= 1
    if wanted:
        telling = next((r for r in refusals if r != "not-there"), "not-there")
        force.miss(because(telling, *_more(telling, named.options[0]), piece=named.options[0], province=force.at))


def _drop(force: Force, named: Named) -> None:
    carried = [p for p in named.options if p in force.pieces][: named.count]
    for piece in carried:
        force.pieces.remove(piece)
        force.dropped.append((force.at, piece))
        force.acted = True
    if len(carried) < named.count:
        force.miss(because("not-in-force", piece=named.options[0], province=force.at))
