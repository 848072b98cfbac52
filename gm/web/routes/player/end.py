"""How a game of one person ended, with the earlier games of the same address beside it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.solo import against_standins, solitaire
from gm.web.guard.access import PlayerSeat
from gm.web.guard.forms import back
from gm.web.guard.route import GuardedRoute
from gm.web.pages import render

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)


@router.get("/end")
def end(request: Request, room: PlayerSeat) -> Response:
    now_at = room.door.now
    if now_at.status != "finished":
        return back(request, f"/c/{room.id}/desk")
    latest = lookups.latest_bell(room.services, room.id)
    told = latest.json.get("bell", {}) if latest is not None else {}
    return _page(request, room, latest.number if latest is not None else 0, told)


def _page(request: Request, room: PlayerSeat, bell: int, told: dict[str, object]) -> HTMLResponse:
    address = holders.seat_of(room.services, room.id, room.letter).address
    position = lookups.state(room.services, room.id).position
    is_solitaire = position.solitaire is not None
    return render(
        request,
        "end.html",
        door=room.door,
        bell=bell,
        verdict=told.get("verdict", ""),
        standings=told.get("standings", []),
        game=solitaire.game(room.services, room.id) if is_solitaire else None,
        games=solitaire.games_of(room.services, address) if is_solitaire else (),
        campaigns=() if is_solitaire else against_standins.games_of(room.services, address),
    )
