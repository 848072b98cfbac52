"""Purges and Counterpurges as news: who lost what to whom, and what all motions of a session came to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from gm.adjudicator import outcome as o
from gm.board.model import Color, Piece
from gm.orders.kinds import Goods
from gm.position import Player
from gm.reports.story.news import News, NewsContext, Tail, strength
from gm.reports.story.politics import flows, gift, losses
from gm.reports.view.model import Fact

DEAR = 3  # points of Leaders and Markers lost in one session that are worth the word


class _Held(NamedTuple):
    """One Purge, and what it took of whom for good."""

    news: News
    victim: Player
    shares: str = ""  # `Markin to Arnold; Bela Kun to Quist`
    at: int = 0  # which roll of the session it was


def purges(context: NewsContext) -> Iterator[News]:
    events = context.outcome.events
    rolled = [e for e in events if isinstance(e, o.PurgeRolled)]
    told = [held._replace(at=n) for n, event in enumerate(rolled) for held in _purge(context, event)]
    yield from _of_one(context, told)
    if rolled and not told:  # what was taken was taken back, or there was nothing to take
        yield _session(context, rolled)
    filed = [e for e in events if isinstance(e, o.PurgeFiled)]
    if filed and not rolled:
        moved = dict.fromkeys((e.player, e.object) for e in filed)
        say, who = context.names.words.phrase, context.who
        motions = "; ".join(say("words", "against", who=who(one), victim=who(other)) for one, other in moved)
        facts = (Fact("purge_orders", "", "", str(len(filed))), *(Fact("filed", a, "", b) for a, b in moved))
        when = ("one",) if len(filed) == 1 else ("several",)
        data: dict[str, object] = {"orders": len(filed), "motions": motions}
        tails = (Tail("motions", data),)
        yield News("purge_plots", 56 + 3 * len(filed), "", data, when, facts, tails)


def _of_one(context: NewsContext, told: Sequence[_Held]) -> Iterator[News]:
    """Several Purges that took something of one player are one story, told from the greatest, the others in order."""
    for victim in dict.fromkeys(held.victim for held in told):
        mine = sorted((held for held in told if held.victim == victim), key=lambda h: h.news.rank, reverse=True)
        first, main, others = mine[0].news, mine[0].at, sorted(mine[1:], key=lambda h: h.at)
        if lost := [held for held in others if held.shares]:
            kept = ("taken", "has", "pm_taken", "purge", "took")
            facts = tuple(f for h in others for f in h.news.facts if f.what in kept)
            later = {held.at > main for held in lost}
            key = "purged_around" if len(later) == 2 else "purged_later" if later == {True} else "purged_earlier"
            data = {"victim": context.who(victim), "more": "; ".join(held.shares for held in lost)}
            tail = Tail(key, data, facts)
            topics = first.topics.union(*(held.news.topics for held in others))
            first = replace(first, tails=(tail, *first.tails), topics=topics)
        taken = [e for e in context.outcome.events if isinstance(e, o.PurgeSpoils) and e.victim == victim and e.leaders]
        last = losses(context, victim, taken[-1]) if taken else ()
        yield _with_gifts(context, replace(first, tails=(*last, *first.tails)), victim)


def _with_gifts(context: NewsContext, news: News, victim: Player) -> News:
    """A Purge of somebody by those to whom he had given Markers in the same Phase, or who had given him some."""
    events = context.outcome.events
    rolled = [e for e in events if isinstance(e, o.PurgeRolled) and not e.counter and e.object == victim]
    held = [e for e in rolled if (e.result == "C") is (news.kind == "purge_failed")]
    traded = flows(context.outcome)
    hands = sorted({p for e in held for p in e.participants if (p, victim) in traded and p != victim})
    net = {p: traded[victim, p].pm - traded[p, victim].pm for p in hands}
    friends, givers = [p for p in hands if net[p] > 0], [p for p in hands if net[p] < 0]
    if not held or news.kind in ("counterpurge", "purge_session") or not (friends or givers):
        return news
    data: dict[str, object] = {"victim": context.who(victim)}
    if friends:
        used = {p: sum(e.markers.get(p, 0) for e in held) for p in friends}
        friend = max(friends, key=lambda p: used[p])
        data |= {"friend": context.who(friend), "used": used[friend]}
        data["goods"] = context.names.goods(traded[victim, friend], "_told")
        facts = [gift(traded, victim, friend), Fact("purge_markers", friend, str(used[friend]), victim)]
        first = next(e for e in held if friend in e.participants)
        # Whoever assigned all Markers that there were assigned the present as well.
        sure = not traded[victim, friend].am and used[friend] == context.then(first).box(friend).pm
        key = ("gift_used_one" if used[friend] == 1 else "gift_used") if sure else "gift_given"
        kind, topics = "betrayed", {f"gift/{victim}/{friend}"}
        facts += [Fact("gift_in_purge", friend, "", victim)] if sure else []
    else:
        data["givers"] = context.names.whos(givers)
        total = Goods(sum(traded[p, victim].pm for p in givers), sum(traded[p, victim].am for p in givers))
        data["goods"] = context.names.goods(total, "_told")
        facts = [gift(traded, p, victim) for p in givers] + [Fact("moved_purge", p, "", victim) for p in givers]
        kind, key, topics = "gifted", "gift_back", {f"gift/{p}/{victim}" for p in givers}
    told = (Tail(key, data, tuple(facts)), *news.tails)
    more = {"friend": data["friend"]} if friends else {"givers": data["givers"]}
    return replace(
        news,
        rank=news.rank + (30 if friends else 10),
        data={**news.data, **more, "goods": data["goods"]},
        when=(kind, *news.when),
        facts=(*news.facts, *facts),
        tails=told,
        topics=news.topics | topics,
    )


def _session(context: NewsContext, rolled: Sequence[o.PurgeRolled]) -> News:
    """All Purges of a Phase in one, by where the Leaders were at the beginning and are at the end of it."""
    counters = sum(e.counter for e in rolled)
    data: dict[str, object] = {"purges": len(rolled) - counters}
    if counters:
        data["counters"] = counters
    facts = [Fact("purges_held", str(len(rolled) - counters), "", str(counters))]
    aims = {e.object for e in rolled if not e.counter}
    if len(aims) == 1:
        movers = dict.fromkeys(p for e in rolled if not e.counter for p in e.participants)
        data |= {"victim": context.who(*aims), "movers": context.names.whos(tuple(movers))}
        facts += [Fact("purge_victim", *aims), *(Fact("purge", p, "", *aims) for p in movers)]
    had: dict[Piece, Player] = {}
    for event in context.outcome.events:
        if isinstance(event, o.PurgeSpoils):
            had |= {p: event.victim for p in event.leaders if p not in had}
    after = context.outcome.after.where
    moved = [(p, who, now) for p, who in had.items() if p in after and (now := after[p].owner) not in (None, who)]
    if moved:
        say, whole = context.names.words.phrase, context.names.leader
        shares = [
            say("words", "passed", leader=whole(p), other=context.who(who), who=context.who(now))
            for p, who, now in moved
        ]
        data["shares"] = "; ".join(shares)
        facts += [Fact("changed", p.bell, "", str(now)) for p, _, now in moved]
        facts += [Fact("purge_victim", who) for _, who, _ in moved]
    when = ("changed",) if moved else ("same",) if all(p in after for p in had) else ()
    when = when if had else ("nothing", *when)
    if len(aims) == 1 and _has_nothing(context, *aims):
        when, facts = ("empty", *when), [*facts, Fact("empty_chair", *aims)]
    facts += [] if had else [Fact("nothing_purged")]
    return News("purge_session", 119, "", data, when, tuple(facts), may_lead=False)


def _has_nothing(context: NewsContext, player: Player) -> bool:
    """Neither a Red Leader nor a Politburo Marker, from the first Purge of the Phase to its end."""
    first = next(e for e in context.outcome.events if isinstance(e, o.PurgeRolled))
    positions = (context.then(first), context.outcome.after)
    return not any(
        p.box(player).pm or any(leader.color is Color.RED for s in p.owned(player) for leader in s.leaders)
        for p in positions
    )


def _purge(context: NewsContext, event: o.PurgeRolled) -> Iterator[_Held]:
    data: dict[str, object] = {"who": context.names.whos(event.participants), "victim": context.who(event.object)}
    data |= {"strength": event.strength, "dice": event.dice}
    facts = [Fact("purge", p, "", event.object) for p in event.participants]
    facts.append(Fact("purge_roll", str(event.strength), "", str(event.dice)))
    # A Counterpurge is told in the place of the Purge that it answers.
    hands, aim = "".join(sorted(event.participants)), event.object
    topics = frozenset({f"purge/{aim}/{hands}" if event.counter else f"purge/{hands}/{aim}"})
    if event.result == "C":
        held = [e for e in context.outcome.events if isinstance(e, o.PurgeRolled) and e.result != "C"]
        if not event.counter and not held:
            facts.append(Fact("purge_failed", event.object))
            yield _Held(News("purge_failed", 118, "", data, (), tuple(facts), (), topics), event.object)
        return
    spoils = list(_spoils_of(event, context.outcome))
    after = context.outcome.after.where
    taken = _taken(context, event, spoils)
    leaders = [p for p, _ in taken]
    pm = sum(s.pm for s in spoils)
    if not leaders and not pm:
        return
    prize = [context.names.leader(p) for p in leaders]
    imperial = [(p, s.player) for s in spoils for p in s.pieces if p.is_imperial and p in after]
    prize += [context.names.leader(p) for p, player in imperial if after[p].owner == player]
    facts += [Fact("has", player, "", p.bell) for p, player in imperial if after[p].owner == player]
    if pm:
        prize.append(context.names.words.phrase("happened", "pm_told", n=pm))
        facts.append(Fact("pm_taken", event.object, "", str(pm)))
    facts += [Fact("taken", p.bell, "", player) for p, player in taken]
    data["prize"] = context.names.words.many(prize)
    takers = {s.player for s in spoils if s.pm or s.leaders}
    data["takers"] = context.names.whos(sorted(takers))
    if len(takers) == 1 or len(prize) == 1:  # a list of names behind another reads as if it followed its order
        data["gain"] = data["prize"]
    shares = _shares(context, spoils, {*leaders, *(p for p, _ in imperial)})
    if "gain" not in data:
        data["shares"] = shares
    facts += [Fact("took", p, "", event.object) for p in sorted(takers)]
    events = context.outcome.events
    rolled = [e for e in events[: events.index(event) + 1] if isinstance(e, o.PurgeRolled)]
    moved: tuple[Player, ...] = next((e.participants for e in reversed(rolled) if not e.counter), ())
    # Whoever comes through after a Counterpurge that failed has purged late; they did not hit back.
    kind = "purge" if set(event.participants) <= set(moved) else "counterpurge"
    when: tuple[str, ...] = ("alone",) if kind == "counterpurge" and len(moved) == 1 else ()
    facts += [Fact("hit_back", p, "", event.object) for p in event.participants if kind == "counterpurge"]
    if kind == "purge" and event.counter:
        kind = "purge_late"
        data["movers"] = context.names.whos(moved)
        facts += [Fact("moved_purge", p, "", event.object) for p in moved]
        last = not any(isinstance(e, o.PurgeRolled) for e in events[events.index(event) + 1 :])
        when = ("last",) if last else ()
        facts += [Fact("last_purge", p, "", event.object) for p in event.participants if last]
    elif kind == "purge":
        dear = _lost_in_session(context.outcome, event.object) >= DEAR
        parted = ("parted",) if "shares" in data else ()
        when = ("shared" if takers == set(event.participants) else "unequal", *parted, *(("dear",) if dear else ()))
    rank = 165 + 8 * int(event.result) + 5 * bool(leaders)
    tails = () if event.counter else tuple(_purge_memory(context, event))
    yield _Held(News(kind, rank, "", data, when, tuple(facts), tails, topics), event.object, shares)


def _taken(context: NewsContext, event: o.PurgeRolled, spoils: Iterable[o.PurgeSpoils]) -> list[tuple[Piece, Player]]:
    """The Leaders that a Purge took, and who has each of them still."""
    after, had = context.outcome.after.where, context.outcome.before.where
    # Whom the loser had himself only just been given, another lost.
    return [
        (p, s.player)
        for s in spoils
        for p in s.leaders
        if p in after and after[p].owner == s.player and (p not in had or had[p].owner == event.object)
    ]


def _shares(context: NewsContext, spoils: Iterable[o.PurgeSpoils], kept: Collection[Piece]) -> str:
    """`Markin to Arnold, and Bela Kun to Quist`: who has what of it now."""
    say, after = context.names.words.phrase, context.outcome.after.where
    parts, spoils = [], list(spoils)
    for player in dict.fromkeys(share.player for share in spoils):
        own = [share for share in spoils if share.player == player]
        mine = [p for s in own for p in (*s.leaders, *s.pieces) if p in kept and after[p].owner == player]
        goods = [context.names.leader(p) for p in dict.fromkeys(mine)]
        pm = sum(share.pm for share in own)
        goods += [say("happened", "pm_told", n=pm)] if pm else []
        if goods:
            parts.append(say("words", "share", goods=context.names.words.many(goods), who=context.who(player)))
    return "; ".join(parts)


def _lost_in_session(outcome: o.Outcome, player: Player) -> int:
    """Points of Leaders and Markers that the Purges of a Phase cost a player, less what they brought."""
    spoils = [e for e in outcome.events if isinstance(e, o.PurgeSpoils)]
    worth = {id(e): strength(e.leaders) + e.pm for e in spoils}
    lost = sum(worth[id(e)] for e in spoils if e.victim == player)
    return lost - sum(worth[id(e)] for e in spoils if e.player == player)


def _purge_memory(context: NewsContext, event: o.PurgeRolled) -> Iterator[Tail]:
    """Purges of earlier issues; those of the same session are no memory."""
    events = context.outcome.events
    today = sum(
        isinstance(e, o.PurgeRolled)
        and e.result != "C"
        and not e.counter
        and set(e.participants) == set(event.participants)
        for e in events[: events.index(event)]
    )
    if by := context.war.purges_by(event.participants):
        nth = context.nth(by + today + 1)
        facts = tuple(Fact("purges_by", p, "", nth) for p in event.participants)
        key = "same_hand" if len(event.participants) == 1 else "same_hands"
        yield Tail(key, {"who": context.names.whos(event.participants), "nth": nth}, facts)
    elif months := context.war.purged(event.object):
        key = "purged_again" if months == 1 else "purged_often"
        data = {"victim": context.who(event.object), "months": months}
        yield Tail(key, data, (Fact("purged_before", event.object, "", str(months)),))


def _spoils_of(event: o.PurgeRolled, outcome: o.Outcome) -> Iterator[o.PurgeSpoils]:
    """What follows a roll until the next one."""
    events = outcome.events
    for later in events[events.index(event) + 1 :]:
        if isinstance(later, o.PurgeRolled):
            return
        if isinstance(later, o.PurgeSpoils):
            yield later
