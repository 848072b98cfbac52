"""The map's geometry: provinces and coasts from provinces.json; names, regions, rails and crossings from a board.

Coordinates are tenths of a pixel as integers, so that two provinces share the very same border points and
a region's outline is simply the edges that no second province of the region has.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import hypot
from typing import Any

from gm.board.load import standard_board
from gm.board.model import Board, Border, Province, RailLine

Point = tuple[float, float]
Grid = tuple[int, int]  # a point in tenths of a pixel
Ring = tuple[Grid, ...]
Edge = tuple[Grid, Grid]
Pair = frozenset[str]

# Where things stand that belong to a province this map lacks (a Gamesmaster's own pack may have some).
NOWHERE: Point = (480.0, 960.0)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Shape:
    """A province as drawn."""

    code: str
    name: str
    region: str
    rings: tuple[Ring, ...]
    label: Point
    shade: int


@dataclass(frozen=True)
class Crossing:
    """Two provinces that do not touch although the rules speak of a way between them (5.32, 5.33)."""

    kind: Border
    provinces: tuple[str, str]
    ends: tuple[Point, Point]


@dataclass(frozen=True)
class PlaceName:
    lines: tuple[str, ...]
    kind: str  # sea or land
    at: Point
    turn: float


@dataclass(frozen=True)
class Geometry:
    width: int
    height: int
    frame: tuple[int, int, int, int]
    shapes: Mapping[str, Shape]
    water: tuple[Ring, ...]
    rivers: tuple[str, ...]
    rails: tuple[str, ...]
    names: tuple[PlaceName, ...]
    inner: tuple[Sequence[Grid], ...]  # borders between provinces of one region
    outer: tuple[Sequence[Grid], ...]  # borders between two regions
    rim: tuple[Sequence[Grid], ...]  # coasts and the edge of the area in play
    regions: Mapping[str, tuple[Sequence[Grid], ...]]  # outline of each region
    gates: Mapping[Pair, Point]  # where a road from one province to the next crosses the border
    crossings: tuple[Crossing, ...]

    def home(self, code: str) -> Point:
        shape = self.shapes.get(code)
        return shape.label if shape else NOWHERE


@lru_cache(maxsize=32)
def geometry(board: Board | None = None) -> Geometry:
    """The sheet that ships with the package, printed with a board; None: the standard one.

    Where things lie on the sheet is the same for every board.
    """
    raw = json.loads((resources.files("gm.reports") / "data" / "provinces.json").read_text("utf-8"))
    return build(raw, board or standard_board())


def build(raw: Mapping[str, Any], board: Board) -> Geometry:
    shapes = {code: _shape(board.provinces[code], p) for code, p in raw["provinces"].items() if code in board.provinces}
    owners = _edge_owners(shapes.values())
    region = {code: shape.region for code, shape in shapes.items()}
    sides = {edge: {region[c] for c in codes} for edge, codes in owners.items()}
    return Geometry(
        width=raw["width"],
        height=raw["height"],
        frame=tuple(raw["frame"]),
        shapes=shapes,
        water=rings_of(raw["water"]),
        rivers=tuple(raw["rivers"].values()),
        rails=tuple(_rails(raw["rail"], board.rail, shapes)),
        names=_place_names(raw),
        inner=_chains(e for e, codes in owners.items() if len(codes) == 2 and len(sides[e]) == 1),
        outer=_chains(e for e in owners if len(sides[e]) == 2),
        rim=_chains(e for e, codes in owners.items() if len(codes) == 1),
        regions={
            name: _chains(
                e for e, codes in owners.items() if name in sides[e] and (len(codes) == 1 or len(sides[e]) == 2)
            )
            for name in dict.fromkeys(region.values())
        },
        gates=_gates(owners, shapes),
        crossings=_crossings(board, shapes),
    )


def rings_of(path: str) -> tuple[Ring, ...]:
    """The closed rings of a path made of M, L and Z."""
    rings = []
    for part in path.split("Z"):
        numbers = [round(float(n) * 10) for n in NUMBER.findall(part)]
        if numbers:
            rings.append(tuple(zip(numbers[::2], numbers[1::2], strict=True)))
    return tuple(rings)


def path_of(lines: Iterable[Sequence[Grid]], *, close: bool = False) -> str:
    """An SVG path with relative steps, less than half as long as one with absolute points."""
    out: list[str] = []
    for points in lines:
        x, y = points[0]
        out.append(f"M{_tenth(x)} {_tenth(y)}l")
        steps = []
        for u, v in points[1:]:
            steps.append(f"{_tenth(u - x)}{_joined(v - y)}")
            x, y = u, v
        out.append(_join_steps(steps))
        if close:
            out.append("z")
    return "".join(out)


def _tenth(n: int) -> str:
    whole, rest = divmod(abs(n), 10)
    text = f"{whole or ''}.{rest}" if rest else f"{whole}"
    return f"-{text}" if n < 0 else text


def _joined(n: int) -> str:
    text = _tenth(n)
    return text if n < 0 else f" {text}"


def _join_steps(steps: Iterable[str]) -> str:
    out: list[str] = []
    for step in steps:
        out.append(step if not out or step.startswith("-") else f" {step}")
    return "".join(out)


def _place_names(raw: Mapping[str, Any]) -> tuple[PlaceName, ...]:
    bottom = raw["frame"][3]
    return tuple(
        PlaceName(tuple(n["text"].split("|")), n["kind"], (n["x"], n["y"]), n["turn"])
        for n in raw["names"]
        if n["y"] < bottom  # one name of the source lies below the neatline
    )


def _edge_owners(shapes: Iterable[Shape]) -> dict[Edge, tuple[str, ...]]:
    owners: dict[Edge, list[str]] = defaultdict(list)
    for shape in shapes:
        for ring in shape.rings:
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                owners[(a, b) if a < b else (b, a)].append(shape.code)
    return {edge: tuple(codes) for edge, codes in owners.items()}


def _chains(edges: Iterable[Edge]) -> tuple[Sequence[Grid], ...]:
    """Join loose edges end to end into as few lines as their junctions allow."""
    at: dict[Grid, list[Edge]] = defaultdict(list)
    todo: dict[Edge, None] = {}
    for edge in edges:
        todo[edge] = None
        at[edge[0]].append(edge)
        at[edge[1]].append(edge)
    ends = [p for p, here in at.items() if len(here) != 2]
    chains: list[Sequence[Grid]] = []
    for start in [*ends, *at]:
        while (first := _next(at[start], todo)) is not None:
            chains.append(_follow(start, first, at, todo))
    return tuple(chains)


def _follow(start: Grid, first: Edge, at: Mapping[Grid, list[Edge]], todo: dict[Edge, None]) -> list[Grid]:
    """Walk from edge to edge until a junction or the end, and cross the edges off."""
    line, here = [start], start
    edge: Edge | None = first
    while edge is not None:
        del todo[edge]
        here = edge[1] if edge[0] == here else edge[0]
        line.append(here)
        edge = _next(at[here], todo) if len(at[here]) == 2 else None
    return line


def _next(edges: Sequence[Edge], todo: Mapping[Edge, None]) -> Edge | None:
    return next((e for e in edges if e in todo), None)


def _gates(owners: Mapping[Edge, tuple[str, ...]], shapes: Mapping[str, Shape]) -> dict[Pair, Point]:
    """For each border the point that makes the way between the two labels shortest."""
    shared: dict[Pair, list[Point]] = defaultdict(list)
    for (a, b), codes in owners.items():
        if len(set(codes)) == 2:
            shared[frozenset(codes)].append(((a[0] + b[0]) / 20, (a[1] + b[1]) / 20))
    gates = {}
    for pair, points in shared.items():
        one, two = (shapes[c].label for c in sorted(pair))
        gates[pair] = min(
            points, key=lambda p: hypot(p[0] - one[0], p[1] - one[1]) + hypot(p[0] - two[0], p[1] - two[1])
        )
    return gates


def _shape(province: Province, drawn: Mapping[str, Any]) -> Shape:
    x, y = drawn["label"]
    return Shape(province.code, province.name, province.region, rings_of(drawn["path"]), (x, y), drawn["shade"])


def _rails(drawn: Sequence[Mapping[str, Any]], lines: Iterable[RailLine], shapes: Mapping[str, Shape]) -> Iterator[str]:
    """Every line of the board: as it was drawn by hand, or straight from town to town."""
    paths = {tuple(line["provinces"]): str(line["path"]) for line in drawn}
    for line in lines:
        towns = [shapes[code].label for code in line.provinces if code in shapes]
        yield paths.get(line.provinces) or "M" + "L".join(f"{x:g} {y:g}" for x, y in towns)


def _crossings(board: Board, shapes: Mapping[str, Shape]) -> tuple[Crossing, ...]:
    found = []
    for a, there in sorted(board.borders.items()):
        for b, kind in sorted(there.items()):
            if a < b and kind is not Border.OPEN and a in shapes and b in shapes:
                found.append(Crossing(kind, (a, b), _nearest(shapes[a], shapes[b])))
    return tuple(found)


def _nearest(one: Shape, two: Shape) -> tuple[Point, Point]:
    """The closest pair of points of two provinces."""
    a, b = min(
        ((p, q) for r in one.rings for p in r for s in two.rings for q in s),
        key=lambda pq: hypot(pq[0][0] - pq[1][0], pq[0][1] - pq[1][1]),
    )
    return (a[0] / 10, a[1] / 10), (b[0] / 10, b[1] / 10)
