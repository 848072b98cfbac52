"""The deal, marches, armies that face each other, replacements and epidemics: news from the fronts without a battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gm.adjudicator import outcome as o
from gm.board.model import Color, Piece
from gm.position import Phase, Player
from gm.reports.story.memory import went
from gm.reports.story.news import News, NewsContext, greatest, strength
from gm.reports.story.politics import replaying
from gm.reports.view.model import Fact

CAMP = 6  # points of strength lost to the fever that are worth a word
HEAVY = 12  # points of strength lost to the fever that are told as one player's loss, as is a third of what he had
FEW = 4  # foreign units that must be left for agitators to be worth the word
HOST = 12  # points of strength of one player that make a great camp
GROWN = 8  # of them that were not there before the moves
RAISED = 12  # points of strength that came back and are a great change


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
        # Who set out with him: others were picked up on the way, or at the goal.
        set_out, joined = context.outcome.before.where, {p for where, p in event.picked if where != start}
        came = [p for p in event.pieces if p is not leader and not p.is_imperial and p not in joined]
        came = [p for p in came if p in set_out and set_out[p].province == start]
        # What is left of it beside him, under the same command: some may have been bought, purged or killed since.
        rest = [p for p in came if (s := after.where.get(p)) and (s.province, s.owner) == (end, event.player)]
        data: dict[str, object] = {**context.leader_of(leader, event.player), "who": context.who(event.player)}
        data |= {"origin": context.names.land(start), "origin_at": context.names.at(start)}
        if rest:
            data["force"] = context.names.told(rest)
        facts = [Fact("moved", leader.bell, start, end), Fact("owned", event.player, "", leader.bell)]
        facts += [Fact("with", p.bell, end, leader.bell) for p in rest]
        facts += [Fact("moved", p.bell, start, end) for p in rest]
        when = ("rail",) if event.by_rail else ("road",)
        carried = [f"imperial/{p.name}" for p in event.pieces if p.is_imperial]  # where they go is a story of its own
        topics = frozenset({f"leader/{leader.name}", f"place/{end}", *carried})
        rank = 40 + 4 * leader.value + min(strength(rest), 12)
        yield News("march", rank, end, data, when, tuple(facts), (), topics)


def camps(context: NewsContext) -> Iterator[News]:
    """Provinces in which one player alone stands, much stronger than before the moves."""
    before, after = context.outcome.before, context.outcome.after
    if before.turn < 1 or before.phase is not Phase.FIRST or after.solitaire:
        return
    for province in sorted(after.by_province):
        there = [s for s in after.at(province) if s.color is not None]
        owners, leaders = {s.owner for s in there}, [p for s in there for p in s.leaders]
        player = next(iter(owners), None)
        has = sum(s.strength for s in there)
        had = sum(s.strength for s in before.at(province) if s.owner == player)
        if len(owners) != 1 or player is None or not leaders or has < HOST or has - had < GROWN:
            continue
        say = context.names.words.phrase
        data: dict[str, object] = {"who": context.who(player), "strength": has}
        data["before"] = say("words", "points_then", n=had) if had else context.word("nothing")
        first = sorted(leaders, key=lambda p: (-p.value, p.code))
        data["leaders"] = context.names.words.many(context.names.leader(p) for p in first)
        facts = [Fact("holds", player, province, str(has)), Fact("camp_before", player, province, str(had))]
        facts += [Fact("there", p.bell, province) for p in leaders]
        topics = frozenset({f"place/{province}"})
        yield News("camp", 50 + min(has, 40) // 2, province, data, (), tuple(facts), (), topics)


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
    points = sum(map(strength, lost.values()))
    rank = (38 if owned else 12) + 4 * points
    if hard := _hard_hit(context, whose):
        who, cost, had = hard
        data |= {"who": context.who(who), "points": cost, "had": had}
        facts += (Fact("fever_cost", who, "", str(cost)), Fact("fever_found", who, "", str(had)))
        when = ("heavy", *when)
    fought = any(isinstance(e, o.Fought) and not e.subversion for e in context.outcome.events)
    leads = bool(owned) and not (hard and fought)  # what a battle did goes before
    must = points >= CAMP
    rank = min(rank + 30 * must, 141)
    yield News("epidemic", rank, worst, data, when, facts, (), frozenset({"epidemic"}), leads, must)


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
    said = context.told_of(old, whose)
    if not again:
        return said
    key = "sick_both" if old else "sick_again"
    return context.names.words.phrase("words", key, old=said, units=context.told_of(again, whose))


def replacements(context: NewsContext) -> Iterator[News]:
    """Who came back and is still there: that the fever took some at once the story of the fever says."""
    for event in (e for e in context.outcome.events if isinstance(e, o.Replaced)):
        back = [p for p in event.units if p in context.outcome.after.where]
        if back:
            force = context.names.told(back)
            if len(back) < len(event.units):
                force = context.names.words.phrase("words", "left_by_fever", units=force)
            data = {"units": len(back), "force": force}
            facts = (*(Fact("returned", p.bell, p.home) for p in back), Fact("units", "", "", str(len(back))))
            great = strength(back) >= RAISED
            yield News("replacements", 34 + 2 * strength(back), "", data, (), facts, may_lead=False, must=great)


def unrest(context: NewsContext) -> Iterator[News]:
    """Told while there are foreign troops to be subverted."""
    doubled = any(isinstance(e, o.SubversionDoubled) and not e.already for e in context.outcome.events)
    doubled = doubled and sum(p.color is Color.BLUE for p in context.outcome.after.where) >= FEW
    if doubled and context.outcome.after.phase is not Phase.FINISHED:
        yield News("doubled", 32, "", {}, (), (Fact("doubled"),), may_lead=False)
