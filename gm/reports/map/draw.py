"""Draw the whole map: a MapView in, an SVG out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from gm.board.model import Board
from gm.reports.map import arrows, counters, legend
from gm.reports.map.alt import alt_text
from gm.reports.map.background import PLATES, TITLE, background, frame, town_dots
from gm.reports.map.geometry import geometry
from gm.reports.map.marks import mark
from gm.reports.map.model import MapView
from gm.reports.map.placing.blocks import MARK, NAME_SIZE, NAME_SPACING, Block, blocks
from gm.reports.map.placing.layout import Spot, label_rect, place
from gm.reports.map.placing.parts import Part, Parts, around, grown, written
from gm.reports.map.style import REGIONS, Theme, stylesheet
from gm.reports.map.text import attribute, content, num, width


def render_svg(view: MapView, *, theme: Theme = "light", interactive: bool = False, embed_style: bool = True) -> str:
    """The map as SVG.

    `theme="auto"` follows the reader's system through CSS variables; `light` and `dark` are plain colours, as mail and
    pictures need them. `interactive` adds ids, data attributes and titles. Without `embed_style` the page must bring
    `stylesheet(theme)` itself.
    """
    found = parts(view, interactive)
    role = "group" if interactive else "img"  # an img hides its parts from assistive technology
    style = f"<style>{stylesheet(theme)}</style>" if embed_style else ""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="km-map" {_viewbox()} role="{role}" '
            f'aria-label={attribute(alt_text(view))} font-family="sans-serif">{style}',
            background(interactive, view.board),
            '<g pointer-events="none">',
            _printed(view.mine is not None, view.board),
            written(found.under),
            "</g>",
            '<g class="km-blocks">',
            written(found.blocks),
            "</g>",
            f'<g pointer-events="none">{written(found.over)}</g>',
            frame(),
            "</svg>",
        )
    )


INSET = 8  # stacks from which on a block is an inset
ABROAD = 0.35  # how much of a block must lie in its own province if it is to need no plate
_SHARED = re.compile(r' id="km-[^"]*"')


def another_svg(view: MapView, *, theme: Theme = "light") -> str:
    """A further map of a document: it borrows the shapes that the first one names, and the style of the page."""
    return _SHARED.sub("", render_svg(view, theme=theme, embed_style=False))


def sheet_svg(mine: bool, board: Board | None = None) -> str:
    """The printed sheet alone: everything that is the same in all issues, the frame on top."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {_viewbox()}><style>{stylesheet("light")}</style>'
        f"{background(board=board)}{_printed(mine, board)}{frame()}</svg>"
    )


def parts(view: MapView, interactive: bool = False) -> Parts:
    """What lies on the sheet in this issue."""
    spots = arrange(blocks(view))
    moves = arrows.draw(view.moves, spots, interactive, view.board)
    title = Part(legend.title(view.title, view.date_line), grown(TITLE, 4))
    leads = tuple(_lead(s) for s in spots if s.anchor)
    return Parts(
        under=(title, *leads, *moves.ways, *_empty_names(spots, view.board, interactive), *moves.letters),
        blocks=tuple(_block(s, view.mine, interactive) for s in spots),
        over=(*moves.stops, *(_marks_there(s) for s in spots if s.marks_there)),
    )


def _viewbox() -> str:
    return f'viewBox="0 0 {geometry().width} {geometry().height}"'


def _printed(mine: bool, board: Board | None) -> str:
    return town_dots(sorted(geometry(board).shapes)) + legend.keys(mine)


@lru_cache(maxsize=32)
def arrange(found: tuple[Block, ...]) -> tuple[Spot, ...]:
    """Where the blocks go; the same for every reader of a Phase, hence kept."""
    return place(found, PLATES)


def _hook(code: str, interactive: bool) -> str:
    """A printed name belongs to its province, wherever it had to be printed."""
    return f" data-province={attribute(code)}" if interactive else ""


def _empty_names(spots: tuple[Spot, ...], board: Board | None, interactive: bool) -> Iterator[Part]:
    taken = {s.block.province for s in spots}
    for code, s in sorted(geometry(board).shapes.items()):
        if code not in taken:
            x, y = num(s.label[0]), num(s.label[1] - 7)
            name = f'<text class="km-name km-mid" x="{x}" y="{y}"{_hook(code, interactive)}>{code}</text>'
            yield Part(name, grown(label_rect(code), 3))


def _lead(spot: Spot) -> Part:
    """A line from the province to a block that had to stand elsewhere; to an inset a strong one."""
    a = spot.anchor or geometry().home(spot.block.province)
    b = spot.rect.nearest(a)
    line = f'd="M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}"'
    strong = " km-strong" if _is_inset(spot) else ""
    end = f'<circle class="km-leadend" cx="{num(a[0])}" cy="{num(a[1])}" r="3"/>'
    ways = f'<path class="km-leadhalo{strong}" {line}/><path class="km-lead{strong}" {line}/>'
    return Part(ways + end, around((a, b), 5))


def _is_inset(spot: Spot) -> bool:
    """A crowd, or counters most of which lie elsewhere: without a plate they would seem to stand where they lie."""
    if len(spot.shape.counters) >= INSET:
        return True
    return bool(spot.anchor and spot.shape.counters and spot.at_home < ABROAD)


def _plate(spot: Spot) -> str:
    """Behind a crowd: paper in the tint of its province, framed, so that it is no part of what it lies over."""
    shape = geometry().shapes.get(spot.block.province)
    if not _is_inset(spot) or shape is None:
        return ""
    n = REGIONS.index(shape.region)
    w, h = (spot.rect.x1 - spot.rect.x0) / spot.scale, (spot.rect.y1 - spot.rect.y0) / spot.scale
    box = f'x="-3" y="-3" width="{num(w + 6)}" height="{num(h + 6)}" rx="3"'
    return f'<g class="km-inset km-b{n}"><rect class="km-g{n}" {box} stroke-width="2.4"/></g>'


def _beside_name(block: Block) -> float:
    """Where the first mark of a block has its middle."""
    return width(block.name, NAME_SIZE, "serif", NAME_SPACING) + MARK / 2 + 2


def _marks_there(spot: Spot) -> Part:
    """What happened in a province whose block stands elsewhere is marked in the province itself."""
    x, y = spot.anchor or geometry().home(spot.block.province)
    left = x - MARK / 2 * (len(spot.block.marks) - 1)
    marks = "".join(mark(kind, left + n * MARK, y) for n, kind in enumerate(spot.block.marks))
    return Part(marks, around(((left, y), (2 * x - left, y)), MARK / 2 + 1))


def _mark_hook(spot: Spot) -> str:
    """Where the block is, and where a script marks what is to happen in the province."""
    x, y = spot.anchor or (spot.rect.x0 + _beside_name(spot.block) * spot.scale, spot.rect.y0 + 2)
    box = " ".join(num(edge) for edge in (spot.rect.x0, spot.rect.y0, spot.rect.x1, spot.rect.y1))
    return f' data-block={attribute(spot.block.province)} data-mark="{num(x)} {num(y)}" data-box="{box}"'


def _block(spot: Spot, mine: str | None, interactive: bool) -> Part:
    block = spot.block
    base = 17 if block.marks else 11
    scale = f" scale({spot.scale:.3g})" if spot.scale != 1 else ""
    out = [
        f'<g class="km-block"{_mark_hook(spot) if interactive else ""} '
        f'transform="translate({num(spot.rect.x0)} {num(spot.rect.y0)}){scale}">'
        f'{_plate(spot)}<text class="km-name" x="0" y="{base}"{_hook(block.province, interactive)}>'
        f"{content(block.name)}</text>"
    ]
    for n, kind in enumerate(() if spot.marks_there else block.marks):
        out.append(mark(kind, _beside_name(block) + n * MARK, 11))
    for p in spot.shape.counters:
        own = mine is not None and p.item.stack.owner == mine
        out.append(counters.draw(p.item, p.x, p.y, mine=own, interactive=interactive))
    out.append("</g>")
    return Part("".join(out), grown(spot.rect, 5 + 4 * _is_inset(spot)))
