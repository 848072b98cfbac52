"""Ways across the map: the shortest, alphabetically first among equals (J9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gm.board.model import Board, Color

Allowed = Callable[[str], bool]


def _always(_: str) -> bool:
    return True


def steps(board: Board, here: str, color: Color | None, by_rail: bool = False) -> Iterable[str]:
    """Where one step leads, alphabetically: over a passable border, by rail along a rail line as well (5.5)."""
    there = board.neighbours(here, color)
    if not by_rail:
        return there
    line = board.rail_steps.get(here, frozenset())
    return [province for province in there if province in line]


def shortest_path(
    board: Board,
    start: str,
    goal: str,
    color: Color | None,
    by_rail: bool = False,
    *,
    max_steps: int | None = None,
    may_enter: Allowed = _always,
    may_pass: Allowed = _always,
) -> tuple[str, ...] | None:
    """The way from start to goal, both included; None if there is none within max_steps.

    may_enter: whether a province may be entered at all. may_pass: whether one may go on from a province
    that has been entered (5.27 stops a force there). Neither is asked about the start.
    """
    if start == goal:
        return (start,)
    came_from = _search(board, start, color, by_rail, max_steps, may_enter, may_pass, goal)
    if goal not in came_from:
        return None
    way = [goal]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


def reachable(
    board: Board,
    start: str,
    color: Color | None,
    by_rail: bool = False,
    *,
    max_steps: int | None = None,
    may_enter: Allowed = _always,
    may_pass: Allowed = _always,
) -> frozenset[str]:
    """Every province that can be reached, the start included."""
    return frozenset(_search(board, start, color, by_rail, max_steps, may_enter, may_pass))


def _search(
    board: Board,
    start: str,
    color: Color | None,
    by_rail: bool,
    max_steps: int | None,
    may_enter: Allowed,
    may_pass: Allowed,
    goal: str | None = None,
) -> dict[str, str]:
    """Province -> the one before it on the best way there.

    Breadth first, each ring in the alphabetical order of the ways to it and each step to the alphabetically first
    neighbour: so the first way found to a province is the shortest, and the first in the alphabet of those.
    """
    came_from = {start: start}
    ring, length = [start], 0
    while ring and (max_steps is None or length < max_steps):
        outer = []
        for here in ring:
            if here != start and not may_pass(here):
                continue
            for there in steps(board, here, color, by_rail):
                if there in came_from or not may_enter(there):
                    continue
                came_from[there] = here
                if there == goal:
                    return came_from
                outer.append(there)
        ring, length = outer, length + 1
    return came_from
