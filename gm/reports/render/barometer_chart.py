"""The barometer as a chart: a row a player, and for each pair of figures a small panel with both curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gm.reports.map.style import Theme, themed
from gm.reports.map.text import attribute, content, fit, num, width
from gm.reports.map.wording import word
from gm.reports.render.outlines import outlined
from gm.reports.render.raster import render_png
from gm.reports.view.barometer import Barometer, barometer_alt

WIDTH = 700
TOP, ROW = 74.0, 62.0
NAME_ROOM = 116.0
PANEL, FIGURES, GAP = 122.0, 58.0, 12.0  # a panel's curves, the figures beside them, the space after
HEIGHT = 40.0  # of the curves
SINCE = 465  # the middle of the words on the small figures

RULES = """
.kb-paper{fill:$plate;stroke:$ink;stroke-width:1}.kb-frame{fill:none;stroke:$ink;stroke-width:.6}
.kb-title{fill:$ink;font:700 17px SERIF;letter-spacing:2px}
.kb-since{fill:$soft;font:700 11.5px NARROW;text-anchor:middle}
.kb-issue{fill:$ink;font:italic 400 14px SERIF;text-anchor:end}
.kb-head{fill:$ink;font:italic 400 13.5px SERIF}
.kb-name{fill:$ink;font:700 14px NARROW}.kb-key{fill:$ink;font:700 11.5px NARROW}
.kb-tab{fill:$tab}.kb-letter{fill:$ontab;font:700 14px NARROW;text-anchor:middle}
.kb-minetab{fill:$mine}.kb-onmine{fill:$onmine}
.kb-rule{fill:none;stroke:$ink;stroke-opacity:.3;stroke-width:.8}.kb-base{fill:none;stroke:$ink;stroke-width:1}
.kb-grid{fill:none;stroke:$ink;stroke-opacity:.14;stroke-width:.8}
.kb-one{fill:none;stroke:$movered;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}
.kb-two{fill:none;stroke:$ink;stroke-width:1.8;stroke-linejoin:round;stroke-dasharray:4 3}
.kb-onedot{fill:$movered}.kb-twodot{fill:$plate;stroke:$ink;stroke-width:1.6}
.kb-num{fill:$ink;font:700 14px NARROW}.kb-change{fill:$soft;font:700 11.5px NARROW}
"""


@dataclass(frozen=True, slots=True)
class Panel:
    """Two figures that are compared, the first with a full line and squares, the second dashed with rings."""

    head: str
    one: str
    two: str


Dot = Callable[[float, float], str]
PANELS = (Panel("leadership", "red", "white"), Panel("markers", "pm", "am"), Panel("score", "if_red", "if_white"))


def barometer_svg(
    barometer: Barometer, *, theme: Theme = "light", mine: str | None = None, embed_style: bool = True
) -> str:
    """The chart, 700 wide and as high as there are players. Without `embed_style` the page brings `chart_style`."""
    height = TOP + ROW * max(len(barometer.players), 1) + 10
    style = f"<style>{chart_style(theme)}</style>" if embed_style else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="kb-chart" viewBox="0 0 {WIDTH} {num(height)}" role="img" '
        f"aria-label={attribute(barometer_alt(barometer))}>{style}",
        f'<rect class="kb-paper" x=".5" y=".5" width="{WIDTH - 1}" height="{num(height - 1)}"/>'
        f'<rect class="kb-frame" x="4" y="4" width="{WIDTH - 8}" height="{num(height - 8)}"/>',
        _head(barometer),
    ]
    for n, player in enumerate(barometer.players):
        parts.append(_row(barometer, player, TOP + ROW * n, player == mine))
    return "".join(parts) + "</svg>"


def barometer_png(barometer: Barometer) -> bytes:
    """The chart as a picture for mail."""
    return render_png(outlined(barometer_svg(barometer), RULES), WIDTH)


def chart_style(theme: Theme = "light") -> str:
    """The style sheet of the chart."""
    return themed(RULES, theme)


def _left(index: int) -> float:
    return NAME_ROOM + 16 + index * (PANEL + FIGURES + GAP)


def _head(barometer: Barometer) -> str:
    label = word("barometer", "issue").format(label=barometer.issues[-1].label) if barometer.issues else ""
    label = label or word("barometer", "nothing")
    out = [
        f'<text class="kb-title" x="16" y="28">{content(word("barometer", "title"))}</text>'
        f'<text class="kb-issue" x="{WIDTH - 16}" y="28">{content(fit(label, 14, 120, "italic"))}</text>'
    ]
    if len(barometer.issues) > 1:
        since = word("barometer", "since").format(label=barometer.issues[0].label)
        out.append(f'<text class="kb-since" x="{SINCE}" y="28">{content(fit(since, 11.5, 220))}</text>')
    for n, panel in enumerate(PANELS):
        x = _left(n)
        out.append(f'<text class="kb-head" x="{num(x)}" y="50">{content(word("barometer", panel.head))}</text>')
        one, two = word("barometer", panel.one), word("barometer", panel.two)
        second = x + 30 + width(one, 11.5)
        out.append(
            f'<path class="kb-one" d="M{num(x)} 61h16"/>{_square(x + 8, 61)}'
            f'<text class="kb-key" x="{num(x + 20)}" y="65">{content(one)}</text>'
            f'<path class="kb-two" d="M{num(second)} 61h16"/>{_ring(second + 8, 61)}'
            f'<text class="kb-key" x="{num(second + 20)}" y="65">{content(two)}</text>'
        )
    return "".join(out)


def _row(barometer: Barometer, player: str, top: float, mine: bool) -> str:
    name = fit(barometer.names.get(player, ""), 14, NAME_ROOM - 32)
    tab, letter = ("kb-minetab", "kb-letter kb-onmine") if mine else ("kb-tab", "kb-letter")
    out = [
        f'<path class="kb-rule" d="M12 {num(top)}H{WIDTH - 12}"/>'
        f'<rect class="{tab}" x="16" y="{num(top + 21)}" width="18" height="20" rx="2"/>'
        f'<text class="{letter}" x="25" y="{num(top + 36)}">{content(fit(player, 14, 18))}</text>'
        f'<text class="kb-name" x="41" y="{num(top + 36)}">{content(name)}</text>'
    ]
    out += [_panel(barometer, player, panel, _left(n), top + 11) for n, panel in enumerate(PANELS)]
    return "".join(out)


def _panel(barometer: Barometer, player: str, panel: Panel, x: float, top: float) -> str:
    highest = barometer.highest(panel.one, panel.two)
    base = top + HEIGHT
    out = [
        f'<path class="kb-grid" d="M{num(x)} {num(top)}h{num(PANEL)}M{num(x)} {num(top + HEIGHT / 2)}h{num(PANEL)}"/>'
        f'<path class="kb-base" d="M{num(x)} {num(base)}h{num(PANEL)}"/>'
    ]
    for part, look, dot in ((panel.two, "kb-two", _ring), (panel.one, "kb-one", _square)):
        points = _points(barometer.course(player, part), highest, x, base)
        if len(points) > 1:
            line = "L".join(f"{num(u)} {num(v)}" for u, v in points)
            out.append(f'<path class="{look}" d="M{line}"/>')
        if points:
            out.append(dot(*points[-1]))
    if barometer.latest(player) is not None:
        left = x + PANEL + 10
        out.append(_figure(barometer, player, panel.one, left, top + 15, _square))
        out.append(_figure(barometer, player, panel.two, left, top + 35, _ring))
    return "".join(out)


def _points(course: Sequence[int | None], highest: int, x: float, base: float) -> list[tuple[float, float]]:
    """Where each issue's figure lies; a single issue stands at the right end."""
    step = (PANEL - 6) / max(len(course) - 1, 1)
    start = x + PANEL - 6 - step * (len(course) - 1)
    return [
        (start + step * n, base - HEIGHT * max(value, 0) / highest)
        for n, value in enumerate(course)
        if value is not None
    ]


def _figure(barometer: Barometer, player: str, part: str, x: float, y: float, dot: Dot) -> str:
    value = next(v for v in reversed(barometer.course(player, part)) if v is not None)
    change = barometer.change(player, part)
    moved = f'<tspan class="kb-change" dx="4">{change:+d}</tspan>' if change else ""
    return f'{dot(x, y - 5)}<text class="kb-num" x="{num(x + 8)}" y="{num(y)}">{value}{moved}</text>'


def _square(x: float, y: float) -> str:
    return f'<rect class="kb-onedot" x="{num(x - 3.2)}" y="{num(y - 3.2)}" width="6.4" height="6.4"/>'


def _ring(x: float, y: float) -> str:
    return f'<circle class="kb-twodot" cx="{num(x)}" cy="{num(y)}" r="3.2"/>'
