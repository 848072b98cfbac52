"""The whole map: a view in, an SVG out."""

from __future__ import annotations

from functools import lru_cache

from gm.reports.map import arrows, counters, legend
from gm.reports.map.alt import alt_text
from gm.reports.map.background import PLATES, background, frame, town_dots
from gm.reports.map.blocks import MARK, NAME_SIZE, NAME_SPACING, Block, blocks
from gm.reports.map.geometry import geometry
from gm.reports.map.layout import Spot, place
from gm.reports.map.marks import mark
from gm.reports.map.style import Theme, stylesheet
from gm.reports.map.text import attribute, content, num, width
from gm.reports.map_view import MapView


def render_svg(view: MapView, *, theme: Theme = "light", interactive: bool = False, embed_style: bool = True) -> str:
    """The map as SVG.

    `theme="auto"` follows the reader's system through CSS variables; `light` and `dark` are plain colours, as mail and
    pictures need them. `interactive` adds ids, data attributes and titles. Without `embed_style` the page must bring
    `stylesheet(theme)` itself.
    """
    g = geometry()
    spots = arrange(blocks(view))
    role = "group" if interactive else "img"  # an img hides its parts from assistive technology
    moves = arrows.draw(view.moves, spots, interactive)
    style = f"<style>{stylesheet(theme)}</style>" if embed_style else ""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="km-map" viewBox="0 0 {g.width} {g.height}" role="{role}" '
            f'aria-label={attribute(alt_text(view))} font-family="sans-serif">{style}',
            background(interactive),
            '<g pointer-events="none">',
            town_dots(sorted(g.shapes)),
            legend.keys(view.mine is not None),
            legend.title(view.title, view.date_line),
            "".join(_lead(s) for s in spots),
            moves.ways,
            _empty_names(spots),
            moves.letters,
            "</g>",
            '<g class="km-blocks">',
            "".join(_block(s, view.mine, interactive) for s in spots),
            "</g>",
            f'<g pointer-events="none">{moves.stops}</g>',
            frame(),
            "</svg>",
        )
    )


@lru_cache(maxsize=32)
def arrange(found: tuple[Block, ...]) -> tuple[Spot, ...]:
    """Where the blocks go; the same for every reader of a Phase, hence kept."""
    return place(found, PLATES)


def _empty_names(spots: tuple[Spot, ...]) -> str:
    taken = {s.block.province for s in spots}
    return "".join(
        f'<text class="km-name km-mid" x="{num(s.label[0])}" y="{num(s.label[1] - 7)}">{code}</text>'
        for code, s in sorted(geometry().shapes.items())
        if code not in taken
    )


def _lead(spot: Spot) -> str:
    """A line from the town to a block that had to stand elsewhere."""
    if not spot.away:
        return ""
    a = geometry().home(spot.block.province)
    b = spot.rect.nearest(a)
    line = f'd="M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}"'
    return f'<path class="km-leadhalo" {line}/><path class="km-lead" {line}/>'


def _block(spot: Spot, mine: str | None, interactive: bool) -> str:
    block = spot.block
    base = 17 if block.marks else 11
    scale = f" scale({spot.scale:.3g})" if spot.scale != 1 else ""
    out = [
        f'<g class="km-block" transform="translate({num(spot.rect.x0)} {num(spot.rect.y0)}){scale}">'
        f'<text class="km-name" x="0" y="{base}">{content(block.name)}</text>'
    ]
    x = width(block.name, NAME_SIZE, "serif", NAME_SPACING) + MARK / 2 + 2
    for kind in block.marks:
        out.append(mark(kind, x, 11))
        x += MARK
    for p in spot.shape.counters:
        own = mine is not None and p.item.stack.owner == mine
        out.append(counters.draw(p.item, p.x, p.y, mine=own, interactive=interactive))
    out.append("</g>")
    return "".join(out)
