"""Purges and Counterpurges as news: one Purge by itself, or a whole session roll by roll, as it went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from gm.adjudicator import outcome as o
from gm.board.model import Color, Piece
from gm.orders.kinds import Goods
from gm.position import Player
from gm.reports.story.news import News, NewsContext, Tail, strength
from gm.reports.story.politics import flows, gift, losses
from gm.reports.view.model import Fact

ROW = 3  # Counterpurges in vain, one after the other, that are told together


def purges(context: NewsContext) -> Iterator[News]:
    events = context.outcome.events
    rolled = [e for e in events if isinstance(e, o.PurgeRolled)]
    if len(rolled) == 1:
        yield _one(context, rolled[0])
    elif rolled:
        yield _session(context, rolled)
    filed = [e for e in events if isinstance(e, o.PurgeFiled)]
    if any(_could(context, e.player) for e in filed) and not rolled:
        moved = dict.fromkeys((e.player, e.object) for e in filed)
        say, who = context.names.words.phrase, context.who
        motions = "; ".join(say("words", "against", who=who(one), victim=who(other)) for one, other in moved)
        facts = (Fact("purge_orders", "", "", str(len(filed))), *(Fact("filed", a, "", b) for a, b in moved))
        data: dict[str, object] = {"orders": len(filed), "motions": motions}
        yield News("purge_plots", 40 + 2 * len(filed), "", data, (), facts, may_lead=False)


def _could(context: NewsContext, player: Player) -> bool:
    """Whether a player had anything to purge with when the Phase began."""
    before = context.outcome.before
    return bool(before.box(player).pm) or any(
        leader.color is Color.RED for stack in before.owned(player) for leader in stack.leaders
    )


def _one(context: NewsContext, event: o.PurgeRolled) -> News:
    """The only Purge of a session, with what it took."""
    data: dict[str, object] = {"who": context.names.whos(event.participants), "victim": context.who(event.object)}
    data |= {"strength": event.strength, "dice": event.dice}
    facts = [Fact("purge", p, "", event.object) for p in event.participants]
    facts += [Fact("purge_roll", str(event.strength), "", str(event.dice)), Fact("purges_held", "1", "", "0")]
    gifts, topics = _gifts(context, event)
    if event.result == "C":
        facts.append(Fact("purge_failed", event.object))
        return News("purge_failed", 118, "", data, (), tuple(facts), gifts, topics)
    spoils = spoils_of(event, context.outcome)
    leaders, pm = [p for s in spoils for p in s.leaders], sum(s.pm for s in spoils)
    if not leaders and not pm:
        when: tuple[str, ...] = ("empty",) if _has_nothing(context, event.object) else ()
        empty = [Fact("nothing_purged"), *([Fact("empty_chair", event.object)] if when else [])]
        return News("purge_nothing", 100, "", data, when, (*facts, *empty), gifts, topics, False)
    prize = [context.names.leader(p) for p in leaders]
    prize += [context.names.words.phrase("happened", "pm_told", n=pm)] if pm else []
    data["prize"] = context.names.words.many(prize)
    facts += [*_spoil_facts(event, spoils), *([Fact("pm_taken", event.object, "", str(pm))] if pm else [])]
    takers = sorted({s.player for s in spoils if s.pm or s.leaders})
    data["takers"] = context.names.whos(takers)
    facts += [Fact("took", p, "", event.object) for p in takers]
    when = ("shared" if set(takers) == set(event.participants) else "unequal",)
    if len(takers) == 1 or len(prize) == 1:  # a list of names behind another reads as if it followed its order
        data["gain"] = data["prize"]
    else:
        data["shares"] = "; ".join(_shares(context, spoils))
        when = (*when, "parted")
    tails = (*_troops(context, spoils), *losses(context, event.object, spoils[-1]), *gifts)
    rank = 150 + 4 * sum(strength((*s.leaders, *_units(s))) + s.pm for s in spoils)
    return News("purge", min(rank, 210), "", data, when, tuple(facts), tails, topics, must=True)


def _session(context: NewsContext, rolled: Sequence[o.PurgeRolled]) -> News:
    """Every roll of the session in its order, and where those are who were taken more than once."""
    say = context.names.words.phrase
    course, facts, taken = [], [], []
    for many, group in groupby(rolled, key=lambda e: _to_and_fro(rolled, e)):
        same = list(group)
        if many:
            two = {"one": context.names.whos(same[0].participants), "other": context.who(same[0].object)}
            course.append(say("words", "committee.to_and_fro", n=len(same), **two))
        else:
            course += [_roll(context, event) for event in same]
    for event in rolled:
        spoils = spoils_of(event, context.outcome)
        facts += [Fact("purge", p, "", event.object) for p in event.participants]
        facts += _spoil_facts(event, spoils)
        taken += [p for s in spoils for p in s.leaders]
    counters = sum(e.counter for e in rolled)
    facts.append(Fact("purges_held", str(len(rolled) - counters), "", str(counters)))
    told = "; ".join(course)
    if more := [p for p in dict.fromkeys(taken) if taken.count(p) > 1]:
        keeper = {p: _keeper(context, p) for p in more}
        ends = [say("words", "with", leader=context.names.leader(p), who=context.who(keeper[p])) for p in more]
        told = say("words", "committee.end", course=told, ends=context.names.words.many(ends))
        facts += [Fact("changed", p.bell, "", keeper[p] or "") for p in more]
    data: dict[str, object] = {"course": told, "purges": len(rolled) - counters}
    data |= {"counters": counters} if counters else {}
    spoils = [s for e in rolled for s in spoils_of(e, context.outcome)]
    worth = sum(strength((*s.leaders, *_units(s))) + s.pm for s in spoils)
    tails = [tail for who in sorted({s.victim for s in spoils}) for tail in losses(context, who, spoils[-1])]
    when = ("took",) if worth else ("vain",)
    rank = min(150 + 4 * worth, 210) if worth else 116
    great = bool(worth)
    return News("purge_session", rank, "", data, when, tuple(facts), tuple(tails), may_lead=great, must=great)


def _roll(context: NewsContext, event: o.PurgeRolled) -> str:
    """`a Counterpurge of Quist by Jansen, which took Rykov to Jansen`."""
    say, shares = context.names.words.phrase, _shares(context, spoils_of(event, context.outcome))
    how = "failed" if event.result == "C" else "took" if shares else "empty"
    what = say("words", f"committee.{how}", shares=say("words", "committee.and").join(shares))
    named = {"who": context.names.whos(event.participants), "victim": context.who(event.object)}
    return say("words", f"committee.{'counterpurge' if event.counter else 'purge'}", what=what, **named)


def _to_and_fro(rolled: Sequence[o.PurgeRolled], event: o.PurgeRolled) -> int:
    """Which row of Counterpurges in vain, between two players, a roll belongs to; 0: it is told by itself."""
    rows: list[list[o.PurgeRolled]] = []
    for roll in rolled:
        vain = roll.counter and roll.result == "C" and len(roll.participants) == 1
        if (
            vain
            and rows
            and rows[-1]
            and {rows[-1][-1].object, *rows[-1][-1].participants}
            == {
                roll.object,
                *roll.participants,
            }
        ):
            rows[-1].append(roll)
        else:
            rows.append([roll] if vain else [])
    return next((n for n, row in enumerate(rows, 1) if len(row) >= ROW and any(r is event for r in row)), 0)


def _keeper(context: NewsContext, leader: Piece) -> Player | None:
    stack = context.outcome.after.where.get(leader)
    return stack.owner if stack else None


def _spoil_facts(event: o.PurgeRolled, spoils: Sequence[o.PurgeSpoils]) -> Iterator[Fact]:
    """Who got what of whom by one roll."""
    for share in spoils:
        yield from (Fact("spoil", p.bell, event.object, share.player) for p in (*share.leaders, *_units(share)))
        if share.pm:
            yield Fact("spoil_pm", str(share.pm), event.object, share.player)


def _units(share: o.PurgeSpoils) -> tuple[Piece, ...]:
    """What went along with the Leaders; the Czar and the Gold have a story of their own."""
    return tuple(p for p in share.pieces if p.is_unit)


def _shares(context: NewsContext, spoils: Sequence[o.PurgeSpoils]) -> list[str]:
    """`Markin to Arnold`, `Bela Kun and the Red Tver corps to Quist`: who got what."""
    say, parts = context.names.words.phrase, list[str]()
    for player in dict.fromkeys(share.player for share in spoils):
        own = [share for share in spoils if share.player == player]
        pieces = list(dict.fromkeys(p for s in own for p in (*s.leaders, *_units(s))))
        pm = sum(share.pm for share in own)
        goods = [context.names.told(pieces)] if pieces else []
        goods += [say("happened", "pm_told", n=pm)] if pm else []
        if goods:
            parts.append(say("words", "share", goods=context.names.words.many(goods), who=context.who(player)))
    return parts


def _troops(context: NewsContext, spoils: Sequence[o.PurgeSpoils]) -> Iterator[Tail]:
    units = [p for s in spoils for p in _units(s)]
    if units:
        facts = tuple(Fact("spoil", p.bell, s.victim, s.player) for s in spoils for p in _units(s))
        yield Tail("purge_troops", {"units": context.names.told(units)}, facts, "shares")


def _gifts(context: NewsContext, event: o.PurgeRolled) -> tuple[tuple[Tail, ...], frozenset[str]]:
    """What one who was purged had given in the trades of the same Phase to those who did it."""
    traded, victim = flows(context.outcome), event.object
    given = {p: goods for p in sorted(event.participants) if (goods := traded.get((victim, p), Goods())) != Goods()}
    if not given:
        return (), frozenset()
    say = context.names.words.phrase
    parts = [say("words", "share", goods=context.names.goods(g, "_told"), who=context.who(p)) for p, g in given.items()]
    facts = tuple(gift(traded, victim, p) for p in given)
    data = {"victim": context.who(victim), "gifts": context.names.words.many(parts)}
    return (Tail("gift_given", data, facts),), frozenset(f"gift/{victim}/{p}" for p in given)


def _has_nothing(context: NewsContext, player: Player) -> bool:
    """Neither a Red Leader nor a Politburo Marker, from the Purge to the end of the Phase."""
    first = next(e for e in context.outcome.events if isinstance(e, o.PurgeRolled))
    positions = (context.then(first), context.outcome.after)
    return not any(
        p.box(player).pm or any(leader.color is Color.RED for s in p.owned(player) for leader in s.leaders)
        for p in positions
    )


def spoils_of(event: o.PurgeRolled, outcome: o.Outcome) -> list[o.PurgeSpoils]:
    """What follows a roll until the next one."""
    events, found = outcome.events, []
    for later in events[events.index(event) + 1 :]:
        if isinstance(later, o.PurgeRolled):
            break
        if isinstance(later, o.PurgeSpoils):
            found.append(later)
    return found
