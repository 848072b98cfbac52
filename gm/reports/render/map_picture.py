"""Maps as PNG, quickly: the printed sheet is rasterised once and kept, what changes is drawn small and laid over it.

The same SVG as on the web, the same renderer; only what lies on the sheet is drawn for an issue, and what two pictures
of an issue share (all but the gold frames of their readers) is drawn once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from math import ceil, floor
from typing import cast

from PIL import Image

from gm.board.model import Board
from gm.reports.map.draw import parts, sheet_svg
from gm.reports.map.geometry import geometry
from gm.reports.map.model import MapView
from gm.reports.map.placing.candidates import Rect
from gm.reports.map.placing.parts import Part
from gm.reports.map.style import counter_colors, stylesheet
from gm.reports.render.outlines import outlined
from gm.reports.render.raster import render_png

WIDTH = 1400
SMALL = 500  # of one in an album
MAILED = 1050  # of a map in a mail: half as wide again as it is shown
SHELF = 1024  # width of the picture in which parts are drawn side by side
GUTTER = 2
KEPT = 600  # parts; those of about four issues, some megabytes
NEATLINE = 0.8  # half of it lies inside the frame
COLORS, COMMON = 256, 64  # in the palette; of them, colours that fill most of the sheet
COMPRESSION = 3  # a third of the time that the usual 6 takes, a tenth larger


@dataclass(frozen=True, slots=True)
class Stamp:
    """A part as pixels, and where they go."""

    image: Image.Image
    left: int
    top: int


def map_png(view: MapView, width: int = WIDTH) -> bytes:
    """The whole map, `width` pixels wide."""
    scale = width / geometry().width
    picture = _sheet(scale, view.mine is not None, view.board).copy()
    _lay(picture, parts(view).all, scale)
    return _png(picture)


def detail_png(view: MapView, box: Rect, scale: float = 2.0) -> bytes:
    """A piece of the map, enlarged."""
    edges = _pixels(box, scale)
    picture = _sheet(scale, view.mine is not None, view.board).crop(edges)
    _lay(picture, [part for part in parts(view).all if part.box.overlaps(box)], scale, edges[:2])
    return _png(picture)


def album_png(views: Sequence[MapView]) -> bytes:
    """Small maps side by side, two in a row."""
    drawn = [Image.open(BytesIO(map_png(view, SMALL))).convert("RGB") for view in views]
    width, height = drawn[0].size
    picture = Image.new("RGB", (2 * width, ceil(len(drawn) / 2) * height))
    for n, image in enumerate(drawn):
        picture.paste(image, ((n % 2) * width, n // 2 * height))
    return _png(picture)


def _lay(picture: Image.Image, found: Sequence[Part], scale: float, corner: tuple[int, int] = (0, 0)) -> None:
    """Lay the parts on a picture of the sheet from this corner on, bottom to top, and nothing over the neatline."""
    x0, y0, x1, y1 = geometry().frame
    inner = _pixels(Rect(x0 + NEATLINE, y0 + NEATLINE, x1 - NEATLINE, y1 - NEATLINE), scale)
    for stamp in _stamps(found, scale):
        left, top = max(stamp.left, inner[0]), max(stamp.top, inner[1])
        right, bottom = min(stamp.left + stamp.image.width, inner[2]), min(stamp.top + stamp.image.height, inner[3])
        if left < right and top < bottom:
            image = stamp.image.crop((left - stamp.left, top - stamp.top, right - stamp.left, bottom - stamp.top))
            picture.paste(image, (left - corner[0], top - corner[1]), image)


_kept: dict[tuple[float, str], Stamp] = {}  # the stamps drawn last, by the SVG that they show


def _stamps(found: Sequence[Part], scale: float) -> list[Stamp]:
    """A stamp for each part. Two threads may draw the same one: both get the same pixels."""
    stamps = {part.svg: stamp for part in found if (stamp := _kept.pop((scale, part.svg), None)) is not None}
    missing = {part.svg: part for part in found if part.svg not in stamps}
    if missing:
        stamps |= {part.svg: stamp for part, stamp in _drawn(list(missing.values()), scale)}
    _kept.update({(scale, svg): stamp for svg, stamp in stamps.items()})
    for oldest in list(_kept)[:-KEPT]:
        _kept.pop(oldest, None)
    return [stamps[part.svg] for part in found]


def _drawn(found: Sequence[Part], scale: float) -> Iterable[tuple[Part, Stamp]]:
    """Draw the parts side by side in one picture, the tall ones first, and cut it up."""
    cells: list[tuple[Part, tuple[int, int, int, int], int, int]] = []
    out: list[str] = []
    x = y = shelf = 0
    boxes = [(part, _pixels(part.box, scale)) for part in found]
    across = max(SHELF, *(right - left for _, (left, _, right, _) in boxes))
    for part, (left, top, right, bottom) in sorted(boxes, key=lambda b: b[1][1] - b[1][3]):
        w, h = right - left, bottom - top
        if x + w > across:
            x, y, shelf = 0, y + shelf + GUTTER, 0
        # Moved by whole pixels, so that every edge falls as it will on the sheet.
        move = f"translate({(x - left) / scale:.6g} {(y - top) / scale:.6g})"
        out.append(f'<g transform="{move}">{outlined(part.svg)}</g>')
        cells.append((part, (x, y, x + w, y + h), left, top))
        x, shelf = x + w + GUTTER, max(shelf, h)
    height = y + shelf
    box = f'width="{across}" height="{height}" viewBox="0 0 {across / scale:.6g} {height / scale:.6g}"'
    style = stylesheet("light")
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {box}><style>{style}</style>{"".join(out)}</svg>'
    picture = Image.open(BytesIO(render_png(svg, across))).convert("RGBA")
    for part, cell, left, top in cells:
        yield part, Stamp(picture.crop(cell), left, top)


def _pixels(box: Rect, scale: float) -> tuple[int, int, int, int]:
    return floor(box.x0 * scale), floor(box.y0 * scale), ceil(box.x1 * scale), ceil(box.y1 * scale)


@lru_cache(maxsize=12)
def _sheet(scale: float, mine: bool, board: Board | None = None) -> Image.Image:
    """The printed sheet as pixels; the legend explains the gold frames only where there are some."""
    png = render_png(outlined(sheet_svg(mine, board)), round(geometry().width * scale))
    return Image.open(BytesIO(png)).convert("RGB")


@cache
def _palette() -> Image.Image:
    """The colours of all pictures: the sheet's commonest as they are, the counters', and the best of the rest."""
    counted = cast(list[tuple[int, tuple[int, int, int]]], _sheet(1.0, False).getcolors(1 << 24))
    counted.sort(reverse=True)
    exact = dict.fromkeys([*(color for _, color in counted[:COMMON]), *counter_colors()])
    rest = [color for number, color in counted if color not in exact for _ in range(round(number**0.5))]
    strip = Image.new("RGB", (len(rest), 1))
    strip.putdata(rest)
    chosen = strip.quantize(COLORS - len(exact), Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for color in exact for part in color), *chosen][: 3 * COLORS])
    return palette


def _png(picture: Image.Image) -> bytes:
    out = BytesIO()
    picture.quantize(palette=_palette(), dither=Image.Dither.NONE).save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()
