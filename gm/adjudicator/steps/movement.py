"""The Movement step of the First Phase (17/5.0): everybody moves from the same snapshot, then regroups, then leaves."""

from __future__ import annotations

from collections.abc import Sequence

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle, stands, without
from gm.adjudicator.engine.working_position import WorkingPosition
from gm.adjudicator.outcome import Boxed, Change, Left, Moved, Reason, Restacked, Stacked, Status
from gm.adjudicator.reasons import as_ordered, because
from gm.adjudicator.steps.claims import walk_all
from gm.board.model import Color, Piece
from gm.orders.kinds import Emigrate, Exit, Move, Restack
from gm.orders.rules.force import Force, Trouble
from gm.orders.rules.reasons import rules_of_piece
from gm.orders.rules.stacking import fault
from gm.position import Held, How, Player, Position, Stack


def move(play: PhaseInPlay) -> None:
    snapshot = play.table.position() if play.table.touched else play.before
    forces = walk_all(play, snapshot)
    for own in forces.values():
        for force in own:
            carry_out(play, force)
    _emigrate(play)
    _exit(play)
    for player, number, order in play.orders(Restack):
        restack(play, player, number, order, _loose(snapshot, player, forces[player]))
    settle(play.table)


def carry_out(play: PhaseInPlay, force: Force) -> None:
    """A force that has marched, on the table."""
    reasons = [_reason(trouble) for trouble in force.troubles] if force.troubles else []
    if not force.happens:
        play.close(force.player, force.number, Status.FAILED, *(reasons or [because("nowhere")]))
        return
    table = play.table
    broken, after = _rearranged(table, force)
    table.emit(
        Moved(
            rules=("17/5.0", *[rule for reason in reasons for rule in reason.rules]),
            player=force.player,
            number=force.number,
            pieces=tuple(force.pieces),
            path=tuple(force.path),
            intended=force.intended,
            by_rail=force.by_rail,
            picked=tuple(force.picked),
            dropped=tuple(force.dropped),
            stopped=force.stopped,
            changes=(Restacked(broken, after),),
        )
    )
    play.forces.append(force)
    if reasons:
        play.close(force.player, force.number, Status.PARTLY, *reasons)
    else:
        play.done(force.player, force.number, as_ordered(force.order, *_particulars(play, force)))


def _rearranged(table: WorkingPosition, force: Force) -> tuple[tuple[Stack, ...], tuple[Stack, ...]]:
    """The stacks that a force breaks up, and those that stand when it has passed."""
    if force.leader and not force.dropped:
        first = table.where[force.leader]
        if first.pieces == tuple(force.pieces):
            return (first,), (Stack(force.at, first.owner, first.pieces),)  # it went as it stood
    drops: dict[str, list[Piece]] = {}
    for province, piece in force.dropped:
        if piece not in force.stayed:
            drops.setdefault(province, []).append(piece)
    moving = [*force.pieces, *(p for found in drops.values() for p in found)]
    broken = list({(stack := table.where[p]).pieces[0]: stack for p in moving}.values())
    after = [rest for stack in broken for rest in without(table, stack, moving)]
    for province, pieces in drops.items():
        after += stands(table, province, pieces, force.player)
    after += stands(table, force.at, force.pieces, force.player)
    return tuple(broken), tuple(after)


def _particulars(play: PhaseInPlay, force: Force) -> list[str]:
    """The rules that let this force do what not every force may."""
    rules = sorted(force.graces)
    if force.by_rail:
        rules += ["5.52", "5.53", "J9"]
    if isinstance(force.order, Move) and force.order.to is not None:
        rules.append("J9")
    if force.claims:
        rules += ["J11", "J12", "13.12"]
    if play.board.gold in force.been and any(p.color is Color.GREEN for p in force.been):
        rules += ["13.25", "13.26", "J13"]
    return rules


def _reason(trouble: Trouble) -> Reason:
    data = dict(trouble.data)
    if trouble.piece is not None:
        data["piece"] = trouble.piece
    if trouble.province is not None:
        data["province"] = trouble.province
    return because(trouble.code, *rules_of_piece(trouble.code, trouble.piece), *trouble.rules, **data)


# --- STACK (J3) ---


def _loose(snapshot: Position, player: Player, forces: Sequence[Force]) -> set[Piece]:
    """What a player may regroup: their own pieces, wherever their forces left or dropped them."""
    own = {p for s in snapshot.owned(player) for p in s.pieces}
    return own.union(*(force.been for force in forces if force.happens))


def restack(play: PhaseInPlay, player: Player, number: int, order: Restack, loose: set[Piece]) -> None:
    """Carry out one STACK. `loose`: the pieces that the player may regroup."""
    pieces, missing = _present(play, player, order, loose)
    if missing:
        play.note(player, number, because("stack-missing", "7.12", pieces=tuple(missing), province=order.province))
    if not pieces:
        play.close(player, number, Status.FAILED)
    elif code := fault(play.board, pieces):
        play.fail(player, number, code, "J3")
    else:
        _form(play, player, number, order.province, pieces)
        if missing:
            play.close(player, number, Status.PARTLY)
        else:
            play.done(player, number)


def _present(play: PhaseInPlay, player: Player, order: Restack, loose: set[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The named pieces that are the player's to regroup here, in the order named, and those that are not."""
    found: list[Piece] = []
    missing: list[Piece] = []
    for named in order.pieces:
        fitting = [p for p in named.options if p not in found and _regroupable(play, player, p, order.province, loose)]
        found += fitting[: named.count]
        if len(fitting) < named.count:
            missing.append(named.options[0])
    return found, missing


def _regroupable(play: PhaseInPlay, player: Player, piece: Piece, province: str, loose: set[Piece]) -> bool:
    stack = play.table.where.get(piece)
    if stack is None or stack.province != province:
        return False
    return stack.owner == player or (stack.owner is None and piece in loose)


def _form(play: PhaseInPlay, player: Player, number: int, province: str, pieces: list[Piece]) -> None:
    table = play.table
    broken = list(dict.fromkeys(table.where[p] for p in pieces))
    after = [rest for stack in broken for rest in without(table, stack, pieces)]
    after += stands(table, province, pieces, player)
    table.emit(
        Stacked(
            rules=("7.1", "J3"),
            player=player,
            number=number,
            province=province,
            pieces=tuple(pieces),
            changes=(Restacked(tuple(broken), tuple(after)),),
        )
    )


# --- leaving the map (J15) ---


def _emigrate(play: PhaseInPlay) -> None:
    for player, number, order in play.orders(Emigrate):
        stack = play.table.where.get(order.piece)
        if stack is None or stack.owner != player or stack.province != order.province:
            play.fail(player, number, "no-imperial", "13.32", piece=order.piece, province=order.province)
        elif not play.board.provinces[order.province].port:
            play.fail(player, number, "no-port", province=order.province)
        else:
            _leave(play, player, stack, order.piece, How.EMIGRATED, ("13.31", "13.32", "J15"))
            settle(play.table, stack)  # J2: for EMIGRATE at once
            play.done(player, number)


def _exit(play: PhaseInPlay) -> None:
    for player, number, order in play.orders(Exit):
        leaving = 0
        for named in order.units:
            able = [p for p in named.options if _may_exit(play, player, p)][: named.count]
            leaving += len(able)
            for unit in able:
                _leave(play, player, play.table.where[unit], unit, How.EXITED, ("5.66", "14.45", "J15"))
        if leaving == sum(named.count for named in order.units):
            play.done(player, number)
        elif leaving:
            play.done(player, number, because("no-exit", units=tuple(n.options[0] for n in order.units)))
        else:
            play.fail(player, number, "no-exit", units=tuple(n.options[0] for n in order.units))


def _may_exit(play: PhaseInPlay, player: Player, unit: Piece) -> bool:
    stack = play.table.where.get(unit)
    if stack is None or stack.owner != player or unit.nation is None:
        return False
    return play.board.nations[unit.nation].exit_from == stack.province


def _leave(play: PhaseInPlay, player: Player, stack: Stack, piece: Piece, how: How, rules: tuple[str, ...]) -> None:
    rest = without(play.table, stack, [piece])
    changes: tuple[Change, ...] = (Restacked((stack,), tuple(rest)), Boxed(player, Held(piece, how)))
    play.table.emit(Left(rules=rules, player=player, piece=piece, province=stack.province, changes=changes))
