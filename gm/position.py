"""Position: the state of the game as an immutable value (map, boxes, Randomizer), and its JSON form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any

from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from gm.board.model import Board, Color, Piece

Player = str  # a single letter; a stack that nobody controls has owner None
SCHEMA = 1  # version of the JSON form


class Phase(StrEnum):
    SETUP = "setup"  # the deal (Bell #1)
    PREGAME = "pregame"  # trades before the game (Bell #2)
    SYSTEM = "system"  # solitaire only: the system of rules plays everything that is not Red (19.2 A1-B7)
    FIRST = "first"
    SECOND = "second"
    FINISHED = "finished"


class How(StrEnum):
    """How a piece came into a box: 14.45 and 14.46 score what left of its own will otherwise."""

    ELIMINATED = "eliminated"
    EXITED = "exited"
    EMIGRATED = "emigrated"
    EXECUTED = "executed"


class Stack(Struct, frozen=True, dict=True):
    province: str
    owner: Player | None
    pieces: tuple[Piece, ...]  # top to bottom

    @cached_property
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

    @cached_property
    def strength(self) -> int:
        return sum([p.value for p in self.pieces])

    @cached_property
    def leaders(self) -> tuple[Piece, ...]:
        return tuple([p for p in self.pieces if p.is_leader])

    @cached_property
    def units(self) -> tuple[Piece, ...]:
        return tuple([p for p in self.pieces if p.is_unit])

    @cached_property
    def imperials(self) -> tuple[Piece, ...]:
        return tuple([p for p in self.pieces if p.is_imperial])

    def sort_key(self) -> tuple[str, str, int]:
        """Where it comes in the canonical order of stacks."""
        return (self.province, self.owner or "~", self.pieces[0].code)  # no piece is in two stacks


class Markers(Struct, frozen=True):
    """Politburo and Assassin Markers and chits (`FR control`, `GE withdrawal`), of a box or the Randomizer."""

    pm: int = 0
    am: int = 0
    chits: tuple[str, ...] = ()  # always sorted, so that equal contents are equal values

    def __post_init__(self) -> None:
        if len(self.chits) > 1:
            force_setattr(self, "chits", tuple(sorted(self.chits)))

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


class Held(Struct, frozen=True):
    """A piece in a box, and how it came there."""

    piece: Piece
    how: How = How.ELIMINATED


class Box(Struct, frozen=True):
    """A section of the Victory Point Chart (14.5)."""

    markers: Markers = Markers()
    held: tuple[Held, ...] = ()  # always by code, as in the JSON form

    def __post_init__(self) -> None:
        if len(self.held) > 1:
            force_setattr(self, "held", tuple(sorted(self.held, key=lambda h: h.piece.code)))

    @property
    def pm(self) -> int:
        return self.markers.pm

    @property
    def am(self) -> int:
        return self.markers.am


EMPTY = Box()

# The letters of the game for one person: the human, and the system of rules that plays everything else (18.0).
RED_PLAYER, SYSTEM_PLAYER = "R", "W"


class Solitaire(Struct, frozen=True):
    """What only the game for one person has to remember (18-28)."""

    drawn: Mapping[str, str] = field(default_factory=dict)  # S2: where a province has several ways, its next province
    reserve: tuple[Piece, ...] = ()  # Red Leaders who are not on the map and not dead (24)
    deployable: int = 0  # how many of them may still be deployed in this Game-Turn (24.12)
    undetermined: int = 0  # Red Leader Determination Phases without determination still to come (24.16, 24.17)
    # 8.25, across the parts of an attack sheet: who has attacked in this Combat Phase, and who was attacked.
    attacked: tuple[Piece, ...] = ()
    defended: tuple[Piece, ...] = ()
    part: int = 0  # parts of the attack sheet that were played
    contested: bool = False  # S20 (option): Petrograd or Tver is lost only if no Red piece is left there

    def __post_init__(self) -> None:
        for name in ("reserve", "attacked", "defended"):
            force_setattr(self, name, tuple(sorted(getattr(self, name), key=lambda p: p.code)))


class Position(Struct, frozen=True, dict=True):
    players: tuple[Player, ...]
    turn: int = 0
    phase: Phase = Phase.SETUP
    stacks: tuple[Stack, ...] = ()  # canonical order: province, owner, codes
    boxes: Mapping[Player, Box] = field(default_factory=dict)
    neutral: Box = Box()
    randomizer: Markers = Markers()
    gone: tuple[Piece, ...] = ()  # pieces out of the game
    gone_chits: tuple[str, ...] = ()  # chits out of the game
    quitters: tuple[Player, ...] = ()  # 14.2: their stacks stay, their markers do not
    votes: Mapping[Player, bool] = field(default_factory=dict)  # 14.1(3): True = end the game
    subversion_doubled: bool = False  # 12.12: waits for the next combat step
    purge_done: bool = False  # J19: a Purge was resolved in this Game-Turn's First Phase
    red_suspended: int = 0  # J33: Replacement steps without Red units still to come
    execution_pending: bool = False  # J22
    victory: Color | None = None
    solitaire: Solitaire | None = None  # None: the postal game

    def __post_init__(self) -> None:
        # A player without a box has an empty one; equal states must be equal values.
        if not self.boxes.keys() >= set(self.players):
            boxes = {player: self.boxes.get(player, EMPTY) for player in self.players}
            force_setattr(self, "boxes", boxes)
        if len(self.gone) > 1:
            force_setattr(self, "gone", tuple(sorted(self.gone, key=lambda p: p.code)))
        if len(self.gone_chits) > 1:
            force_setattr(self, "gone_chits", tuple(sorted(self.gone_chits)))

    @cached_property
    def where(self) -> Mapping[Piece, Stack]:
        """The stack of every piece on the map."""
        return {piece: stack for stack in self.stacks for piece in stack.pieces}

    @cached_property
    def by_province(self) -> Mapping[str, tuple[Stack, ...]]:
        found: dict[str, list[Stack]] = {}
        for stack in self.stacks:
            found.setdefault(stack.province, []).append(stack)
        return {province: tuple(stacks) for province, stacks in found.items()}

    @cached_property
    def _by_owner(self) -> Mapping[Player | None, tuple[Stack, ...]]:
        found: dict[Player | None, list[Stack]] = {}
        for stack in self.stacks:
            found.setdefault(stack.owner, []).append(stack)
        return {owner: tuple(stacks) for owner, stacks in found.items()}

    @cached_property
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
        if self.solitaire:
            yield from self.solitaire.reserve

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
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
    # Only where there is one, so that the form (and the digest) of a postal position is what it always was.
    solitaire = {"solitaire": _solitaire_to_json(position.solitaire)} if position.solitaire else {}
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
        **solitaire,
    }


def _solitaire_to_json(state: Solitaire) -> dict[str, object]:
    return {
        "drawn": {p: state.drawn[p] for p in sorted(state.drawn)},
        "reserve": [p.code for p in state.reserve],
        "deployable": state.deployable,
        "undetermined": state.undetermined,
        "attacked": [p.code for p in state.attacked],
        "defended": [p.code for p in state.defended],
        "part": state.part,
        "contested": state.contested,
    }


def _solitaire_from_json(board: Board, raw: dict[str, Any]) -> Solitaire:
    def pieces(name: str) -> tuple[Piece, ...]:
        return tuple(board.pieces[code] for code in raw[name])

    return Solitaire(
        dict(raw["drawn"]),
        pieces("reserve"),
        raw["deployable"],
        raw["undetermined"],
        pieces("attacked"),
        pieces("defended"),
        raw["part"],
        raw["contested"],
    )


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
        solitaire=_solitaire_from_json(board, raw["solitaire"]) if raw.get("solitaire") else None,
    )
