"""A published Bell as a web page, made from its JSON alone. An issue never changes once it is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.board.model import Board
from gm.reports.barometer_chart import RULES, barometer_svg
from gm.reports.bell import Links, page_css, render_page
from gm.reports.bell_json import read_json
from gm.reports.map import render_svg
from gm.reports.map.style import themed
from gm.web.pages import static

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def links(campaign: str, number: int, first: int, last: int) -> Links:
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
    )


def bell_css() -> str:
    """The style of the page, its map and its chart: pages have none of their own."""
    return page_css() + themed(RULES, "auto")


def page(board: Board, document: Mapping[str, Any], where: Links) -> str:
    printed = read_json(board, document)
    svg = render_svg(printed.map, theme="auto", interactive=True, embed_style=False)
    chart = barometer_svg(printed.view.course, theme="auto") if printed.view.barometer else ""
    return render_page(printed.view, svg, _STYLE.sub("", chart), where)
