"""The printed plates of the sheet: title, key to the signs, key to the regions."""

from __future__ import annotations

from functools import cache

from gm.board.model import Border
from gm.reports.map import arrows, counters
from gm.reports.map.background import KEY, LANDS, TITLE, crossing_sign
from gm.reports.map.marks import mark
from gm.reports.map.model import MapPiece, MapStack
from gm.reports.map.placing.blocks import MARK_ORDER
from gm.reports.map.placing.candidates import Rect
from gm.reports.map.style import REGIONS
from gm.reports.map.text import content, fit, held, moved, num, width
from gm.reports.map.wording import word, words

PITCH = 21.0
TITLE_SIZES = ((30, ""), (22, " km-h1b"), (16, " km-h1c"))


def title(text: str, date_line: str) -> str:
    """The map's own name and date, in the largest letters that fit."""
    room = TITLE.x1 - TITLE.x0 - 40
    x, y = num((TITLE.x0 + TITLE.x1) / 2), TITLE.y0
    size, look = next((s for s in TITLE_SIZES if width(text, s[0], "serif", 3) <= room), TITLE_SIZES[-1])
    first, second = fit(text, size, room, "serif", 3), fit(date_line, 17, room, "italic")
    return (
        f'<g class="km-title">{plate(TITLE)}'
        f'<text class="km-h1{look}" x="{x}" y="{num(y + 40)}">{content(first)}</text>'
        f'<text class="km-h2" x="{x}" y="{num(y + 65)}" {held(second, 17, "italic")}>{content(second)}</text></g>'
    )


def plate(rect: Rect) -> str:
    """A framed piece of paper."""
    x, y, w, h = rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0
    return (
        f'<rect class="km-under" x="{num(x + 2.5)}" y="{num(y + 2.5)}" width="{num(w)}" height="{num(h)}"/>'
        f'<rect class="km-plate" x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}"/>'
        f'<rect class="km-plateline" x="{num(x + 3.5)}" y="{num(y + 3.5)}" width="{num(w - 7)}" height="{num(h - 7)}"/>'
    )


@cache
def keys(mine: bool) -> str:
    """Both keys. The line about one's own forces stands only where some are framed."""
    return f'<g class="km-legend" pointer-events="none">{_signs(mine)}{_regions()}</g>'


def _signs(mine: bool) -> str:
    x, y = KEY.x0 + 12, KEY.y0 + 19
    out = [plate(KEY), _heading("forces", x, y), _sample(x, y + 8, mine), _colors(x + 9, y + 60, mine)]
    y += PITCH * 3 + 67
    out.append(_heading("signs", x, y))
    signs = (
        (_move(0, 0), word("signs", "move")),
        (_stop(0, 0), word("signs", "stop")),
        *((mark(kind, 0, 0), word("marks", kind)) for kind in MARK_ORDER),
        (_rail(0, 0), word("signs", "rail")),
        (crossing_sign(Border.WHITE_ONLY, 0, 0), word("signs", "white_only")),
        (crossing_sign(Border.CLOSED, 0, 0), word("signs", "closed")),
    )
    for n, (sign, text) in enumerate(signs):
        top = y + 15 + (PITCH + 1.5) * n
        out.append(moved(x + 15, top, sign) + _text(text, x + 36, top + 4))
    return "".join(out)


def _colors(x: float, y: float, mine: bool) -> str:
    """Every colour with its card, badge and letter, two a row; and the gold frame."""
    out = []
    for n, color in enumerate(counters.ORDER):
        left, top = x + 74 * (n % 2), y + PITCH * (n // 2)
        card = f'<path class="km-{color}" stroke-width="1.1" d="{counters.card(color, 20, 20)}"/>'
        out.append(moved(left - 10, top - 10, card) + counters.badge(color, left, top))
        out.append(_text(word("colors", color), left + 14, top + 4))
    if mine:
        gold = f'<path class="km-mine" d="{counters.card("red", 16, 16)}"/>'
        out.append(moved(x + 66, y + 2 * PITCH - 8, gold))
        out.append(_text(word("legend", "mine"), x + 88, y + 2 * PITCH + 4))
    return "".join(out)


def _sample(x: float, y: float, mine: bool) -> str:
    pieces = (MapPiece(word("legend", "sample_leader"), "leader", "red", 3), MapPiece("", "unit", "red", 8))
    item = counters.counter(0, MapStack("PETR", "A", pieces))
    lines = words()["legend"]["sample"]
    return counters.draw(item, x, y, mine=mine, kind="km-stack km-sample") + "".join(
        _text(line, x + item.width + 8, y + 9 + 13 * n) for n, line in enumerate(lines)
    )


def _regions() -> str:
    x, y = LANDS.x0 + 14, LANDS.y0 + 20
    out = [plate(LANDS), _heading("regions", x, y)]
    for n, region in enumerate(REGIONS):
        left, top = x + (0, 112, 218)[n % 3], y + 9 + 18 * (n // 3)
        box = f'x="{num(left)}" y="{num(top)}" width="17" height="11"'
        out.append(f'<rect class="km-g{n}" {box}/><rect class="km-b{n}" {box} fill="none" stroke-width="1.8"/>')
        out.append(_text(region, left + 22, top + 10))
    note = word("legend", "siberia")
    held_note = held(note, 12, "italic")
    out.append(f'<text class="km-note" x="{num(x)}" y="{num(LANDS.y1 - 9)}" {held_note}>{content(note)}</text>')
    return "".join(out)


def _heading(key: str, x: float, y: float) -> str:
    text = word("legend", key)
    return f'<text class="km-h3" x="{num(x)}" y="{num(y)}">{content(text)}</text>'


def _text(text: str, x: float, y: float) -> str:
    return f'<text class="km-key" x="{num(x)}" y="{num(y)}" {held(text, 12)}>{content(text)}</text>'


def _move(x: float, y: float) -> str:
    head = f"M{num(x + 16)} {num(y)}l-11 6 2.5-6-2.5-6z"
    return arrows.shaft_and_head("red", ((x - 13, y), (x + 7, y)), head)


def _stop(x: float, y: float) -> str:
    return f'<path class="km-meant" d="M{num(x - 4)} {num(y)}h20"/>{arrows.stop_sign(x - 6, y)}'


def _rail(x: float, y: float) -> str:
    line = f'd="M{num(x - 15)} {num(y)}h30"'
    return f'<path class="km-rail" {line}/><path class="km-sleeper" {line}/>'
