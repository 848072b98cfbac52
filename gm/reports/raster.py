"""SVG to PNG with the fonts that ship with the package, so that a picture looks the same on every machine."""

from __future__ import annotations

from functools import cache
from importlib import resources

import resvg_py

FONTS = ("OldStandard-Bold.ttf", "OldStandard-Italic.ttf", "PTSansNarrow-Bold.ttf")


@cache
def font_files() -> tuple[str, ...]:
    """Where the bundled fonts lie. Without them the renderer would silently draw no text."""
    folder = resources.files("gm.reports") / "data" / "fonts"
    return tuple(str(folder / name) for name in FONTS)


def render_png(svg: str, width: int = 1400) -> bytes:
    """The picture as PNG, `width` pixels wide."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(font_files()),
            font_family="PT Sans Narrow",
            serif_family="Old Standard TT",
            sans_serif_family="PT Sans Narrow",
        )
    )
