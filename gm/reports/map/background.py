"""The sheet on which everything is printed: paper, seas, provinces, rivers, mountains, rails. Made once and kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import cos, hypot, radians, sin

from gm.board.model import Board, Border
from gm.reports.map.geometry import Crossing, Geometry, Grid, PlaceName, Point, Ring, geometry, path_of
from gm.reports.map.placing.candidates import Rect
from gm.reports.map.style import REGIONS, tint
from gm.reports.map.text import attribute, content, moved, num
from gm.reports.map.wording import word

# Crests as points of the sheet; little peaks stand along them.
RANGES: tuple[tuple[Point, ...], ...] = (
    ((508, 838), (560, 852), (612, 862), (660, 874), (706, 888), (748, 908), (790, 926)),  # Caucasus
    ((884, 40), (898, 96), (912, 150), (926, 205), (938, 262), (958, 318), (976, 372), (992, 410)),  # Urals
    ((24, 640), (62, 636), (100, 646), (134, 668), (152, 696)),  # Carpathians
)
# Room for the printed plates: title, key to the signs, key to the regions.
TITLE, KEY, LANDS = Rect(930, 24, 1376, 104), Rect(934, 640, 1098, 1030), Rect(22, 930, 336, 1028)
PLATES = (TITLE, KEY, LANDS)
WAVES = ((17.0, 0.35), (11.0, 0.6), (6.0, 0.9))  # distance from the shore, strength of the line


@lru_cache(maxsize=32)
def background(interactive: bool = False, board: Board | None = None) -> str:
    """The fixed part of the map below the railways' towns. Colours come from the style sheet alone."""
    g = geometry(board)
    return "".join(
        (
            _defs(g),
            _sea(g),
            _graticule(g),
            _provinces(g, interactive),
            '<g pointer-events="none">',
            _bands(),
            _lakes_and_rivers(g),
            _mountains(),
            _borders(g),
            _rails(),
            _moscow(),
            "".join(_place_name(name) for name in g.names if not any(r.holds(name.at) for r in PLATES)),
            _compass(),
            "".join(_crossing(c) for c in g.crossings),
            "</g>",
        )
    )


@cache
def frame() -> str:
    """The margin and its graduated neatline, painted last so that nothing hangs over the edge."""
    g = geometry()
    x0, y0, x1, y1 = g.frame
    ring = f"M0 0H{g.width}V{g.height}H0ZM{x0} {y0}V{y1}H{x1}V{y0}Z"
    ticks = []
    for n, x in enumerate(range(x0, x1, 43)):
        if n % 2 == 0:
            w = min(43, x1 - x)
            ticks.append(f"M{x} 5h{w}v4h{-w}zM{x} {g.height - 9}h{w}v4h{-w}z")
    for n, y in enumerate(range(y0, y1, 43)):
        if n % 2 == 0:
            h = min(43, y1 - y)
            ticks.append(f"M5 {y}h4v{h}h-4zM{g.width - 9} {y}h4v{h}h-4z")
    return (
        f'<g pointer-events="none"><path class="km-margin" d="{ring}"/><path class="km-tick" d="{"".join(ticks)}"/>'
        f'<rect class="km-line" x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" stroke-width="1.6"/>'
        f'<rect class="km-line" x="9" y="9" width="{g.width - 18}" height="{g.height - 18}" stroke-width=".7"/>'
        f'<rect class="km-line" x="5" y="5" width="{g.width - 10}" height="{g.height - 10}" stroke-width=".7"/></g>'
    )


def _defs(g: Geometry) -> str:
    """Long lines that are painted more than once."""
    out = [f'<path id="km-shore" d="{path_of(_off_frame(g))}"/><path id="km-rails" d="{"".join(g.rails)}"/>']
    for n, region in enumerate(REGIONS):
        out.append(
            f'<path id="km-region{n}" clip-rule="evenodd" d="{path_of(g.regions.get(region, ()), close=True)}"/>'
            f'<clipPath id="km-clip{n}"><use href="#km-region{n}"/></clipPath>'
        )
    return f"<defs>{''.join(out)}</defs>"


def _sea(g: Geometry) -> str:
    """Water with lines that follow the shore, then the dry land outside the provinces over it."""
    x0, y0, x1, y1 = g.frame
    shore = 'href="#km-shore"'
    lines = []
    for distance, strength in WAVES:
        lines.append(
            f'<use class="km-wave" {shore} stroke-width="{2 * distance + 0.9:.1f}" stroke-opacity="{strength}"/>'
        )
        lines.append(f'<use class="km-calm" {shore} stroke-width="{2 * distance - 0.9:.1f}"/>')
    land = f"M{x0} {y0}H{x1}V{y1}H{x0}Z{path_of(g.water, close=True)}"
    return (
        f'<rect class="km-water" x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}"/>{"".join(lines)}'
        f'<path class="km-paper" fill-rule="evenodd" d="{land}"/><use class="km-shore" {shore}/>'
    )


def _off_frame(g: Geometry) -> list[list[Grid]]:
    """The shores: the outline of the water where it is not cut by the neatline."""
    x0, y0, x1, y1 = (10 * v for v in g.frame)
    pieces: list[list[Grid]] = []
    for ring in g.water:
        piece: list[Grid] = [ring[0]]
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            along = (a[0] == b[0] and a[0] in (x0, x1)) or (a[1] == b[1] and a[1] in (y0, y1))
            if along:
                if len(piece) > 1:
                    pieces.append(piece)
                piece = [b]
            else:
                piece.append(b)
        if len(piece) > 1:
            pieces.append(piece)
    return pieces


def _graticule(g: Geometry) -> str:
    """Meridians and parallels, faint, where they lie on paper or sea. Siberia's strip is not to scale."""
    lines = []
    for lon in range(10, 70, 5):
        lines.append([_project(lon, lat / 2) for lat in range(72, 150)])
    for lat in range(40, 75, 5):
        lines.append([_project(lon, lat) for lon in range(5, 72)])
    x0, y0, _, y1 = g.frame
    paths = []
    for line in lines:
        kept = [p for p in line if x0 <= p[0] <= 1010 and y0 <= p[1] <= y1]
        if len(kept) > 1:
            paths.append("M" + "L".join(f"{num(x)} {num(y)}" for x, y in kept))
    return f'<path class="km-net" d="{"".join(paths)}"/>'


def _project(lon: float, lat: float) -> Point:
    """The projection in which provinces.json was drawn: an equidistant conic, squeezed in the far north."""
    d = min(max(lat - 60.3, 0), 3.7)
    lat = min(lat, 60.3) + d - d * d * 0.54 / 7.4 + max(lat - 64, 0) * 0.46
    rho, turn = (96.77 - lat) * 111.2, radians(0.78 * (lon - 40))
    return 536 + 0.347 * rho * sin(turn), 1035 + 0.347 * (rho * cos(turn) - 6470)


def _moscow() -> str:
    """The capital, which no province is named after: a star where it lies."""
    x, y = _project(37.6, 55.75)
    star = "M0-6.5L1.6-2.1 6.2-2 2.6.8 3.8 5.3 0 2.7-3.8 5.3-2.6.8-6.2-2-1.6-2.1z"
    name = content(word("legend", "moscow"))
    return (
        f'<g class="km-capital" transform="translate({num(x)} {num(y)})"><path class="km-moscow" d="{star}"/>'
        f'<text class="km-city" x="8" y="4">{name}</text></g>'
    )


def _provinces(g: Geometry, interactive: bool) -> str:
    out = []
    for code, shape in sorted(g.shapes.items()):
        path = path_of(shape.rings, close=True)
        look = f'class="km-p km-g{tint(shape.region)} km-s{shape.shade}" fill-rule="evenodd" d="{path}"'
        if interactive:
            title = content(f"{shape.name} ({code}), {shape.region}")
            out.append(f'<path id="p-{code}" data-province={attribute(code)} {look}><title>{title}</title></path>')
        else:
            out.append(f"<path {look}/>")
    return f'<g class="km-provinces">{"".join(out)}</g>'


def _bands() -> str:
    """The coloured ribbon inside each region's border, as atlases of the time had it."""
    out = []
    for n in range(len(REGIONS)):
        out.append(
            f'<g class="km-b{n}" clip-path="url(#km-clip{n})"><use class="km-band" href="#km-region{n}"/>'
            f'<use class="km-edge" href="#km-region{n}"/></g>'
        )
    return "".join(out)


def _lakes_and_rivers(g: Geometry) -> str:
    inland = [ring for ring in g.water if any(_inside(ring[0], shape.rings) for shape in g.shapes.values())]
    return f'<path class="km-river" d="{"".join(g.rivers)}"/><path class="km-lake" d="{path_of(inland, close=True)}"/>'


def _inside(point: Grid, rings: Sequence[Ring]) -> bool:
    x, y = point
    hits = 0
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                hits += 1
    return hits % 2 == 1


def _mountains() -> str:
    peaks = []
    for crest in RANGES:
        for n, (x, y) in enumerate(_stations(crest, 13)):
            size = (6.5, 4.6, 5.6)[n % 3]
            dx, dy = ((0, 0), (3, 4), (-3, -2))[n % 3]
            left, top = x + dx, y + dy
            peaks.append(
                f"M{num(left - size)} {num(top + size)}l{num(size)}{num(-1.35 * size)} {num(size)} {num(1.35 * size)}"
            )
            peaks.append(f"M{num(left + 0.3)} {num(top - 0.2 * size)}l{num(0.45 * size)} {num(0.95 * size)}")
    return f'<path class="km-peak" d="{"".join(peaks)}"/>'


def _stations(line: Sequence[Point], step: float) -> list[Point]:
    """Points along a line, a step apart."""
    found, rest = [], 0.0
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        length = hypot(bx - ax, by - ay)
        while rest < length:
            found.append((ax + (bx - ax) * rest / length, ay + (by - ay) * rest / length))
            rest += step
        rest -= length
    return found


def _borders(g: Geometry) -> str:
    return (
        f'<path class="km-inner" d="{path_of(g.inner)}"/><path class="km-outer" d="{path_of(g.outer)}"/>'
        f'<path class="km-rim" d="{path_of(g.rim)}"/>'
    )


def _rails() -> str:
    return '<use class="km-rail" href="#km-rails"/><use class="km-sleeper" href="#km-rails"/>'


def _place_name(name: PlaceName) -> str:
    kind = "km-sea" if name.kind == "sea" else "km-abroad"
    x, y = name.at
    turn = f' transform="rotate({num(name.turn)} {num(x)} {num(y)})"' if name.turn else ""
    top = y - 9 * (len(name.lines) - 1)
    return "".join(
        f'<text class="{kind}" x="{num(x)}" y="{num(top + 18 * n)}"{turn}>{content(line)}</text>'
        for n, line in enumerate(name.lines)
    )


def _compass() -> str:
    """Siberia was turned to fit the sheet: an arrow shows where its east lies."""
    needle = '<path class="km-needle" d="M-1 0h2v44h4l-5 12-5-12h4z"/>'
    name = content(word("legend", "compass"))
    text = f'<text class="km-compass" x="0" y="26" transform="rotate(90 0 26)" dy="-7">{name}</text>'
    return moved(1128, 668, needle + text)


def _crossing(crossing: Crossing) -> str:
    (ax, ay), (bx, by) = crossing.ends
    return crossing_sign(crossing.kind, (ax + bx) / 2, (ay + by) / 2)


def crossing_sign(kind: Border, x: float, y: float) -> str:
    """A ferry for White alone (5.32), or a barred way (5.33)."""
    if kind is Border.WHITE_ONLY:
        both_ways = "M-17 0H17M-13-3.5L-17 0l4 3.5M13-3.5L17 0l-4 3.5"
        ferry = (
            f'<path class="km-line" stroke-width="1.6" d="{both_ways}"/>'
            '<circle class="km-white" r="7.5" stroke-width="1.3"/><text class="km-tag km-onwhite" y="4">W</text>'
        )
        return moved(x, y, ferry)
    return moved(x, y, '<circle class="km-stopdisc" r="7"/><path class="km-stop" d="M-3.5 0h7"/>')


def town_dots(codes: Iterable[str]) -> str:
    """The round sign of the seat of government, where the railways meet."""
    shapes = geometry().shapes
    return "".join(
        f'<circle class="km-town" cx="{num(shapes[c].label[0])}" cy="{num(shapes[c].label[1])}" r="3.2"/>'
        for c in codes
    )
