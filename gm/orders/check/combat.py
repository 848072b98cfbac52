"""Checking ATTACK, SUBVERT, LOSE and TAKE against the published positions."""

from __future__ import annotations

from msgspec.structs import replace

from gm.orders import kinds as m
from gm.orders.check.context import MAX_PROBLEMS, At, CheckContext
from gm.orders.check.movement import whereabouts
from gm.orders.problems import Family, Severity
from gm.orders.rules.odds import LeftOut, Prospect, odds, opposed


def attack(context: CheckContext, number: int, order: m.Attack) -> None:
    prospect = context.prospects[number]
    if not _target_is_there(context, number, order, prospect):
        return
    for left in prospect.left_out[:MAX_PROBLEMS]:  # of more nothing is told, and each makes a list of the others
        if left.code == "not-opposed":
            _not_opposed(context, number, order, left, prospect)
        elif left.code == "not-friends":
            better = replace(order, attackers=_others(order, left.named))
            about, mine = left.named.one, prospect.stacks[0].pieces[0]
            context.flag(number, left.code, At(piece=about), suggestion=better, piece=about, mine=mine)
        else:
            _left_out(context, number, order, left)
    _lists(context, number, order, prospect)
    _judge_odds(context, number, order, prospect)


def subvert(context: CheckContext, number: int, order: m.Subvert) -> None:
    prospect = context.prospects[number]
    if not _target_is_there(context, number, order, prospect):
        return
    if prospect.refusal == "not-blue":
        context.flag(number, "not-blue", At(piece=order.target.one), piece=order.target.one)
        return
    for left in prospect.left_out[:MAX_PROBLEMS]:
        if left.code == "not-red":
            context.flag(number, left.code, At(piece=left.named.one), piece=left.named.one)
        elif left.code == "not-adjacent":
            _not_adjacent(context, number, order, left)
        else:
            _left_out(context, number, order, left)
    _judge_odds(context, number, order, prospect)


def _target_is_there(context: CheckContext, number: int, order: m.Attack | m.Subvert, prospect: Prospect) -> bool:
    piece = order.target.one
    if prospect.target is None:
        where = next((s for p in order.target.options if (s := context.where(p))), None)
        better = None
        if where is not None and any(_stands(context, n, where.province) for n in order.attackers):
            better = replace(order, province=where.province) if where.province != order.province else None
        code = "target-not-there" if where else "not-on-map"
        data = whereabouts(context, where.pieces[0]) if where else whereabouts(context, piece)
        context.flag(number, code, At(piece=piece), suggestion=better, piece=piece, province=order.province, known=data)
        return False
    here = [p for p in order.target.options if (s := context.where(p)) and s.province == order.province]
    kinds = sorted({p.twin_key for p in here})
    if len(kinds) > 1 and len({context.where(p) for p in here}) > 1:
        named = m.Named(tuple(p for p in here if p.twin_key == kinds[0]))
        context.flag(
            number,
            "ambiguous-name",
            At(piece=piece),
            family=Family.NOT_UNDERSTOOD,
            suggestion=replace(order, target=named),
            piece=piece,
            near=tuple(kinds),
        )
        return False
    return True


def _stands(context: CheckContext, named: m.Named, province: str) -> bool:
    return any((s := context.where(p)) and s.owner == context.player and s.province == province for p in named.options)


def _left_out(context: CheckContext, number: int, order: m.Attack | m.Subvert, left: LeftOut) -> None:
    """A stack that may not attack for the player, whatever the target."""
    piece = left.named.one
    stack = context.position.stacks[left.stack] if left.stack is not None else context.where(piece)
    at = At(piece=piece, nth=1 if piece in order.target.options else 0)
    if left.code == "attacked-already":
        rest = _others(order, left.named)
        better = replace(order, attackers=rest) if rest else None
        other = _before(context, number, context.attacks_in(left.stack))
        context.flag(number, left.code, at, suggestion=better, piece=piece, known=other)
        return
    able = _others(order, left.named) or _there(context, order)
    better = replace(order, attackers=able) if able else None
    known = whereabouts(context, stack.pieces[0] if stack else piece)
    code = left.code if stack is not None else "not-on-map"
    context.flag(number, code, at, suggestion=better, piece=piece, province=order.province, known=known)


def _others(order: m.Attack | m.Subvert, named: m.Named) -> tuple[m.Named, ...]:
    return tuple(n for n in order.attackers if n is not named)


def _there(context: CheckContext, order: m.Attack | m.Subvert) -> tuple[m.Named, ...]:
    """The player's own stacks in the province that could attack there."""
    foes = [s for p in order.target.options if (s := context.where(p)) and s.province == order.province]
    if not isinstance(order, m.Attack) or not foes:
        return ()
    here = [s for s in context.position.at(order.province) if s.owner == context.player and opposed(s, foes[0])]
    return tuple(m.Named((s.pieces[0],)) for s in here)


def _not_opposed(context: CheckContext, number: int, order: m.Attack, left: LeftOut, prospect: Prospect) -> None:
    assert left.stack is not None and prospect.defender is not None
    stack, piece = context.position.stacks[left.stack], left.named.one
    context.flag(
        number,
        left.code,
        At(piece=piece),
        piece=piece,
        mine=stack.color,
        theirs=prospect.defender.color,
    )


def _not_adjacent(context: CheckContext, number: int, order: m.Subvert, left: LeftOut) -> None:
    assert left.stack is not None
    here, piece = context.position.stacks[left.stack].province, left.named.one
    others = _others(order, left.named)
    better: m.Order | None = replace(order, attackers=others) if others else None
    if not others and here == order.province:
        # In the same province there is nothing to subvert, but something to attack (8.31).
        better = m.Attack(target=order.target, province=order.province, attackers=order.attackers)
    context.flag(
        number,
        left.code,
        At(piece=piece),
        suggestion=better,
        piece=piece,
        here=here,
        province=order.province,
        itself=order.province if here == order.province else None,
    )


def _judge_odds(context: CheckContext, number: int, order: m.Attack | m.Subvert, prospect: Prospect) -> None:
    if not prospect.attackers or prospect.target is None:
        return
    piece = order.target.one
    data: dict[str, object] = {"attack": prospect.attack, "defence": prospect.defence}
    if prospect.odds is not None:
        data["odds"] = prospect.odds  # as The Bell prints them, beyond the table too
        context.flag(number, "odds", severity=Severity.NOTE, known=data)
    else:
        better = _reinforced(context, order, prospect) if isinstance(order, m.Attack) else None
        context.flag(number, "below-half", At(piece=piece), suggestion=better, known=data)
    if prospect.refusal == "same-target-twice":
        other = _before(context, number, context.attacked_in(prospect.target))
        context.flag(number, prospect.refusal, At(piece=piece), piece=piece, known=other)


def _before(context: CheckContext, number: int, other: int | None) -> dict[str, object]:
    """The order that comes before this one. If it is written below, as subversion may be (J27), both are told."""
    if other is None or other < number:
        return {"earlier": other}
    if not context.spent(f"comes-first {other}", 1):
        context.flag(other, "comes-first", severity=Severity.WARNING, other=number)
    return {"sooner" if isinstance(context.orders[number - 1], m.Attack) else "stronger": other}


def _reinforced(context: CheckContext, order: m.Attack, prospect: Prospect) -> m.Order | None:
    """The same attack with all that the player has there, if that is enough."""
    target = prospect.defender
    assert target is not None
    more = [
        s
        for s in context.position.at(order.province)
        if s.owner == context.player and opposed(s, target) and s not in prospect.stacks
    ]
    if not odds(prospect.attack + sum(s.strength for s in more), target.strength):
        return None
    return replace(order, attackers=(*order.attackers, *(m.Named((s.pieces[0],)) for s in more)))


def _lists(context: CheckContext, number: int, order: m.Attack, prospect: Prospect) -> None:
    target = prospect.defender
    assert target is not None
    mine = {p for stack in prospect.stacks for p in stack.pieces}
    if context.player == target.owner:
        mine |= set(target.pieces)
    for named in order.lose or ():
        if not mine.intersection(named.options):
            context.flag(number, "not-his-to-lose", severity=Severity.WARNING, piece=named.one)
    for named in order.take or ():
        if target.owner is not None or not set(target.pieces).intersection(named.options):
            context.flag(number, "not-his-to-choose", severity=Severity.WARNING, piece=named.one)


def lose(context: CheckContext, number: int, order: m.Lose) -> None:
    better = tuple(named for named in order.pieces if any(context.is_own(p) for p in named.options))
    suggestion = replace(order, pieces=better) if better else None
    for named in order.pieces:
        if not any(context.is_own(p) for p in named.options):
            context.flag(
                number,
                "not-his-to-lose",
                At(piece=named.one),
                severity=Severity.WARNING,
                suggestion=suggestion,
                piece=named.one,
            )


def take(context: CheckContext, number: int, order: m.Take) -> None:
    for named in order.pieces:
        stacks = [s for p in named.options if (s := context.where(p))]
        if not any(s.owner is None or s.owner in context.position.quitters for s in stacks):
            severity = Severity.WARNING
            context.flag(number, "not-his-to-choose", At(piece=named.one), severity=severity, piece=named.one)
