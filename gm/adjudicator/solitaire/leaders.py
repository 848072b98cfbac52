"""Red Leader Determination and deployment (24, S7)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.adjudicator.engine.casualties import is_revolution
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle, without
from gm.adjudicator.outcome import Restacked
from gm.adjudicator.reasons import because
from gm.adjudicator.solitaire.czar import execute_czar
from gm.adjudicator.solitaire.event_types import Deployed, LeadersDetermined
from gm.adjudicator.solitaire.orders import refuse
from gm.adjudicator.solitaire.state import remember, state_of
from gm.board.model import Color, Piece
from gm.orders.kinds import Deploy
from gm.orders.rules.stacking import fault
from gm.position import RED_PLAYER, Stack

MAX_RED_LEADERS = 6  # 24.12, with Lenin and Trotsky


def determine_leaders(play: PhaseInPlay) -> None:
    """B7: all but Lenin and Trotsky leave; the die says how many may come back."""
    table, state = play.table, state_of(play)
    staying = [p for p in table.where if p.is_leader and p.color is Color.RED and is_revolution(p)]
    leaving = sorted(
        (p for p in table.where if p.is_leader and p.color is Color.RED and p not in staying), key=lambda p: p.code
    )
    broken = list(dict.fromkeys(table.where[p] for p in leaving))
    after = [rest for stack in broken for rest in without(table, stack, leaving)]
    reserve = (*state.reserve, *leaving)
    die, number, rules = None, 0, ("24.14", "24.16", "24.17", "S7")
    if not state.undetermined:
        die = play.luck.die("leaders")
        number, rules = min(die, MAX_RED_LEADERS - len(staying), len(reserve)), ("24.0", "24.12", "24.13", "S7")
        play.luck.cell(f"24.12 {number}")
    remembered = remember(play, reserve=reserve, deployable=number, undetermined=max(0, state.undetermined - 1))
    changes = (Restacked(tuple(broken), tuple(after)), remembered)
    table.emit(LeadersDetermined(rules=rules, die=die, number=number, left=tuple(leaving), changes=changes))
    settle(table)


def deploy(play: PhaseInPlay, number: int, order: Deploy) -> None:
    """Carry out one DEPLOY."""
    state = state_of(play)
    unit = _unit(play, order)
    if order.leader not in state.reserve:
        refuse(play, number, "not-in-reserve", piece=order.leader)
    elif not state.deployable:
        refuse(play, number, "no-more-leaders")
    elif order.unit is not None and unit is None:
        refuse(play, number, "not-on-red", piece=order.unit.one)
    else:
        stack = play.table.where[unit] if unit else None
        province = stack.province if stack else order.province
        assert province is not None
        before, after = _placed(play, order.leader, province, stack, unit)
        remembered = remember(
            play, reserve=tuple(p for p in state.reserve if p is not order.leader), deployable=state.deployable - 1
        )
        play.table.emit(
            Deployed(
                rules=("24.11", "24.13", "S7"),
                player=RED_PLAYER,
                number=number,
                leader=order.leader,
                province=province,
                on=unit,
                changes=(Restacked(tuple(before), tuple(after)), remembered),
            )
        )
        play.done(RED_PLAYER, number, because("deployed", piece=order.leader, province=province))
        execute_czar(play)


def _unit(play: PhaseInPlay, order: Deploy) -> Piece | None:
    """The Red combat unit on which the Leader is to stand; None if what is named is none, or not on the map."""
    if order.unit is None:
        return None
    return next(
        (p for p in order.unit.options if p.is_unit and p.color is Color.RED and p in play.table.where),
        None,
    )


def _placed(
    play: PhaseInPlay, leader: Piece, province: str, stack: Stack | None, unit: Piece | None
) -> tuple[Sequence[Stack], Sequence[Stack]]:
    """The stacks before and after. Where the whole stack would break 7.1 or J2, he takes the unit out of it (S15)."""
    if stack is None or unit is None:
        return (), (Stack(province, RED_PLAYER, (leader,)),)
    if fault(play.board, [leader, *stack.pieces]) is None:
        return (stack,), (Stack(province, RED_PLAYER, (leader, *stack.pieces)),)
    return (stack,), (Stack(province, RED_PLAYER, (leader, unit)), *without(play.table, stack, [unit]))
