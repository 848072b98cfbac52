"""The last issue: the war month by month, the roll of the dead, luck, awards. From the records that all issues left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gm.position import Player
from gm.reports.issue import Death, Issue, LongMarch, Luck
from gm.reports.view.model import Closing, Item, LuckLine, MonthLine
from gm.reports.view.names import DisplayNames

FEW = 5  # marches of which one may still be honoured
LUCK = 1.0  # victories more or fewer than expected that are worth the word
NEXT_DOOR = 2  # provinces of a road that is no march to speak of: into the next one


def closing(names: DisplayNames, issue: Issue) -> Closing:
    records = [(past.number, past.record) for past in issue.past]
    farewell = names.words.template("closing", "farewell")
    return Closing(
        months=tuple(MonthLine(number, r.date, r.headline) for number, r in records if r.headline),
        dead=tuple(_dead(names, r.date, death) for _, r in records for death in r.dead),
        luck=tuple(_luck(names, issue)),
        awards=tuple(_awards(names, issue)),
        farewell=farewell,
    )


def _dead(names: DisplayNames, date: str, death: Death) -> str:
    facts: dict[str, object] = {"leader": names.leader_called(death.name), "date": date}
    if death.place:
        facts["at"] = names.at(death.place)
    if death.owner:
        facts["owner"] = names.who(death.owner)
    if death.by and death.by != death.owner:
        facts["killer"] = names.who(death.by)
    return names.words.first_fitting(names.words.packs["closing"]["dead"][death.cause], facts)


def _totals(issue: Issue) -> dict[Player, Luck]:
    found: dict[Player, Luck] = {}
    for past in issue.past:
        for player, luck in past.record.luck.items():
            old = found.get(player, Luck(0, 0, 0.0))
            found[player] = Luck(old.attacks + luck.attacks, old.won + luck.won, old.expected + luck.expected)
    return found


def _luck(names: DisplayNames, issue: Issue) -> Iterator[LuckLine]:
    exchanged = Counter(c.attacker for past in issue.past for c in past.record.clashes if c.result == "Ex")
    for player, luck in sorted(_totals(issue).items()):
        yield LuckLine(names.title(player), luck.attacks, luck.won, round(luck.expected, 1), exchanged[player])


def _awards(names: DisplayNames, issue: Issue) -> Iterator[Item]:
    """Each to one player alone; where several deserve it equally, nobody is told apart."""
    records = [past.record for past in issue.past]
    murders = Counter(d.by for r in records for d in r.dead if d.cause == "murder" and d.by and d.by != d.owner)
    victories = Counter(c.attacker for r in records for c in r.clashes if c.result == "De")
    bereaved = Counter(d.owner for r in records for d in r.dead if d.owner and d.cause != "executed")  # the Czar
    purged = Counter(h.victim for r in records for h in r.purges if h.points)
    for key, counts in (("murders", murders), ("victories", victories), ("bereaved", bereaved), ("purged", purged)):
        yield from _award(names, key, {p: n for p, n in counts.items() if p})
    luck = {p: n.won - n.expected for p, n in _totals(issue).items()}
    yield from _award(names, "lucky", {p: n for p, n in luck.items() if n >= LUCK})
    yield from _award(names, "unlucky", {p: -n for p, n in luck.items() if -n >= LUCK})
    yield from _iron_boot(names, [r.march for r in records if r.march])


def _iron_boot(names: DisplayNames, marches: Sequence[LongMarch]) -> Iterator[Item]:
    """The longest march without rail, or one of a few; of many, or where they were not counted, none is told apart."""
    far = max((len(m.path) for m in marches), default=0)
    longest = [m for m in marches if len(m.path) == far]
    if far <= NEXT_DOOR or any(m.alike is None for m in longest):
        return
    march, number = longest[0], sum(1 + (m.alike or 0) for m in longest)
    if number > FEW:
        return
    facts = {"leader": names.leader_called(march.leader), "who": names.who(march.player), "steps": far - 1}
    road = {"origin": names.land(march.path[0]), "goal": names.land(march.path[-1]), "number": number}
    key = "awards.march" if number == 1 else "awards.march_of"
    yield Item(names.words.say("closing", key, **facts, **road), (), "march")


def _award(names: DisplayNames, key: str, counts: Mapping[Player, float]) -> Iterator[Item]:
    best = max(counts.values(), default=0)
    first = [p for p, n in counts.items() if n == best]
    if len(first) == 1:
        number = best if isinstance(best, int) else f"{best:.1f}"
        yield Item(names.words.say("closing", f"awards.{key}", who=names.who(first[0]), number=number), (), key)
