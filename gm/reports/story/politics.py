"""Murders, the Czar, trades, Markers, the end: stories of everything that is not movement, combat, Purges or score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.adjudicator import outcome as o
from gm.adjudicator.steps.victory import in_contested
from gm.board.model import Piece
from gm.orders.kinds import Goods
from gm.position import Phase, Player, Stack
from gm.reports.story.memory import first
from gm.reports.story.news import News, NewsContext, Tail, greatest, mourning, strength
from gm.reports.view.model import Fact

GREAT = 6  # points of strength that make the coming and going of a nation a great change


def murders(context: NewsContext) -> Iterator[News]:
    for event in context.outcome.events:
        if isinstance(event, o.AssassinationTried):
            if event.success:
                yield _murder(context, event)
            else:
                yield from _attempt(context, event)


def _murder(context: NewsContext, event: o.AssassinationTried) -> News:
    data: dict[str, object] = {**context.leader_of(event.target, event.owner), "who": context.who(event.player)}
    facts = [Fact("murdered", event.target.bell, event.province, event.player)]
    if event.owner:
        data["owner"] = context.who(event.owner)
        facts.append(Fact("owned", event.owner, "", event.target.bell))
    tails = [*mourning(context, (event.target,)), *losses(context, event.owner, event)]
    when = ("own",) if event.owner == event.player else ()
    rank = 160 + 30 * event.target.value
    topics = frozenset({f"leader/{event.target.name}"})
    return News("murder", rank, event.province, data, when, tuple(facts), tuple(tails), topics)


def losses(context: NewsContext, owner: Player | None, event: o.Event) -> Iterator[Tail]:
    """A player's last Leaders, after a death and still so when the Phase is over, if there were more when it began."""
    if owner is None:
        return
    had, left, then = (
        [p for s in position.owned(owner) for p in s.leaders]
        for position in (context.outcome.before, context.outcome.after, context.then(event))
    )
    if set(left) != set(then) or len(had) <= len(left):
        return
    if len(left) == 1:
        data = {"owner": context.who(owner), "last": context.names.leader(left[0])}
        yield Tail("last_leader", data, (Fact("last_leader", owner, "", left[0].bell),))
    elif not left:
        yield Tail("no_leader", {"owner": context.who(owner)}, (Fact("no_leader", owner),))


def _attempt(context: NewsContext, event: o.AssassinationTried) -> Iterator[News]:
    """Attempts on one man that failed; nobody who died in the same Phase after all is told to be well."""
    tried = [e for e in context.outcome.events if isinstance(e, o.AssassinationTried) and e.target is event.target]
    if event.target not in context.outcome.after.where or event is not tried[0]:
        return
    data: dict[str, object] = {**context.leader(event.target), "who": context.who(event.player)}
    facts = [Fact("attempt", event.target.bell, event.province, event.player)]
    if event.owner not in (None, event.player):  # 10.23: the markers go over to him
        data["owner"] = context.who(event.owner)
        facts.append(Fact("owned", str(event.owner), "", event.target.bell))
    when = ("several",) if len(tried) > 1 else ()
    if when:
        data |= {"who": context.names.whos(dict.fromkeys(e.player for e in tried)), "tries": len(tried)}
        places = dict.fromkeys(e.province for e in tried)
        if len(places) > 1:
            data["at"] = context.names.words.many(context.names.at(place) for place in places)
        facts += [Fact("attempt", e.target.bell, e.province, e.player) for e in tried[1:]]
    topics = frozenset({f"attempt/{event.target.name}"})  # whatever else is told of him
    yield News("murder_failed", 78 + 12 * event.target.value, event.province, data, when, tuple(facts), (), topics)


def czar(context: NewsContext) -> Iterator[News]:
    """Orders to execute the Czar."""
    at = _czar_at(context.outcome)
    ranks = {"czar_executed": 290, "czar_refused": 150, "czar_pending": 140}
    for event in context.outcome.events:
        step = "answer" if isinstance(event, o.ExecutionAnswered) else ""
        if isinstance(event, o.ExecutionOrdered):
            kind = {"complied": "czar_executed", "refused": "czar_refused"}.get(event.answer, "czar_pending")
        elif isinstance(event, o.ExecutionAnswered) and event.holder and event.answer in ("complied", "refused"):
            kind = "czar_executed" if event.answer == "complied" else "czar_refused"
        else:
            continue
        if kind != "czar_executed" and _keeper(context) != event.holder:
            continue
        facts = (Fact(kind, event.holder or ""),)
        data = {"who": context.who(event.holder)}
        tails: tuple[Tail, ...] = ()
        if isinstance(event, o.ExecutionOrdered):  # who gave an order of the Phase before, that issue has told
            order = {"movers": context.names.whos(event.participants), "markers": event.markers}
            moved = tuple(Fact("execution_by", p, "", str(event.markers)) for p in event.participants)
            tails = (Tail("czar_order", order, moved),)
        yield News(kind, ranks[kind], at, data, (), facts, tails, frozenset({"imperial/Czar"}), step=step)


def imperial(context: NewsContext) -> Iterator[News]:
    """The Czar and the Gold, if another has them when the Phase ends than when it began, or nobody."""
    before, after = context.outcome.before, context.outcome.after
    if before.turn < 1 or after.solitaire:
        return
    passed: dict[tuple[Player | None, Player | None], list[Piece]] = {}
    for piece in sorted((p for p in after.where if p.is_imperial), key=lambda p: p.code):
        if piece in before.where and before.where[piece].owner != after.where[piece].owner:
            passed.setdefault((before.where[piece].owner, after.where[piece].owner), []).append(piece)
    for (old, new), pieces in passed.items():
        place = after.where[pieces[0]].province
        data: dict[str, object] = {"what": context.names.told(pieces)}
        data |= context.named(new, "who") | context.named(old, "other")
        facts = [Fact("has", new or "", after.where[p].province, p.bell) for p in pieces]
        facts += [Fact("had_before", old or "", "", p.bell) for p in pieces]
        when = ("taken" if old and new else "found" if new else "lost",)
        topics = frozenset(f"imperial/{p.name}" for p in pieces)
        yield News("imperial", 196, place, data, when, tuple(facts), (), topics, must=True)


def imperial_journeys(context: NewsContext) -> Iterator[News]:
    """Where the Czar and the Gold were led, if whoever had them has them still."""
    before, after = context.outcome.before, context.outcome.after
    if before.turn < 1 or after.solitaire:
        return
    led: dict[tuple[Player | None, str, str], list[Piece]] = {}
    for piece in sorted((p for p in after.where if p.is_imperial), key=lambda p: p.code):
        then, now = before.where.get(piece), after.where[piece]
        if then is not None and now.owner and then.owner == now.owner and then.province != now.province:
            led.setdefault((now.owner, then.province, now.province), []).append(piece)
    for (owner, start, end), pieces in led.items():
        data = {"what": context.names.told(pieces), "who": context.who(owner), "origin": context.names.land(start)}
        data["origin_at"] = context.names.at(start)
        facts = [Fact("has", owner or "", end, p.bell) for p in pieces]
        facts += [Fact("led_to", p.bell, start, end) for p in pieces]
        topics = frozenset(f"imperial/{p.name}" for p in pieces)
        yield News("imperial_journey", 66, end, data, (), tuple(facts), (), topics, may_lead=False, must=True)


def _czar_at(outcome: o.Outcome) -> str:
    """Where the Czar was after the moves of the Phase."""
    at = next((s.province for s in outcome.before.stacks if any(p.name == "Czar" for p in s.pieces)), "")
    for event in outcome.events:
        if isinstance(event, o.Moved) and event.path and any(p.name == "Czar" for p in event.pieces):
            at = event.path[-1]
    return at


def _keeper(context: NewsContext) -> Player | None:
    """Who has the Czar when the Phase ends."""
    return next((s.owner for s in context.outcome.after.stacks if any(p.name == "Czar" for p in s.pieces)), None)


def departures(context: NewsContext) -> Iterator[News]:
    """Imperial units and Czechs that left the country; all Czechs whom one player let go are one story."""
    czechs: dict[tuple[Player, str], list[Piece]] = {}
    for event in context.outcome.events:
        if not isinstance(event, o.Left):
            continue
        if not event.piece.is_imperial:
            czechs.setdefault((event.player, event.province), []).append(event.piece)
            continue
        data = {"who": context.who(event.player), "what": context.names.told((event.piece,))}
        facts = (Fact("left", event.piece.bell, event.province, event.player),)
        topics = frozenset({f"imperial/{event.piece.name}"})
        yield News("imperial_left", 215, event.province, data, (), facts, (), topics)
    for (player, province), pieces in czechs.items():
        data = {"who": context.who(player), "what": context.names.told(pieces)}
        gone = tuple(Fact("left", p.bell, province, player) for p in pieces)
        yield News("czechs_left", 98, province, data, (), gone, (), frozenset({"nation/CZ"}))


def trades(context: NewsContext) -> Iterator[News]:
    """One story for all trades: before the game the Leaders make it."""
    outcome = context.outcome
    traded = [e for e in outcome.events if isinstance(e, o.Traded)]
    moves: list[tuple[Piece, Player, Player]] = []
    for event in traded:
        moves += [(leader, event.giver, event.receiver) for leader in event.given.leaders]
        if event.returned:
            moves += [(leader, event.receiver, event.giver) for leader in event.returned.leaders]
    if moves:
        top = greatest(m[0] for m in moves)
        leader, giver, receiver = next(m for m in moves if m[0] is top)
        stack = outcome.after.where.get(leader)
        data = {
            **context.leader(leader),
            "who": context.who(receiver),
            "other": context.who(giver),
            "leaders": len(moves),
        }
        facts = (
            Fact("changed", leader.bell, "", receiver),
            Fact("from", giver),
            Fact("traded", "", "", str(len(moves))),
        )
        when = ("one",) if len(moves) == 1 else ("several",)
        yield News("trades", 400 + len(moves), stack.province if stack else "", data, when, facts)
    elif traded:
        yield from _markers(context)
    elif outcome.before.phase is Phase.PREGAME:
        yield News("no_trades", 40, "", {})


def flows(outcome: o.Outcome) -> dict[tuple[Player, Player], Goods]:
    """The Markers that went from one player to another in all trades of a Phase, both ways of each pair."""
    found: dict[tuple[Player, Player], Goods] = {}
    for event in outcome.events:
        if isinstance(event, o.Traded):
            back = event.returned or Goods()
            for pair, more in (((event.giver, event.receiver), event.given), ((event.receiver, event.giver), back)):
                had = found.get(pair, Goods())
                found[pair] = Goods(had.pm + more.pm, had.am + more.am)
    return found


def _markers(context: NewsContext) -> Iterator[News]:
    """All transfers of Markers, told from the greatest; a swap of like for like is none."""
    traded = flows(context.outcome)
    worth = {
        (one, other): goods.pm + goods.am
        for (one, other), goods in traded.items()
        if goods.pm + goods.am and goods != traded[other, one]
    }
    if not worth:
        return
    who, other = max(worth, key=lambda pair: worth[pair])
    goods, back = traded[who, other], traded[other, who]
    data = {"who": context.who(who), "other": context.who(other), "goods": context.names.goods(goods, "_told")}
    gave = [gift(traded, who, other)]
    when: tuple[str, ...] = ()
    if back != Goods():
        data["returned"] = context.names.goods(back, "_told")
        gave.append(gift(traded, other, who))
        when = ("exchange",)
    if len(worth) > len(gave):
        say, names = context.names.words.phrase, context.names
        data["gifts"] = "; ".join(
            say("words", "passed", leader=names.goods(traded[a, b], "_told"), other=names.who(a), who=names.who(b))
            for a, b in sorted(worth)
        )
        gave = [gift(traded, a, b) for a, b in sorted(worth)]
        when = ("many",)
    topics = frozenset(f"gift/{giver}/{receiver}" for giver, receiver in worth)
    yield News("trade", 60 + 2 * worth[who, other], "", data, when, tuple(gave), (), topics)


def gift(traded: Mapping[tuple[Player, Player], Goods], giver: Player, receiver: Player) -> Fact:
    goods = traded[giver, receiver]
    return Fact("gave", giver, f"{goods.pm}/{goods.am}", receiver)


def chits(context: NewsContext) -> Iterator[News]:
    """Control of foreign and Nationalist troops, and their going home. Whoever went home is under nobody's orders."""
    gone = {(e.chit or "").partition(" ")[0] for e in _drawn(context) if e.withdrawn}
    events = context.outcome.events
    for event in _drawn(context):
        by_event = any(isinstance(e, o.DrawEvent) for e in events[: events.index(event)])
        step = "events" if by_event else ""
        nation, _, kind = (event.chit or "").partition(" ")
        topics = frozenset({f"nation/{nation}"})
        words = (
            {"nation": context.word(f"state.{nation}"), "adjective": context.word(f"adjective.{nation}")}
            if kind
            else {}
        )
        if kind == "withdrawal" and event.withdrawn:
            before, points = replaying(context, event), strength(event.withdrawn)
            whose = {p: owner for p in event.withdrawn if p in before and (owner := before[p].owner)}
            data = {**words, "lost": context.told_of(event.withdrawn, whose)}
            facts = tuple(Fact("withdrawn", p.bell) for p in event.withdrawn)
            facts += tuple(Fact("owned_then", who, "", p.bell) for p, who in whose.items())
            rank = (88 if whose else 48) + (3 if points >= GREAT else 2) * points
            first = greatest(event.withdrawn)
            stood = before[first].province if first in before else first.home
            told = (*facts, Fact("nation", nation))
            yield News("withdrawal", rank, stood, data, (), told, (), topics, bool(whose), points >= GREAT, step)
        elif kind == "control" and not event.set_aside and nation not in gone:
            after = context.outcome.after.where
            # With those of the nation that came back in the same Phase: they are the player's as well.
            back = [p for e in events if isinstance(e, o.Replaced) for p in e.units if p.nation == nation]
            gained = [p for p in (*event.gained, *back) if p in after and after[p].owner == event.player]
            gained = list(dict.fromkeys(gained))
            if gained:
                came = list(dict.fromkeys((*event.gained, *back)))
                units = context.names.told(came, bare=True)
                facts = (*(Fact("controls", event.player, "", p.bell) for p in gained), Fact("nation", nation))
                if gone_since := [p for p in came if p not in gained]:
                    units = context.names.words.phrase("words", "gone_since", units=units, n=len(gone_since))
                    facts += tuple(Fact("came", event.player, "", p.bell) for p in gone_since)
                data = {**words, "who": context.who(event.player), "gained": units}
                points = strength(gained)
                place, rank = after[gained[0]].province, 58 + (3 if points >= GREAT else 1) * points
                step = "events" if any(p in back for p in gained) else step
                yield News("control", rank, place, data, (), facts, (), topics, must=points >= GREAT, step=step)


def replaying(context: NewsContext, event: o.Event) -> Mapping[Piece, Stack]:
    """Where everything stood when an event came."""
    events = context.outcome.events
    at = events.index(event)
    return context.then(events[at - 1]).where if at else context.outcome.before.where


def _drawn(context: NewsContext) -> list[o.ChitDrawn]:
    return [e for e in context.outcome.events if isinstance(e, o.ChitDrawn)]


def last_month(context: NewsContext) -> Iterator[News]:
    """H3: the month that begins is the last one."""
    before, after = context.outcome.before, context.outcome.after
    if before.turn < after.turn == context.last_turn and after.phase is Phase.FIRST:
        month, year = context.names.words.month(after.turn)
        fact = Fact("last_month", "", "", str(after.turn))
        data, facts = _count_now(context)
        yield News(
            "last_month",
            240,
            "",
            {"last": f"{month} {year}"},
            (),
            (fact,),
            (Tail("count_now", data, facts),),
            must=True,
        )
    elif before.turn == after.turn == context.last_turn and after.phase is Phase.SECOND:
        data, facts = _count_now(context)
        yield News("count_now", 112, "", data, (), facts, may_lead=False, must=True)


def _count_now(context: NewsContext) -> tuple[dict[str, object], tuple[Fact, ...]]:
    """What the last Game-Turn decides by, if nothing changed any more (H3)."""
    red, white = in_contested(context.names.board, context.outcome.after.stacks)
    facts = (Fact("contested", "red", "", str(red)), Fact("contested", "white", "", str(white)))
    return {"red": red, "white": white}, facts


def ends(context: NewsContext) -> Iterator[News]:
    for event in context.outcome.events:
        if isinstance(event, o.Quit):
            facts = (Fact("quit", event.player),)
            kind = "removed" if event.player in context.names.removed else "quit"
            yield News(kind, 230, "", {"who": context.who(event.player)}, (), facts)
        elif isinstance(event, o.Won):
            best = first(dict(event.points))
            points = max(event.points.values(), default=0)
            counted, strengths = _count_now(context)
            told = (Fact("won_war", best or "", "", str(points)), *strengths)
            data = {"points": points, **counted} | ({"who": context.who(best)} if best else {})
            tails = tuple(_margin(context, event))
            # A vote, the key areas (H2) and the last Game-Turn (H3) leave the other colour in the field.
            calendar = "even" if data["red"] == data["white"] else "calendar"
            how, share = {3: "vote", 4: "keys", 5: calendar}.get(event.condition), "sole" if best else "shared"
            when = (how, f"{how}_{share}") if how else (share,)
            yield News(f"victory_{event.color}", 1000, "", data, when, told, tails)


def _margin(context: NewsContext, event: o.Won) -> Iterator[Tail]:
    """Why it ended, where the calendar did not end it, and by how much the winner won; of several, who they are."""
    if event.condition in (1, 2):
        yield Tail("ended", {"reason": context.names.words.template("closing", f"reason.{event.condition}")})
    ranked = sorted(event.points, key=lambda p: (-event.points[p], p))
    best = [p for p in ranked if event.points[p] == event.points[ranked[0]]]
    rest = [p for p in ranked if p not in best]
    data: dict[str, object] = {"who": context.names.whos(best), "points": event.points[ranked[0]]}
    if rest:
        second = [p for p in rest if event.points[p] == event.points[rest[0]]]
        data |= {"second": context.names.whos(second), "next": event.points[rest[0]]}
        data["margin"] = event.points[ranked[0]] - event.points[rest[0]]
    facts = tuple(Fact("final", p, "", str(n)) for p, n in event.points.items())
    facts += (Fact("margin", "", "", str(data["margin"])),) if rest else ()
    if len(best) > 1:
        yield Tail("winners", data, facts)
    elif rest:
        yield Tail("margin", data, facts)
