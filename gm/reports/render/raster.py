"""SVG to PNG with the fonts that ship with the package, so that a picture looks the same on every machine."""

from __future__ import annotations

from functools import cache
from importlib import resources

from resvg import render, usvg

from gm.reports.map.text import FONT_FILES


@cache
def font_files() -> tuple[str, ...]:
    """Where the bundled fonts lie. Without them the renderer would silently draw no text."""
    folder = resources.files("gm.reports") / "data" / "fonts"
    return tuple(str(folder / name) for name in sorted(FONT_FILES.values()))


def _options() -> usvg.Options:
    """The renderer's settings with the fonts: made anew (a millisecond), for resvg refuses those of another thread."""
    options = usvg.Options.default()
    options.font_family = "PT Sans Narrow"
    for file in font_files():
        options.load_font_file(file)
    return options


def render_png(svg: str, width: int = 1400) -> bytes:
    """The picture as PNG, `width` pixels wide, drawn in one pass. A map is drawn faster by `map_picture`."""
    tree = usvg.Tree.from_str(svg, _options())
    own_width, own_height = tree.int_size()
    scale = width / own_width
    return bytes(render(tree, (scale, 0, 0, 0, scale, 0), bg_size=(width, round(own_height * scale))))
