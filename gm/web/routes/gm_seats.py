"""Seats: who holds them, replacing, removing, the stand-in, readers and standbys, links sent again."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import lookups, players, ticker
from gm.campaign.ports import NewPlayer
from gm.campaign.tokens import GM
from gm.errors import NotFound
from gm.web.access import Gamesmaster, Room, limit
from gm.web.forms import Address, Letter, Line, Tick, back
from gm.web.pages import render
from gm.web.routes.sign_in import mail_links
from gm.web.served import Served

router = APIRouter(route_class=Served, prefix="/gm/c/{campaign}", include_in_schema=False)
WRITE = [Depends(limit("write"))]


@router.get("/seats")
def seats(request: Request, room: Gamesmaster) -> HTMLResponse:
    state = lookups.state(room.services, room.id)
    return render(
        request, "gm/seats.html", door=room.door, state=state, standbys=players.standbys(room.services, room.id)
    )


def _seat(room: Room, letter: str) -> str:
    if letter not in {seat.letter for seat in lookups.state(room.services, room.id).seats}:
        raise NotFound("seat", "There is no such seat.", "")
    return letter


def _back(request: Request, room: Room, words: str, **data: object) -> Response:
    return back(request, f"/gm/c/{room.id}/seats", words, **data)


@router.post("/seats/replace", dependencies=WRITE)
def replace(
    request: Request, room: Gamesmaster, letter: Letter, name: Line, address: Address, zone: Line = "UTC"
) -> Response:
    players.replace(room.services, room.id, _seat(room, letter), NewPlayer(name, address, zone or "UTC"), GM)
    return _back(request, room, "replaced", name=name, letter=letter)


@router.post("/seats/remove", dependencies=WRITE)
def remove(request: Request, room: Gamesmaster, letter: Letter, reason: Line) -> Response:
    players.remove(room.services, room.id, _seat(room, letter), reason, GM)
    return _back(request, room, "removed", letter=letter)


@router.post("/seats/standin", dependencies=WRITE)
def standin(request: Request, room: Gamesmaster, letter: Letter, on: Tick = False) -> Response:
    players.set_standin(room.services, room.id, _seat(room, letter), on, GM)
    ticker.tick(room.services, "web")
    return _back(request, room, "standin" if on else "standin-no-more", letter=letter)


@router.post("/seats/link", dependencies=WRITE)
def link(request: Request, room: Gamesmaster, letter: Letter) -> Response:
    """A new sign-in link goes to the player himself; the Gamesmaster never sees it."""
    seat = players.seat_of(room.services, room.id, _seat(room, letter))
    mail_links(room.services, seat.address)
    return _back(request, room, "link-sent", name=seat.name)


@router.post("/seats/reader", dependencies=WRITE)
def add(request: Request, room: Gamesmaster, name: Line, address: Address, standby: Tick = False) -> Response:
    new = NewPlayer(name, address)
    (players.add_standby if standby else players.add_reader)(room.services, room.id, new, GM)
    return _back(request, room, "listed", name=name)
