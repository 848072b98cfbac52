"""Converting HTML mail to plain text. What the mail program marked as quoted comes out with `> ` before it."""

from __future__ import annotations

import html as entities
import re

import lxml.html
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from lxml import etree

from gm.mail.parse import styles

MAX_HTML = 1_000_000  # characters; no person writes more
MAX_TABLE = 60_000_000  # lines times characters times tables in one another
MAX_DEPTH = 150  # elements inside one another
_QUOTED_CLASS = re.compile(r"\b(yahoo_quoted|moz-cite-quote|protonmail_quote_body|zmail_extra)\b")
_OPEN, _CLOSE = "\ue0a1", "\ue0a2"  # stand before and behind a quotation while the page is set
_NO_SIGNS = str.maketrans("", "", _OPEN + _CLOSE)
_MOST_MARKS = 4  # of quotations in one another
_ROWS, _CELLS = ("table", "thead", "tbody", "tfoot", "tr", "caption"), ("td", "th", "colgroup", "col")
_BREAKING = (
    "br",
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "pre",
    "blockquote",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "dd",
    "dt",
)
_DROP = (
    "script",
    "style",
    "head",
    "title",
    "object",
    "embed",
    "iframe",
    "svg",
    "template",
    "noscript",
    "noframes",
    "noembed",
    "textarea",
    "select",
    "option",
    "datalist",
    "del",
    "s",
    "strike",
)

# The "strict" profile indents nothing and draws no lists' bullets into our orders.
_CONFIG = ParserConfig(css=CSS_PROFILES["strict"].copy(), display_images=False, display_links=False)


def to_text(source: str) -> str:
    """The text a reader sees, quotes marked. Never raises: what no parser takes is stripped of its tags by hand. Then
    nobody knows what of it is quoted or hidden, and all of it is marked."""
    source = source[:MAX_HTML]
    try:
        return _render(source)
    except (etree.LxmlError, ValueError, RecursionError, IndexError, KeyError, AttributeError, TypeError):
        return "\n".join(f"> {line}" for line in _strip(source).split("\n") if line.strip())


def _render(source: str) -> str:
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", source)
    if not source.strip():
        return ""
    # As bytes: lxml refuses str with an encoding declaration.
    source = source.replace("\xa0", _NBSP).replace("&nbsp;", _NBSP).replace("&#160;", _NBSP)
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    tree = lxml.html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    if _too_deep(tree):
        raise ValueError("elements upon elements")
    _clean(tree)
    if _lines(tree) * len(tree.text_content()) * _nested_tables(tree) > MAX_TABLE:
        _flatten_tables(tree)  # each line of each cell is set as wide as the widest, once for each table around it
    _keep_indents(tree)
    _enclose_quotes(tree)
    return _with_marks(str(Inscriptis(tree, _CONFIG).get_text()).replace(_NBSP, " "))


_NBSP = "\ue0a0"  # stands for a no-break space while blanks are folded: it may be the indent of a LOSE


def _lines(tree: lxml.html.HtmlElement) -> int:
    """How many lines a page may have: elements that begin one, and ends of lines in what is set as typed."""
    begun = sum(1 for _ in tree.iter(*_ROWS, *_BREAKING))
    return begun + sum(text.count("\n") for pre in tree.iter("pre") for text in pre.itertext())


def _nested_tables(tree: lxml.html.HtmlElement) -> int:
    """How many tables stand in one another at the most."""
    depth = deepest = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end"), tag="table"):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def _flatten_tables(tree: lxml.html.HtmlElement) -> None:
    for element in tree.iter(*_ROWS, *_CELLS):
        element.tag = "div" if element.tag in _ROWS else "span"
        if element.tag == "span":
            element.tail = " " + (element.tail or "")


def _too_deep(tree: lxml.html.HtmlElement) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _clean(tree: lxml.html.HtmlElement) -> None:
    """Take out what no reader sees: scripts, styles, hidden preview lines."""
    for element in tree.iter():
        if style := element.get("style"):
            element.set("style", styles.bounded(style))
    sheet = styles.Sheet([sheet.text or "" for sheet in tree.iter("style")])
    elements = [element for element in tree.iter() if isinstance(element.tag, str)]
    on_colour: set[lxml.html.HtmlElement] = set()  # what white can be read on: something around it has a background
    for element in elements:
        parent, says = element.getparent(), sheet.of(element)
        if parent in on_colour or styles.COLOURED in says or _is_coloured(element):
            on_colour.add(element)
        if element is tree or parent is None:
            continue
        pale = element not in on_colour and (styles.WHITE in says or _is_white(element))
        if element.tag in _DROP or styles.HIDDEN in says or pale or _is_hidden(element):
            element.drop_tree()


def _is_hidden(element: lxml.html.HtmlElement) -> bool:
    closed = element.tag == "dialog" and element.get("open") is None
    return closed or element.get("hidden") is not None or styles.is_invisible(element.get("style", ""))


def _is_white(element: lxml.html.HtmlElement) -> bool:
    font = element.tag == "font" and styles.is_pale(element.get("color", ""))
    return font or styles.is_white(element.get("style", ""))


def _is_coloured(element: lxml.html.HtmlElement) -> bool:
    ground = element.get("bgcolor")
    return styles.has_ground(element.get("style", "")) or (bool(ground) and not styles.is_pale(ground))


_INDENT = re.compile(
    r"(?:margin-left|padding-left|text-indent)\s*:\s*0*\.?[1-9]|margin\s*:(?:\s?[\d.][^\s;]{0,9}){3}\s[1-9]", re.I
)

_SET_IN = _NBSP * 4


def _keep_indents(tree: lxml.html.HtmlElement) -> None:
    """A line that stands further in by a style, by Apple's tabs or by an indenting blockquote does so in the text too:
    LOSE and TAKE belong to the ATTACK that they stand under."""
    covered: set[lxml.html.HtmlElement] = set()  # what stands in an element that was set in already: each once
    for element in tree.iter("blockquote", "div", "p", "span"):
        if element in covered:
            continue
        if element.tag == "span":
            if "Apple-tab-span" in element.get("class", "") and not (element.text or "").strip():
                element.text = _SET_IN
        elif not _is_quote(element) and (element.tag == "blockquote" or _INDENT.search(element.get("style", ""))):
            covered.update(element.iter("blockquote", "div", "p"))
            for line in [e for e in element.iter("div", "p") if e is not element] or [element]:
                line.text = _SET_IN + (line.text or "").lstrip()
            for end in element.iter("br"):
                end.tail = _SET_IN + end.tail.lstrip() if end.tail else end.tail


def _is_quote(element: lxml.html.HtmlElement) -> bool:
    if element.tag == "blockquote":
        # A person's own indentation in Outlook is a blockquote with a margin and no cite; a reply's has one of these.
        style = element.get("style", "").replace(" ", "").lower()
        indents = "margin-right:0" in style or re.search(r"margin:0\w{0,4}0\w{0,4}0\w{0,4}[1-9]", style) is not None
        drawn = "border" in style.replace("border:none", "").replace("border:0", "")
        plain_indent = indents and not drawn and not element.get("type")
        return not plain_indent or bool(element.get("cite") or element.get("class"))
    if element.tag != "div":
        return False
    return bool(_QUOTED_CLASS.search(element.get("class", ""))) or element.get("name") == "quote"


def _enclose_quotes(tree: lxml.html.HtmlElement) -> None:
    """Put a sign on a line of its own before and behind each quotation."""
    quotes = [e for e in tree.iter("blockquote", "div") if _is_quote(e)]
    for element in tree.iter():
        element.attrib.pop("style", None)  # what it says has been read; rendering it may cost any number of blanks
        element.text = element.text and element.text.translate(_NO_SIGNS)
        element.tail = element.tail and element.tail.translate(_NO_SIGNS)
    for quote in quotes:
        begins, ends = lxml.html.Element("div"), lxml.html.Element("div")
        begins.text, ends.text = _OPEN, _CLOSE
        begins.tail, quote.text = quote.text, None
        quote.insert(0, begins)
        quote.append(ends)


def _with_marks(text: str) -> str:
    """`> ` before every line of a quotation, in place of the signs around it."""
    out: list[str] = []
    depth = 0
    for line in text.split("\n"):
        opens, closes = line.count(_OPEN), line.count(_CLOSE)
        inside = depth + opens
        depth = max(0, inside - closes)
        line = line.translate(_NO_SIGNS)
        if line.strip() or not (opens or closes):
            out.append("> " * min(inside, _MOST_MARKS) + line)
    return "\n".join(out)


def _strip(source: str) -> str:
    """Last resort: no structure, only text."""
    source = re.sub(r"<(script|style)\b.*?(</\1\s*>|\Z)", " ", source, flags=re.I | re.S)
    source = re.sub(r"<(br|/p|/div|/tr|/li)\b[^<>]*>", "\n", source, flags=re.I)
    source = re.sub(r"<[^<>]*>", "", source)
    return entities.unescape(source)
