"""Execution of the Czar (13.5, 17/13.5, J22): ordered like a Purge, answered by whoever holds him."""

from __future__ import annotations

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle, without
from gm.adjudicator.outcome import Boxed, Change, ExecutionAnswered, ExecutionOrdered, Flagged, Restacked
from gm.adjudicator.reasons import because
from gm.adjudicator.steps.committee import agreeing, cut_to_holdings
from gm.board.model import Color
from gm.orders.kinds import Comply, Execute, RefuseExecution
from gm.orders.rules.quorums import EXECUTION_QUORUM
from gm.orders.rules.shorter import does_without
from gm.position import Held, How, Player, Stack


def _cell(play: PhaseInPlay) -> Stack | None:
    """The stack in which a Red Leader of a player has the Czar (13.53)."""
    stack = play.table.where.get(play.board.czar)
    if stack is None or stack.color is not Color.RED or not stack.leaders or play.table.controller(stack) is None:
        return None
    return stack


def _answer(play: PhaseInPlay, holder: Player) -> str:
    """The last word on file."""
    answer = "pending"
    for order in play.sheets[holder].orders:
        if isinstance(order, Comply):
            answer = "complied"
        elif isinstance(order, RefuseExecution):
            answer = "refused"
    return answer


def _shot(play: PhaseInPlay, stack: Stack) -> tuple[Change, ...]:
    rest = without(play.table, stack, [play.board.czar])
    return (Restacked((stack,), tuple(rest)), Boxed(stack.owner, Held(play.board.czar, How.EXECUTED)))


def answer_pending(play: PhaseInPlay) -> None:
    """Before the trades: an order of the Phase before is complied with now, or lapses."""
    if not play.before.execution_pending:
        return
    stack = _cell(play)
    changes: tuple[Change, ...] = (Flagged("execution_pending", False),)
    holder = stack.owner if stack else None
    answer = "lapsed"
    if stack and holder:
        given = _answer(play, holder)
        if given == "complied":
            changes += _shot(play, stack)
        answer = "lapsed" if given == "pending" else given
    play.table.emit(ExecutionAnswered(rules=("17/13.5", "J22"), holder=holder, answer=answer, changes=changes))
    settle(play.table)


def execute(play: PhaseInPlay) -> None:
    for kind in (Comply, RefuseExecution):
        for player, number, _ in play.orders(kind):
            play.done(player, number)
    filed = play.orders(Execute)
    if does_without(play.board, play.before, Execute):
        for player, number, _ in filed:
            play.fail(player, number, "not-in-masses")
        return
    assigned = cut_to_holdings(play, [(p, n, o.using) for p, n, o in filed])
    served = False
    for player, number, order in filed:
        if not play.is_open(player, number):
            continue
        group = agreeing(player, number, order, filed)
        if group is None:
            play.fail(player, number, "not-compatible", "17/13.5", "13.52", "J22")
            continue
        markers = sum(assigned[p, n] for p, n, _ in group)
        members = tuple(p for p, _, _ in group)
        for p, n, _ in group:
            if markers < EXECUTION_QUORUM:
                play.fail(p, n, "too-few-for-execution", markers=markers)
            elif served or _cell(play) is None:
                play.fail(p, n, "czar-not-red")
        if play.is_open(player, number):
            served = True
            answer = _carry_out(play, members, markers)
            for p, n, _ in group:
                if answer == "refused":
                    play.fail(p, n, "execution-refused")
                else:
                    play.done(p, n, because("executed" if answer == "complied" else "execution-pending"))
    settle(play.table)


def _carry_out(play: PhaseInPlay, members: tuple[Player, ...], markers: int) -> str:
    stack = _cell(play)
    assert stack is not None and stack.owner is not None
    answer = _answer(play, stack.owner)
    changes: tuple[Change, ...] = ()
    if answer == "complied":
        changes = _shot(play, stack)
    elif answer == "pending":
        changes = (Flagged("execution_pending", True),)
    play.table.emit(
        ExecutionOrdered(
            rules=("13.52", "13.53", "13.54", "17/13.5", "J22"),
            participants=members,
            markers=markers,
            holder=stack.owner,
            answer=answer,
            changes=changes,
        )
    )
    return answer
