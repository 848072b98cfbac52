"""Words in pictures: how wide they run in the bundled fonts, how to shorten them, how to write them safely."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

Face = Literal["narrow", "serif", "italic"]
FONT_FILES: Mapping[Face, str] = {
    "narrow": "PTSansNarrow-Bold.ttf",
    "serif": "OldStandard-Bold.ttf",
    "italic": "OldStandard-Italic.ttf",
}

# What XML 1.0 cannot hold at all, not even escaped.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ELLIPSIS = "\u2026"
UNKNOWN = 700  # thousandths of an em for a letter that the font may lack


@cache
def _widths() -> Mapping[Face, Mapping[str, int]]:
    text = (resources.files("gm.reports") / "data" / "widths.json").read_text("utf-8")
    widths: Mapping[Face, Mapping[str, int]] = json.loads(text)
    return widths


def width(text: str, size: float, face: Face = "narrow", spacing: float = 0.0) -> float:
    """How many pixels a text takes."""
    known = _widths()[face]
    return sum(known.get(c, UNKNOWN) for c in text) * size / 1000 + spacing * len(text)


def fit(text: str, size: float, room: float, face: Face = "narrow", spacing: float = 0.0) -> str:
    """The text, cut with an ellipsis where it would not fit."""
    text = " ".join(FORBIDDEN.sub("", text).split())
    if width(text, size, face, spacing) <= room:
        return text
    while text and width(text + ELLIPSIS, size, face, spacing) > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def content(text: str) -> str:
    """Text as the content of an element."""
    return escape(FORBIDDEN.sub("", text))


def attribute(text: str) -> str:
    """Text as an attribute's value, with its quotes."""
    return quoteattr(FORBIDDEN.sub("", text))


def held(text: str, size: float, face: Face = "narrow") -> str:
    """Attributes that hold a text to its width where a reader's machine lacks the font.

    Not for letter-spaced words: renderers disagree on whether the length includes the spacing.
    """
    return f'textLength="{num(width(text, size, face))}" lengthAdjust="spacingAndGlyphs"'


def moved(x: float, y: float, inner: str, attributes: str = "") -> str:
    """A group whose origin lies at (x, y)."""
    return f'<g{attributes} transform="translate({num(x)} {num(y)})">{inner}</g>'


def num(value: float) -> str:
    """A coordinate, no longer than it needs to be."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text
