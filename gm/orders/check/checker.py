"""Checking a sheet of orders against the published position: what a player can know before the deadline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from gm.board.model import Board, Piece
from gm.gamedate import phase_name
from gm.orders import kinds as m
from gm.orders.check import alone, combat, movement, politics, trades
from gm.orders.check.context import CheckContext
from gm.orders.language.guard import UNREADABLE
from gm.orders.language.names import names_of
from gm.orders.problems import Family, Problem, Severity
from gm.orders.rules.odds import opposed, subversions
from gm.orders.rules.quorums import VOTE_QUORUM
from gm.orders.rules.reasons import REASONS
from gm.orders.rules.shorter import answers_nothing, does_without
from gm.orders.standing import is_standing
from gm.orders.wording import sentence
from gm.position import Phase, Player, Position, Stack

CHECKS: Mapping[type[m.Order], Callable[[CheckContext, int, Any], None]] = {
    m.Give: trades.give,
    m.Accept: trades.accept,
    m.RefuseGifts: trades.refuse_gifts,
    m.Seize: trades.seize,
    m.Move: movement.move,
    m.Attach: movement.attach,
    m.Restack: movement.stack,
    m.Emigrate: movement.emigrate,
    m.Exit: movement.exit_,
    m.Assassinate: politics.assassinate,
    m.Purge: politics.purge,
    m.Counterpurge: politics.counterpurge,
    m.Execute: politics.execute,
    m.Comply: politics.answer,
    m.RefuseExecution: politics.answer,
    m.Attack: combat.attack,
    m.Subvert: combat.subvert,
    m.Lose: combat.lose,
    m.Take: combat.take,
    m.Deploy: alone.deploy,
}
_ALL = ("", "all", "everything", "everybody", "in place", "all in place")
# S14: what the sheets of the game for one person may hold.
_SOLITAIRE = frozenset(
    {m.Deploy, m.Move, m.Attach, m.Restack, m.Seize, m.Attack, m.Subvert, m.Lose, m.Take, m.Done, m.Hold, m.Press}
)


def check(board: Board, position: Position, player: Player, sheet: m.Sheet) -> tuple[Problem, ...]:
    """All that can be said against a sheet on the positions known now, order by order."""
    return tuple(check_context(board, position, player, sheet).problems)


def check_context(board: Board, position: Position, player: Player, sheet: m.Sheet) -> CheckContext:
    """The same, together with what the player's own movement and attacks come to on these positions."""
    context = CheckContext(board, position, player, sheet.orders)
    if sheet.guard is not None and not _is_open(position, sheet.guard):
        context.problems = [_guard_problem(position, sheet.guard)]
    elif position.phase not in m.ORDER_PHASES:
        context.problems = [_general("game-over")] if sheet.orders else []
    elif player in position.quitters:
        context.problems = [_general("quitter")]
    else:
        # SEIZE first: the trade step comes before movement, and what it brings in may move along.
        seizures_first = sorted(enumerate(sheet.orders, start=1), key=lambda pair: not isinstance(pair[1], m.Seize))
        for number, order in seizures_first:
            _check_one(context, number, order)
        _left_behind(context)
        context.problems.sort(key=lambda p: p.order)
    return context


def belongs(board: Board, position: Position, kind: type[m.Order]) -> bool:
    """Whether orders of this kind have a use in this Phase of this game; standing ones are filed at any time."""
    if does_without(board, position, kind) or answers_nothing(board, position, kind):
        return False
    is_solitaire = position.solitaire is not None
    return position.phase in kind.about.phases and (kind in _SOLITAIRE if is_solitaire else not kind.about.solitaire)


def _check_one(context: CheckContext, number: int, order: m.Order) -> None:
    if isinstance(order, m.Unread | m.Hold):
        return
    about = order.about
    if about.solitaire and context.position.solitaire is None:
        context.flag(number, "only-alone")
        return
    if context.phase not in about.phases and not is_standing(order):
        context.flag(
            number,
            "wrong-phase",
            more=about.not_now,
            suggestion=_filed_ahead(context, type(order)),
            phases=tuple(sentence("help", f"in-{phase}", {}) for phase in about.phases),
        )
        return
    if context.position.solitaire is not None:
        if type(order) not in _SOLITAIRE:
            context.flag(number, "not-alone")
            return
        if context.phase is Phase.FIRST and not isinstance(order, m.Deploy):
            return  # each order is judged on what the one before left: only playing it can tell
    checker = CHECKS.get(type(order))
    if does_without(context.board, context.position, type(order)):
        context.flag(number, "not-in-masses")
    elif answers_nothing(context.board, context.position, type(order)):
        context.flag(number, "no-occasion", severity=Severity.NOTE)
    elif checker is not None:
        checker(context, number, order)
    elif isinstance(order, m.Resign):
        context.flag(number, "resigning", severity=Severity.WARNING)
    elif isinstance(order, m.Vote):
        context.contradicts(number, "vote", order.end)
        if order.end and not context.is_refused(number):
            pm = context.position.box(context.player).pm
            context.flag(number, "vote-end", severity=Severity.NOTE, needed=VOTE_QUORUM, pm=pm)


def _filed_ahead(context: CheckContext, kind: type[m.Order]) -> str | None:
    """The guard behind which an order may be filed for the next Phase in which it belongs."""
    position, turn = context.position, context.position.turn
    if does_without(context.board, position, kind) or answers_nothing(context.board, position, kind):
        return None
    following = {
        Phase.PREGAME: ((1, Phase.FIRST),),
        Phase.FIRST: ((turn, Phase.SECOND),),
        Phase.SECOND: ((turn + 1, Phase.FIRST),),
    }
    for then, phase in following.get(position.phase, ()):
        if phase in kind.about.phases:
            return f"ORDERS {phase_name(then, phase)}"
    return None


def _is_open(position: Position, guard: m.Guard) -> bool:
    if position.phase is Phase.PREGAME:
        return guard.phase == Phase.PREGAME
    return (guard.turn, guard.phase) == (position.turn, position.phase)


def _guard_problem(position: Position, guard: m.Guard) -> Problem:
    """The wrong Phase: past, or to come (then the orders wait for it)."""
    open_now = phase_name(position.turn, position.phase)
    ahead = guard.phase in m.ORDER_PHASES and position.phase in m.ORDER_PHASES
    rank = m.ORDER_PHASES.index
    ahead = ahead and (guard.turn, rank(Phase(guard.phase))) > (position.turn, rank(position.phase))
    meant = phase_name(guard.turn, guard.phase)
    text = f"ORDERS {meant}"
    code = "filed-ahead" if ahead else "guard-mismatch"
    return Problem(
        code=code,
        family=Family.NOT_ALLOWED,
        span=(7, len(text)),
        text=text,
        words=meant,
        rules=REASONS[code],
        suggestion=None if ahead else f"ORDERS {open_now}",
        data={"open": open_now, "meant": meant if guard != UNREADABLE else None},
        severity=Severity.NOTE if ahead else Severity.PROBLEM,
    )


def _general(code: str) -> Problem:
    return Problem(code, Family.NOT_ALLOWED, rules=REASONS[code])


def _left_behind(context: CheckContext) -> None:
    """Red and White units that the player's own moves leave without a Leader are nobody's (J1)."""
    if context.phase is not Phase.FIRST or context.position.solitaire is not None:
        return
    # J3: a STACK order takes the player's own pieces, also those that their Leader has left this Phase.
    led_by = context.forecast.led_by
    for stack in context.position.owned(context.player):
        if not stack.leaders:
            continue
        gone = {p: led_by[p] for p in stack.pieces if p in led_by and context.forecast.place_of(p) != stack.province}
        left = [p for p in stack.units if p not in gone and p.nation is None and p not in context.stacked]
        if left and all(leader in gone for leader in stack.leaders):
            number = gone[stack.leaders[-1]]
            context.flag(number, "left-behind", severity=Severity.WARNING, pieces=tuple(left), province=stack.province)


class Idle(Struct, frozen=True):
    """A stack, or the pieces of it, that an order could be given to and has none."""

    stack: Stack
    targets: tuple[str, ...] = ()  # in the Second Phase: where it could attack (its own province) or subvert

    @property
    def subvertible(self) -> tuple[str, ...]:
        return tuple(place for place in self.targets if place != self.stack.province)


def unordered(board: Board, position: Position, player: Player, sheet: m.Sheet) -> tuple[Idle, ...]:
    """What the player has on the map without any order, stack by stack: in the First Phase the pieces that could move
    and do not, in the Second the stacks that could attack or subvert and do not."""
    holds = [order.what for order in sheet.orders if isinstance(order, m.Hold)]
    if any(what.lower() in _ALL for what in holds):
        return ()
    named = {piece for order in sheet.orders for piece in _named_in(order)}
    named |= {piece for what in holds for piece in _held(board, position, what)}
    if position.phase is Phase.SECOND:
        return tuple(i for i in _within_reach(board, position, player) if not named & set(i.stack.pieces))
    if position.phase is not Phase.FIRST:
        return ()
    found = []
    for stack in position.owned(player):
        idle = tuple(p for p in stack.pieces if p not in named)
        if any(p.is_leader or p.nation is not None for p in idle):
            found.append(Idle(Stack(stack.province, stack.owner, idle)))
    return tuple(found)


def _held(board: Board, position: Position, what: str) -> set[Piece]:
    """The pieces that a HOLD names, one by one or by their province."""
    names, found = names_of(board), set[Piece]()
    for word in re.split(r",|;|\band\b|\bin\b", what):
        if named := names.piece(word.strip()):
            found |= set(named.options)
        elif place := names.place(word.strip()):
            found |= {piece for stack in position.at(place) for piece in stack.pieces}
    return found


def _within_reach(board: Board, position: Position, player: Player) -> Iterator[Idle]:
    """The player's stacks that share a province with an enemy (8.23) or stand next to one whom they can subvert,
    alone or together (8.31, 8.32)."""
    own = list(position.owned(player))
    plots = subversions(board, position, player, own, position.stacks) if belongs(board, position, m.Subvert) else ()
    near: dict[int, list[str]] = {}
    for order, found in plots:
        for number in found.attackers:
            near.setdefault(number, []).append(order.province)
    for number, stack in enumerate(position.stacks):
        if stack.owner == player:
            here = any(opposed(stack, other) for other in position.at(stack.province))
            targets = dict.fromkeys([*((stack.province,) if here else ()), *sorted(near.get(number, ()))])
            if targets:
                yield Idle(stack, tuple(targets))


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
