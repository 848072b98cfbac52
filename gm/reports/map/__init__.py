"""The drawn map: `render_svg(view)`, and `alt_text(view)` for whoever cannot see it."""

from gm.reports.map.alt import alt_text
from gm.reports.map.draw import render_svg
from gm.reports.map.style import Theme, font_faces, stylesheet

__all__ = ["Theme", "alt_text", "font_faces", "render_svg", "stylesheet"]
