"""A published Bell as a web page. An issue never changes once it is printed, so its page is made once and kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

from gm.adjudicator.outcome import Outcome
from gm.position import Position
from gm.reports.barometer import Barometer, BarometerIssue, BarometerRow
from gm.reports.barometer_chart import RULES, barometer_svg
from gm.reports.bell import Links, page_css, render_page
from gm.reports.map import render_svg
from gm.reports.map.style import themed
from gm.reports.map_view import MapView
from gm.reports.view import BellView
from gm.reports.view_map import map_stacks, map_view
from gm.web.pages import static


def read_view(document: Mapping[str, Any]) -> BellView:
    """The view of an issue back from its JSON, as far as the templates look at it."""
    view = _space(document["bell"])
    view.own = None
    return cast(BellView, view)


def _space(value: Any, names: frozenset[str] = frozenset({"names"})) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(
            **{("for_" if k == "for" else k): (v if k in names else _space(v)) for k, v in value.items()}
        )
    if isinstance(value, list):
        return [_space(v) for v in value]
    return value


def links(campaign: str, number: int, last: int) -> Links:
    base = f"/c/{campaign}/bells"
    return Links(
        css=static("css/bell.css"),
        home=f"/c/{campaign}",
        previous=f"{base}/{number - 1}" if number > 1 else "",
        next=f"{base}/{number + 1}" if number < last else "",
        map=f"/c/{campaign}/map",
        text=f"{base}/{number}.txt",
        json=f"/api/v1/campaigns/{campaign}/bells/{number}",
        feed=f"/c/{campaign}/feed.atom",
    )


def outcome_map(outcome: Outcome, title: str, date_line: str) -> str:
    return render_svg(map_view(outcome, title, date_line), theme="auto", interactive=True, embed_style=False)


def plain_map(position: Position, title: str, date_line: str) -> str:
    view = MapView(title, date_line, stacks=map_stacks(position))
    return render_svg(view, theme="auto", interactive=True, embed_style=False)


_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def chart(document: Mapping[str, Any]) -> str:
    """The barometer of an issue from its JSON; empty where there is none."""
    course = document["bell"].get("course")
    if not course or not document["bell"].get("barometer"):
        return ""
    issues = tuple(
        BarometerIssue(i["label"], {p: BarometerRow(**row) for p, row in i["rows"].items()}) for i in course["issues"]
    )
    # Its rules are in bell.css: a page has no style of its own.
    return _STYLE.sub("", barometer_svg(Barometer(tuple(course["players"]), course["names"], issues), theme="auto"))


def bell_css() -> str:
    return page_css() + themed(RULES, "auto")


def page(document: Mapping[str, Any], svg: str, where: Links) -> str:
    return render_page(read_view(document), svg, chart(document), where)
