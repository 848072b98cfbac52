"""A whole campaign as one document for printing: cover, table of contents, every issue on pages of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from gm.board.model import Board
from gm.reports.map import render_svg
from gm.reports.map.draw import another_svg
from gm.reports.map.style import stylesheet
from gm.reports.prose import Prose, standard_prose
from gm.reports.render.barometer_chart import barometer_svg, chart_style
from gm.reports.render.html import ALONE, environment, page_context, template_file
from gm.reports.site import Archived, read_issue

_NAMED = re.compile(r'\b(id|aria-labelledby)="')


def book(
    board: Board, campaign: str, issues: Sequence[Archived], *, paper: str = "", prose: Prose | None = None
) -> str:
    """HTML that needs nothing else but its fonts, which are named by their files; a browser prints it as a PDF."""
    words = prose or standard_prose()
    chapters = [_chapter(board, words, issue) for issue in issues]
    named = False  # all maps borrow the shapes that the first one names
    for chapter in chapters:
        if chapter["map"] is not None:
            svg = another_svg(chapter["map"]) if named else render_svg(chapter["map"], embed_style=False)
            chapter["body"], named = f"{chapter['before']}{svg}{chapter['after']}", True
    context: dict[str, Any] = {
        "L": words.packs["labels"],
        "paper": paper or words.template("words", "paper"),
        "motto": words.template("words", "motto"),
        "campaign": campaign,
        "chapters": chapters,
        "css": _css(),
    }
    return environment().get_template("book.html").render(context)


def _css() -> str:
    """The style of the pages, of maps and charts in plain colours, and of the book."""
    fonts = (resources.files("gm.reports") / "data" / "fonts").joinpath("")
    page = template_file("page.css").replace("url(fonts/", f"url(file://{fonts}/")
    return f"{page}\n{stylesheet('light')}\n{chart_style('light')}\n{template_file('book.css')}"


def _chapter(board: Board, words: Prose, issue: Archived) -> dict[str, Any]:
    """One issue: its line in the table of contents, and its body with names that are its own."""
    printed = read_issue(board, issue)
    if printed is None:
        return {
            "number": issue.number,
            "date": "",
            "headline": issue.headline,
            "text": issue.text,
            "map": None,
            "body": "",
        }
    view = printed.view
    chart = barometer_svg(view.course, theme="light", embed_style=False) if view.barometer else ""
    context = page_context(view, "\0map", "\0chart", ALONE, words)
    body = environment().get_template("issue.html").render({**context, "album": ["\0album"] * len(printed.album)})
    body = _NAMED.sub(rf'\1="i{issue.number}-', body)
    for drawn in printed.album:
        body = body.replace("\0album", another_svg(drawn), 1)
    before, _, after = body.replace("\0chart", chart).partition("\0map")
    return {
        "number": issue.number,
        "date": view.masthead.game_date,
        "headline": view.story.headline,
        "text": "",
        "before": before,
        "map": printed.map,
        "after": after,
    }
