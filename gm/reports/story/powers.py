"""Powers: the centres of power, the depots, the Randomizer, foreign nations, and armies that face each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from gm.adjudicator import outcome as o
from gm.adjudicator.steps.replacement import LAST_REPLACEMENT
from gm.board.model import Color, Piece
from gm.board.ways import CAPITALS
from gm.orders.rules.odds import opposed
from gm.position import Markers, Phase, Player, Position, Stack
from gm.reports.story.memory import went
from gm.reports.story.news import News, NewsContext, Tail, head
from gm.reports.view.model import Fact

ARMY = 6  # points of strength on either side that make two armies which face each other
ARMIES = 18  # points of both together


def lost(position: Position, province: str) -> bool:
    """9.13: others stand there, and no Red."""
    colors = position.colors.get(province, frozenset())
    return bool(colors) and Color.RED not in colors


def centres(context: NewsContext) -> Iterator[News]:
    """A centre of power that the Reds have lost, or have back."""
    before, after = context.outcome.before, context.outcome.after
    if after.solitaire or before.turn < 1 or after.phase is Phase.FINISHED:
        return
    for province in CAPITALS:
        if lost(after, province) == lost(before, province):
            continue
        there = _forces(after, province)
        topics = frozenset({f"place/{province}"})
        if lost(after, province):
            white = [f for f in there if f.color is Color.WHITE and f.owner]
            data = {"force": _told(context, there), **context.named((white or there)[0].owner, "who")}
            facts = [Fact("no_red", "", province), *_force_facts(province, there)]
            rank = 258 if white and after.turn <= LAST_REPLACEMENT else 150
            yield News("centre_lost", rank, province, data, (), tuple(facts), tuple(_shut(context)), topics)
        else:
            recruits = after.turn <= LAST_REPLACEMENT
            when = ("red" if there else "empty", *(("recruits",) if recruits else ()))
            facts = [Fact("was_lost", "", province), Fact("has_red" if there else "empty", "", province)]
            facts += [Fact("recruits_to_come")] if recruits else []
            yield News("centre_back", 118 if there else 104, province, {}, when, tuple(facts), (), topics)


def _shut(context: NewsContext) -> Iterator[Tail]:
    """Whether there are replacements to come that it stops (9.16)."""
    if context.outcome.after.turn <= LAST_REPLACEMENT:
        yield Tail("no_recruits", {}, (Fact("recruits_to_come"),))


def depots(context: NewsContext) -> Iterator[News]:
    """Red units that stay in their boxes because a centre is lost (9.13), and the end of all replacements (9.16)."""
    before, after = context.outcome.before, context.outcome.after
    if after.solitaire or before.phase is not Phase.SECOND or after.phase is Phase.FINISHED:
        return
    for event in context.outcome.events:
        kept = [p for p, rule in event.refused if rule == "9.13"] if isinstance(event, o.Replaced) else []
        if kept:
            where = [c for c in CAPITALS if lost(context.then(event), c)]
            data = {"units": len(kept), "centres": context.names.words.many(map(context.names.at, where))}
            facts = (Fact("kept_913", "", "", str(len(kept))), *(Fact("no_red_then", "", c) for c in where))
            yield News("depots_shut", 126, where[0] if where else "", data, (), facts, may_lead=False)
    if before.turn == LAST_REPLACEMENT:
        yield News("depots_end", 124, "", {}, (), (Fact("last_recruits"),), may_lead=False)


def randomizer(context: NewsContext) -> Iterator[News]:
    """The Phase in which the Randomizer became empty, once: Markers that were spent go back into it."""
    before, after = context.outcome.before, context.outcome.after
    if context.war.told("randomizer_empty"):
        return
    if before.turn >= 1 and before.randomizer != Markers() == after.randomizer and after.phase is not Phase.FINISHED:
        yield News("randomizer_empty", 68, "", {}, (), (Fact("randomizer_empty"),), may_lead=False)


def nations(context: NewsContext) -> Iterator[News]:
    """Foreign powers of whose troops nothing is left on the map, and which did not go home."""
    before, after = context.outcome.before, context.outcome.after
    left = {p.nation for p in after.where if p.color is Color.BLUE}
    home = {p.nation for e in context.outcome.events if isinstance(e, o.ChitDrawn | o.Left) for p in _going(e)}
    gone = sorted({p.nation for p in before.where if p.color is Color.BLUE and p.nation} - left - home)
    if gone:
        words = [context.word(f"adjective.{nation}") for nation in gone if nation]
        data = {"adjective": context.names.words.many(words)}
        facts = tuple(Fact("nation_gone", str(nation)) for nation in gone)
        yield News("nation_gone", 84, "", data, (), facts, may_lead=False)


def _going(event: o.ChitDrawn | o.Left) -> tuple[Piece, ...]:
    return event.withdrawn if isinstance(event, o.ChitDrawn) else (event.piece,)


class _Force(NamedTuple):
    """All that one player has of one colour in a province; without an owner what obeys nobody."""

    owner: Player | None
    color: Color
    stacks: tuple[Stack, ...]

    @property
    def strength(self) -> int:
        return sum(s.strength for s in self.stacks)


class _Front(NamedTuple):
    """A province where enemies stand: two forces of different players, and all forces that are there."""

    province: str
    one: _Force
    other: _Force
    forces: tuple[_Force, ...]

    @property
    def total(self) -> int:
        return self.one.strength + self.other.strength

    @property
    def whole(self) -> bool:
        """Whether the two are all that stands there, so that their figures tell how things stand."""
        return set(self.forces) == {self.one, self.other}


def _forces(position: Position, province: str) -> tuple[_Force, ...]:
    """Everything in a province by player and colour, from the strongest on; last what is nobody's."""
    found: dict[tuple[Player | None, Color], list[Stack]] = {}
    for stack in position.at(province):
        if stack.color is not None:
            found.setdefault((stack.owner, stack.color), []).append(stack)
    forces = [_Force(owner, color, tuple(stacks)) for (owner, color), stacks in found.items()]
    return tuple(sorted(forces, key=lambda f: (f.owner is None, -f.strength, f.owner or "", f.color)))


def _told(context: NewsContext, forces: Iterable[_Force]) -> str:
    """`Quist's Reds with 29 points under Lenin and Zoller's Poles with 8 points`."""
    return context.names.words.many(_force(context, force) for force in forces)


def _force(context: NewsContext, force: _Force) -> str:
    say, who = context.names.words.phrase, context.who(force.owner)
    if force.owner is None:
        return say("words", "army_free", n=force.strength, people=_people(context, force))
    whose = say("words", "whose_s" if who.endswith("s") else "whose", who=who)
    facts = {"whose": whose, "people": _people(context, force), "n": force.strength}
    if any(s.leaders for s in force.stacks):
        return say("words", "army_under", leader=context.names.leader(head(force.stacks)), **facts)
    return say("words", "army", **facts)


def _people(context: NewsContext, force: _Force) -> str:
    """`Reds`; of foreign and Nationalist troops of one nation alone `Poles`."""
    nations = {p.nation for s in force.stacks for p in s.pieces if not p.is_imperial}
    one = next(iter(nations)) if len(nations) == 1 else None
    return context.word(f"people.{one or force.color}")


def _force_facts(province: str, forces: Sequence[_Force]) -> Iterator[Fact]:
    """Every force, with whom it is called after; and how many there are."""
    for force in forces:
        led = head(force.stacks).bell if any(s.leaders for s in force.stacks) else ""
        yield Fact("force", force.owner or "", province, f"{force.color} {force.strength} {led}".rstrip())
        if led and force.owner:
            yield Fact("there", led, province)
    yield Fact("forces", "", province, str(len(forces)))


def armies(context: NewsContext) -> Iterator[News]:
    """Great armies that face each other since these moves, with all who stand there; and battles not fought."""
    outcome = context.outcome
    if outcome.before.phase is Phase.FIRST and outcome.before.turn >= 1:
        arrived = {e.path[-1] for e in outcome.events if isinstance(e, o.Moved) and went(e)}
        for front in _fronts(outcome.after):
            if front.province in arrived and front.total >= ARMIES and front.other.strength >= ARMY:
                yield _facing(context, front)
    quiet = not any(isinstance(e, o.Fought) and not e.subversion for e in outcome.events)
    over = outcome.after.phase is Phase.FINISHED or outcome.after.solitaire
    if outcome.before.phase is Phase.SECOND and quiet and not over:
        yield _no_attack(context)


def _fronts(position: Position) -> Iterator[_Front]:
    """Of every province the two enemies of whom the weaker is strongest, the stronger of them first."""
    for province in sorted(position.by_province):
        forces = _forces(position, province)
        pairs = [
            (one, other)
            for one, other in combinations([f for f in forces if f.owner], 2)
            if one.owner != other.owner and opposed(one.stacks[0], other.stacks[0])
        ]
        if pairs:
            yield _Front(province, *max(pairs, key=lambda p: (p[1].strength, p[0].strength)), forces)


def _facing(context: NewsContext, front: _Front) -> News:
    province = front.province
    data: dict[str, object] = {
        "one": context.who(front.one.owner),
        "foe": context.who(front.other.owner),
        "armies": _told(context, front.forces),
    }
    facts = [*_force_facts(province, front.forces), *_enemies(front)]
    when: tuple[str, ...] = ()
    if front.whole:
        when = ("two",)
        data |= {"strength": front.one.strength, "against": front.other.strength}
    named = {head(f.stacks).name for f in front.forces if any(s.leaders for s in f.stacks)}
    topics = frozenset({f"place/{province}", *(f"leader/{name}" for name in named)})
    return News("armies", 90 + min(front.total, 50), province, data, when, tuple(facts), (), topics)


def _enemies(front: _Front) -> Iterator[Fact]:
    one, other = front.one, front.other
    yield Fact("enemies", f"{one.owner} {one.color}", front.province, f"{other.owner} {other.color}")


def _no_attack(context: NewsContext) -> News:
    """A Second Phase without an attack, with strong enemies who could have made one."""
    facts, tails = [Fact("no_attack")], []
    when: tuple[str, ...] = ()
    if context.war.months_of_fighting() == context.outcome.before.turn - 1 > 0:
        when = ("first",)
        facts.append(Fact("first_quiet"))
    fronts = list(_fronts(context.outcome.after))
    if fronts:
        front = max(fronts, key=lambda f: (f.other.strength, f.one.strength))
        data = {"armies": _told(context, front.forces), "where": context.names.at(front.province)}
        tails.append(Tail("still_facing", data, (*_force_facts(front.province, front.forces), *_enemies(front))))
    return News("no_attack", 84, "", {}, when, tuple(facts), tuple(tails))
