"""Powers: the centres of power, the depots, the Randomizer, foreign nations, and armies that face each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from gm.adjudicator import outcome as o
from gm.adjudicator.steps.replacement import LAST_REPLACEMENT
from gm.board.model import Color, Piece
from gm.board.ways import CAPITALS
from gm.orders.rules.odds import opposed
from gm.position import Phase, Player, Position, Stack
from gm.reports.story.memory import went
from gm.reports.story.news import News, NewsContext, Tail, head
from gm.reports.view.model import Fact

ARMY = 2  # points of strength on either side that make two armies which face each other
ARMIES = 8  # points of both together
FORCES = 3  # in a province, told one by one; of more those of one colour are told together
GREAT = 6  # points of strength of a nation whose end is a great change


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
            stops = white and after.turn <= LAST_REPLACEMENT  # and then the Reds get nothing replaced
            rank = 200 + min(sum(f.strength for f in there), 40) if stops else 130
            yield News("centre_lost", rank, province, data, (), tuple(facts), tuple(_shut(context)), topics)
        else:
            recruits = after.turn <= LAST_REPLACEMENT
            when = ("red",) if there else ("empty", *(("recruits",) if recruits else ()))
            reds = [force for force in there if force.color is Color.RED]
            facts = [Fact("was_lost", "", province), Fact("has_red" if there else "empty", "", province)]
            facts += [*_force_facts(province, there)] if reds else [Fact("recruits_to_come")] if recruits else []
            data = {"force": _told(context, there)} if reds else {}
            yield News("centre_back", 118 if there else 104, province, data, when, tuple(facts), (), topics)


def _shut(context: NewsContext) -> Iterator[Tail]:
    """Whether there are replacements to come that it stops (9.16)."""
    if context.outcome.after.turn <= LAST_REPLACEMENT and not context.outcome.after.red_suspended:
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
            topics = frozenset({f"place/{where[0]}"}) if where else frozenset()
            yield News("depots_shut", 104, where[0] if where else "", data, (), facts, (), topics, may_lead=False)
    if before.turn == LAST_REPLACEMENT:
        yield News("depots_end", 124, "", {}, (), (Fact("last_recruits"),), may_lead=False)


def nations(context: NewsContext) -> Iterator[News]:
    """Nations of whose troops nothing is left on the map, and which did not go home."""
    before, after = context.outcome.before, context.outcome.after
    left = {p.nation for p in after.where}
    home = {p.nation for e in context.outcome.events if isinstance(e, o.ChitDrawn | o.Left) for p in _going(e)}
    gone = sorted({p.nation for p in before.where if p.nation} - left - home)
    if gone:
        words = [context.word(f"adjective.{nation}") for nation in gone if nation]
        lost = [p for p in before.where if p.nation in gone]
        points = sum(p.value for p in lost)
        data = {"adjective": context.names.words.many(words), "points": points}
        facts = (*(Fact("nation_gone", str(nation)) for nation in gone), Fact("nations_had", "", "", str(points)))
        yield News("nation_gone", 80 + 2 * points, "", data, (), facts, may_lead=False, must=points >= GREAT)


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


def _forces(position: Position, province: str) -> tuple[_Force, ...]:
    """Everything in a province by player and colour, from the strongest on; last what is nobody's."""
    found: dict[tuple[Player | None, Color], list[Stack]] = {}
    for stack in position.at(province):
        if stack.color is not None:
            found.setdefault((stack.owner, stack.color), []).append(stack)
    forces = [_Force(owner, color, tuple(stacks)) for (owner, color), stacks in found.items()]
    return tuple(sorted(forces, key=lambda f: (f.owner is None, -f.strength, f.owner or "", f.color)))


def _told(context: NewsContext, forces: Iterable[_Force]) -> str:
    """`Quist's Reds with 29 points under Lenin and Zoller's Poles with 8 points`; of many forces by colour."""
    forces = tuple(forces)
    if len(forces) <= FORCES:
        return context.names.words.many(_force(context, force) for force in forces)
    said = []
    for color, free in dict.fromkeys((f.color, f.owner is None) for f in forces):
        mine = [f for f in forces if (f.color, f.owner is None) == (color, free)]
        who = context.names.whos(f.owner for f in mine if f.owner)
        facts = {"people": context.word(f"people.{color}"), "n": sum(f.strength for f in mine), "who": who}
        said.append(context.names.words.phrase("words", "army_free" if free else "army_of", **facts))
    return context.names.words.many(said)


def _force(context: NewsContext, force: _Force) -> str:
    say, who = context.names.words.phrase, context.who(force.owner)
    if force.owner is None:
        return say("words", "army_free", n=force.strength, people=_people(context, force))
    facts = {"whose": context.names.whose(force.owner), "people": _people(context, force), "n": force.strength}
    if sum(not p.is_imperial for s in force.stacks for p in s.pieces) == 1 and head_of(force):  # one man is no army
        return say("words", "army_man", leader=context.names.leader(head(force.stacks)), who=who, n=force.strength)
    if head_of(force):
        return say("words", "army_under", leader=context.names.leader(head(force.stacks)), **facts)
    return say("words", "army", **facts)


def _whose(context: NewsContext, force: _Force) -> str:
    """`Arnold's Whites`: who is whose enemy is a matter of colour, not of players."""
    return context.names.words.phrase(
        "words", "army_whose", whose=context.names.whose(force.owner or ""), people=_people(context, force)
    )


def head_of(force: _Force) -> bool:
    """Whether a force has a Leader to be called after."""
    return any(s.leaders for s in force.stacks)


def _people(context: NewsContext, force: _Force) -> str:
    """`Reds`; of foreign and Nationalist troops of one nation alone `Poles`."""
    nations = {p.nation for s in force.stacks for p in s.pieces if not p.is_imperial}
    one = next(iter(nations)) if len(nations) == 1 else None
    return context.word(f"people.{one or force.color}")


def _force_facts(province: str, forces: Sequence[_Force]) -> Iterator[Fact]:
    """Every force, with whom it is called after; how many there are; and of many, what each colour adds up to."""
    for force in forces:
        led = head(force.stacks).bell if any(s.leaders for s in force.stacks) else ""
        yield Fact("force", force.owner or "", province, f"{force.color} {force.strength} {led}".rstrip())
        if led and force.owner:
            yield Fact("there", led, province)
    yield Fact("forces", "", province, str(len(forces)))
    if len(forces) > FORCES:  # told by colour
        total: Counter[tuple[Color, bool]] = Counter()
        for force in forces:
            total[force.color, force.owner is None] += force.strength
        for (color, free), strength in total.items():
            yield Fact("colored", str(color), province, f"{strength} {'free' if free else ''}".rstrip())


def armies(context: NewsContext) -> Iterator[News]:
    """Great armies that face each other since these moves, with all who stand there; and battles not fought."""
    outcome = context.outcome
    if outcome.before.phase is Phase.FIRST and outcome.before.turn >= 1:
        arrived = {e.path[-1] for e in outcome.events if isinstance(e, o.Moved) and went(e)}
        for front in _fronts(outcome.after):
            if front.province in arrived and front.total >= ARMIES and front.other.strength >= ARMY:
                yield _facing(context, front)
    quiet = not any(isinstance(e, o.Fought) for e in outcome.events)
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
        "one": _whose(context, front.one),
        "foe": _whose(context, front.other),
        "armies": _told(context, front.forces),
    }
    facts = [*_force_facts(province, front.forces), *_enemies(front)]
    named = {head(f.stacks).name for f in front.forces if any(s.leaders for s in f.stacks)}
    topics = frozenset({f"place/{province}", *(f"leader/{name}" for name in named)})
    when = () if all(_at_odds(one, other) for one, other in combinations(front.forces, 2)) else ("mixed",)
    return News("armies", 80 + min(front.total, 55), province, data, when, tuple(facts), (), topics)


def _at_odds(one: _Force, other: _Force) -> bool:
    return one.owner == other.owner or opposed(one.stacks[0], other.stacks[0])


def _enemies(front: _Front) -> Iterator[Fact]:
    one, other = front.one, front.other
    yield Fact("enemies", f"{one.owner} {one.color}", front.province, f"{other.owner} {other.color}")


def _no_attack(context: NewsContext) -> News:
    """A Second Phase without an attack, with strong enemies who could have made one."""
    facts, tails = [Fact("no_attack")], []
    fronts = list(_fronts(context.outcome.after))
    if fronts:
        front = max(fronts, key=lambda f: (f.other.strength, f.one.strength))
        data = {"armies": _told(context, front.forces), "where": context.names.at(front.province)}
        tails.append(Tail("still_facing", data, (*_force_facts(front.province, front.forces), *_enemies(front))))
    return News("no_attack", 84, "", {}, (), tuple(facts), tuple(tails))
