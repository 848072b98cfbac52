"""What a story is made of: kind, rank, facts, and the conditions that decide which templates may tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gm.adjudicator import outcome as o
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.steps.replacement import LAST_REPLACEMENT
from gm.board.model import Color, Piece
from gm.position import Player, Position, Stack
from gm.reports.story.memory import War
from gm.reports.view.model import Fact
from gm.reports.view.names import DisplayNames


@dataclass(frozen=True, slots=True)
class Tail:
    """A sentence behind the story: memory, meaning, what else happened there. Its words are in tails.toml."""

    key: str
    data: Mapping[str, object] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    unless: str = ""  # a field: where the lead has told it, the sentence says nothing new


@dataclass(frozen=True, slots=True)
class News:
    kind: str  # a table of headlines.toml
    rank: int  # what is higher goes first
    place: str  # province code, for the dateline; empty: the capital
    data: Mapping[str, object]
    when: tuple[str, ...] = ()  # conditions that hold, the most telling first: tables within that of the kind
    facts: tuple[Fact, ...] = ()
    tails: tuple[Tail, ...] = ()
    topics: frozenset[str] = frozenset()  # what it tells: no other story of the issue tells it again
    may_lead: bool = True
    must: bool = False  # a great change of force: a full page makes room for it
    step: str = ""  # of the Phase, for the day of the dateline, where the kind does not tell it (calendar.py)

    @property
    def key(self) -> str:
        """What it is about, however it is worded."""
        return f"{self.kind}/{self.place}" if self.place else self.kind


@dataclass(frozen=True)
class NewsContext:
    """What every finder of news needs."""

    names: DisplayNames
    outcome: o.Outcome
    war: War = field(default_factory=War)
    last_turn: int = 0  # 0: the war has no last Game-Turn

    def who(self, player: Player | None) -> str:
        return self.names.who(player)

    def leader(self, piece: Piece) -> dict[str, object]:
        return {"leader": self.names.leader(piece), "name": piece.name}

    def leader_of(self, piece: Piece, owner: Player | None) -> dict[str, object]:
        """The same with whose he was: `General Yudenich of Quist`."""
        whole = self.names.leader(piece)
        return {**self.leader(piece), "leader_of": self.of(whole, owner)}

    def word(self, key: str) -> str:
        return self.names.words.template("words", key)

    def nth(self, number: int) -> str:
        """`third`; beyond the words a figure."""
        known = self.names.words.packs["words"]["ordinals"]
        if number < len(known):
            return str(known[number])
        endings = {1: "st", 2: "nd", 3: "rd"}
        return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"

    def odds(self, odds: str) -> str:
        """`six to one`."""
        known = self.names.words.packs["words"]["numbers"]
        one, other = odds.split("-")
        if max(int(one), int(other)) < len(known):
            one, other = known[int(one)], known[int(other)]
        return self.names.words.phrase("words", "odds", one=one, other=other)

    def men(self, stacks: Iterable[Stack]) -> str:
        """`Quist's men under Lenin and Sablin`, `Quist's staff under Rykov`, `two Polish corps of Quist`.

        Of every stack the greatest Leader, wherever in it he stands; of one man alone: `Rykov of Quist`.
        """
        stacks = tuple(stacks)
        tops = [head([s]) for s in stacks if s.leaders]
        owner = stacks[0].owner
        say = self.names.words.phrase
        if tops:
            leaders = self.names.words.many(self.names.leader(p) for p in tops)
            key = "men" if any(s.units for s in stacks) else "staff"
            who = self.who(owner)
            if sum(not p.is_imperial for s in stacks for p in s.pieces) == 1:  # one man is no staff
                return say("words", "one_under", leader=leaders, who=who) if owner else leaders
            if owner is None:
                return say("words", f"{key}_of", leader=leaders)
            return say("words", f"{key}_under", leader=leaders, whose=self.names.whose(owner))
        return self.of(self.names.told([p for s in stacks for p in s.units]), owner)

    def of(self, units: str, owner: Player | None) -> str:
        """`two Polish corps of Quist`."""
        return self.names.words.phrase("words", "units_of", units=units, who=self.who(owner)) if owner else units

    def told_of(self, pieces: Iterable[Piece], whose: Mapping[Piece, Player | None]) -> str:
        """`two Polish corps of Quist`; of several owners one piece after the other, those of nobody last."""
        pieces = tuple(pieces)
        owners = dict.fromkeys(map(whose.get, pieces))
        if len(owners) == 1:
            return self.of(self.names.told(pieces), *owners)
        alike: dict[tuple[bool, str, Player | None], list[Piece]] = {}
        for piece in pieces:
            owner = whose.get(piece)
            alike.setdefault((owner is None, self.names.told([piece]), owner), []).append(piece)
        groups = sorted(alike.items(), key=lambda found: found[0][0])
        return self.names.words.many(self.of(self.names.told(group), owner) for (_, _, owner), group in groups)

    def then(self, event: o.Event) -> Position:
        """The Position when an event was over; later ones of the Phase have not happened yet."""
        events = self.outcome.events
        return replay(self.names.board, self.outcome.before, events[: events.index(event) + 1])

    @cached_property
    def after_combat(self) -> Position:
        """The Position when the last attack was over."""
        fought = [e for e in self.outcome.events if isinstance(e, o.Fought)]
        return self.then(fought[-1]) if fought else self.outcome.before

    def side(self, stack: Stack) -> str:
        """`White`, or of foreign and Nationalist troops their nation."""
        unit = next((p for p in stack.pieces if not p.is_imperial), None)
        if unit is None or stack.leaders or unit.nation is None:
            return self.word(f"adjective.{stack.color or Color.RED}")
        return self.names.adjective(unit)

    def named(self, player: Player | None, key: str = "owner") -> dict[str, object]:
        """The field for a player, if there is one."""
        return {key: self.who(player)} if player else {}


Finder = Callable[[NewsContext], Iterable[News]]


def tops(stacks: Iterable[Stack]) -> tuple[Fact, ...]:
    """The Leaders whom `NewsContext.men` names, as facts."""
    return tuple(Fact("there", head([s]).bell, s.province) for s in stacks if s.leaders)


def head(stacks: Iterable[Stack]) -> Piece:
    """Whom a force is called after: its greatest Leader, of equals the one who stands first."""
    return max((p for s in stacks for p in s.leaders), key=lambda p: p.value)


def mourning(context: NewsContext, dead: Iterable[Piece]) -> Iterator[Tail]:
    """J33: what the death of Lenin or Trotsky does to the depots, as long as they send anybody (9.16)."""
    if context.outcome.before.turn > LAST_REPLACEMENT:
        return
    for event in context.outcome.events:
        if isinstance(event, o.RevolutionShaken) and event.suspended and event.leader in dead:
            yield Tail("depots", context.leader(event.leader), (Fact("depots", event.leader.bell),))


def strength(pieces: Iterable[Piece]) -> int:
    return sum(p.value for p in pieces)


def greatest(leaders: Iterable[Piece]) -> Piece:
    return max(leaders, key=lambda p: (p.value, -p.code))
