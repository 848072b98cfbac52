"""A BellView as HTML (mail and page) and the parts of a mail. Text and JSON are in text.py and json.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from jinja2 import Environment

from gm import wording
from gm.reports.issue import Issue
from gm.reports.map import stylesheet
from gm.reports.prose import Prose, standard_prose
from gm.reports.render.ics import render_calendar
from gm.reports.render.inline import Inliner
from gm.reports.render.json import render_json as render_json
from gm.reports.render.text import render_text
from gm.reports.view.model import BellView

CLIPPED_AT = 100_000  # bytes; some readers show little more than that of a mail
FEW, EXCERPT = 12, 600  # what is left of long lists and long press in a mail that would be clipped
PREHEADER = 140  # letters
MAP_CID = "map@bell"
CHART_CID = "barometer@bell"
ALBUM_CID = "album@bell"  # of the last issue
DETAIL_CID = "theatre@bell"  # where a reader's own forces stand


@dataclass(frozen=True, slots=True)
class Links:
    """Where a page finds its neighbours; empty: it has none."""

    css: str = "style.css"
    home: str = ""
    previous: str = ""
    next: str = ""
    map: str = ""
    text: str = ""
    json: str = ""
    feed: str = ""
    steps: str = ""
    desk: str = ""  # of whoever plays alone
    end: str = ""  # how the game of one person ended
    void: bool = False  # what the issue reports was undone


ALONE = Links()  # a page without neighbours


@dataclass(frozen=True, slots=True)
class RenderedMail:
    """What one reader is sent; the pictures are the same for all and are made once a Phase."""

    subject: str
    text: str
    html: str
    calendar: str | None  # text/calendar with the deadline
    pictures: tuple[str, ...]  # Content-IDs that the HTML wants


@cache
def environment(inlined: bool = False) -> Environment:
    """Templates of the paper: everything is escaped, and a missing value is an error, not a blank.

    `inlined`: with the styles of mail.css in the tags.
    """
    extensions = [Inliner(mail_css()).extension()] if inlined else []
    return wording.environment("bell", html=True, blocks=False, extensions=extensions)


@cache
def mail_css() -> str:
    return template_file("mail.css")


def template_file(name: str) -> str:
    return wording.template_file(f"bell/{name}")


def render_mail(issue: Issue, view: BellView, prose: Prose | None = None) -> RenderedMail:
    """A reader's copy, ready to be sent."""
    words = prose or standard_prose()
    return RenderedMail(
        subject=subject(view, words),
        text=render_text(view, words),
        html=render_mail_html(view, words),
        calendar=render_calendar(issue, view, words),
        pictures=(
            MAP_CID,
            *((CHART_CID,) if view.barometer else ()),
            *((DETAIL_CID,) if _has_forces(view) else ()),
            *((ALBUM_CID,) if view.closing and view.closing.maps else ()),
        ),
    )


def subject(view: BellView, prose: Prose | None = None) -> str:
    m = view.masthead
    facts = {"headline": view.story.headline, "paper": m.paper, "number": m.number, "campaign": m.campaign}
    return (prose or standard_prose()).say("labels", "subject", **facts)


def mail_context(view: BellView, prose: Prose | None = None) -> dict[str, Any]:
    """What the mail template is filled with."""
    return {
        **_context(view, prose or standard_prose()),
        "medium": "mail",
        "css": "",  # it is in the tags
        "css_keep": template_file("mail-keep.css"),
        "map_cid": MAP_CID,
        "chart_cid": CHART_CID,
        "detail_cid": DETAIL_CID if _has_forces(view) else "",
        "album_cid": ALBUM_CID,
        "preheader": preheader(view),
        "shortened": False,
    }


def preheader(view: BellView) -> str:
    """What a mail program shows behind the subject: a player's own news, else the beginning of the lead."""
    text = " ".join(item.text for item in view.yours[:3]) or view.story.lead
    return text if len(text) <= PREHEADER else text[: text.rfind(" ", 0, PREHEADER)] + " …"


def _has_forces(view: BellView) -> bool:
    """A reader who plays and has something on the map gets a detail map."""
    player = view.own.player if view.own else None
    return any(h.player == player and h.lines for h in view.positions.holdings) if player else False


def render_mail_html(view: BellView, prose: Prose | None = None) -> str:
    """HTML for mail: styles inlined, no script, nothing loaded from anywhere.

    A mail that would be clipped leaves out what stands in its text part as well: first all players' orders, then the
    refusals among what happened, which the orders below repeat, then long press.
    """
    template = environment(inlined=True).get_template("mail.html")
    html = ""
    for shortened in _shorter(view):
        html = template.render({**mail_context(shortened, prose), "shortened": shortened is not view})
        if len(html.encode()) < CLIPPED_AT:
            break
    return html


def _shorter(view: BellView) -> Iterator[BellView]:
    """The view, and the same with less and less in it."""
    yield view
    view = replace(view, orders=())
    yield view
    sections = tuple(replace(s, items=s.items[:FEW]) for s in view.sections)
    view = replace(view, sections=sections)
    yield view
    press = tuple(replace(p, text=p.text[:EXCERPT]) for p in view.press[:FEW])
    yield replace(view, press=press, attacks=view.attacks[: 4 * FEW])


def render_page(
    view: BellView,
    map_svg: str,
    chart_svg: str = "",
    links: Links = ALONE,
    prose: Prose | None = None,
    album: Sequence[str] = (),
) -> str:
    """The web page: a whole document that brings no style or script of its own. `album`: small maps of a last issue."""
    context = {**page_context(view, map_svg, chart_svg, links, prose), "album": album}
    return environment().get_template("page.html").render(context)


def page_context(
    view: BellView, map_svg: str, chart_svg: str, links: Links, prose: Prose | None = None
) -> dict[str, Any]:
    return {
        **_context(view, prose or standard_prose()),
        "medium": "web",
        "map_svg": map_svg,
        "chart_svg": chart_svg,
        "links": links,
    }


@cache
def page_css() -> str:
    """The style sheet of the pages, with that of the map."""
    return f"{template_file('page.css')}\n{stylesheet('auto')}\n"


def _chart_alt(view: BellView, words: Prose) -> str:
    """What the chart of a mail shows; it begins with the campaign's first issue here, which need not be #1."""
    issues = view.course.issues
    if len(issues) < 2:
        return words.say("labels", "barometer_chart_alt_first")
    return words.say("labels", "barometer_chart_alt", label=issues[0].label)


def _context(view: BellView, words: Prose) -> dict[str, Any]:
    labels: Mapping[str, Any] = words.packs["labels"]
    legend = " ".join(labels[name] for name in view.positions.legends)
    if view.positions.marked:
        legend += " " + words.phrase("labels", "changed_legend", mark="✱")
    closing = words.packs["closing"]
    dates = ", ".join(view.closing.maps) if view.closing else ""
    album_alt = words.say("closing", "maps_alt", dates=dates)
    return {
        "C": closing,
        "album_alt": album_alt,
        "chart_alt": _chart_alt(view, words),
        "view": view,
        "L": labels,
        "legend": legend,
        "title": subject(view, words),
    }
