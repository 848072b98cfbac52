"""A campaign's issues as a folder of plain files: pages, maps with a slider, a feed, text and JSON.

It opens from a disk, needs no service and loads nothing from anywhere. Made from the published JSON alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from importlib import resources
from typing import Any

from gm.board.model import Board
from gm.reports.barometer_chart import barometer_svg
from gm.reports.bell import Links, environment, page_css, render_page, template_file
from gm.reports.bell_json import Printed, read_json
from gm.reports.map import render_svg
from gm.reports.prose import Prose, standard_prose
from gm.reports.verify import dump


@dataclass(frozen=True, slots=True)
class Archived:
    """One published issue as it was stored."""

    number: int
    headline: str
    text: str
    document: Mapping[str, Any]  # the JSON
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """An issue in the table of contents, the slider and the feed."""

    number: int
    issue: str
    headline: str
    lead: str
    game_date: str
    published: str
    updated: str
    page: str
    map: str  # empty: the issue has none
    alt: str


def site(
    board: Board,
    campaign: str,
    issues: Sequence[Archived],
    *,
    paper: str = "",
    base: str = "",
    prose: Prose | None = None,
) -> dict[str, bytes]:
    """The files of the archive by their paths. `base`: where it will be published, for the feed."""
    words = prose or standard_prose()
    printed = {issue.number: _read(board, issue) for issue in issues}
    lines = [_line(words, issue, printed[issue.number]) for issue in issues]
    context: dict[str, Any] = {
        "L": words.packs["labels"],
        "paper": paper or words.template("words", "paper"),
        "motto": words.template("words", "motto"),
        "campaign": campaign,
        "lines": lines,
        "base": base,
        "id": _id(campaign, lines),
        "updated": lines[-1].updated if lines else _stamp(None),
    }
    files = {"style.css": page_css().encode(), "archive.js": template_file("archive.js").encode()}
    for name, template in (("index.html", "archive.html"), ("map.html", "archive-map.html"), ("feed.xml", "feed.xml")):
        files[name] = environment().get_template(template).render(context).encode()
    for issue in issues:
        files |= _issue_files(words, issue, printed[issue.number], [i.number for i in issues])
    files["bells/index.json"] = dump({"bells": [_entry(line) for line in lines]})
    # The fonts with their licences, which ask to travel along.
    fonts = (f for f in (resources.files("gm.reports") / "data" / "fonts").iterdir() if f.is_file())
    files |= {f"fonts/{font.name}": font.read_bytes() for font in fonts}
    return files


def _entry(line: Line) -> dict[str, object]:
    return {"number": line.number, "headline": line.headline, "game_date": line.game_date, "published_at": line.updated}


def _read(board: Board, issue: Archived) -> Printed | None:
    """None: an issue of bare facts, printed when the press had failed."""
    return read_json(board, issue.document) if "bell" in issue.document else None


def _issue_files(words: Prose, issue: Archived, printed: Printed | None, numbers: Sequence[int]) -> dict[str, bytes]:
    stem = f"bells/{issue.number:03d}"
    files = {f"{stem}.txt": issue.text.encode(), f"{stem}.json": dump(issue.document)}
    links = _links(issue.number, numbers, printed is not None)
    if printed is None:
        context = {"L": words.packs["labels"], "title": issue.headline, "text": issue.text, "links": links}
        files[f"{stem}.html"] = environment().get_template("plain.html").render(context).encode()
        return files
    svg = render_svg(printed.map, theme="auto", embed_style=False)
    chart = barometer_svg(printed.view.course, theme="auto") if printed.view.barometer else ""
    files[f"{stem}.html"] = render_page(printed.view, svg, chart, links, words).encode()
    files[f"maps/{issue.number:03d}.svg"] = render_svg(printed.map, theme="auto").encode()
    return files


def _links(number: int, numbers: Sequence[int], mapped: bool) -> Links:
    at = numbers.index(number)
    return Links(
        css="../style.css",
        home="../index.html",
        previous=f"{numbers[at - 1]:03d}.html" if at else "",
        next=f"{numbers[at + 1]:03d}.html" if at + 1 < len(numbers) else "",
        map=f"../maps/{number:03d}.svg" if mapped else "",
        text=f"{number:03d}.txt",
        json=f"{number:03d}.json",
        feed="../feed.xml",
    )


def _line(words: Prose, issue: Archived, printed: Printed | None) -> Line:
    view = printed.view if printed else None
    when = issue.published_at
    if when is None and view:
        when = datetime.combine(view.masthead.published, time(12), UTC)
    return Line(
        number=issue.number,
        issue=words.say("labels", "issue", number=issue.number),
        headline=view.story.headline if view else issue.headline,
        lead=view.story.lead if view else "",
        game_date=view.masthead.game_date if view else "",
        published=words.day(when.date()) if when else "",
        updated=_stamp(when),
        page=f"bells/{issue.number:03d}.html",
        map=f"maps/{issue.number:03d}.svg" if view else "",
        alt=view.map_alt if view else "",
    )


def _stamp(when: datetime | None) -> str:
    """RFC 3339; a feed without any issue has to be of some time, too."""
    found = when or datetime(1918, 6, 1, tzinfo=UTC)
    return f"{found.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _id(campaign: str, lines: Sequence[Line]) -> str:
    """A name for the feed that stays the same wherever the folder is put."""
    slug = re.sub(r"[^a-z0-9]+", "-", campaign.casefold()).strip("-") or "campaign"
    return f"tag:kolokol,{(lines[0].updated if lines else _stamp(None))[:10]}:{slug}"
