"""HTML of a stranger to plain text. What the mail program marked as quoted comes out with `> ` before it."""

from __future__ import annotations

import html as entities
import re

import lxml.html
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from lxml import etree

MAX_HTML = 1_000_000  # characters; no person writes more
MAX_DEPTH = 150  # elements inside one another
_QUOTED_CLASS = re.compile(r"\b(yahoo_quoted|moz-cite-quote|protonmail_quote_body|zmail_extra)\b")
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.I)
_DROP = ("script", "style", "head", "title", "object", "embed", "iframe", "svg", "template", "noscript")

# The "strict" profile indents nothing and draws no lists' bullets into our orders.
_CONFIG = ParserConfig(css=CSS_PROFILES["strict"].copy(), display_images=False, display_links=False)


def to_text(source: str) -> str:
    """The text a reader sees, quotes marked. Never raises: what no parser takes is stripped of its tags by hand."""
    source = source[:MAX_HTML]
    try:
        return _render(source)
    except (etree.LxmlError, ValueError, RecursionError, IndexError, KeyError, AttributeError, TypeError):
        return _strip(source)


def _render(source: str) -> str:
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", source)
    if not source.strip():
        return ""
    # As bytes: lxml refuses str with an encoding declaration.
    source = source.replace("\xa0", _NBSP).replace("&nbsp;", _NBSP).replace("&#160;", _NBSP)
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    tree = lxml.html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    if _too_deep(tree):
        return _strip(source)
    _clean(tree)
    _mark_quotes(tree)
    return _text(tree)


_NBSP = "\ue0a0"  # stands for a no-break space while blanks are folded: it may be the indent of a LOSE


def _text(tree: lxml.html.HtmlElement) -> str:
    return str(Inscriptis(tree, _CONFIG).get_text()).replace(_NBSP, " ")


def _too_deep(tree: lxml.html.HtmlElement) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _clean(tree: lxml.html.HtmlElement) -> None:
    """Take out what no reader sees: scripts, styles, hidden preview lines."""
    for element in list(tree.iter()):
        if not isinstance(element.tag, str) or element is tree:
            continue
        hidden = _INVISIBLE.search(element.get("style", "")) or element.get("hidden") is not None
        if (element.tag in _DROP or hidden) and element.getparent() is not None:
            element.drop_tree()


def _is_quote(element: lxml.html.HtmlElement) -> bool:
    if element.tag == "blockquote":
        # A person's own indentation in Outlook is a blockquote with a margin and no cite; a reply's has one of these.
        style = element.get("style", "")
        plain_indent = "margin-right:0" in style.replace(" ", "") and "border" not in style and not element.get("type")
        return not plain_indent or bool(element.get("cite") or element.get("class"))
    return element.tag == "div" and bool(_QUOTED_CLASS.search(element.get("class", "")))


def _mark_quotes(tree: lxml.html.HtmlElement) -> None:
    """Replace each quotation, innermost first, by its text with `> ` before every line."""
    quotes = [e for e in tree.iter("blockquote", "div") if _is_quote(e)]
    for quote in reversed(quotes):  # document order reversed: children before parents
        parent = quote.getparent()
        if parent is None:
            continue
        tail, quote.tail = quote.tail, None
        text = _text(quote).strip("\n")
        marked = lxml.html.Element("pre")
        marked.text = "\n" + "\n".join("> " + line for line in text.split("\n")) + "\n"
        marked.tail = tail
        parent.replace(quote, marked)


def _strip(source: str) -> str:
    """Last resort: no structure, only text."""
    source = re.sub(r"<(script|style)\b.*?(</\1\s*>|\Z)", " ", source, flags=re.I | re.S)
    source = re.sub(r"<(br|/p|/div|/tr|/li)\b[^>]*>", "\n", source, flags=re.I)
    source = re.sub(r"<[^<>]*>", "", source)
    return entities.unescape(source)
