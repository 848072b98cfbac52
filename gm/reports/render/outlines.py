"""The map's words as outlines: `<text>` becomes `<path>`, set by HarfBuzz with fonts that are read once a process.

A renderer that is handed text looks up and reads the font for every word anew; an outline costs it next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from html import unescape
from importlib import resources

import uharfbuzz as hb

from gm.reports.map.style import RULES
from gm.reports.map.text import FONT_FILES, Face

_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_RULE = re.compile(r"([^{}]+)\{([^}]*)\}")
_FONT = re.compile(r"(italic )?\d+ ([\d.]+)px (SERIF|NARROW)")

ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
# A command of a path and its points, in units of the font.
Stroke = tuple[str, tuple[tuple[float, float], ...]]


@dataclass(frozen=True, slots=True)
class Lettering:
    """How the words of a class are set."""

    face: Face = "narrow"
    size: float = 12.0
    spacing: float = 0.0
    anchor: float = 0.0  # which part of the word lies before its point


def outlined(svg: str, rules: str = RULES) -> str:
    """The SVG with its words as outlines. A word that the fonts lack is left for the renderer to do its best."""
    return _TEXT.sub(lambda found: _outline(found, rules), svg)


def _outline(found: re.Match[str], rules: str) -> str:
    given = dict(_ATTRIBUTE.findall(found[1]))
    names = given.pop("class")
    length = float(given.pop("textLength", "0"))
    path = _word(unescape(found[2]), _lettering(names, rules), length)
    if path is None:
        return found[0]
    at = f"translate({given.pop('x', '0')} {float(given.pop('y', '0')) + float(given.pop('dy', '0')):g})"
    transform = given.pop("transform", "") + at
    given.pop("lengthAdjust", None)
    rest = "".join(f' {name}="{value}"' for name, value in given.items())
    return f'<path class="{names}" transform="{transform}"{rest} d="{path}"/>'


@lru_cache(maxsize=256)
def _lettering(names: str, rules: str) -> Lettering:
    """What the style sheet says of these classes, in the order of its rules."""
    wanted, found = set(names.split()), Lettering()
    for selectors, settings in _style(rules):
        if selectors & wanted:
            found = _applied(found, settings)
    return found


def _applied(found: Lettering, settings: Mapping[str, str]) -> Lettering:
    font = _FONT.match(settings.get("font", ""))
    if font:
        face: Face = "narrow" if font[3] == "NARROW" else "italic" if font[1] else "serif"
        found = replace(found, face=face, size=float(font[2]))
    if "font-size" in settings:
        found = replace(found, size=float(settings["font-size"].removesuffix("px")))
    if "letter-spacing" in settings:
        found = replace(found, spacing=float(settings["letter-spacing"].removesuffix("px")))
    if "text-anchor" in settings:
        found = replace(found, anchor=ANCHORS[settings["text-anchor"]])
    return found


@cache
def _style(rules: str) -> tuple[tuple[frozenset[str], Mapping[str, str]], ...]:
    found = []
    for selectors, body in _RULE.findall(rules):
        names = frozenset(name.strip().removeprefix(".") for name in selectors.split(","))
        pairs = (item.partition(":") for item in body.split(";"))
        found.append((names, {name.strip(): value for name, _, value in pairs}))
    return tuple(found)


@cache
def _font(face: Face) -> hb.Font:
    data = (resources.files("gm.reports") / "data" / "fonts" / FONT_FILES[face]).read_bytes()
    return hb.Font(hb.Face(data))


@lru_cache(maxsize=4096)
def _word(text: str, how: Lettering, length: float) -> str | None:
    """The path of a word from its origin; None if the font lacks a letter."""
    font = _font(how.face)
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    # Letters that are spaced out are not joined either.
    hb.shape(font, buffer, {"liga": False, "clig": False} if how.spacing else {})
    glyphs = list(zip(buffer.glyph_infos or (), buffer.glyph_positions or (), strict=True))
    if any(info.codepoint == 0 for info, _ in glyphs):
        return None
    unit = how.size / font.face.upem
    advances = [place.x_advance * unit + how.spacing for _, place in glyphs]
    total = sum(advances)
    stretch = length / total if length and total else 1.0
    # After the last letter there is no space to count.
    at = -(total - how.spacing) * stretch * how.anchor
    out = []
    for (info, place), advance in zip(glyphs, advances, strict=True):
        left, base = at + place.x_offset * unit * stretch, place.y_offset * unit
        for command, points in _glyph(how.face, info.codepoint):
            numbers = (f"{left + x * unit * stretch:.2f} {-(base + y * unit):.2f}" for x, y in points)
            out.append(command + " ".join(numbers))
        at += advance * stretch
    return "".join(out)


@cache
def _glyph(face: Face, number: int) -> tuple[Stroke, ...]:
    strokes: list[Stroke] = []
    pen = hb.DrawFuncs()
    pen.set_move_to_func(lambda x, y, _: strokes.append(("M", ((x, y),))))
    pen.set_line_to_func(lambda x, y, _: strokes.append(("L", ((x, y),))))
    pen.set_quadratic_to_func(lambda a, b, x, y, _: strokes.append(("Q", ((a, b), (x, y)))))
    pen.set_cubic_to_func(lambda a, b, c, d, x, y, _: strokes.append(("C", ((a, b), (c, d), (x, y)))))
    pen.set_close_path_func(lambda _: strokes.append(("Z", ())))
    _font(face).draw_glyph(number, pen)
    return tuple(strokes)
