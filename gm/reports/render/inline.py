"""Styles into tags, for mail programs that read no style sheet.

css-inline finds the style, once for every kind of tag (`<td class="a n">`), and it goes into the source of the
template: so a render has nothing left to inline. That works for a sheet whose selectors name single elements, which
give a kind of tag the same style wherever it stands. A test holds the result against css-inline on whole issues.
"""

from __future__ import annotations

import re

import css_inline
from jinja2.ext import Extension

# The class comes first in our templates.
_TAG = re.compile(r'<[a-z][a-z0-9]*(?: class="[^"]*")?')
_NAME = re.compile(r"[a-z0-9]+")
_STYLE = re.compile(r' style="([^"]*)"')
# A parser drops a cell that stands in no table.
_AROUND = {
    "tr": ("<table>", "</table>"),
    "td": ("<table><tr>", "</tr></table>"),
    "th": ("<table><tr>", "</tr></table>"),
    "thead": ("<table>", "</table>"),
    "tbody": ("<table>", "</table>"),
}
_MARK = "data-this"


class Inliner:
    def __init__(self, css: str) -> None:
        self._css = css
        self._engine = css_inline.CSSInliner(load_remote_stylesheets=False)
        self._known: dict[str, str] = {}

    def __call__(self, source: str) -> str:
        """HTML, or a template of it, with the style behind the class of every tag."""
        return _TAG.sub(lambda found: found[0] + self._style(found[0]), source)

    def extension(self) -> type[Extension]:
        """The same for every template that a Jinja environment loads."""
        inline = self

        class InlineStyles(Extension):
            def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
                return inline(source)

        return InlineStyles

    def _style(self, tag: str) -> str:
        if tag not in self._known:
            self._known[tag] = self._ask(tag)
        return self._known[tag]

    def _ask(self, tag: str) -> str:
        name = _NAME.search(tag)
        assert name is not None
        if name[0] in ("html", "head", "meta", "title", "style", "link"):
            return ""
        before, after = _AROUND.get(name[0], ("", ""))
        if name[0] == "body":
            sample = f"{tag} {_MARK}></body>"
        else:
            sample = f"<body>{before}{tag} {_MARK}></{name[0]}>{after}</body>"
        inlined = self._engine.inline(f"<html><head><style>{self._css}</style></head>{sample}</html>")
        here = next((part for part in re.findall(r"<[^>]*>", inlined) if _MARK in part), "")
        found = _STYLE.search(here)
        return f' style="{found[1]}"' if found else ""
