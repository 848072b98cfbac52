"""Purges and executions: every order that was filed, why it was valid or not, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from gm.adjudicator import outcome as o
from gm.orders import model as m
from gm.reports.view import Item
from gm.reports.view_names import Names
from gm.reports.view_reasons import canonical, reason_item, told

HELD = frozenset({"valid", "purged", "counterpurge"})  # verdicts of orders on which a Purge was held


def purges(names: Names, outcome: o.Outcome) -> Iterator[Item]:
    filed = [e for e in outcome.events if isinstance(e, o.PurgeFiled)]
    rolled = [e for e in outcome.events if isinstance(e, o.PurgeRolled)]
    if filed and not rolled:
        yield Item(names.words.say("purges", "none_held", orders=len(filed)), (), "none")
    for order in filed:
        yield _filed(names, order)
    yield from _on_file(names, outcome, rolled)
    idle = [p for p in outcome.before.active if p not in {e.player for e in filed}]
    if filed and idle:
        key = "did_not" if len(idle) > 1 else "did_not_one"
        yield Item(names.words.say("purges", key, tags=names.tags(idle)), (), "idle")
    for event in outcome.events:
        yield from _held(names, event)
    for result in outcome.results:
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


def _filed(names: Names, event: o.PurgeFiled) -> Item:
    words = names.words
    partners = [p for p in event.participants if p != event.player]
    facts = {"tag": names.tag(event.player), "object": names.tag(event.object), "using": event.using}
    key = "filed_separately" if event.separately else "filed_joint" if partners else "filed_alone"
    sentences = [words.say("purges", key, **facts, partners=names.tags(partners))]
    if event.division:
        parts = [words.phrase("purges", "division_part", tag=names.tag(p), points=n) for p, n in event.division]
        sentences.append(words.say("purges", "division", division=words.many(parts)))
    elif partners and not event.separately and event.verdict != "no-division":
        sentences.append(words.say("purges", "no_division"))
    sentences.append(_verdict(names, event, partners))
    return Item(" ".join(sentences), event.rules, event.verdict)


def _verdict(names: Names, event: o.PurgeFiled, partners: list[str]) -> str:
    table = names.words.packs["purges"]["verdict"]
    code = "valid" if event.verdict in HELD else event.verdict
    if code not in table:
        return reason_item(names, o.Reason(code, ())).text
    data: dict[str, object] = {"partners": names.tags(partners)} if partners else {"markers": event.using}
    return names.words.first_fitting(table[code], data)


def _on_file(names: Names, outcome: o.Outcome, rolled: list[o.PurgeRolled]) -> Iterator[Item]:
    """Counterpurge orders, used or not."""
    used = {p for e in rolled if e.counter for p in e.participants}
    for result in outcome.results:
        if isinstance(result.order, m.Counterpurge):
            key = "counterpurge_used" if result.player in used else "counterpurge_on_file"
            text = names.words.say("purges", key, tag=names.tag(result.player), order=canonical(result.order))
            yield Item(text, result.rules or ("17/11.0", "J21"), "counterpurge-on-file")


def _held(names: Names, event: o.Event) -> Iterator[Item]:
    if isinstance(event, o.PurgeRolled):
        yield _rolled(names, event)
    elif isinstance(event, o.PurgeSpoils):
        yield _spoils(names, event)
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


def _rolled(names: Names, event: o.PurgeRolled) -> Item:
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


def _spoils(names: Names, event: o.PurgeSpoils) -> Item:
    pieces = event.pieces or event.leaders
    key = (
        "spoils_both"
        if pieces and event.pm
        else "spoils_leaders"
        if pieces
        else "spoils_pm"
        if event.pm
        else "spoils_nothing"
    )
    facts = {"tag": names.tag(event.player), "pieces": names.pieces(pieces), "pm": event.pm, "points": event.points}
    text = names.words.say("purges", key, **facts)
    if event.unspent and (pieces or event.pm):
        text += " " + names.words.say("purges", "spoils_unspent", unspent=event.unspent)
    return Item(text, event.rules, "spoils")
