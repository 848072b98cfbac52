"""Corrections by the Gamesmaster: a position made right by an event that conserves every piece."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from gm.adjudicator.engine.stacks import stands, without
from gm.adjudicator.engine.working_position import WorkingPosition, replay
from gm.adjudicator.outcome import (
    GONE,
    RANDOMIZER,
    Boxed,
    Change,
    Corrected,
    Correction,
    Gone,
    Marked,
    Outcome,
    Restacked,
    Returned,
    Spot,
)
from gm.adjudicator.steps.victory import standings
from gm.board.model import Board, Piece
from gm.board.names import names_of
from gm.errors import Invalid
from gm.notation.pieces import read_pieces
from gm.orders.rules.stacking import at_the_bottom, fault
from gm.position import Held, Player, Position, Stack

NEUTRAL, NOBODY = "NEUTRAL", "NOBODY"
MOST_CHARACTERS = 400  # of a line
HINT = "write MOVE Lenin TO TVER, ADD Lenin TO PETR OWNER A, REMOVE Lenin TO B, OWNER Lenin B or MOVE PM FROM A TO B"
_LINE = re.compile(
    r"(?P<verb>MOVE|ADD|REMOVE|OWNER)\s+(?P<what>.+?)(?:\s+FROM\s+(?P<source>.+?))?(?:\s+TO\s+(?P<target>.+?))?"
    r"(?:\s+OWNER\s+(?P<owner>[A-Z]+))?(?:\s+WITH\s+(?P<other>.+?))?",
    re.IGNORECASE,
)
_OWNER = re.compile(r"OWNER\s+(?P<what>.+?)\s+(?:TO\s+)?(?P<owner>[A-Z]|NOBODY)", re.IGNORECASE)
_MARKER = re.compile(r"(?:(?P<number>[0-9]{1,2})\s+)?(?P<marker>PM|AM|.+ (?:control|withdrawal))", re.IGNORECASE)


def corrected(
    board: Board,
    position: Position,
    lines: Iterable[str],
    *,
    reason: str,
    rule: str = "",
    draft: bool = False,
    insist: bool = False,
) -> Corrected:
    """The event that these lines make. Raises Invalid if a piece would be lost or twice, or a stack break 7.1."""
    if not reason.strip():
        raise Invalid("reason", "a correction needs its reason", "say what was wrong: it is printed")
    table = Corrector(board, position)
    for line in lines:
        if line.strip():
            table.read(line.strip())
    if not table.parts or any(part.before == part.after for part in table.parts):
        raise Invalid("correction", "nothing is corrected: it is so already", HINT)
    event = Corrected(
        rules=(rule.strip(),) if rule.strip() else (),
        changes=tuple(table.changes),
        reason=" ".join(reason.split()),
        parts=tuple(table.parts),
        draft=draft,
        insisted=tuple(dict.fromkeys(table.broken)),
    )
    if not conserved(position, replay(board, position, [event])):
        raise Invalid("correction", "a piece or marker would be lost or be there twice", HINT)
    if event.insisted and not insist:
        broken = ", ".join(event.insisted)
        raise Invalid("stacking", f"a stack would break 7.1 ({broken})", "insist, and the issue will say so")
    return event


def conserved(before: Position, after: Position) -> bool:
    """Whether every piece and marker is somewhere, once, as it was."""
    return _inventory(before) == _inventory(after)


def _inventory(position: Position) -> tuple[Counter[Piece], Counter[str]]:
    markers: Counter[str] = Counter(position.randomizer.as_list())
    for box in (*position.boxes.values(), position.neutral):
        markers.update(box.markers.as_list())
    markers.update(position.gone_chits)
    return Counter(position.all_pieces()), markers


def with_corrections(
    board: Board, judged: Outcome, published: Position, before: Sequence[Corrected], after: Sequence[Corrected] = ()
) -> Outcome:
    """The outcome of a Phase with the corrections of the position it was played from, and of its draft."""
    if not before and not after:
        return judged
    end = replay(board, judged.after, after)
    points = standings(board, end) if after and end.solitaire is None else judged.points
    return replace(judged, before=published, after=end, events=(*before, *judged.events, *after), points=points)


def corrections_of(outcome: Outcome) -> tuple[tuple[Corrected, ...], tuple[Corrected, ...]]:
    """Those of the position that was played from, and those of the draft."""
    found = [event for event in outcome.events if isinstance(event, Corrected)]
    return tuple(e for e in found if not e.draft), tuple(e for e in found if e.draft)


class Corrector:
    """A position on which lines of a correction are carried out one by one."""

    def __init__(self, board: Board, position: Position) -> None:
        self.board = board
        self.players = position.players
        self.table = WorkingPosition(board, position)
        self.changes: list[Change] = []
        self.parts: list[Correction] = []
        self.broken: list[str] = []  # reason codes of stacks that break 7.1

    def read(self, line: str) -> None:
        line = " ".join(line.split())  # on runs of blanks the patterns are slow
        if len(line) > MOST_CHARACTERS:  # and on long lines
            raise Invalid("correction", f"{line[:60]!r}... is no correction", HINT)
        found = _OWNER.fullmatch(line)
        if found is not None:
            self._give(self._counter(found["what"]), self._player(found["owner"]))
            return
        found = _LINE.fullmatch(line)
        if found is None or found["verb"].upper() == "OWNER":
            raise Invalid("correction", f"{line!r} is no correction", HINT)
        marker = _MARKER.fullmatch(found["what"])
        if marker is not None:
            self._mark(marker["marker"], int(marker["number"] or 1), found["source"], found["target"])
            return
        self._carry(found)

    # --- counters

    def _carry(self, found: re.Match[str]) -> None:
        verb, piece = found["verb"].upper(), self._counter(found["what"], found["source"], found["verb"].upper())
        spot = self._spot(piece)
        if found["target"] is None:
            what = f"{piece.bell} would be lost" if verb == "REMOVE" else f"where to should {piece.bell} go"
            raise Invalid("correction", what, "say TO a province, TO a player's box, TO NEUTRAL or TO GONE")
        if verb == "ADD" and spot.kind == "map":
            raise Invalid("correction", f"{piece.bell} would be there twice: it stands in {spot.province}", "MOVE it")
        if verb != "ADD" and spot.kind != "map":
            raise Invalid("correction", f"{piece.bell} is not on the map", "ADD it")
        goal = found["target"].strip()
        if verb == "REMOVE":
            self._remove(piece, spot, goal)
            return
        province = names_of(self.board).province(goal)
        if province is None:
            raise Invalid("correction", f"there is no province {goal}", "use a code such as TVER")
        owner = self._player(found["owner"]) if found["owner"] else spot.owner
        if piece.is_leader and verb == "ADD" and not found["owner"]:
            raise Invalid("correction", f"whose is {piece.bell}", "say OWNER A, or OWNER NOBODY")
        other = self._counter(found["other"]) if found["other"] else None
        self._put(piece, spot, province, owner, other, named=bool(found["owner"]))

    def _put(
        self, piece: Piece, spot: Spot, province: str, owner: Player | None, other: Piece | None, *, named: bool
    ) -> None:
        changes, left, rest = self._taken(piece, spot)
        joined = self._stack_to_join(piece, province, owner, other, left)
        if joined is not None:
            pieces = (piece, *joined.pieces) if piece.is_leader else at_the_bottom(joined.pieces, [piece])
            formed = [Stack(province, joined.owner, tuple(pieces))]
        elif piece.is_leader or named:
            formed = [Stack(province, owner, (piece,))]
        else:
            formed = stands(self.table, province, [piece], None)  # J1: whose it is alone
        gone = (*left, *([joined] if joined else []))
        self._apply([*changes, Restacked(tuple(gone), (*rest, *formed))], (*rest, *formed))
        after = Spot("map", province, formed[0].owner)
        self.parts.append(Correction("moved" if spot.kind == "map" else "added", spot, after, piece=piece))

    def _stack_to_join(
        self, piece: Piece, province: str, owner: Player | None, other: Piece | None, left: Sequence[Stack]
    ) -> Stack | None:
        here = [s for s in self.table.at(province) if s not in left]
        if other is not None:
            found = next((s for s in here if other in s.pieces), None)
            if found is None:
                raise Invalid("correction", f"{other.bell} does not stand in {province}", "name a counter that does")
            return found
        own = [s for s in here if s.owner == owner and s.leaders and owner is not None]
        return next((s for s in own if fault(self.board, [*s.pieces, piece]) is None), None)

    def _taken(self, piece: Piece, spot: Spot) -> tuple[list[Change], list[Stack], list[Stack]]:
        """What takes a counter from where it is; the stack that it leaves, and what stays of that."""
        if spot.kind == "map":
            stack = self.table.where[piece]
            return [], [stack], without(self.table, stack, (piece,))
        if spot.kind == "gone":
            return [Returned(piece)], [], []
        held = next(h for h in self.table.held[spot.owner] if h.piece is piece)
        return [Boxed(spot.owner, held, out=True)], [], []

    def _remove(self, piece: Piece, spot: Spot, goal: str) -> None:
        place = goal.upper()
        change: Change
        stack = self.table.where[piece]
        rest = without(self.table, stack, (piece,))
        if place == GONE:
            after, change = Spot("gone"), Gone(piece)
        elif place == NEUTRAL or place in self.players:
            box = None if place == NEUTRAL else place
            after, change = Spot("box", owner=box), Boxed(box, Held(piece))
        else:
            raise Invalid("correction", f"there is no box {goal}", "say a player's letter, NEUTRAL or GONE")
        self._apply([Restacked((stack,), tuple(rest)), change], rest)
        self.parts.append(Correction("removed", spot, after, piece=piece))

    def _give(self, piece: Piece, owner: Player | None) -> None:
        stack = self.table.where.get(piece)
        if stack is None:
            raise Invalid("correction", f"{piece.bell} is not on the map", "ADD it")
        given = Stack(stack.province, owner, stack.pieces)
        self._apply([Restacked((stack,), (given,))], ())
        before, after = (Spot("map", stack.province, s.owner) for s in (stack, given))
        self.parts.append(Correction("given", before, after, piece=piece))

    # --- markers

    def _mark(self, marker: str, number: int, source: str | None, target: str | None) -> None:
        chits = {chit.casefold(): chit for chit in self.board.markers.randomizer_chits}
        name = marker.upper() if marker.upper() in ("PM", "AM") else chits.get(marker.casefold())
        if name is None:
            raise Invalid("correction", f"there is no marker {marker}", "PM, AM, or a chit such as FR control")
        if source is None or target is None:
            what = "would be there twice" if source is None else "would be lost"
            raise Invalid("correction", f"{number} {name} {what}", "say both FROM and TO: a letter, RANDOMIZER or GONE")
        places = [self._marker_place(text, name) for text in (source, target)]
        if self.table.markers[places[0]].count(name) < number:
            raise Invalid("correction", f"{places[0]} has no {number} {name}", "see the position")
        self._apply([Marked(places[0], name, -number), Marked(places[1], name, number)], ())
        before, after = (_marker_spot(place) for place in places)
        self.parts.append(Correction("marker", before, after, marker=name, number=number))

    def _marker_place(self, text: str, name: str) -> str:
        place = text.strip().upper()
        if place in self.players or place == RANDOMIZER or (place == GONE and name not in ("PM", "AM")):
            return place
        raise Invalid("correction", f"{name} cannot lie in {text}", "a player's letter, RANDOMIZER, for chits GONE")

    # --- reading and applying

    def _counter(self, text: str, source: str | None = None, verb: str = "") -> Piece:
        """The counter that is meant; of twins the one that is where the line says, or any that the verb can take."""
        named = read_pieces(self.board, text)
        if len(named) != 1:
            raise Invalid("correction", f"{text} is not one counter", "one a line")
        if "#" in text:
            return named[0]
        alike = self.board.twins[named[0].twin_key]
        if source is not None:
            province = names_of(self.board).province(source)
            alike = tuple(p for p in alike if (s := self.table.where.get(p)) is not None and s.province == province)
            if not alike:
                raise Invalid("correction", f"no {text} stands in {source}", "see the position")
        fitting = [p for p in alike if (p in self.table.where) != (verb == "ADD")]
        if len({self.table.where[p].pieces[0] for p in fitting if p in self.table.where}) > 1:
            raise Invalid("correction", f"{text} stands in several places", "say FROM which, or name it by #code")
        return (fitting or list(alike))[0]

    def _player(self, text: str) -> Player | None:
        letter = text.upper()
        if letter != NOBODY and letter not in self.players:
            raise Invalid("correction", f"there is no player {text}", f"players are {', '.join(self.players)}")
        return None if letter == NOBODY else letter

    def _spot(self, piece: Piece) -> Spot:
        stack = self.table.where.get(piece)
        if stack is not None:
            return Spot("map", stack.province, stack.owner)
        for box, held in self.table.held.items():
            if any(h.piece is piece for h in held):
                return Spot("box", owner=box)
        if piece in self.table.gone:
            return Spot("gone")
        raise Invalid("correction", f"{piece.bell} is nowhere that can be corrected", "see the position")

    def _apply(self, changes: Sequence[Change], formed: Iterable[Stack]) -> None:
        for change in changes:
            self.table.apply(change)
        self.changes += changes
        self.broken += [code for stack in formed if (code := fault(self.board, stack.pieces)) is not None]


def _marker_spot(place: str) -> Spot:
    if place in (RANDOMIZER, GONE):
        return Spot(place.lower())
    return Spot("box", owner=place)
