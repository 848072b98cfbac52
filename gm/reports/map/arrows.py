"""Moves as arrows: along the way that was really made, then, dashed, the way that was meant."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from gm.board.model import Board
from gm.reports.map.counters import SHAPES
from gm.reports.map.geometry import Geometry, Point, geometry
from gm.reports.map.model import MapMove, PieceColor
from gm.reports.map.placing.candidates import Rect
from gm.reports.map.placing.layout import Spot, Taken, label_rect
from gm.reports.map.placing.parts import Part, around
from gm.reports.map.text import attribute, content, fit, moved, num

LANE = 5.5  # pixels between two forces on one road
HEAD = 11.0
SIGN = 11.0  # half of the room that a letter or a stop sign takes
SMOOTH = 7  # points a stretch


@dataclass(frozen=True, slots=True)
class Route:
    move: MapMove
    index: int
    lane: int
    line: tuple[Point, ...]
    meant: tuple[Point, ...]  # the rest that was not made


@dataclass(frozen=True, slots=True)
class Arrows:
    """Three layers: ways and letters lie under the blocks, stop signs over them."""

    ways: tuple[Part, ...]
    letters: tuple[Part, ...]
    stops: tuple[Part, ...]


def draw(moves: Sequence[MapMove], spots: Sequence[Spot], interactive: bool, board: Board | None = None) -> Arrows:
    """All arrows, the longest at the bottom."""
    rects = {s.block.province: s.rect for s in spots}
    anchors = {s.block.province: s.anchor for s in spots if s.anchor}
    routes = [r for r in _routes(moves, rects, anchors, geometry(board)) if len(r.line) > 1 or len(r.meant) > 1]
    routes.sort(key=lambda r: (-_length(r.line), r.index))
    covered = Taken([*rects.values(), *(label_rect(c) for c in sorted(geometry().shapes) if c not in rects)])
    letters: list[Point] = []
    return Arrows(
        tuple(_arrow(r) for r in routes),
        tuple(p for r in routes if (p := _letter(r, covered, letters, interactive)) is not None),
        tuple(p for r in routes if (p := _stop(r, list(rects.values()))) is not None),
    )


def _routes(
    moves: Sequence[MapMove], rects: Mapping[str, Rect], anchors: Mapping[str, Point], g: Geometry
) -> list[Route]:
    """A line for each move. Forces that go the same way together share one."""
    known = g.shapes
    used: dict[frozenset[str], set[int]] = {}
    routes = []
    for index, move in enumerate(moves):
        if move in moves[:index]:
            continue
        path = [c for c in move.path if c in known]
        whole = [c for c in move.intended if c in known]
        if not path:
            continue
        rest = whole[len(path) - 1 :] if whole[: len(path)] == path else []
        lane = _lane([*path, *rest[1:]], used)
        line = _trim(_offset(_smooth(_points(g, path, rects, anchors)), lane * LANE), rects.get(path[-1]))
        meant = _offset(_smooth(_points(g, rest, {}, anchors)), lane * LANE) if len(rest) > 1 else []
        routes.append(Route(move, index, lane, tuple(line), tuple(_emerge(meant, rects.get(path[-1])))))
    return routes


def _lane(path: Sequence[str], used: dict[frozenset[str], set[int]]) -> int:
    """The lane nearest the middle that nobody else has on any stretch; left and right as seen from the start."""
    steps = [(frozenset((a, b)), 1 if a < b else -1) for a, b in itertools.pairwise(path)]
    for lane in (0, 1, -1, 2, -2, 3, -3):
        if all(lane * side not in used.get(pair, ()) for pair, side in steps):
            break
    for pair, side in steps:
        used.setdefault(pair, set()).add(lane * side)
    return lane


def _points(g: Geometry, path: Sequence[str], rects: Mapping[str, Rect], anchors: Mapping[str, Point]) -> list[Point]:
    """From the first town over the borders to the last town, to the block that stands by it, or to where a line leads
    to a block that stands elsewhere."""
    points = [g.shapes[path[0]].label] if path else []
    for a, b in itertools.pairwise(path):
        gate = g.gates.get(frozenset((a, b))) or _ferry(g, a, b)
        if gate is not None and hypot(gate[0] - points[-1][0], gate[1] - points[-1][1]) > 10:
            points.append(gate)
    if len(path) > 1:
        last = path[-1]
        rect = rects.get(last)
        if rect is not None and last not in anchors:
            points.append(((rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2))
        else:
            points.append(anchors.get(last, g.shapes[last].label))
    return points


def _ferry(g: Geometry, a: str, b: str) -> Point | None:
    for crossing in g.crossings:
        if {a, b} == set(crossing.provinces):
            (ax, ay), (bx, by) = crossing.ends
            return (ax + bx) / 2, (ay + by) / 2
    return None


def _smooth(points: Sequence[Point]) -> list[Point]:
    """A Catmull-Rom curve through the points."""
    if len(points) < 2:
        return list(points)
    ends = [points[0], *points, points[-1]]
    out: list[Point] = []
    for p, q, r, s in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for n in range(SMOOTH):
            t = n / SMOOTH
            out.append((_spline(p[0], q[0], r[0], s[0], t), _spline(p[1], q[1], r[1], s[1], t)))
    return [*out, points[-1]]


def _spline(p: float, q: float, r: float, s: float, t: float) -> float:
    return 0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t**3)


def _offset(line: Sequence[Point], by: float) -> list[Point]:
    """The line, pushed sideways."""
    if not by or len(line) < 2:
        return list(line)
    out = []
    for n, (x, y) in enumerate(line):
        (ax, ay), (bx, by_) = line[max(n - 1, 0)], line[min(n + 1, len(line) - 1)]
        length = hypot(bx - ax, by_ - ay) or 1.0
        out.append((x - (by_ - ay) / length * by, y + (bx - ax) / length * by))
    return out


def _trim(line: Sequence[Point], rect: Rect | None) -> list[Point]:
    """The line up to where it runs under the block at its end."""
    if rect is None or len(line) < 2:
        return list(line)
    grown = Rect(rect.x0 - 2, rect.y0 - 2, rect.x1 + 4, rect.y1 + 4)
    last = len(line)
    while last > 2 and grown.holds(line[last - 1]) and grown.holds(line[last - 2]):
        last -= 1
    kept = list(line[:last])
    if grown.holds(kept[-1]) and not grown.holds(kept[-2]):
        kept[-1] = _edge(kept[-2], kept[-1], grown)
    return kept


def _emerge(line: Sequence[Point], rect: Rect | None) -> list[Point]:
    """The line from where it comes out from under a block."""
    if rect is None:
        return list(line)
    return list(reversed(_trim(list(reversed(line)), rect)))


def _edge(outside: Point, inside: Point, rect: Rect) -> Point:
    a, b = outside, inside
    for _ in range(8):
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        a, b = (a, middle) if rect.holds(middle) else (middle, b)
    return a


def _length(line: Sequence[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(line))


def _path(line: Sequence[Point]) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in line)


def _arrow(route: Route) -> Part:
    color = route.move.color
    out = []
    if len(route.meant) > 1:
        out.append(f'<path class="km-meant" d="{_path(route.meant)}"/>')
    if len(route.line) > 1:
        out.append(shaft_and_head(color, *_head(route.line)))
    return Part("".join(out), around((*route.line, *route.meant), HEAD))


def _stop(route: Route, blocks: Sequence[Rect]) -> Part | None:
    """The sign for a force that was stopped: where it would have gone on, clear of the blocks if it can be."""
    if route.move.stopped_at is None:
        return None
    line = route.meant if len(route.meant) > 1 else route.line[-1:]
    x, y = next((p for p in line[: SMOOTH * 2] if not any(_near(p, r) for r in blocks)), line[0])
    return Part(stop_sign(x, y), around(((x, y),), SIGN))


def stop_sign(x: float, y: float) -> str:
    cross = '<circle class="km-stopdisc" r="6.5"/><path class="km-stop" d="M-3.2-3.2l6.4 6.4M3.2-3.2l-6.4 6.4"/>'
    return moved(x, y, cross, ' class="km-stopped"')


def shaft_and_head(color: PieceColor, shaft: Sequence[Point], head: str) -> str:
    path = _path(shaft)
    return (
        f'<path class="km-case" d="{path}" stroke-width="6"/>'
        f'<path class="km-m{color}" d="{path}" stroke-width="3.6" stroke-linejoin="round" stroke-linecap="round"/>'
        f'<path class="km-head km-h{color}" d="{head}"/>'
    )


def _head(line: Sequence[Point]) -> tuple[list[Point], str]:
    """The shaft, shortened, and the arrowhead before it."""
    tip, shaft = line[-1], list(line)
    while len(shaft) > 2 and hypot(tip[0] - shaft[-1][0], tip[1] - shaft[-1][1]) < HEAD:
        shaft.pop()
    back = shaft[-1]
    length = hypot(tip[0] - back[0], tip[1] - back[1]) or 1.0
    ux, uy = (tip[0] - back[0]) / length, (tip[1] - back[1]) / length
    foot = (tip[0] - ux * HEAD, tip[1] - uy * HEAD)
    left = (foot[0] - uy * HEAD * 0.55, foot[1] + ux * HEAD * 0.55)
    right = (foot[0] + uy * HEAD * 0.55, foot[1] - ux * HEAD * 0.55)
    notch = (foot[0] + ux * 2.5, foot[1] + uy * 2.5)
    head = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in (tip, left, notch, right)) + "z"
    return [*shaft[:-1], shaft[-1], notch] if len(shaft) > 1 else [line[0], notch], head


def _letter(route: Route, covered: Taken, letters: list[Point], interactive: bool) -> Part | None:
    """Whose force it is, in the shape of its colour, where the arrow can be seen best."""
    move = route.move
    if not move.owner or len(route.line) < 2:
        return None
    x, y = _clear_point(route.line, covered, letters)
    letters.append((x, y))
    on = "km-onwhite" if move.color == "white" else "km-on"
    hook = f' data-move="{route.index}" data-owner={attribute(move.owner)}' if interactive else ""
    shape = f'<path class="km-{move.color}" stroke-width="1.1" d="{SHAPES[move.color]}"/>'
    text = f'<text class="km-tag {on}" y="4">{content(fit(move.owner, 12, 13))}</text>'
    return Part(moved(x, y, shape + text, hook), around(((x, y),), SIGN))


def _clear_point(line: Sequence[Point], covered: Taken, letters: Sequence[Point]) -> Point:
    """The point nearest the middle of the line that no block, name or other letter covers."""
    middle = line[len(line) // 2]

    def merit(p: Point) -> tuple[bool, bool, float]:
        alone = all(hypot(p[0] - q[0], p[1] - q[1]) > 16 for q in letters)
        return (
            not covered.hit(p[0] - 8, p[1] - 8, p[0] + 8, p[1] + 8),
            alone,
            -hypot(p[0] - middle[0], p[1] - middle[1]),
        )

    return max(line[1:-2] or [middle], key=merit)


def _near(point: Point, rect: Rect) -> bool:
    return rect.x0 - 8 <= point[0] <= rect.x1 + 8 and rect.y0 - 8 <= point[1] <= rect.y1 + 8
