"""Checking MOVE, ATTACH, STACK, EMIGRATE and EXIT against the published positions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.board.model import Piece
from gm.orders import kinds as m
from gm.orders.check.context import At, CheckContext
from gm.orders.problems import Family, Severity
from gm.orders.rules.force import Force, Trouble
from gm.orders.rules.reasons import rules_of_piece
from gm.orders.rules.stacking import fault
from gm.orders.rules.steps import find_route

_STEPS = frozenset({"no-border", "closed", "white-only", "no-points", "no-points-blue", "no-points-green"})
_STEPS |= {"no-rail-step", "no-rail-blue", "no-rail-green", "stopped", "no-route", "nothing-left-to-lead"}
_STEPS |= {"region-blue", "region-green", "region-finnish", "region-polish"}
SUGGESTIONS = 100  # a sheet: each is searched for, and nobody reads more
_WARNINGS = frozenset({"stopped", "nothing-left-to-lead"})


def move(context: CheckContext, number: int, order: m.Move) -> None:
    march = context.forecast.marches[number]
    if march.path and order.to == march.path[0] and not march.acted:
        context.flag(number, "nowhere", At(place=order.to), here=order.to)
    elif march.troubles:
        suggestion = next(_better(context, order, march), None) if len(context.problems) < SUGGESTIONS else None
        for trouble in march.troubles:
            _flag(context, number, march, trouble, suggestion)
    elif not march.happens:
        context.flag(number, "nowhere", suggestion=next(_better(context, order, march), None), here=march.at)
    elif order.to is not None:
        route = "-".join(march.path)
        context.flag(number, "route", At(place=order.to), severity=Severity.NOTE, route=route, by_rail=march.by_rail)
    elif march.by_rail and not order.by_rail:
        context.flag(number, "by-rail", severity=Severity.NOTE, suggestion=replace(order, by_rail=True))


def attach(context: CheckContext, number: int, order: m.Attach) -> None:
    march = context.forecast.marches[number]
    for trouble in march.troubles:
        _flag(context, number, march, trouble, _without_units(context, order, march))


def _without_units(context: CheckContext, order: m.Attach, march: Force) -> m.Order | None:
    bad = {t.piece for t in march.troubles}
    units = tuple(n for n in order.units if n.one not in bad)
    return replace(order, units=units) if units and len(units) < len(order.units) else None


def _flag(context: CheckContext, number: int, march: Force, trouble: Trouble, suggestion: m.Order | None) -> None:
    code = trouble.code
    if code == "not-there" and trouble.piece is not None and context.where(trouble.piece) is None:
        code = "not-on-map"
    data: dict[str, object] = dict(trouble.data)
    if trouble.piece is not None:
        data["piece"] = trouble.piece
        data |= whereabouts(context, trouble.piece)
    if trouble.province is not None:
        data["province"] = trouble.province
    at = At(piece=trouble.piece) if trouble.piece else None
    if code in _STEPS and trouble.province is not None:
        at = At(place=trouble.province, nth=_nth(march, trouble))
        if code == "stopped":
            data["who"] = tuple(s for s in context.position.at(trouble.province) if s.color is not march.color)
        elif code == "no-border" and len(march.path) == 1 and _wrong_start(march):
            code = "starts-elsewhere"
            data["start"] = march.at
            assert isinstance(march.order, m.Move)
            at = At(place=march.order.path[0].province)
    severity = Severity.WARNING if code in _WARNINGS else Severity.PROBLEM
    family = Family.NOT_UNDERSTOOD if code == "ambiguous-name" else Family.NOT_ALLOWED
    more = (*rules_of_piece(trouble.code, trouble.piece), *trouble.rules)
    context.flag(number, code, at, severity=severity, family=family, suggestion=suggestion, known=data, more=more)


def _wrong_start(march: Force) -> bool:
    order = march.order
    return isinstance(order, m.Move) and bool(order.path) and order.path[0].province != march.path[0]


def _nth(march: Force, trouble: Trouble) -> int:
    """Which of several mentions of a province on a path (PETR-PSKO-PETR) is meant."""
    steps = march.intended[: trouble.stop + 1] if trouble.code == "stopped" else march.intended[: trouble.stop + 2]
    mentions = list(steps).count(trouble.province or "")
    unwritten = isinstance(march.order, m.Move) and _wrong_start(march) and march.intended[0] == trouble.province
    return max(mentions - 1 - unwritten, 0)


def whereabouts(context: CheckContext, piece: Piece) -> dict[str, object]:
    """What the last Bell says about a piece, for the wording."""
    stack = context.where(piece)
    if stack is not None:
        return {"stands": stack.province, "owner": stack.owner or "nobody"}
    for player in context.position.players:
        if any(h.piece is piece for h in context.position.box(player).held):
            return {"box": f"{player}'s box"}
    return {"box": "the neutral box"} if any(h.piece is piece for h in context.position.neutral.held) else {}


# A line that would have worked


def _better(context: CheckContext, order: m.Move, march: Force) -> Iterator[m.Move]:
    """Variants of a MOVE, tried in turn: those that go through without trouble."""
    for variant in _variants(context, order, march):
        if variant.force and _works(context, march, variant):
            yield variant


def _works(context: CheckContext, march: Force, variant: m.Move) -> bool:
    """Would it be done in whole, with what the orders before it have moved?"""
    tried = context.forecast.instead(march.number, variant)
    return tried.happens and not tried.troubles


def _variants(context: CheckContext, order: m.Move, march: Force) -> Iterator[m.Move]:
    bad = {t.piece for t in march.troubles if t.piece is not None}
    trimmed = replace(
        order,
        force=tuple(n for n in order.force if n.one not in bad),
        path=tuple(replace(s, handling=tuple(h for h in s.handling if h.what.one not in bad)) for s in order.path),
    )
    goal = order.to or (order.path[-1].province if order.path else None)
    route = None
    if goal is not None and march.path:
        route = find_route(context.board, context.position, march.pieces, march.path[0], goal)
    for base in (order, trimmed, _own_leader_instead(context, order)):
        yield base
        handled = {s.province: s.handling for s in base.path if s.handling}
        if route and handled.keys() <= set(route):
            path = tuple(m.Stop(p, handled.get(p, ())) for p in route)
            yield replace(base, path=path, to=None)
            yield replace(base, path=path, to=None, by_rail=False)
        if len(march.path) > 1:
            reached = base.path[: len(march.path) - _wrong_start(march)]
            if not any(stop.handling for stop in base.path[len(reached) :]):
                yield replace(base, path=reached, to=None)
    if not march.path and march.troubles[0].code != "moved-already":
        yield from _somebody_else(context, order, trimmed)


def _somebody_else(context: CheckContext, order: m.Move, trimmed: m.Move) -> Iterator[m.Move]:
    """None of those named can move: the player's own Leaders that get there, the shortest way first, each with all
    of those named who only lack a Leader."""
    goal = order.to or (order.path[-1].province if order.path else None)
    if any(stop.handling for stop in trimmed.path):
        return
    units = _that_lack_a_leader(context, order)
    found = []
    for stack in context.position.owned(context.player) if goal is not None else ():
        for leader in stack.leaders:
            route = find_route(context.board, context.position, [leader], stack.province, goal or "")
            if route:
                found.append((len(route), leader.code, leader, route))
    for _, _, leader, route in sorted(found, key=lambda f: f[:2]):
        force = (m.Named((leader,)), *units)
        yield replace(order, force=force, path=tuple(m.Stop(p) for p in route), to=None, by_rail=False)


def _that_lack_a_leader(context: CheckContext, order: m.Move) -> tuple[m.Named, ...]:
    """Units named in a MOVE that its player may have, his own or nobody's: they only cannot go by themselves."""
    stacks = ((named, context.where(named.one)) for named in order.force if named.one.is_unit)
    return tuple(named for named, stack in stacks if stack is not None and stack.owner in (context.player, None))


def _own_leader_instead(context: CheckContext, order: m.Move) -> m.Move:
    """Somebody else's Leader was named: perhaps one of the player's own, where the path begins, was meant."""
    start = order.path[0].province if order.path else None
    rest = tuple(n for n in order.force if context.is_own(n.one) or n in _that_lack_a_leader(context, order))
    named = {p for n in rest for p in n.options}
    if any(p.is_leader for p in named):
        return order
    own = [p for s in context.position.owned(context.player) if s.province == start for p in s.leaders]
    return replace(order, force=(*(m.Named((p,)) for p in own[:1]), *rest))


# STACK, EMIGRATE, EXIT


def stack(context: CheckContext, number: int, order: m.Restack) -> None:
    future = context.forecast
    present: list[Piece] = []
    named_here: list[m.Named] = []
    for named in order.pieces:
        fitting = [
            p
            for p in named.options
            if p not in present and future.place_of(p) == order.province and future.will_be_his(p)
        ]
        present += fitting[: named.count]
        if len(fitting) >= named.count:
            named_here.append(named)
    suggestion, unled = None, _unled(context, order, present)
    if len(present) > 1 and not unled and fault(context.board, present) is None:
        suggestion = replace(order, pieces=tuple(named_here)) if len(named_here) < len(order.pieces) else None
    for named in order.pieces:
        if named not in named_here:
            _missing(context, number, order, named.one, present, suggestion)
    code = fault(context.board, present)
    if code is not None:
        context.flag(number, code, suggestion=_smaller(context, order, named_here), province=order.province)
    elif unled:
        context.flag(number, "unled-stack", severity=Severity.WARNING, pieces=tuple(unled), province=order.province)
    _twice(context, number, present)


def _unled(context: CheckContext, order: m.Restack, present: list[Piece]) -> list[Piece]:
    """Red and White units that a STACK order leaves without a Leader, in the new stack or where it takes them from:
    nobody's (J1)."""
    led = [force for force in context.forecast.forces.get(order.province, ()) if any(p.is_leader for p in force)]
    left = [] if any(p.is_leader for p in present) else [p for force in led for p in force if p in present]
    for force in led:
        rest = [p for p in force if p not in context.stacked]  # J3: another STACK order may take care of the others
        if any(p.is_leader and p in present for p in force) and not any(p.is_leader for p in rest):
            left += rest
    return [p for p in left if p.is_unit and p.nation is None]


def _missing(
    context: CheckContext, number: int, order: m.Restack, piece: Piece, present: list[Piece], suggestion: m.Order | None
) -> None:
    there = context.forecast.place_of(piece)
    severity = Severity.WARNING if present and there is not None else Severity.PROBLEM
    code = "not-on-map" if there is None else "stack-missing"
    if there == order.province:
        code = "not-his"
    known = {**whereabouts(context, piece), "stands": there, "others": tuple(present) or None}
    context.flag(
        number,
        code,
        At(piece=piece),
        severity=severity,
        suggestion=suggestion,
        piece=piece,
        province=order.province,
        known=known,
    )


def _smaller(context: CheckContext, order: m.Restack, named: list[m.Named]) -> m.Order | None:
    """As many from the top as may stand together."""
    while len(named) > 2:
        named = named[:-1]
        if fault(context.board, [p for n in named for p in n.options[: n.count]]) is None:
            return replace(order, pieces=tuple(named))
    return None


def _twice(context: CheckContext, number: int, present: list[Piece]) -> None:
    for piece in present:
        earlier = context.before(("stacked", piece), number)
        if earlier is not None:
            severity = Severity.WARNING
            context.flag(number, "stacked-twice", At(piece=piece), severity=severity, piece=piece, earlier=earlier)


def emigrate(context: CheckContext, number: int, order: m.Emigrate) -> None:
    future, piece = context.forecast, order.piece
    there = future.place_of(piece)
    port = context.board.provinces[order.province].port
    if context.where(piece) is None:
        context.flag(number, "not-on-map", At(piece=piece), piece=piece, known=whereabouts(context, piece))
    elif there != order.province or not future.will_be_his(piece):
        can = there is not None and future.will_be_his(piece) and context.board.provinces[there].port
        suggestion = replace(order, province=there) if can and there else None
        context.flag(
            number,
            "no-imperial",
            At(piece=piece),
            suggestion=suggestion,
            piece=piece,
            province=order.province,
            stands=there,
        )
    elif not port:
        context.flag(number, "no-port", At(place=order.province), province=order.province)


def exit_(context: CheckContext, number: int, order: m.Exit) -> None:
    for named in order.units:
        piece = named.one
        nation = context.board.nations[piece.nation] if piece.nation else None
        own = [p for p in named.options if context.is_own(p)]
        if nation is None or nation.exit_from is None:
            context.flag(number, "no-exit", At(piece=piece), piece=piece)
        elif not any(context.where(p) for p in named.options):
            context.flag(number, "not-on-map", At(piece=piece), piece=piece, known=whereabouts(context, piece))
        elif len(own) < named.count:
            context.flag(number, "not-his", At(piece=piece), piece=piece, known=whereabouts(context, piece))
        elif sum(context.forecast.place_of(p) == nation.exit_from for p in own) < named.count:
            there = context.forecast.place_of(own[0])
            suggestion = m.Move(force=(named,), to=nation.exit_from)
            context.flag(number, "no-exit", At(piece=piece), suggestion=suggestion, piece=piece, stands=there)
