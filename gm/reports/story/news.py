"""What a story is made of: kind, rank, facts, and the conditions that decide which templates may tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gm.adjudicator import outcome as o
from gm.adjudicator.steps.replacement import LAST_REPLACEMENT
from gm.board.model import Color, Piece
from gm.position import Player, Stack
from gm.reports.story.memory import War
from gm.reports.view.model import Fact
from gm.reports.view.names import DisplayNames


@dataclass(frozen=True, slots=True)
class Tail:
    """A sentence behind the story: memory, meaning, what else happened there. Its words are in tails.toml."""

    key: str
    data: Mapping[str, object] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()


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

    @property
    def key(self) -> str:
        """What it is about, however it is worded."""
        return f"{self.kind}/{self.place}" if self.place else self.kind


@dataclass(frozen=True)
class Desk:
    """What every finder of news needs."""

    names: DisplayNames
    outcome: o.Outcome
    war: War = field(default_factory=War)

    def who(self, player: Player | None) -> str:
        return self.names.who(player)

    def leader(self, piece: Piece) -> dict[str, object]:
        return {"leader": self.names.leader(piece), "name": piece.name}

    def word(self, key: str) -> str:
        return self.names.words.template("words", key)

    def nth(self, number: int) -> str:
        """`third`; beyond the words a figure."""
        known = self.names.words.packs["words"]["ordinals"]
        return str(known[number]) if number < len(known) else f"{number}th"

    def men(self, stacks: Iterable[Stack]) -> str:
        """`the men of Lenin and Sablin`, `the staff of Rykov` where there are no units, `the German troops`."""
        stacks = tuple(stacks)
        tops = [s.leaders[0] for s in stacks if s.leaders]
        if tops:
            leaders = self.names.words.many(self.names.leader(p) for p in tops)
            key = "men_of" if any(s.units for s in stacks) else "staff_of"
            return self.names.words.phrase("words", key, leader=leaders)
        return self.names.words.phrase("words", "troops", adjective=self.side(stacks[0]))

    def side(self, stack: Stack) -> str:
        """`White`, or of foreign and Nationalist troops their nation."""
        unit = next((p for p in stack.pieces if not p.is_imperial), None)
        if unit is None or stack.leaders or unit.nation is None:
            return self.word(f"adjective.{stack.color or Color.RED}")
        return self.names.adjective(unit)


Finder = Callable[[Desk], Iterable[News]]


def tops(stacks: Iterable[Stack]) -> tuple[Fact, ...]:
    """The Leaders whom `Desk.men` names, as facts."""
    return tuple(Fact("there", s.leaders[0].bell, s.province) for s in stacks if s.leaders)


def mourning(desk: Desk, dead: Iterable[Piece]) -> Iterator[Tail]:
    """J33: what the death of Lenin or Trotsky does to the depots, as long as they send anybody (9.16)."""
    if desk.outcome.before.turn > LAST_REPLACEMENT:
        return
    for event in desk.outcome.events:
        if isinstance(event, o.RevolutionShaken) and event.suspended and event.leader in dead:
            yield Tail("depots", desk.leader(event.leader), (Fact("depots", event.leader.bell),))


def strength(pieces: Iterable[Piece]) -> int:
    return sum(p.value for p in pieces)


def greatest(leaders: Iterable[Piece]) -> Piece:
    return max(leaders, key=lambda p: (p.value, -p.code))
