"""Checking trades and SEIZE against what the players hold."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from gm.board.model import Piece
from gm.orders import kinds as m
from gm.orders.check.context import At, CheckContext
from gm.orders.check.movement import whereabouts
from gm.orders.problems import Severity
from gm.orders.rules.seizure import RULES as SEIZURE
from gm.orders.rules.seizure import not_seized
from gm.position import Phase, Player


def give(context: CheckContext, number: int, order: m.Give) -> None:
    if not _is_partner(context, number, order.to, order):
        return
    wanted = order.for_ or m.Goods()
    if context.phase is not Phase.PREGAME and (order.what.leaders or wanted.leaders):
        leader = (order.what.leaders or wanted.leaders)[0]
        context.flag(number, "leaders-only-before", At(piece=leader), piece=leader)
        return
    if order.what == m.Goods() == wanted:  # J5: of an exchange one side may give nothing
        context.flag(number, "gives-nothing", suggestion=replace(order, what=m.Goods(pm=1), for_=None))
        return
    _leaders_of(context, number, order.what.leaders, context.player, order.to)
    _leaders_of(context, number, wanted.leaders, order.to)
    _can_pay(context, number, order)
    box = context.position.box(order.to)
    if wanted.pm > box.pm or wanted.am > box.am:
        less = replace(wanted, pm=min(wanted.pm, box.pm), am=min(wanted.am, box.am))
        better = replace(order, for_=less) if less != m.Goods() else None
        context.flag(
            number, "other-cannot-pay", At(keyword="_FOR"), suggestion=better, other=order.to, pm=box.pm, am=box.am
        )
    if context.is_refused(number):
        return
    if order.for_ is not None:
        mirror = m.Give(what=order.for_, to=context.player, for_=order.what).printed()
        context.flag(number, "needs-mirror", severity=Severity.NOTE, other=order.to, mirror=mirror)
    elif order.what.leaders:
        mirror = m.Accept(leaders=order.what.leaders, giver=context.player).printed()
        context.flag(number, "needs-accept", severity=Severity.NOTE, other=order.to, mirror=mirror)


def _can_pay(context: CheckContext, number: int, order: m.Give) -> None:
    """Only what was held at the start of the Phase can be given, order by order (J5)."""
    what, least, most = order.what, _purse(context, exchanges=True), _purse(context, exchanges=False)
    if not what.leaders:
        _pay(context, order)
    if _covers(least, what):
        return
    at = At(keyword="NUMBER")
    if _covers(most, what):
        context.flag(number, "perhaps-cannot-pay", at, severity=Severity.WARNING, pm=least.pm, am=least.am)
        return
    less = replace(what, pm=min(what.pm, most.pm), am=min(what.am, most.am))
    better = replace(order, what=less) if less != m.Goods() else None
    box = context.position.box(context.player)
    given = m.Goods(box.pm - most.pm, box.am - most.am)
    known = {"given": given.printed()} if given != m.Goods() else {}
    context.flag(number, "cannot-pay", at, suggestion=better, pm=most.pm, am=most.am, known=known)


def _purse(context: CheckContext, exchanges: bool) -> m.Goods:
    """What is left to give, if the exchanges ordered before come about or if they do not."""
    box = context.position.box(context.player)
    kind = "at most" if exchanges else "at least"
    return m.Goods(box.pm - context.spent(f"{kind} PM"), box.am - context.spent(f"{kind} AM"))


def _pay(context: CheckContext, order: m.Give) -> None:
    for kind, sure in (("at most", True), ("at least", order.for_ is None)):
        if sure and _covers(_purse(context, kind == "at most"), order.what):
            context.spent(f"{kind} PM", order.what.pm)
            context.spent(f"{kind} AM", order.what.am)


def _covers(purse: m.Goods, goods: m.Goods) -> bool:
    return goods.pm <= purse.pm and goods.am <= purse.am


def _is_partner(context: CheckContext, number: int, partner: Player, order: m.Give | m.Accept | m.RefuseGifts) -> bool:
    if partner in context.others():
        return True
    other = next(iter(context.others()), None)
    better: m.Order | None = None
    if other is not None:
        better = replace(order, to=other) if isinstance(order, m.Give) else replace(order, giver=other)
    known = {"yourself": partner} if partner == context.player else {}
    context.flag(number, "not-a-partner", At(player=partner), suggestion=better, other=partner, known=known)
    return False


def _leaders_of(
    context: CheckContext, number: int, leaders: Iterable[Piece], owner: Player, to: Player | None = None
) -> None:
    for leader in leaders:
        stack = context.where(leader)
        if stack is None or stack.owner != owner:
            known = whereabouts(context, leader) | ({"other": owner} if owner != context.player else {})
            known |= {"already": to} if stack is not None and to is not None and stack.owner == to else {}
            context.flag(number, "leader-not-his", At(piece=leader), piece=leader, known=known)


def accept(context: CheckContext, number: int, order: m.Accept) -> None:
    if _is_partner(context, number, order.giver, order):
        _leaders_of(context, number, order.leaders, order.giver)
        if not context.is_refused(number):
            mirror = m.Give(what=m.Goods(leaders=order.leaders), to=context.player).printed()
            context.flag(number, "needs-mirror", severity=Severity.NOTE, other=order.giver, mirror=mirror)


def refuse_gifts(context: CheckContext, number: int, order: m.RefuseGifts) -> None:
    if order.giver is not None:
        _is_partner(context, number, order.giver, order)


def seize(context: CheckContext, number: int, order: m.Seize) -> None:
    stack, leader = context.where(order.leader), order.leader
    if stack is None or stack.owner != context.player:
        code = "not-on-map" if stack is None else "not-his"
        context.flag(number, code, At(piece=leader), piece=leader, known=whereabouts(context, leader), more=SEIZURE)
        return
    if context.board.gold not in stack.pieces:
        context.flag(number, "no-gold", At(piece=leader), piece=leader, more=SEIZURE)
        return
    force = [*stack.pieces, *(u for u, other in context.seized.items() if other in stack.pieces)]
    for named in order.units:
        wanted = named.count
        code = "not-there"
        for unit in named.options:
            if not wanted or unit in context.seized:
                continue
            refusal = not_seized(context.board, context.player, stack.province, force, unit, context.where(unit))
            if refusal is None:
                context.seized[unit] = leader
                force.append(unit)
                wanted -= 1
            elif refusal != "not-there":
                code = refusal
        if wanted:
            known = whereabouts(context, named.one)
            at, piece = At(piece=named.one), named.one
            context.flag(number, code, at, piece=piece, province=stack.province, known=known, more=SEIZURE)
