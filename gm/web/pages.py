"""Rendering pages from templates/web, which hold every word. Nothing that a person wrote is ever marked safe."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

import gm
from gm.campaign.access.callers import Access
from gm.campaign.mailbox import letters
from gm.campaign.services import Services
from gm.gamedate import game_date
from gm.web.guard.session import Sessions, session_of
from gm.wording import environment as make_environment
from gm.wording import templates_folder

STATIC = Path(__file__).parent / "static"
SVG = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}  # headers of a picture


@cache
def static_version() -> str:
    """A version of the static files: browsers may cache them for ever and get new ones at once. It comes from all files
    of the program and its templates, for some style sheets, scripts and pictures are made from those."""
    digest = hashlib.sha256()
    for folder in (Path(gm.__file__).parent, templates_folder()):
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".pyc"):
            digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def static(path: str) -> str:
    return f"/static/{static_version()}/{path}"


def when(moment: datetime | None, zone: str = "UTC") -> str:
    if moment is None:
        return ""
    there = moment.astimezone(ZoneInfo(zone))
    return f"{there:%a} {there.day} {there:%b %Y}, {there:%H:%M} ({zone})"


def short(moment: datetime | None, zone: str = "UTC") -> str:
    if moment is None:
        return ""
    there = moment.astimezone(ZoneInfo(zone))
    return f"{there.day} {there:%b} {there:%H:%M} {there:%Z}"


def iso(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else ""


def as_printed(text: str) -> str:
    """Plain text, as in mail, with typographic apostrophes and comparison signs."""
    return text.replace("<=", "≤").replace(">=", "≥").replace("'", "’")


_NUMBER = re.compile(r"(?<![\w./#-])((?:17/)?\d{1,2}\.\d{1,2}|[JSH]\d{1,2})(?![\w/-]|\.\d)")
_BRACKETS = re.compile(r"\[[^\[\]\n]{1,120}\]")


def cite(text: str) -> Markup:
    """Plain text in which every rule and ruling that it names leads to what it decides."""
    return Markup(_NUMBER.sub(_cited, str(escape(text))))


def cite_brackets(text: str) -> Markup:
    """The same where numbers in square brackets are rules, and others may be anything."""
    return Markup(_BRACKETS.sub(lambda found: _NUMBER.sub(_cited, found[0]), str(escape(text))))


def whole_odds(text: str) -> Markup:
    """Plain text in which no odds (11:3 = 3-1) are broken at the end of a line."""
    return Markup(_ODDS.sub(r'<span class="whole">\g<0></span>', str(escape(text))))


_ODDS = re.compile(r"\b(?:\d+:\d+ = )?\d+-\d+\b")


def cited_markup(html: str) -> str:
    """The rules behind the sentences of a printed issue, as links."""
    return _PRINTED.sub(lambda found: found[1] + _NUMBER.sub(_cited, found[2]) + found[3], html)


_PRINTED = re.compile(r'(<span class="r">\[)([^\]<]*)(\]</span>)')


def _cited(found: re.Match[str]) -> str:
    page = "rulings" if found[1][0] in "JSH" else "rules"
    return f'<a href="/{page}#{found[1]}">{found[1]}</a>'


@cache
def environment() -> Environment:
    made = make_environment("web", ".", html=True)
    made.globals["game_date"] = game_date
    # `static` as a filter: of a constant it is worked out once, when the template is read.
    made.filters |= {"static": static, "when": when, "short": short, "iso": iso, "print": as_printed}
    made.filters |= {"cite": cite, "cite_brackets": cite_brackets, "whole_odds": whole_odds}
    return made


def fragment(template: str, /, **data: Any) -> Markup:
    """A part of a page, to be put into others: escaped already, by its own template."""
    return Markup(environment().get_template(template).render(data))


def page_top(request: Request, door: Access) -> Markup:
    """The head of a campaign's page, to be laid above a page that was printed."""
    return fragment("top.html", **_common(request) | {"door": door} | _of_campaign(request, door))


def _of_campaign(request: Request, door: Access) -> dict[str, Any]:
    """What every page of a campaign tells who holds a seat in it."""
    services: Services = request.app.state.services
    waiting = letters.unread(services, door.campaign, door.letter) if door.letter else 0
    return {"gmbase": f"/gm/c/{door.campaign}", "unread_letters": waiting}


def _common(request: Request) -> dict[str, Any]:
    """What every page may tell of the site and of its reader."""
    services: Services = request.app.state.services
    sessions: Sessions = request.app.state.sessions
    session = session_of(request)
    return {
        "instance": services.settings.instance,
        "demo": services.settings.demo,
        "offers_alone": services.settings.offers_alone,
        "now": services.clock.now(),
        "path": request.url.path,
        "session": session,
        "csrf": cache(lambda: sessions.csrf(session)),
        "door": None,
        "has_standin": services.standin is not None,
    }


def render(
    request: Request,
    template: str,
    /,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **data: Any,
) -> HTMLResponse:
    common = _common(request) | {"flashes": session_of(request).take_flashes()}
    if data.get("door") is not None:
        common |= _of_campaign(request, data["door"])
    html = environment().get_template(template).render(common | data)
    return HTMLResponse(html, status, headers)
