"""What stands on the map, in the boxes and in the Randomizer: every state of the game as a value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from gm.board.model import Board, Color, Piece
from gm.values import dataclass, plain

Player = str  # a single letter; a stack that nobody controls has owner None
SCHEMA = 1  # version of the JSON form


@plain
class Phase(StrEnum):
    SETUP = "setup"  # the deal (Bell #1)
    PREGAME = "pregame"  # trades before the game (Bell #2)
    FIRST = "first"
    SECOND = "second"
    FINISHED = "finished"


@plain
class How(StrEnum):
    """How a piece came into a box: 14.45 and 14.46 score what left of its own will otherwise."""

    ELIMINATED = "eliminated"
    EXITED = "exited"
    EMIGRATED = "emigrated"
    EXECUTED = "executed"


T = TypeVar("T")


class remembered(Generic[T]):
    """A property that is worked out once. Python 3.11's cached_property takes a lock for it, which costs more."""

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        value = self._work_out(instance)
        instance.__dict__[self._name] = value
        return value


@dataclass(frozen=True)
class Stack:
    province: str
    owner: Player | None
    pieces: tuple[Piece, ...]  # top to bottom

    # Remembered, because a Phase asks for them again and again.
    @remembered
    def color(self) -> Color | None:
        """The colour of the stack; Green units under a Leader with the Gold have his (13.26).

        None: an Imperial unit alone.
        """
        fallback = None
        for piece in self.pieces:
            if piece.is_leader:
                return piece.color
            if fallback is None:
                fallback = piece.color
        return fallback

    @remembered
    def strength(self) -> int:
        return sum([p.value for p in self.pieces])

    @remembered
    def leaders(self) -> tuple[Piece, ...]:
        return tuple([p for p in self.pieces if p.is_leader])

    @remembered
    def units(self) -> tuple[Piece, ...]:
        return tuple([p for p in self.pieces if p.is_unit])

    @remembered
    def imperials(self) -> tuple[Piece, ...]:
        return tuple([p for p in self.pieces if p.is_imperial])

    def sort_key(self) -> tuple[str, str, int]:
        """Where it comes in the canonical order of stacks."""
        return (self.province, self.owner or "~", self.pieces[0].code)  # no piece is in two stacks


@dataclass(frozen=True, slots=True)
class Markers:
    """Politburo and Assassin Markers and chits (`FR control`, `GE withdrawal`), of a box or the Randomizer."""

    pm: int = 0
    am: int = 0
    chits: tuple[str, ...] = ()  # always sorted, so that equal contents are equal values

    def __post_init__(self) -> None:
        if len(self.chits) > 1:
            object.__setattr__(self, "chits", tuple(sorted(self.chits)))

    def count(self, marker: str) -> int:
        """How many of a marker: `PM`, `AM`, or a chit by its name."""
        if marker == "PM":
            return self.pm
        if marker == "AM":
            return self.am
        return self.chits.count(marker)

    def plus(self, marker: str, number: int = 1) -> Markers:
        """These markers with some more (or, negative, fewer) of one kind."""
        if marker == "PM":
            return Markers(self.pm + number, self.am, self.chits)
        if marker == "AM":
            return Markers(self.pm, self.am + number, self.chits)
        chits = list(self.chits)
        for _ in range(-number):
            chits.remove(marker)
        return Markers(self.pm, self.am, (*chits, *[marker] * number))

    def as_list(self) -> tuple[str, ...]:
        """Every marker singly, in a fixed order: what a draw is made from."""
        return ("PM",) * self.pm + ("AM",) * self.am + self.chits


@dataclass(frozen=True, slots=True)
class Held:
    """A piece in a box, and how it came there."""

    piece: Piece
    how: How = How.ELIMINATED


@dataclass(frozen=True, slots=True)
class Box:
    """A section of the Victory Point Chart (14.5)."""

    markers: Markers = field(default_factory=Markers)
    held: tuple[Held, ...] = ()  # always by code, as in the JSON form

    def __post_init__(self) -> None:
        if len(self.held) > 1:
            object.__setattr__(self, "held", tuple(sorted(self.held, key=lambda h: h.piece.code)))

    @property
    def pm(self) -> int:
        return self.markers.pm

    @property
    def am(self) -> int:
        return self.markers.am


EMPTY = Box()


@dataclass(frozen=True)
class Position:
    players: tuple[Player, ...]
    turn: int = 0
    phase: Phase = Phase.SETUP
    stacks: tuple[Stack, ...] = ()  # canonical order: province, owner, codes
    boxes: Mapping[Player, Box] = field(default_factory=dict)
    neutral: Box = field(default_factory=Box)
    randomizer: Markers = field(default_factory=Markers)
    gone: tuple[Piece, ...] = ()  # pieces out of the game
    gone_chits: tuple[str, ...] = ()  # chits out of the game
    quitters: tuple[Player, ...] = ()  # 14.2: their stacks stay, their markers do not
    votes: Mapping[Player, bool] = field(default_factory=dict)  # 14.1(3): True = end the game
    subversion_doubled: bool = False  # 12.12: waits for the next combat step
    purge_done: bool = False  # J19: a Purge was resolved in this Game-Turn's First Phase
    red_suspended: int = 0  # J33: Replacement steps without Red units still to come
    execution_pending: bool = False  # J22
    victory: Color | None = None

    def __post_init__(self) -> None:
        # A player without a box has an empty one; equal states must be equal values.
        if not self.boxes.keys() >= set(self.players):
            boxes = {player: self.boxes.get(player, EMPTY) for player in self.players}
            object.__setattr__(self, "boxes", boxes)
        if len(self.gone) > 1:
            object.__setattr__(self, "gone", tuple(sorted(self.gone, key=lambda p: p.code)))
        if len(self.gone_chits) > 1:
            object.__setattr__(self, "gone_chits", tuple(sorted(self.gone_chits)))

    @remembered
    def where(self) -> Mapping[Piece, Stack]:
        """The stack of every piece on the map."""
        return {piece: stack for stack in self.stacks for piece in stack.pieces}

    @remembered
    def by_province(self) -> Mapping[str, tuple[Stack, ...]]:
        found: dict[str, list[Stack]] = {}
        for stack in self.stacks:
            found.setdefault(stack.province, []).append(stack)
        return {province: tuple(stacks) for province, stacks in found.items()}

    @remembered
    def _by_owner(self) -> Mapping[Player | None, tuple[Stack, ...]]:
        found: dict[Player | None, list[Stack]] = {}
        for stack in self.stacks:
            found.setdefault(stack.owner, []).append(stack)
        return {owner: tuple(stacks) for owner, stacks in found.items()}

    @remembered
    def colors(self) -> Mapping[str, frozenset[Color]]:
        """The colours that stand in each province; an Imperial unit alone has none."""
        return {
            province: frozenset([color for stack in stacks if (color := stack.color) is not None])
            for province, stacks in self.by_province.items()
        }

    @property
    def active(self) -> tuple[Player, ...]:
        """The players still in the game."""
        return tuple(p for p in self.players if p not in self.quitters)

    def at(self, province: str) -> tuple[Stack, ...]:
        return self.by_province.get(province, ())

    def box(self, player: Player) -> Box:
        return self.boxes.get(player, EMPTY)

    def owned(self, player: Player) -> tuple[Stack, ...]:
        return self._by_owner.get(player, ())

    def holder(self, chit: str) -> Player | None:
        """Who has a Control Marker."""
        return next((p for p in self.players if chit in self.box(p).markers.chits), None)

    def with_stacks(self, stacks: Iterable[Stack]) -> Position:
        return replace(self, stacks=canonical(stacks))

    def all_pieces(self) -> Iterator[Piece]:
        """Every piece wherever it is, once for each place it is in (conservation is checked on this)."""
        for stack in self.stacks:
            yield from stack.pieces
        for box in (*self.boxes.values(), self.neutral):
            yield from (held.piece for held in box.held)
        yield from self.gone

    def __hash__(self) -> int:
        return hash(self.digest)

    @remembered
    def digest(self) -> str:
        """A stable fingerprint of everything in the Position."""
        text = json.dumps(to_json(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def canonical(stacks: Iterable[Stack]) -> tuple[Stack, ...]:
    """Stacks in the one order in which a Position keeps them."""
    found = [s for s in stacks if s.pieces]
    if len(found) > 1:
        found.sort(key=Stack.sort_key)
    return tuple(found)


# The JSON form: pieces by identity code, so that it survives renaming and twin counters stay apart.


def _box_to_json(box: Box) -> dict[str, object]:
    return {
        "pm": box.pm,
        "am": box.am,
        "chits": list(box.markers.chits),
        "held": [[h.piece.code, h.how.value] for h in sorted(box.held, key=lambda h: h.piece.code)],
    }


def to_json(position: Position) -> dict[str, object]:
    r = position.randomizer
    return {
        "schema": SCHEMA,
        "players": list(position.players),
        "turn": position.turn,
        "phase": position.phase.value,
        "stacks": [[s.province, s.owner, [p.code for p in s.pieces]] for s in position.stacks],
        "boxes": {p: _box_to_json(position.box(p)) for p in position.players},
        "neutral": _box_to_json(position.neutral),
        "randomizer": {"pm": r.pm, "am": r.am, "chits": list(r.chits)},
        "gone": sorted(p.code for p in position.gone),
        "gone_chits": sorted(position.gone_chits),
        "quitters": list(position.quitters),
        "votes": {p: position.votes[p] for p in sorted(position.votes)},
        "subversion_doubled": position.subversion_doubled,
        "purge_done": position.purge_done,
        "red_suspended": position.red_suspended,
        "execution_pending": position.execution_pending,
        "victory": position.victory.value if position.victory else None,
    }


def from_json(board: Board, data: Mapping[str, object]) -> Position:
    """Read what to_json wrote. Raises ValueError for an unknown schema."""
    raw: dict = dict(data)  # type: ignore[type-arg]
    if raw.get("schema") != SCHEMA:
        raise ValueError(f"position schema {raw.get('schema')!r}: this version reads {SCHEMA}")
    piece = board.pieces

    def markers(d: Mapping[str, object]) -> Markers:
        raw_markers: dict = dict(d)  # type: ignore[type-arg]
        return Markers(raw_markers["pm"], raw_markers["am"], tuple(sorted(raw_markers["chits"])))

    def box(d: Mapping[str, object]) -> Box:
        raw_box: dict = dict(d)  # type: ignore[type-arg]
        return Box(markers(raw_box), tuple(Held(piece[c], How(how)) for c, how in raw_box["held"]))

    return Position(
        players=tuple(raw["players"]),
        turn=raw["turn"],
        phase=Phase(raw["phase"]),
        stacks=canonical(Stack(p, o, tuple(piece[c] for c in cs)) for p, o, cs in raw["stacks"]),
        boxes={p: box(b) for p, b in raw["boxes"].items()},
        neutral=box(raw["neutral"]),
        randomizer=markers(raw["randomizer"]),
        gone=tuple(piece[c] for c in raw["gone"]),
        gone_chits=tuple(raw["gone_chits"]),
        quitters=tuple(raw["quitters"]),
        votes=dict(raw["votes"]),
        subversion_doubled=raw["subversion_doubled"],
        purge_done=raw["purge_done"],
        red_suspended=raw["red_suspended"],
        execution_pending=raw["execution_pending"],
        victory=Color(raw["victory"]) if raw["victory"] else None,
    )
