"""What the styles of an HTML mail make of its elements, as far as it matters to us: whether a reader sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import lxml.html

MAX_STYLE, MAX_DECLARATION = 4_000, 80  # characters of a style, and of one declaration in it
MAX_SHEET, MAX_RULES = 100_000, 500  # characters of a style sheet, and rules of them all
MAX_INSIDE = 50  # selectors of a rule inside another
MAX_PARTS = 8  # of a selector: `div > p.z` has two
MAX_STEPS = 500_000  # to see which rules are meant for which elements
HIDDEN, WHITE, COLOURED = "hidden", "white", "coloured"
_WIDTH = 1_000  # of the window that a mail is read in
_NOUGHTS = re.compile(r"0{3,}")
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|([^0-9a-f\n]))", re.I)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_PIECE = re.compile(r"([^{};]*)([{};]|$)")
_COMPOUND = re.compile(r"^(\*|[a-z][\w-]*)?((?:[.#][\w-]{1,80})*)$", re.I)
_COMBINED = re.compile(r"\s*(>)\s*|\s+")
_QUERY = re.compile(r"^(?:only\s+)?(?:(not)\s+)?(all|screen|print|speech|tty|tv|projection|handheld)?(.*)$", re.I)
_WIDTHS = re.compile(r"^\s*(?:and\s*)?\(\s*(min|max)-(?:device-)?width\s*:\s*([\d.]{1,9})\s*(px|r?em)\s*\)")
_DISPLAYED = re.compile(r"(?<![-\w])display\s*:\s*(?!none)\w")
_NOT_DISPLAYED = re.compile(r"(?<![-\w])display\s*:\s*none", re.I)
_INVISIBLE = re.compile(
    r"text-decoration(?:-line)?\s*:\s*line-through|opacity\s*:\s*0?\.0|font\s*:\s*0|transl\w*\([^)]{0,20}-\d{3,}|"
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|"
    r"(?:font-size|opacity|max-height|max-width|line-height)\s*:\s*0*\.?0+\s*(?:px|pt|r?em|ex|%)?\s*(?:;|!|$)|"
    r"text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{3,}|font-size\s*:\s*[01]?(?:\.\d+)?\s*p[xt]|"
    r"font-size\s*:\s*(?:0*\.[01]\d*\s*(?:r?em|ex|ch|v[hw]|mm|pc|q)|1?\d?(?:\.\d+)?\s*%|[\d.]+e-\d)|"
    r"zoom\s*:\s*(?:0*\.?0+|0*\.[01]\d*|\d(?:\.\d+)?\s*%)\s*(?:;|!|$)|"
    r"scale[xy3d]*\(\s*0*\.?0|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*(?:inset\(\s*(?:100|[5-9]\d)%|circle\(\s*0)",
    re.I,
)
_NO_SIZE = re.compile(r"(?<![-\w])(?:height|width)\s*:\s*[01]?(?:\.\d+)?\s*(?:px|pt|r?em|ex|%)?\s*(?:;|!|$)", re.I)
_CUT_OFF = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.I)
_PALE = 230  # of 255, in each of red, green and blue: nobody reads that on white
_HEX = re.compile(r"#([0-9a-f]{3,8})\b", re.I)
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+%?))?", re.I)
_PALE_NAMES = re.compile(
    r"(?:white(?:smoke)?|transparent|snow|ivory|ghostwhite|floralwhite|mintcream|azure|aliceblue|seashell|honeydew)"
    r"\s*(?:;|!|$)",
    re.I,
)
_COLOUR = re.compile(r"(?<![-\w])color\s*:\s*([^;]+)", re.I)
_GROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]+)", re.I)


def bounded(style: str) -> str:
    """A style that no pattern is slow on: blanks and noughts folded, every declaration cut to what can mean something.

    Patterns with several `\\s*` or `0*` side by side take the cube of a run's length to see that they do not match.
    """
    plain = _unescaped(_COMMENT.sub("", style[:MAX_STYLE]))
    folded = _NOUGHTS.sub("00", " ".join(plain.split()))
    return ";".join(part.strip()[:MAX_DECLARATION] for part in folded.split(";"))


def is_invisible(style: str) -> bool:
    return bool(_INVISIBLE.search(style) or (_NO_SIZE.search(style) and _CUT_OFF.search(style)))


def is_pale(colour: str) -> bool:
    """Whether a colour can hardly be told from white, or lets all through."""
    if _PALE_NAMES.match(colour):
        return True
    if found := _HEX.match(colour):
        digits = found[1] if len(found[1]) >= 6 else "".join(2 * digit for digit in found[1])
        parts, alpha = [int(digits[n : n + 2], 16) for n in (0, 2, 4)], digits[6:8]
        return min(parts) >= _PALE or (bool(alpha) and int(alpha, 16) < 255 - _PALE)
    if found := _RGB.match(colour):
        clear = found[4] and float(found[4].rstrip("%")) / (100 if "%" in found[4] else 1) < 0.1
        return bool(clear) or min(int(part) for part in found.groups()[:3]) >= _PALE
    return False


def is_white(style: str) -> bool:
    colour = _COLOUR.search(style)
    return colour is not None and is_pale(colour[1].strip()) and not has_ground(style)


def has_ground(style: str) -> bool:
    ground = _GROUND.search(style)
    return ground is not None and not is_pale(ground[1].strip())


def _unescaped(text: str) -> str:
    """`dis\\70lay` is `display`."""
    return _ESCAPE.sub(lambda found: _letter(found[1]) if found[1] else found[2], text)


def _letter(code: str) -> str:
    number = int(code, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


@dataclass(slots=True)
class _Block:
    """An open `{`: whose declarations stand in it."""

    selectors: tuple[str, ...]
    applies: bool
    declarations: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Rule:
    parts: tuple[tuple[str, frozenset[str]], ...]  # from the right: tag or *, classes and ids
    near: tuple[bool, ...]  # of each but the first, whether it is the parent itself
    says: frozenset[str]


class Sheet:
    """The rules of all style sheets of a mail, for what they hide and colour."""

    def __init__(self, sheets: Sequence[str]) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._steps = 0
        said: dict[str, tuple[frozenset[str], str]] = {}
        for selector, style in (rule for sheet in sheets for rule in _rules(sheet)):
            if len(said) >= MAX_RULES:
                break
            before, by = said.get(selector, (frozenset(), ""))
            if _DISPLAYED.search(style) and "!" not in by and not is_invisible(_NOT_DISPLAYED.sub("", by)):
                before -= {HIDDEN}  # shown again by a later rule of the same name
            says = before | _says(style)
            if says or selector in said:
                said[selector] = (says, f"{by};{style}"[:MAX_STYLE])
        for selector, (says, _) in said.items():
            if says and (rule := _read(selector, says)) is not None:
                tag, names = rule.parts[0]
                self._rules.setdefault(min(names, default=tag), []).append(rule)

    def of(self, element: lxml.html.HtmlElement) -> set[str]:
        """What they make of an element."""
        if not self._rules:
            return set()
        keys = {*_names(element), str(element.tag).lower(), "*"}
        rules = (rule for key in keys if key in self._rules for rule in self._rules[key])
        return {word for rule in rules if self._is_meant(rule, element) for word in rule.says}

    def _is_meant(self, rule: _Rule, element: lxml.html.HtmlElement) -> bool:
        """Looks at the nearest fitting ancestors only, which is enough but for rare rules with several `>`."""
        if not self._fits(rule.parts[0], element):
            return False
        for part, near in zip(rule.parts[1:], rule.near, strict=True):
            element = element.getparent()
            while element is not None and not self._fits(part, element) and not near:
                element = element.getparent()
            if element is None or not self._fits(part, element):
                return False
        return True

    def _fits(self, part: tuple[str, frozenset[str]], element: lxml.html.HtmlElement) -> bool:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise ValueError("rules upon rules")
        tag, names = part
        return tag in ("*", str(element.tag).lower()) and (not names or names <= _names(element))


def _names(element: lxml.html.HtmlElement) -> set[str]:
    return {f".{name}" for name in element.get("class", "").split()} | {f"#{element.get('id', '')}"}


def _says(style: str) -> frozenset[str]:
    found = {HIDDEN: is_invisible(style), WHITE: is_white(style), COLOURED: has_ground(style)}
    return frozenset(word for word, so in found.items() if so)


def _read(selector: str, says: frozenset[str]) -> _Rule | None:
    """None for what we do not follow: states, attributes, neighbours."""
    pieces = _COMBINED.split(_unescaped(selector.strip()))
    compounds, signs = pieces[::2][::-1], pieces[1::2][::-1]
    found = [_COMPOUND.match(compound) for compound in compounds]
    if len(found) > MAX_PARTS or not all(found) or not compounds[0]:
        return None
    parts = tuple(
        ((match[1] or "*").lower(), frozenset(re.findall(r"[.#][\w-]+", match[2]))) for match in found if match
    )
    if not parts[0][1]:
        says -= {WHITE}  # of all paragraphs: then the ground is coloured as well, in whatever way
    return _Rule(parts, tuple(bool(sign) for sign in signs), says) if says else None


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Selector and declarations of each rule that holds on a screen, those inside other rules too."""
    sheet = _COMMENT.sub("", sheet[:MAX_SHEET].replace("<!--", " ").replace("-->", " "))
    sheet = _STRING.sub("''", sheet)
    stack = [_Block((), True)]
    for piece, sign in _PIECE.findall(sheet):
        if sign == "{":
            stack.append(_opened(stack[-1], " ".join(piece[:MAX_STYLE].split())))
            continue
        stack[-1].declarations.append(piece)
        if sign == "}" and len(stack) > 1:
            yield from _closed(stack.pop())
    while len(stack) > 1:  # as readers do, what is not closed ends with the sheet
        yield from _closed(stack.pop())


def _opened(inside: _Block, prelude: str) -> _Block:
    if prelude.startswith("@"):
        return _Block(inside.selectors, inside.applies and _holds(prelude))
    own = [part.strip() for part in prelude.split(",")][:MAX_RULES]
    if not inside.selectors:
        return _Block(tuple(own), inside.applies)
    joined = (
        part.replace("&", outer) if "&" in part else f"{outer} {part}" for outer in inside.selectors for part in own
    )
    return _Block(tuple(text for text, _ in zip(joined, range(50), strict=False) if len(text) < 500), inside.applies)


def _closed(block: _Block) -> Iterator[tuple[str, str]]:
    style = bounded(";".join(block.declarations)) if block.applies and block.selectors else ""
    if style.strip("; "):
        yield from ((selector, style) for selector in block.selectors)


def _holds(prelude: str) -> bool:
    """Whether what is in an at-rule holds for somebody who reads mail on an ordinary screen."""
    name, _, rest = prelude[1:].partition(" ")
    if name.lower() == "media" or name.lower().startswith("media("):
        return any(_is_met(query) for query in prelude[len("@media") :].split(","))
    return name.lower() in ("supports", "layer") and not rest.lower().startswith("not")


def _is_met(query: str) -> bool:
    found = _QUERY.match(query.strip())
    assert found is not None
    rest = found[3]
    met = (found[2] or "screen").lower() in ("all", "screen")
    while match := _WIDTHS.match(rest):
        width = float(match[2].strip(".") or 0) * (1 if match[3] == "px" else 16) if match[2].count(".") < 2 else 0
        met = met and (width <= _WIDTH if match[1] == "min" else width >= _WIDTH)
        rest = rest[match.end() :]
    if rest.strip():
        return False
    return met != bool(found[1])
