"""Stacks as counters. Colour is told three times: by the tint, by the letter and by the shape of badge and card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gm.reports.map.model import MapPiece, MapStack, PieceColor
from gm.reports.map.text import attribute, content, fit, held, moved, num, width

ROW = 20.0  # the line with owner, colour and strength
LINE = 11.5  # a name
SIDE = 4.0
TAB = 14.0
BADGE = 17.0
WIDEST = 104.0
PEEP = 1.7  # how far an under-card shows
PIPS = 6  # players who have dots under their letter
NUMBER, NAME, NATION = 17.5, 12.0, 11.5  # font sizes

LETTER: Mapping[PieceColor, str] = {"red": "R", "white": "W", "green": "G", "blue": "B", "imperial": "I"}
ORDER: tuple[PieceColor, ...] = ("red", "white", "green", "blue", "imperial")


@dataclass(frozen=True, slots=True)
class DrawnCounter:
    """A stack and the room its card needs."""

    index: int  # of the stack in the view
    stack: MapStack
    names: tuple[tuple[str, int], ...]  # Leaders, each with his value
    nation: str
    width: float
    height: float

    @property
    def sort_key(self) -> tuple[str, int, int, int]:
        return (self.stack.owner or "\uffff", ORDER.index(self.stack.color), -self.stack.strength, self.index)


def counter(index: int, stack: MapStack) -> DrawnCounter:
    names = tuple((fit(p.label, NAME, WIDEST - 2 * SIDE - 10), p.value) for p in stack.leaders)
    nation = fit("/".join(stack.nations), NATION, 48)
    first = SIDE / 2 + (TAB if stack.owner else 0) + BADGE + width(str(stack.strength), NUMBER) + SIDE
    first += (2 + width(nation, NATION)) if nation else 0
    first += 15 * len(stack.imperials)
    widest = max((name_width(*name) + 2 * SIDE for name in names), default=0.0)
    return DrawnCounter(
        index,
        stack,
        names,
        nation,
        round(max(first, widest) + 0.5),
        ROW + (LINE * len(names) + 2.5 if names else 0),
    )


def name_width(name: str, value: int) -> float:
    return width(name, NAME) + 3 + width(str(value), NAME)


def layers(stack: MapStack) -> int:
    """How many cards peep out from under the top one."""
    return max(min(len(stack.pieces) - 1, 2), 0)


def draw(
    item: DrawnCounter, x: float, y: float, *, mine: bool, interactive: bool = False, kind: str = "km-stack"
) -> str:
    stack, w, h = item.stack, item.width, item.height
    color = stack.color
    outline = card(color, w, h)
    out = [f"<title>{content(describe(stack))}</title>"] if interactive else []
    for n in range(layers(stack), 0, -1):
        shift = num(PEEP * n)
        out.append(f'<path class="km-{color}" d="{outline}" transform="translate({shift} {shift})"/>')
    out.append(f'<path class="km-{color}" stroke-width="1.1" d="{outline}"/>')
    out.append(_first_row(item, mine))
    for n, (name, value) in enumerate(item.names):
        out.append(_name(name, value, ROW + LINE * (n + 1) - 2.4, _ink(color)))
    if mine:
        out.append(f'<path class="km-mine" d="{card(color, w + 3.4, h + 3.4)}" transform="translate(-1.7 -1.7)"/>')
    return moved(x, y, "".join(out), f' class="{kind}"{_hooks(item) if interactive else ""}')


def _first_row(item: DrawnCounter, mine: bool) -> str:
    """Owner, colour, strength, nation, Imperial units."""
    stack, on = item.stack, _ink(item.stack.color)
    out, at = [], SIDE / 2
    if stack.owner:
        tab, letter = ("km-minetab", "km-own km-onmine") if mine else ("km-tab", "km-own")
        owner = content(fit(stack.owner, 14, TAB + 2))
        out.append(f'<rect class="{tab}" x="2" y="2" width="{num(TAB - 1.5)}" height="{num(ROW - 4)}" rx="2"/>')
        out.append(f'<text class="{letter}" x="{num(2 + (TAB - 1.5) / 2)}" y="14">{owner}</text>')
        out.append(_pips(stack.owner))
        at += TAB
    out.append(badge(stack.color, at + BADGE / 2, ROW / 2))
    at += BADGE + 0.5
    out.append(
        f'<text class="km-num {on}" x="{num(at)}" y="16.1" {held(str(stack.strength), NUMBER)}>{stack.strength}</text>'
    )
    at += width(str(stack.strength), NUMBER)
    if item.nation:
        nation = f'x="{num(at + 2)}" y="14.2" {held(item.nation, NATION)}'
        out.append(f'<text class="km-sub {on}" {nation}>{content(item.nation)}</text>')
        at += 2 + width(item.nation, NATION)
    for piece in stack.imperials:
        out.append(imperial_sign(piece, at + 9, ROW / 2, on))
        at += 15
    return "".join(out)


def _pips(owner: str) -> str:
    """Players differ by more than a letter: A has one dot under it, B two, and so on."""
    number = ord(owner[0].upper()) - ord("A") + 1
    if not 1 <= number <= PIPS:
        return ""
    left = 2 + (TAB - 1.5) / 2 - number + 0.3
    dots = "".join(f"M{num(left + 2 * n)} 15.6h1.4v1.4h-1.4z" for n in range(number))
    return f'<path class="km-pip" d="{dots}"/>'


def _ink(color: PieceColor) -> str:
    """What is written on a card of this colour."""
    return "km-onwhite" if color == "white" else "km-on"


def _name(name: str, value: int, y: float, on: str) -> str:
    after = num(SIDE + width(name, NAME) + 3)
    return (
        f'<text class="km-who {on}" x="{num(SIDE)}" y="{num(y)}" {held(name, NAME)}>{content(name)}</text>'
        f'<text class="km-who {on}" x="{after}" y="{num(y)}" fill-opacity=".7">{value}</text>'
    )


def _hooks(item: DrawnCounter) -> str:
    """What a script may hold on to; `data-stack` counts the stacks of the view."""
    stack = item.stack
    owner = f" data-owner={attribute(stack.owner)}" if stack.owner else ""
    place = f'data-province={attribute(stack.province)} data-color="{stack.color}"{owner}'
    return f' data-stack="{item.index}" {place} tabindex="0" role="img"'


def describe(stack: MapStack) -> str:
    """The stack in a line: owner, province and every piece, for a tooltip."""
    pieces = ", ".join(_piece(p) for p in stack.pieces)
    return f"{stack.owner or '-'} {stack.province}: {pieces} ({stack.strength})"


def _piece(piece: MapPiece) -> str:
    if piece.kind == "imperial":
        return piece.label
    nation = f"/{piece.nation}" if piece.color == "blue" and piece.nation else ""
    return f"{LETTER[piece.color]}{piece.kind[0].upper()}{piece.value} {piece.label}{nation}"


def card(color: PieceColor, w: float, h: float) -> str:
    """The outline of a card: each colour has its own corners."""
    if color == "white":
        return f"M5 0H{num(w - 5)}a5 5 0 0 1 5 5V{num(h - 5)}a5 5 0 0 1-5 5H5a5 5 0 0 1-5-5V5a5 5 0 0 1 5-5z"
    if color == "green":
        return f"M5 0H{num(w - 5)}l5 5V{num(h - 5)}l-5 5H5l-5-5V5z"
    if color == "blue":
        return f"M4 0H{num(w - 4)}a4 4 0 0 0 4 4V{num(h - 4)}a4 4 0 0 0-4 4H4a4 4 0 0 0-4-4V4a4 4 0 0 0 4-4z"
    if color == "imperial":
        return f"M7 0H{num(w - 7)}a7 7 0 0 1 7 7V{num(h)}H0V7a7 7 0 0 1 7-7z"
    return f"M0 0H{num(w)}V{num(h)}H0z"


SHAPES: Mapping[PieceColor, str] = {
    "red": "M-6.5-6.5h13v13h-13z",
    "white": "M0-7.3a7.3 7.3 0 1 1-.01 0z",
    "green": "M-4.2-7.2h8.4l4.2 7.2-4.2 7.2h-8.4l-4.2-7.2z",
    "blue": "M0-8.6L8.6 0 0 8.6-8.6 0z",
    "imperial": "M-6.5-5.5l3.2 2.8L0-7.5l3.3 4.8 3.2-2.8V6.5h-13z",
}


def badge(color: PieceColor, x: float, y: float) -> str:
    """The colour's shape with its letter."""
    plain = "km-badgewhite" if color == "white" else "km-badge"
    drop = 5.2 if color == "imperial" else 4.0
    return (
        f'<path class="{plain}" d="{SHAPES[color]}" transform="translate({num(x)} {num(y)})"/>'
        f'<text class="km-tag km-in{color}" x="{num(x)}" y="{num(y + drop)}">{LETTER[color]}</text>'
    )


def imperial_sign(piece: MapPiece, x: float, y: float, look: str) -> str:
    """A crown for the Czar, bars for the Gold."""
    if piece.label.casefold() == "gold":
        path = "M-6 5l1.5-4h4L1 5zM1.5 5L3 1h2.5L7 5zM-2.5 0l1.5-4h4l1.5 4z"
    else:
        path = "M-6.5 5.5V-3L-3 0 0-6 3 0l3.5-3v8.5z"
    return f'<path class="{look}" d="{path}" transform="translate({num(x)} {num(y)})"/>'
