"""Orders against the published position: what a player can know before the deadline, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from gm.board.model import Board, Piece
from gm.orders import check_combat, check_movement, check_politics
from gm.orders import model as m
from gm.orders.calendar import UNREADABLE, phase_name
from gm.orders.catalogue import BY_CLASS
from gm.orders.desk import Desk
from gm.orders.problems import CODES, Family, Problem, Severity
from gm.orders.standing import is_standing
from gm.position import Phase, Player, Position, Stack

CHECKS: Mapping[type[m.Order], Callable[[Desk, int, Any], None]] = {
    m.Give: check_politics.give,
    m.Accept: check_politics.accept,
    m.RefuseGifts: check_politics.refuse_gifts,
    m.Seize: check_politics.seize,
    m.Move: check_movement.move,
    m.Attach: check_movement.attach,
    m.Restack: check_movement.stack,
    m.Emigrate: check_movement.emigrate,
    m.Exit: check_movement.exit_,
    m.Assassinate: check_politics.assassinate,
    m.Purge: check_politics.purge,
    m.Counterpurge: check_politics.counterpurge,
    m.Execute: check_politics.execute,
    m.Comply: check_politics.answer,
    m.RefuseExecution: check_politics.answer,
    m.Attack: check_combat.attack,
    m.Subvert: check_combat.subvert,
    m.Lose: check_combat.lose,
    m.Take: check_combat.take,
}
_WINDOW_NAMES = {
    m.Window.PREGAME: "before the game",
    m.Window.FIRST: "in the First Phase",
    m.Window.SECOND: "in the Second Phase",
}
_WINDOW_PHASES = {Phase.PREGAME: 0, Phase.FIRST: 1, Phase.SECOND: 2}


def check(board: Board, position: Position, player: Player, sheet: m.Sheet) -> tuple[Problem, ...]:
    """All that can be said against a sheet on the positions known now, order by order."""
    desk = Desk(board, position, player, sheet.orders)
    if sheet.guard is not None and not _is_open(position, sheet.guard):
        return (_guard_problem(position, sheet.guard),)
    if position.phase not in _WINDOW_PHASES:
        return tuple(_general(p) for p in (["game-over"] if sheet.orders else []))
    if player in position.quitters:
        return (_general("quitter"),)
    # SEIZE first: the trade step comes before movement, and what it brings in may move along.
    numbered = sorted(enumerate(sheet.orders, start=1), key=lambda pair: not isinstance(pair[1], m.Seize))
    for number, order in numbered:
        _check_one(desk, number, order)
    _left_behind(desk)
    return tuple(sorted(desk.problems, key=lambda p: p.order))


def _check_one(desk: Desk, number: int, order: m.Order) -> None:
    help_ = BY_CLASS.get(type(order))
    if help_ is not None and m.Window(desk.phase.value) not in help_.windows and not is_standing(order):
        desk.flag(
            number,
            "wrong-phase",
            suggestion=_filed_ahead(desk.position, help_.windows),
            windows=tuple(_WINDOW_NAMES[w] for w in help_.windows),
        )
        return
    checker = CHECKS.get(type(order))
    if checker is not None:
        checker(desk, number, order)
    elif isinstance(order, m.Resign):
        desk.flag(number, "resigning", severity=Severity.WARNING)
    elif isinstance(order, m.Vote):
        desk.contradicts(number, "vote", order.end)


def _filed_ahead(position: Position, windows: Collection[m.Window]) -> str | None:
    """The guard behind which an order may be filed for the next Phase in which it belongs."""
    turn = position.turn
    following = {
        Phase.PREGAME: ((1, m.Window.FIRST), (1, m.Window.SECOND)),
        Phase.FIRST: ((turn, m.Window.SECOND),),
        Phase.SECOND: ((turn + 1, m.Window.FIRST),),
    }
    for then, window in following.get(position.phase, ()):
        if window in windows:
            return f"ORDERS {phase_name(then, window)}"
    return None


def _is_open(position: Position, guard: m.Guard) -> bool:
    if position.phase is Phase.PREGAME:
        return guard.phase == Phase.PREGAME
    return (guard.turn, guard.phase) == (position.turn, position.phase)


def _guard_problem(position: Position, guard: m.Guard) -> Problem:
    """The wrong Phase: past, or to come (then the orders wait for it)."""
    open_now = phase_name(position.turn, position.phase)
    ahead = guard.phase in _WINDOW_PHASES and position.phase in _WINDOW_PHASES
    ahead = ahead and (guard.turn, _WINDOW_PHASES[Phase(guard.phase)]) > (
        position.turn,
        _WINDOW_PHASES[position.phase],
    )
    meant = phase_name(guard.turn, guard.phase)
    text = f"ORDERS {meant}"
    code = "filed-ahead" if ahead else "guard-mismatch"
    return Problem(
        code=code,
        family=Family.NOT_ALLOWED,
        span=(7, len(text)),
        text=text,
        words=meant,
        rules=CODES[code],
        suggestion=None if ahead else f"ORDERS {open_now}",
        data={"open": open_now, "meant": meant if guard != UNREADABLE else None},
        severity=Severity.NOTE if ahead else Severity.PROBLEM,
    )


def _general(code: str) -> Problem:
    return Problem(code, Family.NOT_ALLOWED, rules=CODES[code])


def _left_behind(desk: Desk) -> None:
    """Red and White units that the player's own moves leave without a Leader are nobody's (J1)."""
    if desk.phase is not Phase.FIRST:
        return
    # J3: a STACK order takes his own pieces, also those that his Leader has left this Phase.
    regrouped = {p for o in desk.orders if isinstance(o, m.Restack) for n in o.pieces for p in n.options}
    led_by = desk.forecast.led_by
    for stack in desk.position.owned(desk.player):
        if not stack.leaders:
            continue
        gone = {p: led_by[p] for p in stack.pieces if p in led_by and desk.forecast.place_of(p) != stack.province}
        left = [p for p in stack.units if p not in gone and p.nation is None and p not in regrouped]
        if left and all(leader in gone for leader in stack.leaders):
            number = gone[stack.leaders[-1]]
            desk.flag(number, "left-behind", severity=Severity.WARNING, pieces=tuple(left), province=stack.province)


def unordered(board: Board, position: Position, player: Player, sheet: m.Sheet) -> tuple[Stack, ...]:
    """What the player has on the map without any order, stack by stack: in the First Phase the pieces that could move
    and do not, in the Second the stacks that share a province with an enemy and do not attack."""
    named = {piece for order in sheet.orders for piece in _named_in(order)}
    if position.phase is Phase.SECOND:
        return tuple(s for s in position.owned(player) if not named & set(s.pieces) and _has_enemy(position, s))
    if position.phase is not Phase.FIRST:
        return ()
    found = []
    for stack in position.owned(player):
        idle = tuple(p for p in stack.pieces if p not in named)
        if any(p.is_leader or p.nation is not None for p in idle):
            found.append(Stack(stack.province, stack.owner, idle))
    return tuple(found)


def _has_enemy(position: Position, stack: Stack) -> bool:
    return any(check_combat.opposed(stack, other) for other in position.at(stack.province))


def _named_in(order: m.Order) -> set[Piece]:
    groups: list[m.Named] = []
    if isinstance(order, m.Move):
        groups = [*order.force, *(h.what for s in order.path for h in s.handling)]
    elif isinstance(order, m.Attach):
        return {order.leader, *(p for n in order.units for p in n.options)}
    elif isinstance(order, m.Restack):
        groups = list(order.pieces)
    elif isinstance(order, m.Exit):
        groups = list(order.units)
    elif isinstance(order, m.Attack | m.Subvert):
        groups = list(order.attackers)
    return {p for n in groups for p in n.options}
