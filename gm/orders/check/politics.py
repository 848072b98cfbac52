"""Checking ASSASSINATE, PURGE, COUNTERPURGE and the Czar's execution against what the boxes hold."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from gm.board.model import Color
from gm.orders import kinds as m
from gm.orders.check.context import At, CheckContext
from gm.orders.check.movement import whereabouts
from gm.orders.problems import Severity
from gm.orders.rules.quorums import EXECUTION_QUORUM, PURGE_QUORUM, recruited
from gm.position import Phase, Player

# Notes that nothing comes of an order unless others order it too.
NEEDS_OTHERS = frozenset({"needs-mirror", "needs-accept", "needs-partners"})

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
        context.flag(number, "no-markers", at, suggestion=replace(order, markers=None), none=order.markers)
    elif not left:
        # Markers that come in by this Phase's trades may be used (J5), so it may still succeed.
        context.flag(number, "no-markers", at, severity=Severity.WARNING, held=held)
    elif order.markers is not None and held - context.given.am < order.markers <= left:
        given = context.given.am
        facts = {"held": held, "given": given, "left": held - given, "kind": "AM"}
        context.flag(number, "given-away", at, severity=Severity.WARNING, known=facts)
    elif order.markers is not None and order.markers > left:
        better = replace(order, markers=left)
        known = {"only": left} if left == 1 else {"left": left}
        context.flag(number, "too-many-assassins", at, severity=Severity.WARNING, suggestion=better, known=known)


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


def _given_away(context: CheckContext, number: int, order: m.Purge | m.Execute, held: int, quorum: int) -> None:
    """The same markers given away by another order of the sheet: trades come before (17/4.2)."""
    given = context.given.pm
    left = held - given
    if left < order.using <= held:
        together = left + sum(context.position.box(p).pm for p in order.partners)
        better = replace(order, using=left) if left and together >= quorum else None
        facts: dict[str, object] = {"held": held, "given": given, "left": left, "kind": "PM"}
        facts |= {} if together >= quorum else {"quorum": quorum, "gifts": context.given.orders}
        context.flag(
            number, "given-away", At(keyword="NUMBER"), severity=Severity.WARNING, suggestion=better, known=facts
        )


def _markers(context: CheckContext, number: int, order: m.Purge) -> None:
    held = context.position.box(context.player).pm
    _given_away(context, number, order, held, PURGE_QUORUM)
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
    _another_first(context, number, order)
    _prizes(context, number, order, struck)


def _another_first(context: CheckContext, number: int, order: m.Counterpurge) -> None:
    """J21: of several the first that decides counts. One that is never reached is told, or says the opposite."""
    for (needs, _), earlier in context.counterpurges.items():
        if earlier < number and needs <= order.needs:
            context.flag(number, "first-counts", severity=Severity.WARNING, always=earlier)
            return
    for (_, silent), earlier in context.counterpurges.items():
        if earlier < number and silent != (order.against is m.Against.NEVER):
            context.flag(number, "first-counts", severity=Severity.WARNING, earlier=earlier)
            return


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
    _given_away(context, number, order, held, EXECUTION_QUORUM)
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
