"""Rendering a published Bell as a web page, from its JSON alone. An issue never changes once it is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from gm.board.model import Board
from gm.campaign.access.callers import Access
from gm.reports.issue import Reader
from gm.reports.map import render_svg
from gm.reports.map.style import themed
from gm.reports.render.barometer_chart import RULES, barometer_svg
from gm.reports.render.html import Links, page_css, render_page
from gm.reports.render.json import read_json
from gm.reports.view.yours import for_player
from gm.web.pages import cited_markup, fragment, static

_DUE = re.compile(r'(<p class="due">.*?)(</p>)', re.DOTALL)  # the bar with the deadline
_NAV = '<nav class="issues"'
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


_MENU = (
    ".crumbs,.crumbs ul{display:flex;flex-wrap:wrap;gap:2px 18px;margin:0;padding:0;list-style:none}"
    ".crumbs{font:400 16px var(--narrow)}"
    ".crumbs{max-width:1180px;margin:0 auto;padding:10px 24px 0;align-items:baseline}.crumbs .where{font-weight:700}"
    "@media print{.crumbs{display:none}}"
)


def with_menu(html: str, door: Access, path: str) -> str:
    """The printed page under the campaign's menu, which differs from reader to reader."""
    return html.replace(_NAV, str(fragment("campaign_menu.html", door=door, path=path)) + _NAV, 1)


def links(
    campaign: str, number: int, first: int, last: int, alone: bool = False, void: bool = False, over: bool = False
) -> Links:
    """`over`: the game of one person has ended, so that nothing is left to play on."""
    base = f"/c/{campaign}/bells"
    return Links(
        css=static("css/bell.css"),
        home=f"/c/{campaign}",
        previous=f"{base}/{number - 1}" if number > first else "",
        next=f"{base}/{number + 1}" if number < last else "",
        map=f"/c/{campaign}/map",
        text=f"{base}/{number}.txt",
        json=f"/api/v1/campaigns/{campaign}/bells/{number}",
        feed=f"/c/{campaign}/feed.atom",
        desk=f"/c/{campaign}/desk" if alone and not over else "",
        end=f"/c/{campaign}/end" if alone and over else "",
        steps=f"/c/{campaign}/steps/{number}",
        void=void,
    )


def bell_css() -> str:
    """The style of the page, its map and its chart: pages have none of their own."""
    return page_css() + themed(RULES, "auto") + ".due a{color:inherit}" + _MENU


@dataclass(frozen=True, slots=True)
class Seated:
    """The player who reads the page, signed in."""

    letter: str
    zone: str


def page(board: Board, document: Mapping[str, Any], where: Links, reader: Seated | None = None) -> str:
    printed = read_json(board, document)
    view = printed.view
    if reader is not None and reader.letter in printed.position.players:
        due = view.masthead.deadline
        local = due.at.astimezone(ZoneInfo(reader.zone)) if due else None
        view = for_player(board, view, printed.position, Reader(reader.letter, local, reader.zone))
        view = replace(view, desk=f"{where.home}/desk" if not (where.desk or where.end) else "")
    svg = render_svg(printed.map, theme="auto", interactive=True, embed_style=False)
    chart = barometer_svg(view.course, theme="auto") if view.barometer else ""
    html = cited_markup(render_page(view, svg, _STYLE.sub("", chart), where))
    ways = fragment("bell_due.html", home=where.home).strip()
    return _DUE.sub(lambda found: f"{found[1]}{ways}{found[2]}", html, count=1)
