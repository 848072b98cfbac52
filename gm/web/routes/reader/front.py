"""The front page, how to play, the order language, the rulings, the page about the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from gm.board.load import standard_board
from gm.campaign.access import callers
from gm.campaign.mailbox import letters
from gm.campaign.reads import lookups, summaries
from gm.campaign.reads.rulings import rules, rulings
from gm.campaign.seats import proposals
from gm.campaign.services import Services
from gm.gamedate import game_date
from gm.orders.kinds.catalogue import CATALOGUE
from gm.position import Phase
from gm.web import primer, sample
from gm.web.guard.access import Anybody, keys_of
from gm.web.guard.session import session_of
from gm.web.pages import render

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class SeatLine:
    href: str
    name: str
    role: str
    at: str
    status: str
    zone: str = "UTC"
    deadline: datetime | None = None  # of an open Phase
    version: int = 0  # of a player's orders on file; 0: none
    ready: bool = False
    awaited: bool = False  # a Phase is open in which this player may order
    unread: int = 0  # letters
    letters: str = ""  # where they are
    asked: int = 0  # proposals that wait for this player's answer


def seat_lines(request: Request, services: Services) -> list[SeatLine]:
    """The seats in this browser that still count."""
    found: list[SeatLine] = []
    lines = {line.id: line for line in lookups.overview(services)} if session_of(request).seats else {}
    for campaign in dict.fromkeys(s.campaign for s in session_of(request).seats):
        line = lines.get(campaign)
        door = callers.door(services, campaign, keys_of(request, campaign)) if line else None
        if line is None or door is None:
            continue
        at = game_date(line.turn, line.phase)
        if door.letter:
            found.append(_own_seat(services, door, door.letter, at))
        if door.is_gm:
            found.append(SeatLine(f"/gm/c/{campaign}", door.name, "Gamesmaster", at, door.status))
        if not door.letter and not door.is_gm and door.may_read:
            found.append(SeatLine(f"/c/{campaign}", door.name, "Reader", at, door.status))
    return found


def _own_seat(services: Services, door: callers.Access, letter: str, at: str) -> SeatLine:
    """A player's seat with what there is to do: deadline, what is on file, unread letters."""
    now_at = door.now
    desk = summaries.desk(services, now_at, letter) if now_at.is_open else None
    return SeatLine(
        f"/c/{door.campaign}/desk",
        door.name,
        f"Player {letter}",
        at,
        door.status,
        door.zone,
        now_at.due,
        desk.orders.version if desk is not None and desk.orders is not None else 0,
        desk is not None and desk.ready,
        now_at.is_open,
        letters.unread(services, door.campaign, letter),
        f"/c/{door.campaign}/letters",
        proposals.asked(services, door.campaign, letter) if now_at.is_open else 0,
    )


def _table_of_1976(services: Services) -> dict[str, Any]:
    """Where the table for trying out stands, and whether that is still its beginning."""
    lines = lookups.overview(services) if services.settings.demo else []
    found = next((line for line in lines if line.id == sample.CAMPAIGN), None)
    return {"sample": found, "sample_begins": found is None or (found.turn, found.phase) == (1, Phase.FIRST)}


@router.get("/")
def front(request: Request, services: Anybody) -> HTMLResponse:
    campaigns = [line for line in lookups.overview(services) if line.public]
    return render(
        request,
        "front.html",
        campaigns=campaigns,
        seats=seat_lines(request, services),
        sample_id=sample.CAMPAIGN,
        **_table_of_1976(services),
    )


@router.get("/seats")
def seats(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "seats.html", seats=seat_lines(request, services))


@router.get("/how-to-play")
def how_to_play(request: Request, services: Anybody) -> HTMLResponse:
    return render(
        request,
        "how_to_play.html",
        tables=standard_board().tables,
        glossary=sorted(primer.glossary().items(), key=lambda pair: pair[0].lower()),
        worked=primer.worked(),
        **_table_of_1976(services),
    )


@router.get("/orders-help")
def orders_help(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "orders_help.html", catalogue=CATALOGUE)


@router.get("/codes")
def codes(request: Request, services: Anybody) -> HTMLResponse:
    """All codes of the standard board: provinces, nations, counters."""
    return render(request, "codes.html", board=standard_board(), counters=primer.counters())


@router.get("/rulings")
def rulings_page(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "rulings.html", rulings=rulings())


@router.get("/rules")
def rules_page(request: Request, services: Anybody) -> HTMLResponse:
    return render(request, "rules.html", rules=rules())


@router.get("/api")
def api_page(request: Request, services: Anybody) -> HTMLResponse:
    paths = request.app.openapi()["paths"]
    routes = [
        {"method": method.upper(), "path": path, "words": what.get("description", "").split("\n")[0]}
        for path, methods in sorted(paths.items())
        for method, what in methods.items()
    ]
    return render(request, "api.html", routes=routes, base_url=services.settings.base_url.rstrip("/"))
