"""Where a force can go from here, and what stops it: for the lights on the player's map. Reads, judges nothing.

The same small functions as the checker's and the adjudicator's decide every step, on the published Position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gm.board.model import Board, Piece
from gm.orders.steps import barred, force_color, goes_by_rail, must_stop, points, strangers
from gm.position import Player, Position
from gm.web.words import say


@dataclass(frozen=True, slots=True)
class Way:
    province: str
    path: tuple[str, ...]  # the provinces still to enter, this one last
    stops: bool
    next: bool
    label: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reach:
    here: str
    left: int | None  # Movement Points; None by rail
    ended: str  # why the force goes no farther; empty if it may
    ways: tuple[Way, ...] = ()
    pickups: tuple[Piece, ...] = ()
    drops: tuple[Piece, ...] = ()
    walked: tuple[str, ...] = ()


@dataclass(slots=True)
class Force:
    """A force on its way."""

    pieces: list[Piece]
    path: list[str]
    rail: bool
    picked: dict[str, list[Piece]] = field(default_factory=dict)
    dropped: dict[str, list[Piece]] = field(default_factory=dict)


def who_stops(position: Position, province: str, pieces: Sequence[Piece]) -> str:
    """The pieces of other colours that stand there, as a subject with its verb."""
    others = strangers(position, province, force_color(pieces), pieces)
    found = [
        p.bell
        for stack in position.at(province)
        if stack.color in others
        for p in stack.pieces
        if p not in pieces and not p.is_imperial
    ]
    if not found:
        return say("reach.nobody")
    shown = ", ".join(found[:3]) + (" …" if len(found) > 3 else "")
    return say("reach.stands" if len(found) == 1 else "reach.stand", pieces=shown)


def walk(board: Board, position: Position, force: Force) -> tuple[list[str], str]:
    """How far the path really goes, and why not farther (empty if to its end)."""
    walked = force.path[:1]
    pieces = list(force.pieces)
    by_rail = goes_by_rail(board, pieces, force.path, force.rail)
    _handle(force, walked[0], pieces)
    for taken, there in enumerate(force.path[1:]):
        here = walked[-1]
        why = barred(board, pieces, here, there, by_rail=by_rail, taken=taken)
        if why:
            return walked, say("reach.ended_barred", here=here, code=there, why=say(f"barred.{why}"))
        walked.append(there)
        stopped = must_stop(board, position, there, pieces, force.pieces)
        who = who_stops(position, there, pieces)
        _handle(force, there, pieces)
        if stopped:
            return walked, say("reach.ended_stop", code=there, name=board.provinces[there].name, who=who)
    return walked, ""


def _handle(force: Force, province: str, pieces: list[Piece]) -> None:
    pieces.extend(p for p in force.picked.get(province, ()) if p not in pieces)
    for piece in force.dropped.get(province, ()):
        if piece in pieces:
            pieces.remove(piece)


def reach(board: Board, position: Position, player: Player, force: Force) -> Reach:
    walked, ended = walk(board, position, force)
    here = walked[-1]
    pieces = list(force.pieces)
    for province in walked:
        _handle(force, province, pieces)
    taken = len(walked) - 1
    left = None if force.rail else max(points(pieces) - taken, 0)
    ways: tuple[Way, ...] = ()
    if not ended and pieces:
        ways = tuple(_spread(board, position, force, pieces, here, taken))
        if not ways:
            ended = _dead_end(board, here, left)
    return Reach(
        here, left, ended, ways, tuple(_pickups(position, player, pieces, here)), tuple(pieces[1:]), tuple(walked)
    )


def _dead_end(board: Board, here: str, left: int | None) -> str:
    key = "reach.ended_points" if left == 0 else "reach.ended_dead"
    return say(key, code=here, name=board.provinces[here].name)


def _spread(
    board: Board, position: Position, force: Force, pieces: Sequence[Piece], here: str, taken: int
) -> list[Way]:
    """Breadth first from where it stands; a province that stops the force is reached but not passed."""
    found: dict[str, Way] = {}
    edge: list[tuple[str, ...]] = [()]
    rail = force.rail
    while edge:
        longer: list[tuple[str, ...]] = []
        for path in edge:
            at = path[-1] if path else here
            for there in sorted(board.borders[at]):
                if there in found or there == here:
                    continue
                if barred(board, pieces, at, there, by_rail=rail, taken=taken + len(path)):
                    continue
                way = _way(board, position, pieces, force.pieces, (*path, there))
                found[there] = way
                if not way.stops:
                    longer.append(way.path)
        edge = longer
    return [found[code] for code in sorted(found)]


def _way(board: Board, position: Position, pieces: Sequence[Piece], own: Sequence[Piece], path: tuple[str, ...]) -> Way:
    there = path[-1]
    name = board.provinces[there].name
    if must_stop(board, position, there, pieces, own):
        who = who_stops(position, there, pieces)
        label = say("reach.stops_label", code=there, name=name, who=who)
        return Way(there, path, True, len(path) == 1, label, say("reach.stops", name=name, who=who))
    if len(path) == 1:
        return Way(there, path, False, True, say("reach.step_label", code=there, name=name))
    return Way(there, path, False, False, say("reach.reach_label", code=there, name=name, steps=len(path)))


def _pickups(position: Position, player: Player, pieces: Sequence[Piece], here: str) -> list[Piece]:
    """What the force could take up here: own pieces, unaligned units of its colour, Imperial units of nobody (J10)."""
    color = force_color(pieces)
    if not any(p.is_leader for p in pieces):
        return []
    found: list[Piece] = []
    for stack in position.at(here):
        for piece in stack.pieces:
            if piece in pieces:
                continue
            if (stack.owner == player and piece.color in (color, None)) or (
                stack.owner is None and (piece.is_imperial or (piece.is_unit and piece.color is color))
            ):
                found.append(piece)
    return found
