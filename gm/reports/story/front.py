"""The deal, marches, armies that face each other, replacements and epidemics: news from the fronts without a battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gm.adjudicator import outcome as o
from gm.board.model import Color, Piece
from gm.orders.rules.odds import opposed
from gm.position import Phase, Player, Stack
from gm.reports.story.memory import went
from gm.reports.story.news import News, NewsContext, greatest, head, strength, tops
from gm.reports.story.politics import replaying
from gm.reports.view.model import Fact

FAR = 5  # provinces entered that make a long march
CAMP = 6  # points of strength that are worth a word
HEAVY = 12  # points of strength lost to the fever that are told as one player's loss, as is a third of what he had
BLOW = 15  # such points that make a story beside battles, as does a third
HOST = 16  # points of strength that make a great camp


def deal(context: NewsContext) -> Iterator[News]:
    def holder(name: str) -> Player | None:
        where = next((s for s in context.outcome.after.stacks if any(p.name == name for p in s.pieces)), None)
        return where.owner if where else None

    for event in context.outcome.events:
        if isinstance(event, o.Dealt):
            wanted = ("Lenin", "Trotsky", "Denikin", "Wrangel", "Czar", "Gold")
            owners = {name: holder(name) for name in wanted}
            data: dict[str, object] = {name.lower(): context.who(owner) for name, owner in owners.items()}
            for name, other in (("Trotsky", "Lenin"), ("Wrangel", "Denikin"), ("Denikin", "Lenin")):
                if owners[name] == owners[other]:  # nobody is named twice in one breath
                    del data[name.lower()]
            facts = tuple(Fact("has", owner or "", "", name) for name, owner in owners.items())
            players = Fact("players", "", "", str(len(event.hands)))
            yield News("deal", 500, "", {**data, "players": len(event.hands)}, (), (*facts, players))


def marches(context: NewsContext) -> Iterator[News]:
    after = context.outcome.after
    for event in context.outcome.events:
        if not isinstance(event, o.Moved) or not went(event):
            continue
        leaders = [p for p in event.pieces if p.is_leader and (s := after.where.get(p)) and s.owner == event.player]
        if not leaders:
            continue
        leader = greatest(leaders)
        end, start = after.where[leader].province, event.path[0]
        before = context.outcome.before.where.get(leader)
        if end != event.path[-1] or before is None or before.province != start:
            continue
        came = [p for p in event.pieces if p is not leader and not p.is_imperial]
        # What is left of it beside him, under the same command: some may have been bought, purged or killed since.
        rest = [p for p in came if (s := after.where.get(p)) and (s.province, s.owner) == (end, event.player)]
        data: dict[str, object] = {
            **context.leader(leader),
            "who": context.who(event.player),
            "steps": len(event.path) - 1,
        }
        data |= {"origin": context.names.land(start), "origin_at": context.names.at(start)}
        if rest or not came:
            data["force"] = context.names.told(rest) if rest else context.word("escort")
        facts = [Fact("moved", leader.bell, start, end), Fact("owned", event.player, "", leader.bell)]
        facts += [Fact("with", p.bell, end, leader.bell) for p in rest]
        facts.append(Fact("steps", leader.bell, "", str(len(event.path) - 1)))
        when = ("rail",) if event.by_rail else ("far", "road") if len(event.path) > FAR else ("road",)
        topics = frozenset({f"leader/{leader.name}", f"place/{end}"})
        czar = next((p for p in event.pieces if p.name == "Czar" and p in after.where), None)
        if czar and after.where[czar].owner == event.player and after.where[czar].province == end:
            has = Fact("has", event.player, "", "Czar")
            yield News("czar_moved", 74, end, data, (), (*facts, has), (), topics | {"imperial/Czar"})
        rank = 40 + 4 * leader.value + min(strength(rest), 12)
        yield News("march", rank, end, data, when, tuple(facts), (), topics)


def gatherings(context: NewsContext) -> Iterator[News]:
    """Provinces into which forces marched: where enemies now face each other, and where one player's forces met."""
    arrived: dict[str, set[Player]] = {}
    marched: set[Piece] = set()
    for event in context.outcome.events:
        if isinstance(event, o.Moved) and went(event):
            arrived.setdefault(event.path[-1], set()).add(event.player)
            marched.update(event.pieces)
    for province, players in arrived.items():
        there = [s for s in context.outcome.after.at(province) if s.color is not None and s.leaders]
        pairs = [
            (a, b)
            for a in there
            for b in there
            if head([a]) in marched and b.owner not in (a.owner, None) and opposed(a, b)
        ]
        if pairs:
            a, b = max(pairs, key=lambda pair: (pair[0].strength + pair[1].strength, pair[0].strength))
            yield _standoff(context, province, a, b)
        for player in sorted(players):
            yield from _rendezvous(context, province, player)


def _standoff(context: NewsContext, province: str, a: Stack, b: Stack) -> News:
    one, other = head([a]), head([b])
    data: dict[str, object] = {
        **context.leader(one),
        "foe": context.names.leader(other),
        "foe_name": other.name,
        "who": context.who(a.owner),
        "other": context.who(b.owner),
        "force": context.men((a,)),
        "enemy": context.men((b,)),
    }
    facts: tuple[Fact, ...] = (
        *tops((a, b)),
        Fact("owned", str(a.owner), "", one.bell),
        Fact("owned", str(b.owner), "", other.bell),
    )
    stronger: tuple[str, ...] = ()
    if _alone(context, a) and _alone(context, b):  # else the figures of the two would not tell how things stand
        ratio = a.strength / max(b.strength, 1)
        stronger = ("stronger",) if ratio >= 2 else ("weaker",) if ratio <= 0.5 else ()
        data |= {"strength": a.strength, "against": b.strength}
        facts += tuple(Fact("stack", head([s]).bell, province, str(s.strength)) for s in (a, b))
    rank = 82 + min(a.strength + b.strength, 36)
    topics = frozenset({f"place/{province}", f"leader/{one.name}", f"leader/{other.name}"})
    foe = context.outcome.before.where.get(other)
    called = ("called",) if foe and (foe.province, foe.owner) == (province, b.owner) else ()
    if called:
        facts += (Fact("stood", other.bell, province, str(b.owner)),)
    facts += (Fact("arrived", one.bell, province, str(a.owner)),)
    two = len([s for s in context.outcome.after.at(province) if s.color is not None]) == 2
    return News("standoff", rank, province, data, (*called, *stronger, *(("two",) if two else ())), facts, (), topics)


def _alone(context: NewsContext, stack: Stack) -> bool:
    """Whether its owner has nothing else there, of any colour."""
    there = context.outcome.after.at(stack.province)
    return not any(s is not stack and s.owner == stack.owner and s.strength for s in there)


def _rendezvous(context: NewsContext, province: str, player: Player) -> Iterator[News]:
    """His Leaders there, of one colour and from different places, if more came than left: a camp that grew."""
    stacks = [s for s in context.outcome.after.at(province) if s.owner == player and s.leaders]
    before = context.outcome.before.where
    leaders = sorted((p for s in stacks for p in s.leaders), key=lambda p: (-p.value, p.code))
    origins = {before[p].province for p in leaders if p in before and before[p].owner == player}
    total = sum(s.strength for s in stacks)
    had, has = (
        sum(s.strength for s in position.at(province) if s.owner == player)
        for position in (context.outcome.before, context.outcome.after)
    )
    if len({s.color for s in stacks}) != 1 or len(origins) < 2 or total < CAMP or has <= had:
        return
    data: dict[str, object] = {**context.leader(leaders[0]), "who": context.who(player)}
    data["force"] = context.names.words.many(context.names.leader(p) for p in leaders)
    data["number"] = len(leaders)
    facts: tuple[Fact, ...] = tuple(Fact("there", p.bell, province) for p in leaders)
    facts += (Fact("met", player, province, str(len(leaders))),)
    facts += (Fact("owned", player, "", leaders[0].bell), Fact("grew", player, province))
    when: tuple[str, ...] = ()
    # Else the figure would leave out what he has there under other colours.
    if total == has:
        data["strength"] = total
        when = ("host",) if total >= HOST else ()
        facts += (Fact("gathered", player, province, str(total)),)
    topics = frozenset({f"place/{province}", f"leader/{leaders[0].name}"})
    yield News("rendezvous", 66 + min(total // 2, 24), province, data, when, facts, (), topics)


def seizures(context: NewsContext) -> Iterator[News]:
    for event in context.outcome.events:
        if isinstance(event, o.Seized):
            units = [p for p in event.units if (s := context.outcome.after.where.get(p)) and s.owner == event.player]
            if units:
                data = {
                    **context.leader(event.leader),
                    "who": context.who(event.player),
                    "what": context.names.told(units),
                }
                facts = tuple(Fact("controls", event.player, "", p.bell) for p in units)
                facts += (Fact("there", event.leader.bell, event.province), Fact("owned", event.player, "", "GOLD"))
                yield News("seized", 85 + strength(units), event.province, data, (), facts)


def epidemics(context: NewsContext) -> Iterator[News]:
    """One story for all sickness of the Phase, each town with its own dead."""
    lost: dict[str, list[Piece]] = {}
    owned: dict[str, int] = {}
    whose: dict[Piece, Player] = {}  # when the fever came
    for event in context.outcome.events:
        if isinstance(event, o.EpidemicStruck):
            then = replaying(context, event)
            for province, piece in event.lost:
                lost.setdefault(province, []).append(piece)
                if piece in then and (owner := then[piece].owner):
                    owned[province] = owned.get(province, 0) + piece.value
                    whose[piece] = owner
    if not lost:
        return
    worst = max(lost, key=lambda c: (owned.get(c, 0), strength(lost[c])))
    data: dict[str, object] = {"lost": _sick(context, lost[worst], whose, _back(context)), "towns": len(lost)}
    data["tally"] = _tally(context, lost, whose)
    facts = tuple(Fact("sick", p.bell, c) for c, pieces in sorted(lost.items()) for p in pieces)
    facts += (Fact("towns", "", "", str(len(lost))), *(Fact("sick_of", who, "", p.bell) for p, who in whose.items()))
    when: tuple[str, ...] = ("one" if len(lost) == 1 else "several",)
    rank = (38 if owned else 12) + min(sum(owned.values()), 20)
    if hard := _hard_hit(context, whose):
        who, cost, had = hard
        # His own dead alone: a list of all would be long.
        mine = [(c, p) for c, pieces in sorted(lost.items()) for p in pieces if whose.get(p) == who]
        data |= {"who": context.who(who), "points": cost, "had": had}
        data["mine"] = _sick(context, [p for _, p in mine], {}, _back(context))
        facts = tuple(f for c, p in mine for f in (Fact("sick", p.bell, c), Fact("sick_of", who, "", p.bell)))
        facts += (Fact("fever_cost", who, "", str(cost)), Fact("fever_found", who, "", str(had)))
        when, rank = ("heavy", *when), 121 + min(cost, 20) if cost >= BLOW or 3 * cost >= had else 87
    fought = any(isinstance(e, o.Fought) and not e.subversion for e in context.outcome.events)
    leads = bool(owned) and not (hard and fought)  # what a battle did goes before
    yield News("epidemic", rank, worst, data, when, facts, (), frozenset({"epidemic"}), leads)


def _hard_hit(context: NewsContext, whose: Mapping[Piece, Player]) -> tuple[Player, int, int] | None:
    """Whom the fever cost most, what it cost, and what that player had when it came, if it was very much."""
    cost: Counter[Player] = Counter()
    for piece, player in whose.items():
        cost[player] += piece.value
    if not cost:
        return None
    who = max(sorted(cost), key=lambda p: cost[p])
    first = next(e for e in context.outcome.events if isinstance(e, o.EpidemicStruck))
    stood = replaying(context, first)
    had = sum(p.value for p, s in stood.items() if s.owner == who)
    heavy = cost[who] >= HEAVY or (cost[who] >= CAMP and 3 * cost[who] >= had)
    return (who, cost[who], had) if heavy else None


def _back(context: NewsContext) -> frozenset[Piece]:
    """Units that came back in this Phase."""
    return frozenset(p for e in context.outcome.events if isinstance(e, o.Replaced) for p in e.units)


def _tally(context: NewsContext, lost: Mapping[str, Sequence[Piece]], whose: Mapping[Piece, Player]) -> str:
    """The dead of all towns. That units had come back is said once, however many towns lost such."""
    names, back = context.names, _back(context)
    again = [p for _, pieces in sorted(lost.items()) for p in pieces if p in back]
    once = sum(not back.isdisjoint(pieces) for pieces in lost.values()) > 1
    dead = {c: _sick(context, pieces, whose, frozenset() if once else back) for c, pieces in sorted(lost.items())}
    tally = "; ".join(names.words.phrase("words", "sick", at=names.at(c), lost=dead[c]) for c in dead)
    if not once:
        return tally
    key = "sick_all_again" if len(again) == sum(map(len, lost.values())) else "sick_some_again"
    return names.words.phrase("words", key, tally=tally, units=names.told(again))


def _sick(context: NewsContext, pieces: Sequence[Piece], whose: Mapping[Piece, Player], back: frozenset[Piece]) -> str:
    """With whose they were. Of a unit that fell, came back and died of fever in one Phase it says that it came back."""
    old, again = ([p for p in pieces if (p in back) is came] for came in (False, True))
    said = _with_owners(context, old, whose)
    if not again:
        return said
    key = "sick_both" if old else "sick_again"
    return context.names.words.phrase("words", key, old=said, units=_with_owners(context, again, whose))


def _with_owners(context: NewsContext, units: Sequence[Piece], whose: Mapping[Piece, Player]) -> str:
    names, owners = context.names, dict.fromkeys(map(whose.get, units))
    if len(owners) == 1:
        return context.of(names.told(units), *owners)
    # One by one, and last those of nobody: else they would read as if they were the last one's.
    return names.words.many(
        context.of(names.told([p]), whose.get(p)) for p in sorted(units, key=lambda p: p not in whose)
    )


def replacements(context: NewsContext) -> Iterator[News]:
    """All units that came back; of those whom the fever took in the same Phase it says so."""
    for event in context.outcome.events:
        if not isinstance(event, o.Replaced) or not event.units:
            continue
        back = event.units
        sick = [p for p in back if p not in context.outcome.after.where]
        data = {"units": len(back), "force": context.names.told(back), "sick": len(sick)}
        facts: tuple[Fact, ...] = (
            *(Fact("returned", p.bell, p.home) for p in back),
            Fact("units", "", "", str(len(back))),
        )
        if sick:
            facts += (*(Fact("sick", p.bell, p.home) for p in sick), Fact("sick_units", "", "", str(len(sick))))
        kind = "replacements_sick" if sick else "replacements"
        yield News(kind, 34, back[0].home, data, (), facts, (), frozenset(), False)


def unrest(context: NewsContext) -> Iterator[News]:
    """Told while there are foreign troops to be subverted."""
    doubled = any(isinstance(e, o.SubversionDoubled) and not e.already for e in context.outcome.events)
    doubled = doubled and any(p.color is Color.BLUE for p in context.outcome.after.where)
    if doubled and context.outcome.after.phase is not Phase.FINISHED:
        yield News("doubled", 32, "", {}, (), (Fact("doubled"),), (), frozenset(), False)
