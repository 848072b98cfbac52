"""Purges and executions: every order that was filed, why it was valid or not, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from gm.adjudicator import outcome as o
from gm.orders import kinds as m
from gm.reports.view.model import Item
from gm.reports.view.names import DisplayNames
from gm.reports.view.reasons import answered_by, canonical, printed, reason_item, told
from gm.wording import clean

HELD = frozenset({"valid", "purged", "counterpurge"})  # verdicts of orders on which a Purge was held


def purges(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    filed = [e for e in outcome.events if isinstance(e, o.PurgeFiled)]
    rolled = [e for e in outcome.events if isinstance(e, o.PurgeRolled)]
    if filed and not rolled:
        yield Item(names.words.say("purges", "none_held", orders=len(filed)), (), "none")
    told_together: set[int] = set()
    for order in filed:
        same = [e for e in filed if _agree(e, order)]
        if id(order) in told_together:
            continue
        told_together |= {id(e) for e in same}
        yield (
            _agreed(names, same) if len(same) > 1 else _filed(names, order, outcome.result(order.player, order.number))
        )
    yield from _on_file(names, outcome)
    idle = [p for p in outcome.before.active if p not in {e.player for e in filed}]
    if filed and idle:
        key = "did_not" if len(idle) > 1 else "did_not_one"
        yield Item(names.words.say("purges", key, tags=names.tags(idle)), (), "idle")
    collected: set[str] = set()  # who has had a turn at the spoils of one Purge
    for event in outcome.events:
        collected = set() if isinstance(event, o.PurgeRolled) else collected
        yield from _held(names, event, pooled=isinstance(event, o.PurgeSpoils) and event.player in collected)
        collected |= {event.player} if isinstance(event, o.PurgeSpoils) else set()
    for result in printed(outcome):
        if isinstance(result.order, m.Execute) and result.status is o.Status.FAILED:
            reasons = told(names, result)
            text = names.words.say(
                "happened",
                "movement.failed",
                tag=names.tag(result.player),
                order=canonical(result.order),
                reason=reasons,
            )
            yield Item(text, result.rules, "execution")
    if outcome.before.turn and not filed:
        yield Item(names.words.say("purges", "none_filed"), (), "none")


def _agree(one: o.PurgeFiled, other: o.PurgeFiled) -> bool:
    """Orders on which one Purge was held are told together."""
    return one is other or (
        {one.verdict, other.verdict} <= HELD
        and (one.object, one.separately) == (other.object, other.separately)
        and set(one.participants) == set(other.participants)
        and one.division == other.division
    )


def _agreed(names: DisplayNames, orders: list[o.PurgeFiled]) -> Item:
    words, first = names.words, orders[0]
    parts = [
        words.phrase("purges", "assigned" if e.using else "assigned_none", tag=names.tag(e.player), using=e.using)
        for e in orders
    ]
    facts = {"tags": names.tags(e.player for e in orders), "object": names.tag(first.object)}
    key = "filed_agreed_separately" if first.separately else "filed_agreed"
    sentences = [words.say("purges", key, **facts, assigned=words.many(parts))]
    if first.division:
        sentences.append(_division(names, first))
    sentences.append(words.template("purges", "agreed"))
    return Item(" ".join(sentences), first.rules, first.verdict)


def _division(names: DisplayNames, event: o.PurgeFiled) -> str:
    words = names.words
    parts = [words.phrase("purges", "division_part", tag=names.tag(p), points=n) for p, n in event.division]
    return words.say("purges", "division", division=words.many(parts))


def _filed(names: DisplayNames, event: o.PurgeFiled, result: o.OrderResult | None) -> Item:
    """One order; one that was disallowed is quoted as it was written."""
    words = names.words
    partners = [p for p in event.participants if p != event.player]
    facts = {"tag": names.tag(event.player), "object": names.tag(event.object), "using": event.using}
    key = "filed_separately" if event.separately else "filed_joint" if partners else "filed_alone"
    sentences = [words.say("purges", key, **facts, partners=names.tags(partners))]
    if event.division:
        sentences.append(_division(names, event))
    elif partners and not event.separately and event.verdict != "no-division":
        sentences.append(words.say("purges", "no_division"))
    if event.verdict not in HELD and result is not None and result.order.source:
        sentences.append(words.phrase("purges", "quoted", source=clean(result.order.source)))
    sentences.append(_verdict(names, event, partners))
    return Item(" ".join(sentences), event.rules, event.verdict)


def _verdict(names: DisplayNames, event: o.PurgeFiled, partners: list[str]) -> str:
    table = names.words.packs["purges"]["verdict"]
    code = "valid" if event.verdict in HELD else event.verdict
    if code not in table:
        return reason_item(names, o.Reason(code, ())).text
    data: dict[str, object] = {"partners": names.tags(partners)} if partners else {"markers": event.using}
    return names.words.first_fitting(table[code], data)


def _on_file(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    """Counterpurge orders, used or not."""
    found = [r for r in outcome.results if isinstance(r.order, m.Counterpurge)]
    used = {(r.player, r.number) for r in found if answered_by(outcome, r)}
    for key, was in (("counterpurge_used", True), ("counterpurge_on_file", False)):
        orders = [r for r in found if ((r.player, r.number) in used) == was]
        if orders:
            filed: dict[str, list[str]] = {}
            for r in orders:
                filed.setdefault(canonical(r.order), []).append(r.player)
            parts = [names.words.phrase("purges", "on_file", order=x, tags=names.tags(p)) for x, p in filed.items()]
            rules = orders[0].rules or ("17/11.0", "J21")
            yield Item(names.words.say("purges", key, orders="; ".join(parts)), rules, "counterpurge-on-file")


def _held(names: DisplayNames, event: o.Event, *, pooled: bool) -> Iterator[Item]:
    if isinstance(event, o.PurgeRolled):
        yield _rolled(names, event)
    elif isinstance(event, o.PurgeSpoils):
        yield _spoils(names, event, pooled)
    elif isinstance(event, o.ExecutionOrdered):
        facts = {
            "participants": names.tags(event.participants),
            "markers": event.markers,
            "holder": names.tag(event.holder),
        }
        yield Item(names.words.say("purges", f"execution_{event.answer}", **facts), event.rules, "execution")
    elif isinstance(event, o.ExecutionAnswered):
        # A keeper who stayed silent let the order lapse; without a keeper it had to.
        key = "refused" if event.answer == "lapsed" and event.holder else event.answer
        holder = names.tag(event.holder) if event.holder else ""
        yield Item(names.words.say("purges", f"answered_{key}", holder=holder), event.rules, "execution")


def _rolled(names: DisplayNames, event: o.PurgeRolled) -> Item:
    words = names.words
    part = "strength_part_counter" if event.counter else "strength_part"
    strengths = [
        words.phrase(
            "purges",
            part,
            tag=names.tag(p),
            leadership=event.leadership.get(p, 0),
            markers=event.markers.get(p, 0),
        )
        for p in event.participants
    ]
    if event.result == "C":
        result = words.phrase("purges", "result_counter")
    else:
        result = words.phrase("purges", "result_points", points=int(event.result))
    text = words.say(
        "purges",
        "rolled_counter" if event.counter else "rolled",
        object=names.tag(event.object),
        participants=names.tags(event.participants),
        strengths=words.many(strengths),
        strength=event.strength,
        dice=event.dice,
        result=result,
    )
    return Item(text, event.rules, "rolled")


def _spoils(names: DisplayNames, event: o.PurgeSpoils, pooled: bool) -> Item:
    """`pooled`: a second turn, with the points that others could not use (J20)."""
    goods = [p.bell for p in event.pieces or event.leaders]
    goods += [names.words.phrase("happened", "pm", n=event.pm)] if event.pm else []
    key = "spoils_nothing" if not goods else "spoils_pooled" if pooled else "spoils"
    facts = {"tag": names.tag(event.player), "goods": names.words.many(goods), "points": event.points}
    text = names.words.say("purges", key, **facts)
    if event.unspent and goods:
        text += " " + names.words.say("purges", "spoils_unspent", unspent=event.unspent)
    return Item(text, event.rules, "spoils")
