"""ATTACK, SUBVERT, LOSE and TAKE against the published positions."""

from __future__ import annotations

from dataclasses import replace

from gm.board.model import OPPOSED, Color, may_join
from gm.orders import model as m
from gm.orders.check_movement import whereabouts
from gm.orders.desk import At, Desk
from gm.orders.meant import meant
from gm.orders.problems import Family, Severity
from gm.position import Stack


def odds(attack: int, defence: int) -> str | None:
    """The odds rounded in the defender's favour, at most 6-1; None below 1-2 (8.47, 8.48, J26)."""
    if attack >= defence:
        return f"{min(attack // max(defence, 1), 6)}-1"
    return "1-2" if 2 * attack >= defence else None


def opposed(stack: Stack, other: Stack) -> bool:
    """Whether one stack may attack the other (8.1)."""
    return stack.color is not None and other.color in OPPOSED[stack.color]


def attack(desk: Desk, number: int, order: m.Attack) -> None:
    target = _target(desk, number, order)
    if target is None:
        return
    able = _attackers(desk, number, order, target)
    _lists(desk, number, order, able, target)
    if able and _judge_odds(desk, number, order, able, target, sum(s.strength for s in able)):
        _once(desk, number, order, able, target)


def subvert(desk: Desk, number: int, order: m.Subvert) -> None:
    target = _target(desk, number, order)
    if target is None:
        return
    if target.color is not Color.BLUE:
        desk.flag(number, "not-blue", At(piece=order.target.one), piece=order.target.one)
        return
    able = []
    for named, stack in _own_stacks(desk, number, order, None):
        if stack.color is not Color.RED:
            desk.flag(number, "not-red", At(piece=named.one), piece=named.one)
        elif not desk.board.passable(stack.province, order.province, Color.RED):
            others = _others(order, named)
            better = replace(order, attackers=others) if others else _attack_instead(desk, order, stack)
            desk.flag(
                number,
                "not-adjacent",
                At(piece=named.one),
                suggestion=better,
                piece=named.one,
                here=stack.province,
                province=order.province,
                itself=order.province if stack.province == order.province else None,
            )
        elif stack not in able:
            able.append(stack)
    if able:
        strength = sum(s.strength for s in able) * (2 if desk.position.subversion_doubled else 1)  # 12.12
        if _judge_odds(desk, number, order, able, target, strength):
            _once(desk, number, order, able, target)


def _attack_instead(desk: Desk, order: m.Subvert, stack: Stack) -> m.Order | None:
    """In the same province there is nothing to subvert, but something to attack (8.31)."""
    if stack.province != order.province:
        return None
    return m.Attack(target=order.target, province=order.province, attackers=order.attackers)


def _target(desk: Desk, number: int, order: m.Attack | m.Subvert) -> Stack | None:
    options = list(order.target.options)
    here = [p for p in options if (s := desk.where(p)) and s.province == order.province]
    piece = order.target.one
    if not here:
        where = next((s for p in options if (s := desk.where(p))), None)
        better = None
        if where is not None and any(_stands(desk, n, where.province) for n in order.attackers):
            better = replace(order, province=where.province)
        code = "target-not-there" if where else "not-on-map"
        data = whereabouts(desk, where.pieces[0]) if where else whereabouts(desk, piece)
        desk.flag(number, code, At(piece=piece), suggestion=better, piece=piece, province=order.province, known=data)
        return None
    kinds = sorted({p.twin_key for p in here})
    stacks = list(dict.fromkeys(s for p in here if (s := desk.where(p))))
    if len(kinds) > 1 and len(stacks) > 1:
        named = m.Named(tuple(p for p in here if p.twin_key == kinds[0]))
        desk.flag(
            number,
            "ambiguous-name",
            At(piece=piece),
            family=Family.NOT_UNDERSTOOD,
            suggestion=replace(order, target=named),
            piece=piece,
            near=tuple(kinds),
        )
        return None
    return stacks[0]


def _stands(desk: Desk, named: m.Named, province: str) -> bool:
    return any((s := desk.where(p)) and s.owner == desk.player and s.province == province for p in named.options)


def _own_stacks(
    desk: Desk, number: int, order: m.Attack | m.Subvert, province: str | None
) -> list[tuple[m.Named, Stack]]:
    """The stacks that the order sends, and a flag for each name that is none of his."""

    def remoteness(stack: Stack) -> tuple[bool, bool]:
        return province is not None and stack.province != province, stack.owner != desk.player

    found = []
    for named, stack in meant(order.attackers, desk.position.where, remoteness):
        code = _unable(desk, stack, province)
        if code is None and stack is not None:
            found.append((named, stack))
            continue
        assert code is not None
        piece = named.one
        able = _others(order, named) or _there(desk, order)
        better = replace(order, attackers=able) if able else None
        known = whereabouts(desk, stack.pieces[0] if stack else piece)
        at = At(piece=piece, nth=1 if piece in order.target.options else 0)
        desk.flag(number, code, at, suggestion=better, piece=piece, province=order.province, known=known)
    return found


def _others(order: m.Attack | m.Subvert, named: m.Named) -> tuple[m.Named, ...]:
    return tuple(n for n in order.attackers if n is not named)


def _unable(desk: Desk, stack: Stack | None, province: str | None) -> str | None:
    """Why a stack may not attack for the player, whatever the target; None if it may."""
    if stack is None:
        return "not-on-map"
    if stack.owner != desk.player:
        unaligned = stack.owner is None and stack.color in (Color.RED, Color.WHITE)
        return "leaderless" if unaligned else "not-his-stack"
    return "not-in-province" if province is not None and stack.province != province else None


def _there(desk: Desk, order: m.Attack | m.Subvert) -> tuple[m.Named, ...]:
    """His own stacks in the province that could attack there."""
    foes = [s for p in order.target.options if (s := desk.where(p)) and s.province == order.province]
    if not isinstance(order, m.Attack) or not foes:
        return ()
    here = [s for s in desk.position.at(order.province) if s.owner == desk.player and opposed(s, foes[0])]
    return tuple(m.Named((s.pieces[0],)) for s in here)


def _attackers(desk: Desk, number: int, order: m.Attack, target: Stack) -> list[Stack]:
    able: list[Stack] = []
    for named, stack in _own_stacks(desk, number, order, order.province):
        if stack == target or not opposed(stack, target):
            foes = [s for s in desk.position.at(order.province) if opposed(stack, s)]
            better = replace(order, target=m.Named((foes[0].pieces[0],))) if foes else None
            desk.flag(
                number,
                "not-opposed",
                At(piece=named.one),
                suggestion=better,
                piece=named.one,
                mine=stack.color,
                theirs=target.color,
            )
        elif able and not may_join(able[0].color, stack.color):
            better = replace(order, attackers=_others(order, named))
            about, mine = named.one, able[0].pieces[0]
            desk.flag(number, "not-friends", At(piece=about), suggestion=better, piece=about, mine=mine)
        elif stack not in able:
            able.append(stack)
    return able


def _judge_odds(
    desk: Desk, number: int, order: m.Attack | m.Subvert, able: list[Stack], target: Stack, strength: int
) -> bool:
    label = odds(strength, target.strength)
    data: dict[str, object] = {"attack": strength, "defence": target.strength, "odds": label}
    if label is not None:
        desk.flag(number, "odds", severity=Severity.NOTE, known=data)
        return True
    better = None
    if isinstance(order, m.Attack):
        more = [
            s
            for s in desk.position.at(order.province)
            if s.owner == desk.player and opposed(s, target) and s not in able
        ]
        if odds(strength + sum(s.strength for s in more), target.strength):
            better = replace(order, attackers=(*order.attackers, *(m.Named((s.pieces[0],)) for s in more)))
    desk.flag(number, "below-half", At(piece=order.target.one), suggestion=better, known=data)
    return False


def _once(desk: Desk, number: int, order: m.Attack | m.Subvert, able: list[Stack], target: Stack) -> None:
    """No stack attacks twice, and no player attacks the same stack twice (8.25, J29)."""
    piece = order.target.one
    earlier = desk.before(("attacked", target), number)
    if earlier is not None:
        desk.flag(number, "same-target-twice", At(piece=piece), piece=piece, earlier=earlier)
    for stack in able:
        earlier = desk.before(("attacks", stack), number)
        if earlier is None:
            continue
        piece = next(n.one for n in order.attackers if any(p in stack.pieces for p in n.options))
        rest = tuple(n for n in order.attackers if not any(p in stack.pieces for p in n.options))
        better = replace(order, attackers=rest) if rest else None
        desk.flag(number, "attacked-already", At(piece=piece), suggestion=better, piece=piece, earlier=earlier)


def _lists(desk: Desk, number: int, order: m.Attack, able: list[Stack], target: Stack) -> None:
    mine = {p for stack in able for p in stack.pieces}
    if desk.player == target.owner:
        mine |= set(target.pieces)
    for named in order.lose or ():
        if not mine.intersection(named.options):
            desk.flag(number, "not-his-to-lose", severity=Severity.WARNING, piece=named.one)
    for named in order.take or ():
        if target.owner is not None or not set(target.pieces).intersection(named.options):
            desk.flag(number, "not-his-to-choose", severity=Severity.WARNING, piece=named.one)


def lose(desk: Desk, number: int, order: m.Lose) -> None:
    for named in order.pieces:
        if not any(desk.is_own(p) for p in named.options):
            better = tuple(n for n in order.pieces if any(desk.is_own(p) for p in n.options))
            suggestion = replace(order, pieces=better) if better else None
            desk.flag(
                number,
                "not-his-to-lose",
                At(piece=named.one),
                severity=Severity.WARNING,
                suggestion=suggestion,
                piece=named.one,
            )


def take(desk: Desk, number: int, order: m.Take) -> None:
    for named in order.pieces:
        stacks = [s for p in named.options if (s := desk.where(p))]
        if not any(s.owner is None or s.owner in desk.position.quitters for s in stacks):
            severity = Severity.WARNING
            desk.flag(number, "not-his-to-choose", At(piece=named.one), severity=severity, piece=named.one)
