"""Pages of a campaign for readers: news, archive, issues, standings, the check of the dice, the feed."""

from __future__ import annotations

from functools import lru_cache

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from gm.adjudicator.steps import victory
from gm.board.model import Board
from gm.campaign.cache import ServicesKey
from gm.campaign.notices import house_rules, rules_alone
from gm.campaign.reads import lookups, summaries
from gm.errors import NotFound
from gm.gamedate import game_date
from gm.reports.render.feed import FeedEntry, render_feed, said_of, stamp
from gm.reports.render.html import Links
from gm.web import bell_page
from gm.web.guard.access import Reader, Room
from gm.web.guard.forms import BellNumber
from gm.web.guard.route import GuardedRoute
from gm.web.pages import fragment, render
from gm.web.points_chart import points_chart

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)


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
        house=_house(room),
    )


def _house(room: Room) -> tuple[str, ...]:
    """The rules that this game goes by."""
    alone = summaries.position(room.services, room.id).solitaire
    if alone is not None:
        return rules_alone(room.board, contested=alone.contested)
    return house_rules(room.door.now.options, room.board)


def decisions(room: Room) -> list[str]:
    """What the Gamesmaster ruled, from the latest issue."""
    latest = lookups.latest_bell(room.services, room.id)
    if latest is None:
        return []
    rulings = latest.json.get("bell", {}).get("rulings", [])
    return [item["text"] for item in rulings if item.get("kind") == "decision"]


@router.get("/bells")
def bells(request: Request, room: Reader) -> HTMLResponse:
    table = _table(ServicesKey(room.services), room.id, room.door.now.bells, room.door.zone)
    return render(request, "bells.html", door=room.door, table=table)


def _issues(room: Room) -> tuple[summaries.BellLine, ...]:
    """All issues in brief, the newest first."""
    return _kept_issues(ServicesKey(room.services), room.id, room.door.now.bells)


@lru_cache(maxsize=256)
def _kept_issues(key: ServicesKey, campaign: str, last: int) -> tuple[summaries.BellLine, ...]:
    return tuple(summaries.bells(key.services, campaign))


@lru_cache(maxsize=256)
def _table(key: ServicesKey, campaign: str, last: int, zone: str) -> Markup:
    return fragment("bells_table.html", campaign=campaign, issues=_kept_issues(key, campaign, last), zone=zone)


@router.get("/bells/{number}.txt")
def bell_text(room: Reader, number: BellNumber) -> PlainTextResponse:
    _range(room, number)
    return PlainTextResponse(lookups.bell(room.services, room.id, number).text)


@router.get("/bells/{number}")
def bell(request: Request, room: Reader, number: BellNumber) -> HTMLResponse:
    first, last = _range(room, number)
    alone = not room.door.now.options.deadlines
    void = any(issue.void for issue in _issues(room) if issue.number == number)
    over = room.door.now.status == "finished"
    where = bell_page.links(room.id, number, first, last, alone, void, over)
    letter, seats = room.door.letter, room.door.now.seats
    others = any(seat.letter != letter and not seat.standin for seat in seats)
    seated = bell_page.Seated(letter, room.door.zone, others) if letter else None
    to_desk = seated is not None or not room.door.is_gm
    html = _bell_page(ServicesKey(room.services), room.board, room.id, number, where, seated, to_desk)
    return HTMLResponse(bell_page.with_top(html, request, room.door))


def _range(room: Room, number: int) -> tuple[int, int]:
    """The first and the last issue there is; a campaign that was taken over does not begin with 1."""
    numbers = [issue.number for issue in _issues(room)]
    if number not in numbers:
        raise NotFound("bell", "There is no such issue.", "The archive lists those there are.")
    return numbers[-1], numbers[0]


@lru_cache(maxsize=128)
def _bell_page(
    key: ServicesKey,
    board: Board,
    campaign: str,
    number: int,
    where: Links,
    seated: bell_page.Seated | None,
    to_desk: bool,
) -> str:
    found = lookups.bell(key.services, campaign, number)
    return bell_page.page(board, found.json, where, seated, to_desk)


@router.get("/standings")
def standings(request: Request, room: Reader) -> HTMLResponse:
    now_at = room.door.now
    seen = [p for p in summaries.phases(room.services, room.id) if p.points]
    rows = [(game_date(p.turn, p.phase), p.points) for p in seen]
    charts = {side: points_chart(rows, now_at.names, side) for side in ("Red", "White")} if rows else {}
    opening = victory.standings(room.board, summaries.position(room.services, room.id)) if not rows else {}
    points = {letter: (p.red, p.white) for letter, p in opening.items()}
    dealt = points if any(map(any, points.values())) else {}
    return render(request, "standings.html", door=room.door, now_at=now_at, rows=rows, charts=charts, opening=dealt)


@router.get("/fairness")
def fairness(request: Request, room: Reader) -> HTMLResponse:
    now_at = room.door.now
    return render(request, "fairness.html", door=room.door, now_at=now_at)


@router.get("/feed.atom")
def feed(room: Reader) -> Response:
    home = f"{room.services.settings.base_url.rstrip('/')}/c/{room.id}"
    entries = [
        FeedEntry(
            title=f"#{issue.number} {said_of(issue.headline or issue.subject, issue.void)}",
            id=f"bells/{issue.number}",
            page=f"{home}/bells/{issue.number}",
            summary=game_date(issue.turn, issue.phase),
            updated=stamp(issue.published_at),
        )
        for issue in _issues(room)[:30]
    ]
    own = {"id": home, "address": f"{home}/feed.atom", "home": home}
    xml = render_feed(paper=room.door.paper, campaign=room.door.name, entries=entries, **own)
    return Response(xml, media_type="application/atom+xml")
