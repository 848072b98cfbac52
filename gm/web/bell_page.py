"""Rendering a published Bell as a web page, from its JSON alone. An issue never changes once it is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request

from gm.board.model import Board
from gm.campaign.access.callers import Access
from gm.reports.issue import Reader
from gm.reports.map import render_svg
from gm.reports.map.style import themed
from gm.reports.render.barometer_chart import RULES, barometer_svg
from gm.reports.render.html import Links, page_css, render_page
from gm.reports.render.json import read_json
from gm.reports.view.yours import for_player
from gm.web.pages import STATIC, cited_markup, fragment, page_top, static

_DUE = re.compile(r'(<p class="due">.*?)(</p>)', re.DOTALL)  # the bar with the deadline
_NAV = '<nav class="issues"'
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


_TOP = (  # where the head of the site stands above the sheet; it is not printed
    ".top{max-width:1180px;margin:0 auto}.top,nav.issues{padding-inline:1.25rem}"
    "@media(max-width:36rem){.top,nav.issues{padding-inline:.85rem}}"
    ".crumbs{margin-bottom:0}@media print{.top{display:none}}"
)


def with_top(html: str, request: Request, door: Access) -> str:
    """The printed page under the head that every page of the site has; it differs from reader to reader."""
    return html.replace(_NAV, str(page_top(request, door)) + _NAV, 1)


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
    """The style of the page, its head, its map and its chart: pages have none of their own."""
    top = (STATIC / "css" / "top.css").read_text("utf-8")
    return top + page_css() + themed(RULES, "auto") + ".due a{color:inherit}" + _TOP


@dataclass(frozen=True, slots=True)
class Seated:
    """The player who reads the page, signed in."""

    letter: str
    zone: str
    bargains: bool = True  # whether there are other people to bargain with


def page(board: Board, document: Mapping[str, Any], where: Links, reader: Seated | None, to_desk: bool) -> str:
    """`to_desk`: whoever reads it may have a desk to go to, after signing in."""
    printed = read_json(board, document)
    view = printed.view
    if reader is not None and reader.letter in printed.position.players:
        due = view.masthead.deadline
        local = due.at.astimezone(ZoneInfo(reader.zone)) if due else None
        view = for_player(
            board, view, printed.position, Reader(reader.letter, local, reader.zone, bargains=reader.bargains)
        )
        view = replace(view, desk=f"{where.home}/desk" if not (where.desk or where.end) else "")
    svg = render_svg(printed.map, theme="auto", interactive=True, embed_style=False)
    chart = barometer_svg(view.course, theme="auto") if view.barometer else ""
    html = cited_markup(render_page(view, svg, _STYLE.sub("", chart), where))
    ways = fragment("bell_due.html", home=where.home, desk=to_desk).strip()
    return _DUE.sub(lambda found: f"{found[1]}{ways}{found[2]}", html, count=1)
