"""A campaign's issues as a folder of plain files: pages, maps with a slider, a feed, text and JSON.

It opens from a disk, needs no service and loads nothing from anywhere. Made from the published JSON alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from importlib import resources
from typing import Any

from gm.board.model import Board
from gm.reports.map import render_svg
from gm.reports.map.draw import another_svg
from gm.reports.proof.fairness import dump
from gm.reports.prose import Prose, standard_prose
from gm.reports.render.barometer_chart import barometer_svg
from gm.reports.render.feed import FeedEntry, render_feed, said_of, stamp
from gm.reports.render.html import Links, environment, page_css, render_page, template_file
from gm.reports.render.json import Printed, read_json


@dataclass(frozen=True, slots=True)
class Archived:
    """One published issue as it was stored."""

    number: int
    headline: str
    text: str
    document: Mapping[str, Any]  # the JSON
    published_at: datetime | None = None
    void: bool = False  # what it reports was rolled back


@dataclass(frozen=True, slots=True)
class ArchiveLine:
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
    printed = {issue.number: read_issue(board, issue) for issue in issues}
    lines = [_line(words, issue, printed[issue.number]) for issue in issues]
    context: dict[str, Any] = {
        "L": words.packs["labels"],
        "paper": paper or words.template("words", "paper"),
        "motto": words.template("words", "motto"),
        "campaign": campaign,
        "lines": lines,
    }
    files = {"style.css": page_css().encode(), "archive.js": template_file("archive.js").encode()}
    for name, template in (("index.html", "archive.html"), ("map.html", "archive-map.html")):
        files[name] = environment().get_template(template).render(context).encode()
    files["feed.xml"] = _feed(context["paper"], campaign, lines, base).encode()
    for issue in issues:
        files |= _issue_files(words, issue, printed[issue.number], [i.number for i in issues])
    files["bells/index.json"] = dump({"bells": [_entry(line) for line in lines]})
    # The fonts with their licences, which ask to travel along.
    fonts = (f for f in (resources.files("gm.reports") / "data" / "fonts").iterdir() if f.is_file())
    files |= {f"fonts/{font.name}": font.read_bytes() for font in fonts}
    return files


def _feed(paper: str, campaign: str, lines: Sequence[ArchiveLine], base: str) -> str:
    entries = [
        FeedEntry(f"{n.issue}: {n.headline}", str(n.number), n.page, f"{n.game_date}. {n.lead}", n.updated)
        for n in reversed(lines)
    ]
    own = {"id": _id(campaign, lines), "address": "feed.xml", "home": "index.html"}
    return render_feed(paper=paper, campaign=campaign, entries=entries, base=base, **own)


def _entry(line: ArchiveLine) -> dict[str, object]:
    return {"number": line.number, "headline": line.headline, "game_date": line.game_date, "published_at": line.updated}


def read_issue(board: Board, issue: Archived) -> Printed | None:
    """None: an issue of bare facts, printed when the press had failed."""
    return read_json(board, issue.document) if "bell" in issue.document else None


def _issue_files(words: Prose, issue: Archived, printed: Printed | None, numbers: Sequence[int]) -> dict[str, bytes]:
    stem = f"bells/{issue.number:03d}"
    files = {f"{stem}.txt": issue.text.encode(), f"{stem}.json": dump(issue.document)}
    links = replace(_links(issue.number, numbers, printed is not None), void=issue.void)
    if printed is None:
        context = {"L": words.packs["labels"], "title": issue.headline, "text": issue.text, "links": links}
        files[f"{stem}.html"] = environment().get_template("plain.html").render(context).encode()
        return files
    svg = render_svg(printed.map, theme="auto", embed_style=False)
    chart = barometer_svg(printed.view.course, theme="auto") if printed.view.barometer else ""
    album = [another_svg(drawn, theme="auto") for drawn in printed.album]
    files[f"{stem}.html"] = render_page(printed.view, svg, chart, links, words, album).encode()
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


def _line(words: Prose, issue: Archived, printed: Printed | None) -> ArchiveLine:
    view = printed.view if printed else None
    when = issue.published_at
    if when is None and view:
        when = datetime.combine(view.masthead.published, time(12), UTC)
    return ArchiveLine(
        number=issue.number,
        issue=words.say("labels", "issue", number=issue.number),
        headline=said_of(view.story.headline if view else issue.headline, issue.void),
        lead=view.story.lead if view else "",
        game_date=view.masthead.game_date if view else "",
        published=words.day(when.date()) if when else "",
        updated=stamp(when),
        page=f"bells/{issue.number:03d}.html",
        map=f"maps/{issue.number:03d}.svg" if view else "",
        alt=view.map_alt if view else "",
    )


def _id(campaign: str, lines: Sequence[ArchiveLine]) -> str:
    """A name for the feed that stays the same wherever the folder is put."""
    slug = re.sub(r"[^a-z0-9]+", "-", campaign.casefold()).strip("-") or "campaign"
    return f"tag:kolokol,{(lines[0].updated if lines else stamp(None))[:10]}:{slug}"
