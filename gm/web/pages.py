"""Templates to pages. Every word stands in templates/web; nothing is ever marked safe that a person wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from gm.campaign.services import Services
from gm.position import Phase
from gm.reports.prose import templates_folder
from gm.web.session import Sessions, session_of

STATIC = Path(__file__).parent / "static"
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
PHASE_NAMES = {
    Phase.SETUP: "Set-up",
    Phase.PREGAME: "Trades before the game",
    Phase.FIRST: "First Phase",
    Phase.SECOND: "Second Phase",
    Phase.FINISHED: "Finished",
}


@cache
def static_version() -> str:
    """A name for the present state of our own files: browsers may keep them for ever, and get new ones at once."""
    digest = hashlib.sha256()
    for path in sorted(p for p in STATIC.rglob("*") if p.is_file()):
        digest.update(path.relative_to(STATIC).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def static(path: str) -> str:
    return f"/static/{static_version()}/{path}"


def game_date(turn: int, phase: str = "") -> str:
    """J36: Game-Turn 1 is June 1918."""
    if turn < 1:
        return PHASE_NAMES[Phase(phase)] if phase else "Before the game"
    month = 4 + turn
    date = f"{MONTHS[month % 12]} {1918 + month // 12}"
    return f"{date}, {PHASE_NAMES[Phase(phase)]}" if phase else date


def when(moment: datetime | None, zone: str = "UTC") -> str:
    if moment is None:
        return ""
    there = moment.astimezone(ZoneInfo(zone))
    return f"{there:%a} {there.day} {there:%b %Y}, {there:%H:%M} ({zone})"


def short(moment: datetime | None, zone: str = "UTC") -> str:
    if moment is None:
        return ""
    there = moment.astimezone(ZoneInfo(zone))
    return f"{there.day} {there:%b} {there:%H:%M}"


def iso(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else ""


def as_printed(text: str) -> str:
    """Words that are kept in plain letters, for mail, with the signs of a printed page."""
    return text.replace("<=", "≤").replace(">=", "≥").replace("'", "’")


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader([templates_folder() / "web", templates_folder()]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["game_date"] = game_date
    # `static` as a filter: of a constant it is worked out once, when the template is read.
    made.filters |= {"static": static, "when": when, "short": short, "iso": iso, "print": as_printed}
    return made


def fragment(template: str, /, **data: Any) -> Markup:
    """A part of a page, to be put into others: escaped already, by its own template."""
    return Markup(environment().get_template(template).render(data))


def render(
    request: Request,
    template: str,
    /,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **data: Any,
) -> HTMLResponse:
    services: Services = request.app.state.services
    sessions: Sessions = request.app.state.sessions
    session = session_of(request)
    common: dict[str, Any] = {
        "instance": services.settings.instance,
        "demo": services.settings.demo,
        "now": services.clock.now(),
        "path": request.url.path,
        "session": session,
        "csrf": cache(lambda: sessions.csrf(session)),
        "flashes": session.take_flashes(),
        "door": None,
        "has_standin": services.standin is not None,
    }
    if data.get("door") is not None:
        common["gmbase"] = f"/gm/c/{data['door'].campaign}"
    html = environment().get_template(template).render(common | data)
    return HTMLResponse(html, status, headers)
