"""The front page, how to play, the order language, the rulings, the page for programs."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from gm.campaign import doors, lookups
from gm.campaign.rulings import rulings
from gm.campaign.services import Services
from gm.orders.catalogue import CATALOGUE
from gm.web.access import Anybody, keys_of
from gm.web.pages import game_date, render
from gm.web.session import session_of

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class SeatLine:
    href: str
    name: str
    role: str
    at: str
    status: str

    @property
    def words(self) -> str:
        return f"{self.role} · {self.at} · {self.status}"


def seat_lines(request: Request, services: Services) -> list[SeatLine]:
    """The seats in this browser that still count."""
    found: list[SeatLine] = []
    lines = {line.id: line for line in lookups.overview(services)} if session_of(request).seats else {}
    for campaign in dict.fromkeys(s.campaign for s in session_of(request).seats):
        line = lines.get(campaign)
        door = doors.door(services, campaign, keys_of(request, campaign)) if line else None
        if line is None or door is None:
            continue
        at = game_date(line.turn, line.phase)
        if door.letter:
            found.append(SeatLine(f"/c/{campaign}/desk", door.name, f"Player {door.letter}", at, door.status))
        if door.is_gm:
            found.append(SeatLine(f"/gm/c/{campaign}", door.name, "Gamesmaster", at, door.status))
        if not door.letter and not door.is_gm and door.may_read:
            found.append(SeatLine(f"/c/{campaign}", door.name, "Reader", at, door.status))
    return found


@router.get("/")
def front(request: Request, services: Anybody) -> HTMLResponse:
    campaigns = [line for line in lookups.overview(services) if line.public]
    return render(request, "front.html", campaigns=campaigns, seats=seat_lines(request, services))


@router.get("/seats")
def seats(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "seats.html", seats=seat_lines(request, services))


@router.get("/how-to-play")
def how_to_play(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "how_to_play.html")


@router.get("/orders-help")
def orders_help(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "orders_help.html", catalogue=CATALOGUE)


@router.get("/rulings")
def rulings_page(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "rulings.html", rulings=rulings())


@router.get("/api")
def api_page(request: Request, services: Anybody) -> HTMLResponse:
    paths = request.app.openapi()["paths"]
    routes = [
        {"method": method.upper(), "path": path, "words": what.get("description", "").split("\n")[0]}
        for path, methods in sorted(paths.items())
        for method, what in methods.items()
    ]
    return render(request, "api.html", routes=routes, base_url=services.settings.base_url.rstrip("/"))
