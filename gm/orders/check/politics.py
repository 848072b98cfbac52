"""Checking trades, SEIZE, ASSASSINATE, PURGE, COUNTERPURGE and the Czar's execution against what the boxes hold."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from gm.board.model import Color, Piece
from gm.orders import kinds as m
from gm.orders.check.context import At, CheckContext
from gm.orders.check.movement import whereabouts
from gm.orders.problems import Severity
from gm.orders.rules.quorums import EXECUTION_QUORUM, PURGE_QUORUM, recruited
from gm.orders.rules.seizure import RULES as SEIZURE
from gm.orders.rules.seizure import not_seized
from gm.position import Phase, Player

# Notes that nothing comes of an order unless others order it too.
NEEDS_OTHERS = frozenset({"needs-mirror", "needs-accept", "needs-partners"})

# Trades


def give(context: CheckContext, number: int, order: m.Give) -> None:
    if not _is_partner(context, number, order.to, order):
        return
    wanted = order.for_ or m.Goods()
    if context.phase is not Phase.PREGAME and (order.what.leaders or wanted.leaders):
        leader = (order.what.leaders or wanted.leaders)[0]
        context.flag(number, "leaders-only-before", At(piece=leader), piece=leader)
        return
    if order.what == m.Goods():
        context.flag(number, "gives-nothing", suggestion=replace(order, what=m.Goods(pm=1), for_=order.for_))
        return
    _leaders_of(context, number, order.what.leaders, context.player)
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
    context.flag(number, "cannot-pay", at, suggestion=better, pm=most.pm, am=most.am)


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
    context.flag(number, "not-a-partner", At(player=partner), suggestion=better, other=partner)
    return False


def _leaders_of(context: CheckContext, number: int, leaders: Iterable[Piece], owner: Player) -> None:
    for leader in leaders:
        stack = context.where(leader)
        if stack is None or stack.owner != owner:
            known = whereabouts(context, leader) | ({"other": owner} if owner != context.player else {})
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


# Assassination


def assassinate(context: CheckContext, number: int, order: m.Assassinate) -> None:
    for target in order.targets:
        stack = context.where(target)
        if stack is None:
            rest = tuple(t for t in order.targets if t is not target)
            better = replace(order, targets=rest) if rest else None
            known = whereabouts(context, target)
            context.flag(number, "no-target", At(piece=target), suggestion=better, piece=target, known=known)
        elif stack.owner == context.player:
            context.flag(number, "own-leader", At(piece=target), severity=Severity.NOTE, piece=target)
    if not any(context.where(target) for target in order.targets):
        return
    if not any(s.leaders for s in context.position.owned(context.player)):
        context.flag(number, "no-leader-left")
    held = context.position.box(context.player).am
    left = max(0, held - context.spent("assassins", order.markers or 0))
    at = At(keyword="ALL" if order.markers is None else "NUMBER")
    if order.markers == 0:
        context.flag(number, "no-markers", at, suggestion=replace(order, markers=None), held=held)
    elif not left:
        # Markers that come in by this Phase's trades may be used (J5), so it may still succeed.
        context.flag(number, "no-markers", at, severity=Severity.WARNING, held=held)
    elif order.markers is not None and order.markers > held - _assassins_given(context) and order.markers <= left:
        given = _assassins_given(context)
        facts = {"held": held, "given": given, "left": held - given, "kind": "AM"}
        context.flag(number, "given-away", at, severity=Severity.WARNING, known=facts)
    elif order.markers is not None and order.markers > left:
        better = replace(order, markers=left)
        context.flag(
            number, "too-many-assassins", at, severity=Severity.WARNING, suggestion=better, held=held, left=left
        )


def _assassins_given(context: CheckContext) -> int:
    held = context.position.box(context.player).am
    return min(held, sum(o.what.am for o in context.orders if isinstance(o, m.Give)))


# Purges


def purge(context: CheckContext, number: int, order: m.Purge) -> None:
    if context.phase is Phase.SECOND and context.position.purge_done:
        context.flag(number, "one-purge-a-turn")
        return
    if order.conditional:
        context.flag(number, "conditional", At(keyword="CONDITION"), suggestion=replace(order, conditional=False))
    if order.object not in context.others():
        other = next((p for p in context.others() if p not in order.partners), None)
        better = replace(order, object=other) if other else None
        enough = _quorum(context, better) if better else None
        context.flag(number, "no-such-object", At(player=order.object), suggestion=enough or better, other=order.object)
        return
    _committee(context, number, order)
    earlier = context.before("purge", number)
    if earlier is not None:
        sound = not any(p.order == earlier and p.severity is Severity.PROBLEM for p in context.problems[:99])
        first = context.orders[earlier - 1] if sound else None
        context.flag(number, "double-purge", At(keyword="_PURGE"), suggestion=first, earlier=earlier)
    _prizes(context, number, order, order.object)
    _needs_partners(context, number, order)


def _needs_partners(context: CheckContext, number: int, order: m.Purge | m.Execute) -> None:
    if order.partners and not context.is_refused(number):
        context.flag(number, "needs-partners", severity=Severity.NOTE, others=order.partners)


def _committee(context: CheckContext, number: int, order: m.Purge) -> None:
    members = {context.player, *order.partners}
    if order.object in order.partners:
        rest = tuple(p for p in order.partners if p != order.object)
        context.flag(
            number,
            "committee-member",
            At(player=order.object, nth=1),
            suggestion=replace(order, partners=rest, division=order.division if rest else ()),
            other=order.object,
        )
        return
    _partners(context, number, order.partners)
    if order.partners and not order.division and not order.separately:
        shares = tuple((p, 1) for p in sorted(members))
        context.flag(number, "no-division", suggestion=replace(order, division=shares))
    for player, _ in order.division:
        if player not in members:
            shares = tuple(d for d in order.division if d[0] in members)
            better = replace(order, division=shares) if shares else None
            context.flag(number, "division-stranger", At(player=player, nth=9), suggestion=better, other=player)
    _markers(context, number, order)


def _partners(context: CheckContext, number: int, partners: Iterable[Player]) -> None:
    for partner in partners:
        if partner not in context.position.active:
            context.flag(number, "not-a-partner", At(player=partner), other=partner)


def _given_away(context: CheckContext, number: int, order: m.Purge | m.Execute, held: int) -> None:
    """The same markers given away by another order of the sheet: trades come before (17/4.2)."""
    given = min(held, sum(o.what.pm for o in context.orders if isinstance(o, m.Give)))
    left = held - given
    if left < order.using <= held:
        better = replace(order, using=left) if left else None
        facts = {"held": held, "given": given, "left": left, "kind": "PM"}
        context.flag(
            number, "given-away", At(keyword="NUMBER"), severity=Severity.WARNING, suggestion=better, known=facts
        )


def _markers(context: CheckContext, number: int, order: m.Purge) -> None:
    held = context.position.box(context.player).pm
    _given_away(context, number, order, held)
    if order.using > held:
        at = At(keyword="NUMBER")
        better = replace(order, using=held) if held else None
        context.flag(
            number, "more-than-held", at, severity=Severity.WARNING, suggestion=better, held=held, using=order.using
        )
    if not order.partners:
        if order.using < PURGE_QUORUM:
            context.flag(
                number,
                "too-few-markers",
                At(keyword="NUMBER"),
                suggestion=_quorum(context, order),
                using=order.using,
                held=held,
            )
        return
    together = order.using + sum(context.position.box(p).pm for p in order.partners)
    if together < PURGE_QUORUM:
        context.flag(
            number, "too-few-together", severity=Severity.WARNING, suggestion=_quorum(context, order), together=together
        )


def _quorum(context: CheckContext, order: m.Purge) -> m.Order | None:
    """The same Purge with enough markers: alone if the player has them, else with whoever has most."""
    held = context.position.box(context.player).pm
    if held >= PURGE_QUORUM and not order.partners:
        return replace(order, using=PURGE_QUORUM)
    others = [p for p in context.others() if p != order.object and p not in order.partners]
    members = recruited(PURGE_QUORUM, _held(context), (context.player, *order.partners), others)
    if members is None:
        return None
    shares = tuple((p, 1) for p in sorted(set(members)))
    return replace(order, partners=members[1:], using=held, division=shares, separately=False)


def _held(context: CheckContext) -> dict[Player, int]:
    return {p: context.position.box(p).pm for p in context.position.active}


def _prizes(context: CheckContext, number: int, order: m.Purge | m.Counterpurge, victim: Player | None) -> None:
    for leader in order.taking:
        if leader is None:
            continue
        stack = context.where(leader)
        if leader.color is not Color.RED or stack is None:
            known = whereabouts(context, leader)
            better = replace(order, taking=tuple(p for p in order.taking if p is not leader))
            context.flag(number, "not-purgeable", At(piece=leader), suggestion=better, piece=leader, known=known)
        elif victim is not None and stack.owner != victim:
            context.flag(
                number,
                "not-the-objects",
                At(piece=leader),
                severity=Severity.WARNING,
                piece=leader,
                other=victim,
                owner=stack.owner or "nobody",
            )


def counterpurge(context: CheckContext, number: int, order: m.Counterpurge) -> None:
    struck = None if isinstance(order.against, m.Against) else order.against
    for player in (struck, order.if_by):
        if player is not None and player not in context.others():
            other = next(iter(context.others()), None)
            better = replace(order, against=other, if_by=None) if other and struck == player else None
            context.flag(number, "no-such-object", At(player=player), suggestion=better, other=player)
            return
    _prizes(context, number, order, struck)


# The Czar


def execute(context: CheckContext, number: int, order: m.Execute) -> None:
    stack = context.where(context.board.czar)
    if stack is None:
        czar = context.board.czar
        context.flag(number, "not-on-map", At(keyword="_CZAR"), piece=czar, known=whereabouts(context, czar))
        return
    if stack.color is not Color.RED or not stack.leaders:
        # In the First Phase a Red Leader may still pick him up before the Purge step.
        severity = Severity.WARNING if context.phase is Phase.FIRST else Severity.PROBLEM
        context.flag(number, "czar-not-red", At(keyword="_CZAR"), severity=severity, stands=stack.province)
    _partners(context, number, order.partners)
    held = context.position.box(context.player).pm
    _given_away(context, number, order, held)
    if order.using > held:
        better = replace(order, using=held) if held else None
        context.flag(
            number,
            "more-than-held",
            At(keyword="NUMBER"),
            severity=Severity.WARNING,
            suggestion=better,
            held=held,
            using=order.using,
        )
    together = order.using + sum(context.position.box(p).pm for p in order.partners)
    if together < EXECUTION_QUORUM:
        severity = Severity.WARNING if order.partners else Severity.PROBLEM
        enough = _execution_quorum(context, order)
        context.flag(number, "too-few-for-execution", severity=severity, suggestion=enough, together=together)
    _needs_partners(context, number, order)


def _execution_quorum(context: CheckContext, order: m.Execute) -> m.Order | None:
    markers = _held(context)
    others = [p for p in context.others() if p not in order.partners]
    members = recruited(EXECUTION_QUORUM, markers, (context.player, *order.partners), others)
    return None if members is None else replace(order, partners=members[1:], using=markers.get(context.player, 0))


def answer(context: CheckContext, number: int, order: m.Comply | m.RefuseExecution) -> None:
    context.contradicts(number, "execution", isinstance(order, m.Comply))
    stack = context.where(context.board.czar)
    if stack is None or stack.owner != context.player or stack.color is not Color.RED:
        context.flag(number, "not-the-czars-holder", severity=Severity.NOTE)
