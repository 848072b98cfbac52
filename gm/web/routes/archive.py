"""The reading room: news, archive, issues, standings, the check of the dice, the feed."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Path, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from gm.campaign import lookups, sight
from gm.errors import NotFound
from gm.web import bellpage
from gm.web.access import Reader, Room
from gm.web.chart import points_chart
from gm.web.kept import Bound
from gm.web.pages import environment, fragment, game_date, render
from gm.web.served import Served

router = APIRouter(route_class=Served, prefix="/c/{campaign}", include_in_schema=False)
Number = Annotated[int, Path(ge=1, le=100_000)]


@router.get("")
def news(request: Request, room: Reader) -> HTMLResponse:
    """The campaign's front page."""
    issues = _issues(room)
    return render(
        request,
        "campaign.html",
        door=room.door,
        now_at=room.door.now,
        issues=issues[:6],
        latest=issues[0] if issues else None,
        decisions=decisions(room),
    )


def decisions(room: Room) -> list[str]:
    """What the Gamesmaster ruled, from the latest issue."""
    latest = lookups.latest_bell(room.services, room.id)
    if latest is None:
        return []
    rulings = latest.json.get("bell", {}).get("rulings", [])
    return [item["text"] for item in rulings if item.get("kind") == "decision"]


@router.get("/bells")
def bells(request: Request, room: Reader) -> HTMLResponse:
    table = _table(Bound(room.services), room.id, room.door.now.bells)
    return render(request, "bells.html", door=room.door, table=table)


def _issues(room: Room) -> tuple[sight.BellLine, ...]:
    """All issues in brief, the newest first."""
    return _kept_issues(Bound(room.services), room.id, room.door.now.bells)


@lru_cache(maxsize=256)
def _kept_issues(bound: Bound, campaign: str, last: int) -> tuple[sight.BellLine, ...]:
    return tuple(sight.bells(bound.services, campaign))


@lru_cache(maxsize=256)
def _table(bound: Bound, campaign: str, last: int) -> Markup:
    return fragment("bells_table.html", campaign=campaign, issues=_kept_issues(bound, campaign, last))


@router.get("/bells/{number}.txt")
def bell_text(room: Reader, number: Number) -> PlainTextResponse:
    _range(room, number)
    return PlainTextResponse(lookups.bell(room.services, room.id, number).text)


@router.get("/bells/{number}")
def bell(request: Request, room: Reader, number: Number) -> HTMLResponse:
    first, last = _range(room, number)
    return HTMLResponse(_bell_page(Bound(room.services), room.id, number, first, last))


def _range(room: Room, number: int) -> tuple[int, int]:
    """The first and the last issue there is; a campaign that was taken over does not begin with 1."""
    numbers = [issue.number for issue in _issues(room)]
    if number not in numbers:
        raise NotFound("bell", "There is no such issue.", "The archive lists those there are.")
    return numbers[-1], numbers[0]


@lru_cache(maxsize=128)
def _bell_page(bound: Bound, campaign: str, number: int, first: int, last: int) -> str:
    found = lookups.bell(bound.services, campaign, number)
    return bellpage.page(bound.services.board, found.json, bellpage.links(campaign, number, first, last))


@router.get("/standings")
def standings(request: Request, room: Reader) -> HTMLResponse:
    now_at = room.door.now
    seen = [p for p in sight.phases(room.services, room.id) if p.points]
    rows = [(game_date(p.turn, p.phase), p.points) for p in seen]
    charts = {side: points_chart(rows, now_at.names, side) for side in ("Red", "White")} if rows else {}
    return render(request, "standings.html", door=room.door, now_at=now_at, rows=rows, charts=charts)


@router.get("/fairness")
def fairness(request: Request, room: Reader) -> HTMLResponse:
    now_at = room.door.now
    return render(request, "fairness.html", door=room.door, now_at=now_at)


@router.get("/feed.atom")
def feed(request: Request, room: Reader) -> Response:
    issues = _issues(room)[:30]
    base = room.services.settings.base_url.rstrip("/")
    xml = (
        environment()
        .get_template("feed.xml")
        .render(door=room.door, issues=issues, base=base, now=room.services.clock.now())
    )
    return Response(xml, media_type="application/atom+xml")
