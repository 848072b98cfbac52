"""Looking at HTML: is it well-formed, what does it load, can everybody read it?"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


@dataclass
class Tag:
    name: str
    attrs: dict[str, str]
    parents: tuple[str, ...]
    text: str = ""


@dataclass
class Page:
    tags: list[Tag] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    text: str = ""

    def all(self, *names: str) -> list[Tag]:
        return [t for t in self.tags if t.name in names]

    def shape(self) -> list[tuple[str, tuple[str, ...]]]:
        """Tags and the names of their attributes, in order: what text can never change."""
        return [(t.name, tuple(sorted(t.attrs))) for t in self.tags]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._open: list[Tag] = []

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [key for key, _ in attrs]
        if len(names) != len(set(names)):
            self.page.problems.append(f"<{name}> has an attribute twice: {names}")
        tag = Tag(name, {key: value or "" for key, value in attrs}, tuple(t.name for t in self._open))
        self.page.tags.append(tag)
        if name not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(name, attrs)
        if name not in VOID:
            self.handle_endtag(name)

    def handle_endtag(self, name: str) -> None:
        if not self._open or self._open[-1].name != name:
            self.page.problems.append(f"</{name}> closes {self._open[-1].name if self._open else 'nothing'}")
        if self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.page.text += data
        for tag in self._open:
            tag.text += data


def read_page(html: str) -> Page:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.page.problems += [f"<{tag.name}> is never closed" for tag in reader._open]
    return reader.page


def problems(html: str) -> list[str]:
    """What an automatic checker of structure would say; a browser test looks at the rest."""
    page = read_page(html)
    found = list(page.problems)
    ids = [t.attrs["id"] for t in page.tags if "id" in t.attrs]
    found += [f"id {i} twice" for i in {i for i in ids if ids.count(i) > 1}]
    for tag in page.tags:
        for key in ("aria-labelledby", "aria-describedby", "for"):
            if key in tag.attrs and tag.attrs[key] not in ids:
                found.append(f"<{tag.name} {key}={tag.attrs[key]}> points nowhere")
        if tag.name == "img" and not tag.attrs.get("alt", "").strip():
            found.append("<img> without alt")
        if tag.name == "svg" and "svg" not in tag.parents and not tag.attrs.get("aria-label"):
            found.append("<svg> without a name")
        if tag.name == "th" and "scope" not in tag.attrs:
            found.append("<th> without scope")
        if tag.name == "section" and not ("aria-labelledby" in tag.attrs or "aria-label" in tag.attrs):
            found.append("<section> without a name")
        if tag.name in ("a", "button") and not tag.text.strip():
            found.append(f"<{tag.name}> without words")
    for landmark in ("header", "main", "footer"):
        if len([t for t in page.all(landmark) if "article" not in t.parents]) > 1:
            found.append(f"more than one <{landmark}>")
    if len(page.all("main")) != 1 or len(page.all("h1")) != 1:
        found.append("a page has one <main> and one <h1>")
    levels = [int(t.name[1]) for t in page.tags if re.fullmatch("h[1-6]", t.name)]
    found += [f"h{b} follows h{a}" for a, b in pairwise(levels) if b > a + 1]
    html_tag = page.all("html")
    if not html_tag or not html_tag[0].attrs.get("lang"):
        found.append("no language")
    if not page.all("title") or not page.all("title")[0].text.strip():
        found.append("no title")
    return found


def luminance(color: str) -> float:
    """WCAG 2: relative luminance of #rgb or #rrggbb."""
    digits = color.lstrip("#")
    if len(digits) == 3:
        digits = "".join(c * 2 for c in digits)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    one, two = sorted((luminance(a), luminance(b)), reverse=True)
    return (one + 0.05) / (two + 0.05)
