"""Purges and executions: every order that was filed, why it was valid or not, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from gm.adjudicator import outcome as o
from gm.adjudicator.engine.working_position import replay
from gm.board.model import Color
from gm.orders import kinds as m
from gm.position import Player
from gm.reports.prose import Prose
from gm.reports.view.model import Item
from gm.reports.view.names import DisplayNames
from gm.reports.view.reasons import canonical, deciding_order, occasion, printed, reason_item, told, whose_fault
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
        yield (_agreed(names, same) if len(same) > 1 else _filed(names, order, outcome))
    yield from _on_file(names, outcome)
    idle = [p for p in outcome.before.active if p not in {e.player for e in filed}]
    if filed and idle:
        key = "did_not" if len(idle) > 1 else "did_not_one"
        yield Item(names.words.say("purges", key, tags=names.tags(idle)), (), "idle")
    collected: set[str] = set()  # who has had a turn at the spoils of one Purge
    for event in outcome.events:
        collected = set() if isinstance(event, o.PurgeRolled) else collected
        pooled = isinstance(event, o.PurgeSpoils) and event.player in collected
        yield from _held(names, outcome, event, pooled=pooled)
        collected |= {event.player} if isinstance(event, o.PurgeSpoils) else set()
    for result in printed(outcome):
        if isinstance(result.order, m.Execute) and result.status is o.Status.FAILED:
            reasons = told(names, result, None, outcome)
            text = names.words.say(
                "happened",
                "movement.failed",
                tag=names.tag(result.player),
                order=canonical(result.order),
                reason=reasons,
            )
            yield Item(text, result.rules, "execution")
    if outcome.before.turn and not filed and outcome.before.solitaire is None:  # 27.2
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
    if first.division and not first.separately:  # whoever purges on his own has all that he wins
        sentences.append(_division(names, first))
    sentences.append(words.template("purges", "agreed"))
    return Item(" ".join(sentences), first.rules, first.verdict)


def _division(names: DisplayNames, event: o.PurgeFiled) -> str:
    words = names.words
    parts = [words.phrase("purges", "division_part", tag=names.tag(p), points=n) for p, n in event.division]
    return words.say("purges", "division", division=words.many(parts))


def _filed(names: DisplayNames, event: o.PurgeFiled, outcome: o.Outcome) -> Item:
    """One order; one that was disallowed is quoted as it was written."""
    words, result = names.words, outcome.result(event.player, event.number)
    partners = [p for p in event.participants if p != event.player]
    facts = {"tag": names.tag(event.player), "object": names.tag(event.object)}
    facts["using"] = _assigned(words, event, result)
    key = "filed_separately" if event.separately else "filed_joint" if partners else "filed_alone"
    sentences = [words.say("purges", key, **facts, partners=names.tags(partners))]
    if event.division and not event.separately:
        sentences.append(_division(names, event))
    elif partners and not event.separately and event.verdict != "no-division":
        sentences.append(words.say("purges", "no_division"))
    if event.verdict not in HELD and result is not None and result.order.source:
        sentences.append(words.phrase("purges", "quoted", source=clean(result.order.source)))
    if not event.using and event.verdict not in HELD and _has_nothing(names, outcome, event, event.player):
        sentences.append(words.say("purges", "no_strength", tag=names.tag(event.player)))
    else:
        sentences.append(_verdict(names, outcome, event, partners))
    return Item(" ".join(sentences), event.rules, event.verdict)


def _assigned(words: Prose, event: o.PurgeFiled, result: o.OrderResult | None) -> str:
    """The Markers of an order, and how many of them were there when the Purges came."""
    ordered = result.order.using if result is not None and isinstance(result.order, m.Purge) else event.using
    said = words.phrase("purges", "using" if ordered else "using_none", n=ordered)
    if event.using >= ordered:
        return said
    return words.phrase("purges", "using_fewer" if event.using else "using_gone", said=said, n=event.using)


def _has_nothing(names: DisplayNames, outcome: o.Outcome, event: o.Event, player: Player) -> bool:
    """Neither a Red Leader nor a Politburo Marker, when an event came."""
    then = replay(names.board, outcome.before, outcome.events[: outcome.events.index(event)])
    return not then.box(player).pm and not any(p.color is Color.RED for s in then.owned(player) for p in s.leaders)


def _verdict(names: DisplayNames, outcome: o.Outcome, event: o.PurgeFiled, partners: list[str]) -> str:
    table = names.words.packs["purges"]["verdict"]
    code = "valid" if event.verdict in HELD else event.verdict
    if code not in table:
        return reason_item(names, o.Reason(code, ())).text
    data: dict[str, object] = {} if partners else {"markers": event.using}
    if (result := outcome.result(event.player, event.number)) is not None:
        data |= {key: names.tags(players) for key, players in whose_fault(outcome, result, code).items()}
    return names.words.first_fitting(table[code], data)


def _on_file(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    """Counterpurge orders that were used, and those for which there was no occasion.

    One that says NEVER waits for none; of one that did not fit, the Purge that failed tells (`_unanswered`).
    """
    found = [(r, occasion(outcome, r)) for r in outcome.results if isinstance(r.order, m.Counterpurge)]
    idle = [r for r, key in found if key in ("counterpurge", "counterpurge_other") and not _never(r)]
    used = [r for r, key in found if key == "counterpurge_used"]
    for key, orders in (("counterpurge_used", used), ("counterpurge_on_file", idle)):
        if orders:
            filed: dict[str, list[str]] = {}
            for r in orders:
                filed.setdefault(canonical(r.order), []).append(r.player)
            parts = [names.words.phrase("purges", "on_file", order=x, tags=names.tags(p)) for x, p in filed.items()]
            rules = orders[0].rules or ("17/11.0", "J21")
            yield Item(names.words.say("purges", key, orders="; ".join(parts)), rules, "counterpurge-on-file")


def _never(result: o.OrderResult) -> bool:
    return isinstance(result.order, m.Counterpurge) and result.order.against is m.Against.NEVER


def _unanswered(names: DisplayNames, outcome: o.Outcome, event: o.PurgeRolled) -> Iterator[Item]:
    """Why no Counterpurge followed a Purge that failed (11.24, J21)."""
    events = outcome.events
    later = (e for e in events[events.index(event) + 1 :] if isinstance(e, o.PurgeRolled))
    following = next(later, None)
    if event.result != "C" or (following is not None and following.counter):
        return
    decided = deciding_order(outcome, event.object, event.participants)
    filed = [r for r in outcome.results if r.player == event.object and isinstance(r.order, m.Counterpurge)]
    key = "never" if decided and _never(decided) else "none" if not filed else "unfit" if not decided else ""
    if key:
        facts = {"tag": names.tag(event.object), "participants": names.tags(event.participants)}
        facts["order"] = "; ".join(canonical(r.order) for r in ([decided] if decided else filed))
        yield Item(names.words.say("purges", f"unanswered_{key}", **facts), ("11.24", "J21"), "unanswered")


def _held(names: DisplayNames, outcome: o.Outcome, event: o.Event, *, pooled: bool) -> Iterator[Item]:
    if isinstance(event, o.PurgeRolled):
        yield _rolled(names, event)
        yield from _unanswered(names, outcome, event)
    elif isinstance(event, o.PurgeSpoils):
        bare = not event.pieces and not event.leaders and not event.pm
        empty = bare and _has_nothing(names, outcome, event, event.victim)
        yield _spoils(names, event, "none" if empty else "nothing" if bare else "pooled" if pooled else "")
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


def _spoils(names: DisplayNames, event: o.PurgeSpoils, how: str) -> Item:
    """`pooled`: a second turn, with the points that others could not use (J20); `none`: there was nothing to take."""
    goods = [p.bell for p in event.pieces or event.leaders]
    goods += [names.words.phrase("happened", "pm", n=event.pm)] if event.pm else []
    facts = {"tag": names.tag(event.player), "goods": names.words.many(goods), "points": event.points}
    text = names.words.say("purges", f"spoils_{how}" if how else "spoils", **facts, victim=names.tag(event.victim))
    if event.unspent and goods:
        text += " " + names.words.say("purges", "spoils_unspent", unspent=event.unspent)
    return Item(text, event.rules, "spoils")
