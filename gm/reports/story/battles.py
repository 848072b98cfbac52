"""Fighting as news: one story for each province, told from its greatest attack, with what else happened there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gm.adjudicator import outcome as o
from gm.board.model import Piece
from gm.position import Player, Stack
from gm.reports.story.memory import deaths
from gm.reports.story.news import News, NewsContext, Tail, head, mourning, strength, tops
from gm.reports.story.politics import losses
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
        # Of equals the one whom every reader knows, then the one whom the stories call his force after.
        sides = [e.attackers for e in events] + [(e.defender,) for e in events]
        called = {head(side) for side in sides if any(s.leaders for s in side)}
        fallen = max(dead, key=lambda p: (p.value, context.names.known(p), p in called))
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
            other = next((p for p in dead if p is not fallen), fallen)
            if len(dead) == 2 and data["fell"] == 2:
                data["second"] = other.name
            when = ("with_one" if "second" in data else "with_others", *when)
            facts += beside[1]
        facts += [Fact("own_fight", event.player, province)] if "own" in when else []
        if "duel" in when:
            data |= _foe(context, event, fallen)
        facts += [Fact("led", fallen.bell, province) for how in when if how.endswith("_led")]
        kind, rank = "leader_fell", rank + 40 + 30 * fallen.value + 20 * (len(dead) - 1)
        too = _fell_too(context, event, fallen, _told(dead, events, event))
        too = (tail for tail in too if "duel" not in when or not tail.key.startswith("fell_opposite"))
        losers = dict.fromkeys(_owner(e, p) for e in events for p in (*e.lost_by_attacker, *e.lost_by_defender))
        last = [tail for loser in losers for tail in losses(context, loser, events[-1])]
        deadly = [tail for tail in tails if any(fact.what == "fell" for fact in tail.facts)]  # the headline counts them
        tails = [tail for tail in tails if tail not in deadly]
        tails = [*too, *deadly, *_troops(context, event, fallen), *last, *mourning(context, dead), *tails]
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
        return
    if _undone(context, event):
        yield f"{side}_then"
        return
    one, other = (fighters([p for s in stacks for p in s.pieces]) for stacks in (event.attackers, (event.defender,)))
    if course(event) == "mutual" and len(one) == len(other) == 1 and all(p.is_leader for p in one | other):
        yield from ("duel",) if event.defender.owner not in (None, event.player) else ()
    if side == "attacking" and one == {fallen} and sum(len(s.pieces) for s in event.attackers) == 1:
        yield f"{side}_{course(event)}_lone"
    if side == "attacking" and _led(event, fallen):
        yield f"{side}_{course(event)}_led"
    yield f"{side}_{course(event)}"
    if side == "defending" and course(event) == "won":
        if len(event.defender.pieces) == 1:
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
    if course(event) == "mutual" and event.defender.owner != event.player:
        # That nobody came out of it the story has said, with the one who led them.
        stacks = (event.defender,) if fallen in event.lost_by_attacker else event.attackers
        opposite = [p for p in opposite if p is not head(stacks)]
    elsewhere = [p for p in dead if p not in mine and p not in theirs]
    for key, found in (("fell_too", beside), ("fell_opposite", opposite), ("fell_elsewhere", elsewhere)):
        if found:
            names = context.names.words.many(context.names.leader(p) for p in found)
            facts = [Fact("fell", p.bell, event.province) for p in found]
            facts += [Fact(key, p.bell, event.province, fallen.bell) for p in found]
            data = {"leaders": names, "name": fallen.name}
            yield Tail(key if len(found) == 1 else f"{key}_many", data, tuple(facts))


def _troops(context: NewsContext, event: o.Fought, fallen: Piece) -> Iterator[Tail]:
    """What the attack in which he fell cost in units, where the lead has not told it."""
    one, other = event.attackers[0].owner, event.defender.owner
    sides = (("cost", event.lost_by_attacker, one), ("lost", event.lost_by_defender, other))
    known = _data(context, event, units=True)  # without units that are all of a force, and told as it
    for field, pieces, owner in sides:
        units = [p for p in pieces if p.is_unit]
        if units and owner and field in known:
            data = {"owner": context.who(owner), "units": context.names.told(units)}
            facts = tuple(Fact("destroyed", p.bell, event.province) for p in units)
            yield Tail("troops", data, facts, field)


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
    yield from _meaning(context, province)


def _same(context: NewsContext, event: o.Fought, main: o.Fought) -> dict[str, object]:
    """Troops without a Leader are called by their units: where the story has just done so they are `the same`."""
    named = [fighters(s.pieces) for s in _there(main) if not s.leaders]
    sides = (("force", event.attackers), ("enemy", (event.defender,)))
    return {
        key: context.of(context.word("same_troops"), stacks[0].owner)
        for key, stacks in sides
        if len(troops := fighters([p for s in stacks for p in s.pieces])) > 1 and any(troops <= n for n in named)
    }


def _meaning(context: NewsContext, province: str) -> Iterator[Tail]:
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


def toll(context: NewsContext, told: Collection[str] = ()) -> Iterator[News]:
    """All Leaders who fell in a Phase, with whose they were, if they fell in several places.

    `told`: who is in a story of the same page; the list has the others.
    """
    fallen = [d for d in deaths(context.outcome) if d.cause != "executed"]
    if len(fallen) < TOLL or len({d.place for d in fallen}) < 2:
        return
    names, bells = context.names, {p.name: p.bell for p in context.names.board.pieces.values() if p.is_leader}
    fallen = [d for d in fallen if bells[d.name] not in told]
    if not fallen:
        return
    by_owner: dict[Player | None, list[str]] = {}
    for death in fallen:
        by_owner.setdefault(death.owner, []).append(names.leader_called(death.name))
    groups = [context.of(names.words.many(group), owner) for owner, group in by_owner.items()]
    number = Fact("toll", "", "", str(len(fallen)))
    facts = [*(() if told else (number,)), *(Fact("dead", bells[d.name]) for d in fallen)]
    facts += [Fact("owned", d.owner, "", bells[d.name]) for d in fallen if d.owner]
    data = {"fell": len(fallen), "dead": "; ".join(groups)}
    when = ("rest",) if told else ()
    yield News("toll", 125, "", data, when, tuple(facts), (), frozenset({"toll"}), may_lead=False, must=True)


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
