"""Pieces, stacks, markers and boxes in Bell notation: `RL3 Lenin, RU8 PETR; BU2 ARCH/US`, `3 PM, UK control`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gm.board.model import Board, Color, Piece
from gm.board.names import fold, names_of, near
from gm.errors import UserError
from gm.position import Held, How, Markers

COLORS = {color[0].upper(): color for color in Color}
NOTHING = frozenset({"", "nothing", "none", "empty", "-"})

_TAG = r"[RWGB][LU]\d*"
_PIECE = re.compile(
    r"^(?:(?P<count>[0-9]{1,3})\s*x?\s+)?(?:(?P<color>[RWGB])(?P<kind>[LU])(?P<value>[0-9]{0,2})\s+)?"
    r"(?P<name>[^#/]*?)(?:\s*/\s*(?P<nation>[A-Za-z]+))?\.?(?:\s*#(?P<code>[0-9]{1,3}))?$",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"^(?P<count>[0-9]{1,3})?\s*(?:(?P<pm>PM|Politburo(?:\s+Markers?)?)|(?P<am>AM|Assassin(?:\s+Markers?)?))s?(?:\s*\((?:PM|AM)s?\))?$",
    re.IGNORECASE,
)
_CHIT = re.compile(r"^(?P<nation>.+?)\s+(?P<kind>control|withdraw(?:al)?)(?:\s+(?:marker|chit))?$", re.IGNORECASE)
_HOW = re.compile(rf"^(?P<piece>.+?)\s+\(?(?P<how>{'|'.join(How)})\)?$", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:pts|points)\b", re.IGNORECASE)  # `6 Pts. worth of Blue units`
_MISSING_COMMA = re.compile(rf"(?<!\S)(\S++)[ \t]+(?={_TAG}\s+\S)")


@dataclass(frozen=True, slots=True)
class NotationProblem:
    """One thing in a listing that cannot be read: where, which words, why, and what may have been meant."""

    line: int
    text: str
    what: str
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        hint = f" (did you mean {' or '.join(self.near)}?)" if self.near else ""
        return f"line {self.line}: {self.what}: {self.text!r}{hint}"


MOST_TOLD = 6  # problems of a listing; a wrong file has hundreds


class NotationError(UserError, ValueError):
    """A listing with problems, all of them."""

    def __init__(self, problems: Sequence[NotationProblem]) -> None:
        told = [str(p) for p in problems[:MOST_TOLD]]
        told += [f"and {len(problems) - MOST_TOLD} more"] if len(problems) > MOST_TOLD else []
        super().__init__("\n    ".join(told), hint="correct the listing and read it again")
        self.problems = tuple(problems)


def problem(text: str, what: str, near: Iterable[str] = (), line: int = 1) -> NotationError:
    return NotationError([NotationProblem(line, text, what, tuple(near))])


class Counters:
    """Hands out counters while a listing is read: twins in ascending code, and none twice."""

    def __init__(self, board: Board, reserved: Iterable[int] = ()) -> None:
        self.board = board
        self.line = 1
        self._taken: dict[Piece, int] = {}
        self._reserved = frozenset(reserved)
        self._chits: dict[str, int] = {}

    def take(self, alike: Sequence[Piece], text: str) -> Piece:
        """The next free one of interchangeable counters."""
        for piece in alike:
            if piece not in self._taken and piece.code not in self._reserved:
                return self._take(piece)
        lines = sorted({self._taken[p] for p in alike if p in self._taken})
        if len(alike) == 1 and lines:
            raise problem(text, f"already listed in line {lines[0]}", line=self.line)
        raise problem(text, f"there are only {len(alike)} of these counters", line=self.line)

    def take_exactly(self, piece: Piece, text: str) -> Piece:
        if piece in self._taken:
            raise problem(text, f"already listed in line {self._taken[piece]}", line=self.line)
        return self._take(piece)

    def take_chit(self, chit: str, text: str) -> str:
        if chit in self._chits:
            raise problem(text, f"already listed in line {self._chits[chit]}", line=self.line)
        self._chits[chit] = self.line
        return chit

    def _take(self, piece: Piece) -> Piece:
        self._taken[piece] = self.line
        return piece


def split_items(text: str) -> list[str]:
    """A list at its commas; a comma forgotten before a tag (`RU4 TULA RL1 Markin`) is put back."""

    def mend(found: re.Match[str]) -> str:
        word = found[1]
        keep = word.isdecimal() or word[-1] in ",;" or word.casefold() in ("and", "x")
        return found[0] if keep else f"{word}, "

    items = (re.sub(r"^and\s+", "", item.strip()) for item in _MISSING_COMMA.sub(mend, text).split(","))
    return [item for item in items if item]


def read_pieces(board: Board, text: str, counters: Counters | None = None) -> list[Piece]:
    """`RL1 Peterson, RU8 PETR, 2 BU2 KHER/FR, Czar` -> the counters, in order."""
    counters = counters or Counters(board)
    return [piece for item in split_items(text) for piece in _read_item(board, item, counters)]


def read_stacks(board: Board, text: str, counters: Counters | None = None) -> list[list[Piece]]:
    """`RL1 Peterson, RU8 PETR; RL1 Gai` -> the stacks of one province, each top to bottom."""
    counters = counters or Counters(board)
    if text.strip().casefold() in NOTHING:
        return []
    stacks = [read_pieces(board, part, counters) for part in text.split(";") if part.strip()]
    return [stack for stack in stacks if stack]


def read_box(board: Board, text: str, counters: Counters | None = None) -> tuple[Markers, list[Held]]:
    """`3 PM, 1 AM, UK control, GU2 LIVO, Gold emigrated` -> markers and pieces with how they came there."""
    counters = counters or Counters(board)
    markers, held = Markers(), []
    text = text.strip().rstrip(".").strip()
    for item in split_items("" if text.casefold() in NOTHING else text.replace(";", ",")):
        marker = read_marker(board, item, counters)
        if marker is not None:
            markers = markers.plus(*marker)
            continue
        found = _HOW.match(item)
        how = How(found["how"].lower()) if found else How.ELIMINATED
        held += [Held(p, how) for p in _read_item(board, found["piece"] if found else item, counters)]
    return markers, held


def read_markers(board: Board, text: str, counters: Counters | None = None) -> Markers:
    """The content of the Randomizer: markers and chits, no pieces."""
    counters = counters or Counters(board)
    markers, held = read_box(board, text, counters)
    if held:
        raise problem(held[0].piece.bell, "only markers and chits are in the Randomizer", line=counters.line)
    return markers


def read_marker(board: Board, text: str, counters: Counters | None = None) -> tuple[str, int] | None:
    """`3 PM` -> ("PM", 3), `UK control` -> ("UK control", 1); None if it is no marker at all."""
    counters = counters or Counters(board)
    text = text.strip().rstrip(".").strip()
    found = _MARKER.match(text)
    if found:
        return ("PM" if found["pm"] else "AM"), int(found["count"] or 1)
    found = _CHIT.match(text)
    if not found:
        return None
    kind = "control" if found["kind"].lower() == "control" else "withdrawal"
    return counters.take_chit(_read_chit(board, text, found["nation"], kind, counters), text), 1


def _read_chit(board: Board, text: str, nation: str, kind: str, counters: Counters) -> str:
    chits = board.markers.randomizer_chits
    meant = (names_of(board).nation(nation), names_of(board).nation(nation, Color.BLUE))
    # The Bell's `UK Withdraw`: the Ukraine has no such chit, so Great Britain's is meant.
    chit = next((f"{n.code} {kind}" for n in meant if n and f"{n.code} {kind}" in chits), None)
    if chit is None:
        raise problem(text, "no such chit", near(f"{nation} {kind}", chits), counters.line)
    return chit


def _read_item(board: Board, item: str, counters: Counters) -> Iterator[Piece]:
    found = _PIECE.match(item)
    if not found or not (found["name"] or found["code"]):
        raise problem(item, "cannot be read as a piece", line=counters.line)
    if _POINTS.search(item):
        raise problem(item, "name the units: points alone do not say which", line=counters.line)
    if found["code"]:
        yield counters.take_exactly(_by_code(board, item, found, counters), item)
        return
    alike = _alike(board, item, found, counters)
    for _ in range(int(found["count"] or 1)):
        yield counters.take(alike, item)


def _by_code(board: Board, item: str, found: re.Match[str], counters: Counters) -> Piece:
    piece = board.pieces.get(int(found["code"]))
    if piece is None:
        raise problem(item, "no counter has this identity code", line=counters.line)
    if found["name"] and piece not in _alike(board, item, found, counters):
        raise problem(item, f"counter #{piece.code} is {piece.bell}", line=counters.line)
    return piece


def _alike(board: Board, item: str, found: re.Match[str], counters: Counters) -> tuple[Piece, ...]:
    """The interchangeable counters that a text names, usually one."""
    names = names_of(board)
    name, tagged = found["name"].strip(), bool(found["color"])
    imperial = names.imperials.get(fold(name))
    if imperial and not tagged:
        return (imperial,)
    leader = names.leader(name)
    if not tagged:
        if leader is None:
            hints = [p.bell for p in names.near_leader(name)]
            raise problem(item, "no Leader or Imperial unit of this name", hints, counters.line)
        return (leader,)
    color = COLORS[found["color"].upper()]
    # `RU1 Sytin` is a slip of the pen for RL1: a name that is a Leader's is never a unit's.
    if leader is not None and leader.color is color and (found["kind"] in "Ll" or not names.units_of(color, name)):
        return _checked(item, found, (leader,), counters)
    if found["kind"] in "Ll":
        near_by = [leader] if leader else [p for p in names.near_leader(name) if p.color is color]
        raise problem(item, f"no {color} Leader of this name", _bells(near_by), counters.line)
    return _checked(item, found, _units(board, item, found, color, counters), counters)


def _units(board: Board, item: str, found: re.Match[str], color: Color, counters: Counters) -> tuple[Piece, ...]:
    names, name = names_of(board), found["name"].strip()
    units = names.units_of(color, name)
    if not units:
        homes = {p.home: p.bell for p in board.units if p.color is color}
        hints = [homes[h] for h in names.near_province(name) if h in homes]
        raise problem(item, f"no {color} unit has its home there", hints, counters.line)
    if found["nation"]:
        nation = names.nation(found["nation"], color)
        here = tuple(u for u in units if nation and u.nation == nation.code)
        if not here:
            raise problem(item, "no unit of this nation has its home there", _bells(units), counters.line)
        units = here
    if found["value"] and len({u.twin_key for u in units}) > 1:
        units = tuple(u for u in units if u.value == int(found["value"])) or units
    if len({u.twin_key for u in units}) > 1:
        raise problem(item, "several units may be meant", _bells(units), counters.line)
    return units


def _checked(item: str, found: re.Match[str], alike: tuple[Piece, ...], counters: Counters) -> tuple[Piece, ...]:
    """A wrong number on the counter is refused: it may be the wrong counter."""
    if found["value"] and int(found["value"]) != alike[0].value:
        raise problem(item, "no such counter", _bells(alike), counters.line)
    return alike


def _bells(pieces: Iterable[Piece]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(p.bell for p in pieces))
