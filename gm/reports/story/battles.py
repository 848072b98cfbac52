"""Fighting as news: one story for each province, told from its greatest attack, with what else happened there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.adjudicator import outcome as o
from gm.board.model import Piece
from gm.position import Player, Stack
from gm.reports.story.memory import deaths
from gm.reports.story.news import News, NewsContext, Tail, head, mourning, strength, tops
from gm.reports.story.politics import losses, replaying
from gm.reports.view.model import Fact

TOLL = 3  # Leaders fallen in a Phase who are counted
OTHERS = 2  # further attacks in the same province that are told one by one


def battles(context: NewsContext) -> Iterator[News]:
    fights: dict[str, list[o.Fought]] = {}
    for event in context.outcome.events:
        if isinstance(event, o.Fought):
            if event.subversion:
                yield from _subversion(context, event)
            else:
                fights.setdefault(event.province, []).append(event)
    for province, events in fights.items():
        yield _battle(context, province, events)
        yield from _captures(context, events)


def fighters(pieces: Sequence[Piece]) -> set[Piece]:
    return {p for p in pieces if not p.is_imperial}


def course(event: o.Fought) -> str:
    """How an attack ended, by what was lost: won, repulsed, dear, mutual, vain."""
    attackers = fighters([p for s in event.attackers for p in s.pieces]) - set(event.lost_by_attacker)
    defenders = fighters(event.defender.pieces) - set(event.lost_by_defender)
    if not event.lost_by_attacker:
        return "won" if event.lost_by_defender else "drawn"
    if not event.lost_by_defender:
        return "repulsed"
    return "mutual" if not attackers and not defenders else "dear" if attackers else "vain"


def _conditions(context: NewsContext, event: o.Fought) -> tuple[str, ...]:
    """From the most telling on."""
    ended = course(event)
    if _undone(context, event):
        return (f"{ended}_then",)
    found = []
    if ended == "won":
        found += _how_won(event)
    elif ended == "repulsed":
        found += ["upset_repulsed"] if event.attack >= 2 * event.defence else []
    found.append(ended)
    if ended == "mutual" and _left(context, event.province) == ():
        found.insert(0, "mutual_empty")
    if event.defender.owner == event.player:
        found.insert(0, f"{ended}_own")
    return tuple(found)


def _how_won(event: o.Fought) -> list[str]:
    """A victory over the stronger, over an equal, over the weaker, or one that could hardly fail."""
    if event.attack < event.defence:
        return ["upset"]
    if event.attack == event.defence:
        return ["even"]
    return ["walkover", "stronger"] if event.attack >= 5 * event.defence else ["stronger"]


def _left(context: NewsContext, province: str) -> tuple[Stack, ...] | None:
    """Who stands there after the fighting, if it is the same when the Phase is over; None: it has changed since."""
    now, then = (
        tuple(s for s in position.at(province) if s.color is not None)
        for position in (context.outcome.after, context.after_combat)
    )
    return now if _forces(now) == _forces(then) else None


def _forces(stacks: Sequence[Stack]) -> set[tuple[str | None, frozenset[Piece]]]:
    return {(s.owner, frozenset(s.pieces)) for s in stacks}


def _undone(context: NewsContext, event: o.Fought) -> bool:
    """Whether those who came out of an attack unhurt were hit by a later one of the same Phase."""
    unhurt = (event.defender,) if course(event) == "repulsed" else event.attackers
    safe = fighters([p for s in unhurt for p in s.pieces])
    later = context.outcome.events[context.outcome.events.index(event) + 1 :]
    return any(
        not safe.isdisjoint((*e.lost_by_attacker, *e.lost_by_defender)) for e in later if isinstance(e, o.Fought)
    )


def _weight(event: o.Fought) -> tuple[int, int]:
    lost = (*event.lost_by_attacker, *event.lost_by_defender)
    return sum(p.value * (3 if p.is_leader else 1) for p in lost), event.attack + event.defence


def _battle(context: NewsContext, province: str, events: Sequence[o.Fought]) -> News:
    main = max(events, key=_weight)
    others = _others(events, main)
    dead = [p for e in (main, *others) for p in (*e.lost_by_attacker, *e.lost_by_defender) if p.is_leader]
    facts = [*_facts(main)]
    data = _data(context, main)
    tails = list(_tails(context, province, main, others))
    owned = any(e.defender.owner not in (None, e.player) for e in events)
    lost = sum(_weight(e)[0] for e in events)
    rank = 88 + min(3 * lost, 60) + 15 * owned + min(sum(e.attack + e.defence for e in events) // 4, 15)
    kind, when = "battle", _conditions(context, main)
    if dead:
        # Of equals the one who is known, and then the one who led his stack.
        fallen = max(dead, key=lambda p: (p.value, context.names.known(p)))
        event = next(e for e in events if fallen in (*e.lost_by_attacker, *e.lost_by_defender))
        if event is not main:
            tails = list(_tails(context, province, event, _others(events, event)))
        owner = _owner(event, fallen)
        data = _data(context, event, units=True) | context.leader_of(fallen, owner) | context.named(owner)
        data["foes"] = data["enemy" if fallen in event.lost_by_attacker else "force"]
        when = tuple(_fell_how(context, event, fallen))
        facts = [*_facts(event), Fact("fell", fallen.bell, province)]
        if beside := _count(context, province, owner, duel="duel" in when):
            data |= beside[0]
            when = ("with_others", *when)
            facts += beside[1]
        facts += [Fact("own_fight", event.player, province)] if "own" in when else []
        if "duel" in when:
            data |= _foe(context, event, fallen)
        facts += [Fact("led", fallen.bell, province) for how in when if how.endswith("_led")]
        kind, rank = "leader_fell", rank + 40 + 30 * fallen.value
        too = _fell_too(context, event, fallen, _told(dead, events, event))
        too = (tail for tail in too if "duel" not in when or not tail.key.startswith("fell_opposite"))
        losers = dict.fromkeys(_owner(e, p) for e in events for p in (*e.lost_by_attacker, *e.lost_by_defender))
        last = [tail for loser in losers for tail in losses(context, loser, events[-1])]
        tails = [*too, *last, *mourning(context, dead), *tails]
    topics = frozenset({f"battle/{province}", *(f"leader/{p.name}" for p in dead)})
    return News(kind, rank, province, data, when, tuple(facts), tuple(tails), topics)


def _count(
    context: NewsContext, province: str, owner: Player | None, *, duel: bool
) -> tuple[dict[str, object], list[Fact]] | None:
    """How many Leaders fell in a province in this Phase on all sides, and how many of one player's, if several."""
    dead = [d.owner for d in deaths(context.outcome) if d.place == province]
    if len(dead) < 2 or (duel and len(dead) == 2):  # a duel tells of both
        return None
    data: dict[str, object] = {"fell": len(dead), "more": len(dead) - 1}
    facts = [Fact("fell_in", "", province, str(len(dead)))]
    if (mine := dead.count(owner)) > 1 and owner:
        data["mine"] = mine
        facts.append(Fact("fell_of", owner, province, str(mine)))
    return data, facts


def _others(events: Sequence[o.Fought], main: o.Fought) -> list[o.Fought]:
    """The other attacks in a province: those before it backwards, for `before that` leads back; then those after it."""
    at = events.index(main)
    return [*reversed(events[:at]), *events[at + 1 :]]


def _fell_how(context: NewsContext, event: o.Fought, fallen: Piece) -> Iterator[str]:
    """`_led`: first of the attack, and troops under him. `_then`: how it ended was not the end of it."""
    side = "attacking" if fallen in event.lost_by_attacker else "defending"
    if event.defender.owner == event.player:
        yield "own"
    if _undone(context, event):
        yield f"{side}_then"
        return
    one, other = (fighters([p for s in stacks for p in s.pieces]) for stacks in (event.attackers, (event.defender,)))
    if course(event) == "mutual" and len(one) == len(other) == 1 and all(p.is_leader for p in one | other):
        yield from ("duel",) if event.defender.owner not in (None, event.player) else ()
    if side == "attacking" and one == {fallen}:
        yield f"{side}_{course(event)}_lone"
    if side == "attacking" and _led(event, fallen):
        yield f"{side}_{course(event)}_led"
    yield f"{side}_{course(event)}"
    if side == "defending" and course(event) == "won":
        if other == {fallen}:
            yield "defending_won_lone"
        elif event.attack >= 2 * event.defence:
            yield "defending_won_outnumbered"


def _led(event: o.Fought, fallen: Piece) -> bool:
    own = [p for s in event.attackers if fallen in s.leaders for p in fighters(s.pieces)]
    return len(own) > 1 and head(event.attackers) is fallen


def _foe(context: NewsContext, event: o.Fought, fallen: Piece) -> dict[str, object]:
    """The other of two Leaders who fought alone."""
    foe = next(p for s in _there(event) for p in s.leaders if p is not fallen)
    return {"foe": context.names.leader(foe), "foe_name": foe.name, "other": context.who(_owner(event, foe))}


def _told(dead: Sequence[Piece], events: Sequence[o.Fought], event: o.Fought) -> list[Piece]:
    """The dead without those of whose fight another sentence tells."""
    others = _others(events, event)[:OTHERS]
    return [p for p in dead if not any(p in (*e.lost_by_attacker, *e.lost_by_defender) for e in others)]


def _fell_too(context: NewsContext, event: o.Fought, fallen: Piece, dead: Sequence[Piece]) -> Iterator[Tail]:
    """The other Leaders who fell there: beside him, on the other side, and elsewhere in the province."""
    mine, theirs = event.lost_by_attacker, event.lost_by_defender
    if fallen not in mine:
        mine, theirs = theirs, mine
    beside = [p for p in dead if p is not fallen and p in mine]
    opposite = [p for p in dead if p in theirs]
    elsewhere = [p for p in dead if p not in mine and p not in theirs]
    for key, found in (("fell_too", beside), ("fell_opposite", opposite), ("fell_elsewhere", elsewhere)):
        if found:
            names = context.names.words.many(context.names.leader(p) for p in found)
            facts = [Fact("fell", p.bell, event.province) for p in found]
            facts += [Fact(key, p.bell, event.province, fallen.bell) for p in found]
            data = {"leaders": names, "name": fallen.name}
            yield Tail(key if len(found) == 1 else f"{key}_many", data, tuple(facts))


def _owner(event: o.Fought, piece: Piece) -> str | None:
    return event.attackers[0].owner if piece in event.lost_by_attacker else event.defender.owner


def _data(context: NewsContext, event: o.Fought, *, units: bool = False) -> dict[str, object]:
    """`units`: of the losses name the units alone, where the Leaders are told by name."""
    data: dict[str, object] = {
        "who": context.who(event.player),
        "side": context.side(event.attackers[0]),
        "force": context.men(event.attackers),
        "enemy": context.men((event.defender,)),
        "enemy_side": context.side(event.defender),
        "odds": context.odds(event.odds),
        "attack": event.attack,
        "defence": event.defence,
    }
    sides = (("lost", event.lost_by_defender, (event.defender,)), ("cost", event.lost_by_attacker, event.attackers))
    for key, pieces, stacks in sides:
        named = [p for p in pieces if p.is_unit or not units]
        # Troops without a Leader are called by their units: whoever lost all of them has been told.
        if named and (any(s.leaders for s in stacks) or len(pieces) < sum(len(s.units) for s in stacks)):
            data[key] = context.names.told(named)
    if event.defender.owner not in (None, event.player):
        data["other"] = context.who(event.defender.owner)
    return data


def _facts(event: o.Fought) -> Iterator[Fact]:
    place = event.province
    yield Fact("attacked", event.player, place, event.odds)
    yield Fact("strengths", str(event.attack), place, str(event.defence))
    if course(event) == "won":
        yield from (Fact(f"won_{how}", event.player, place) for how in _how_won(event))
    yield from tops(_there(event))
    for piece in (*event.lost_by_attacker, *event.lost_by_defender):
        yield Fact("fell" if piece.is_leader else "destroyed", piece.bell, place)
    if event.defender.owner:
        yield Fact("defended", event.defender.owner, place)
    yield Fact(course(event), event.player, place)


def _there(event: o.Fought) -> tuple[Stack, ...]:
    return (*event.attackers, event.defender)


def _tails(context: NewsContext, province: str, main: o.Fought, others: Sequence[o.Fought]) -> Iterator[Tail]:
    events = context.outcome.events
    for event in others[:OTHERS]:
        when = "_before" if events.index(event) < events.index(main) else ""
        order = Fact("order", f"{event.player}{event.number}", province, f"{main.player}{main.number}")
        facts = (*_facts(event), *((order,) if when else ()))
        yield Tail(f"also_{course(event)}{when}", _data(context, event) | _same(context, event, main), facts)
    if len(others) > OTHERS:
        more = len(others) - OTHERS
        yield Tail("also_more", {"attacks": more}, (Fact("attacks", "", province, str(len(others) + 1)),))
    yield from _memory(context, province, main)
    yield from _meaning(context, province, main)


def _same(context: NewsContext, event: o.Fought, main: o.Fought) -> dict[str, object]:
    """Troops without a Leader are called by their units: where the story has just done so they are `the same`."""
    named = [fighters(s.pieces) for s in _there(main) if not s.leaders]
    sides = (("force", event.attackers), ("enemy", (event.defender,)))
    return {
        key: context.of(context.word("same_troops"), stacks[0].owner)
        for key, stacks in sides
        if len(troops := fighters([p for s in stacks for p in s.pieces])) > 1 and any(troops <= n for n in named)
    }


def _memory(context: NewsContext, province: str, main: o.Fought) -> Iterator[Tail]:
    war, who, other = context.war, main.player, main.defender.owner
    ended = course(main)
    named = {"who": context.who(who), "other": context.who(other)}
    if other not in (None, who) and ended == "won" and war.beaten(who, other) and _first_of_wins(context, main):
        yield Tail("revenge", named, (Fact("beaten_before", who, "", str(other)),))
    elif ended == "won" and (streak := war.streak(who)) >= 2 and _all_won(context, who):
        whole = streak == war.attacked(who)
        facts = (Fact("streak_all" if whole else "streak", who, "", str(streak + 1)),)
        yield Tail("streak_all" if whole else "streak", {**named, "months": streak + 1}, facts)
    before = war.battles_at(province)
    if before:
        nth = context.nth(before + 1)
        key = "again" if before > 1 else "again_once"
        yield Tail(key, {"months": before + 1}, (Fact("battles", nth, province),))


def _first_of_wins(context: NewsContext, main: o.Fought) -> bool:
    """Whether it was the first fight of the two in this Phase, and its winner won every one of theirs."""
    two = {main.player, main.defender.owner}
    met = [e for e in context.outcome.events if isinstance(e, o.Fought) and {e.player, e.defender.owner} == two]
    return met[0] == main and all(e.player == main.player and e.result == "De" for e in met)


def _all_won(context: NewsContext, player: str) -> bool:
    own = [e for e in context.outcome.events if isinstance(e, o.Fought) and e.player == player and not e.subversion]
    return all(e.result == "De" for e in own)


def _meaning(context: NewsContext, province: str, main: o.Fought) -> Iterator[Tail]:
    """Who is left in the province, if nobody came or went between the fighting and the end of the Phase."""
    there = _left(context, province)
    if there is None:
        return
    colors = {str(s.color) for s in there}
    owners = {s.owner for s in there}
    if not there:
        yield Tail("left_empty", {}, (Fact("empty", "", province),))
    elif len(owners) == 1 and (owner := next(iter(owners))) is not None:
        points = sum(s.strength for s in there)
        data = {"holder": context.who(owner), "strength": points}
        yield Tail("left_holder", data, (Fact("holds", owner, province, str(points)),))
    elif len(colors) == 1 and {str(p.color) for s in there for p in fighters(s.pieces)} == colors <= {"red", "white"}:
        color = colors.pop()
        yield Tail("left_color", {"color": context.word(f"color.{color}")}, (Fact("only", color, province),))


def toll(context: NewsContext) -> Iterator[News]:
    """All Leaders who fell in a Phase, with whose they were, if they fell in several places or never so many did."""
    fallen = [d for d in deaths(context.outcome) if d.cause != "executed"]
    before = context.war.most_dead()
    most = 0 < before < len(fallen)
    if len(fallen) < TOLL or (len({d.place for d in fallen}) < 2 and not most):
        return
    names, bells = context.names, {p.name: p.bell for p in context.names.board.pieces.values() if p.is_leader}
    by_owner: dict[Player | None, list[str]] = {}
    for death in fallen:
        by_owner.setdefault(death.owner, []).append(names.leader_called(death.name))
    groups = [context.of(names.words.many(group), owner) for owner, group in by_owner.items()]
    number = Fact("toll", "", "", str(len(fallen)))
    facts = [number, *(Fact("dead", bells[d.name]) for d in fallen)]
    facts += [Fact("owned", d.owner, "", bells[d.name]) for d in fallen if d.owner]
    facts += [Fact("most_dead", "", "", str(len(fallen)))] if most else []
    data = {"fell": len(fallen), "dead": "; ".join(groups)}
    yield News("toll", 125, "", data, ("most",) if most else (), tuple(facts), (), frozenset({"toll"}), False)


def _captures(context: NewsContext, events: Sequence[o.Fought]) -> Iterator[News]:
    for event in events:
        for piece in event.captured:
            # J32: it goes to the side that is left; who that is, the map says.
            stack, then = context.outcome.after.where.get(piece), context.then(event).where.get(piece)
            if stack is None or stack.owner is None or (then is not None and then.owner != stack.owner):
                continue
            data = {"what": context.names.leader(piece), "who": context.who(stack.owner)}
            facts: tuple[Fact, ...] = (Fact("has", stack.owner, event.province, piece.bell),)
            when: tuple[str, ...] = ("czar",) if piece.name == "Czar" else ("gold",)
            topics = frozenset({f"imperial/{piece.name}"})
            had = replaying(context, event).get(piece)
            tails: tuple[Tail, ...] = ()
            if had and had.owner not in (None, stack.owner):
                data["other"] = context.who(had.owner)
                when = ("from", *when)
                facts += (Fact("had", str(had.owner), event.province, piece.bell),)
                tails = (Tail("taken_from", data),)
            yield News("imperial_captured", 205, event.province, data, when, facts, tails, topics)


def _subversion(context: NewsContext, event: o.Fought) -> Iterator[News]:
    if not event.lost_by_defender:
        return
    data = _data(context, event)
    rank = 55 + 2 * strength(event.lost_by_defender)
    facts = (
        Fact("attacked", event.player, event.province, event.odds),
        *(Fact("destroyed", p.bell, event.province) for p in event.lost_by_defender),
        *((Fact("defended", event.defender.owner, event.province),) if event.defender.owner else ()),
    )
    topics = frozenset({f"subversion/{event.province}/{event.defender.pieces[0].code}"})
    yield News("subversion", rank, event.province, data, (), facts, (), topics)
