"""The Gamesmaster's page of seats: replacing, removing, the stand-in, readers and standbys, links and new keys."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import ticker
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.roles import GM
from gm.campaign.seats import holders
from gm.errors import NotFound
from gm.standin.strategy import Style
from gm.web.guard.access import WRITE, Gamesmaster, Room
from gm.web.guard.forms import Address, Letter, Line, Tick, back
from gm.web.guard.route import GuardedRoute
from gm.web.pages import render
from gm.web.routes.sign_in import mail_links

router = APIRouter(route_class=GuardedRoute, prefix="/gm/c/{campaign}", include_in_schema=False)


@router.get("/seats")
def seats(request: Request, room: Gamesmaster) -> HTMLResponse:
    state = lookups.state_for_gm(room.services, room.id)
    return render(
        request,
        "gm/seats.html",
        door=room.door,
        state=state,
        readers=holders.readers(room.services, room.id),
        styles=tuple(Style),
    )


def _seat(room: Room, letter: str) -> str:
    if letter not in {seat.letter for seat in lookups.state_for_gm(room.services, room.id).seats}:
        raise NotFound("seat", "There is no such seat.", "")
    return letter


def _back(request: Request, room: Room, words: str, **data: object) -> Response:
    return back(request, f"/gm/c/{room.id}/seats", words, **data)


@router.post("/seats/replace", dependencies=WRITE)
def replace(
    request: Request,
    room: Gamesmaster,
    letter: Letter,
    name: Line,
    address: Address,
    zone: Line = "UTC",
    reason: Line = "",
) -> Response:
    new = NewPlayer(name, address, zone or "UTC")
    holders.replace(room.services, room.id, _seat(room, letter), new, GM, reason)
    return _back(request, room, "replaced", name=name, letter=letter)


@router.post("/seats/remove", dependencies=WRITE)
def remove(request: Request, room: Gamesmaster, letter: Letter, reason: Line) -> Response:
    holders.remove(room.services, room.id, _seat(room, letter), reason, GM)
    return _back(request, room, "removed", letter=letter)


@router.post("/seats/standin", dependencies=WRITE)
def standin(request: Request, room: Gamesmaster, letter: Letter, on: Tick = False, style: Line = "") -> Response:
    holders.set_standin(room.services, room.id, _seat(room, letter), on, GM, style or None)
    ticker.tick(room.services, "web")
    return _back(request, room, "standin" if on else "standin-no-more", letter=letter)


@router.post("/seats/leave", dependencies=WRITE)
def leave(request: Request, room: Gamesmaster, letter: Letter, style: Line = "") -> Response:
    """The player goes, a stand-in has the seat until somebody takes it over."""
    holders.leave_to_standin(room.services, room.id, _seat(room, letter), style or None, GM)
    ticker.tick(room.services, "web")
    return _back(request, room, "left-to-standin", letter=letter)


@router.post("/seats/link", dependencies=WRITE)
def link(request: Request, room: Gamesmaster, letter: Letter) -> Response:
    """Send a new sign-in link to the player; the Gamesmaster never sees it."""
    seat = holders.seat_of(room.services, room.id, _seat(room, letter))
    mail_links(room.services, seat.address)
    return _back(request, room, "link-sent", name=seat.name)


@router.post("/seats/keys", dependencies=WRITE)
def new_keys(request: Request, room: Gamesmaster, letter: Letter) -> Response:
    """New keys for a player, or for the Gamesmaster; they are mailed to the holder and shown to nobody."""
    if letter == GM:
        holders.new_keys(room.services, room.id, GM, GM)
        return back(request, "/in", "new-keys")
    seat = holders.seat_of(room.services, room.id, _seat(room, letter))
    holders.new_keys(room.services, room.id, letter, GM)
    return _back(request, room, "new-keys-of", name=seat.name)


@router.post("/seats/reader", dependencies=WRITE)
def add(request: Request, room: Gamesmaster, name: Line, address: Address, standby: Tick = False) -> Response:
    new = NewPlayer(name, address)
    (holders.add_standby if standby else holders.add_reader)(room.services, room.id, new, GM)
    return _back(request, room, "listed", name=name)


@router.post("/seats/strike", dependencies=WRITE)
def strike(request: Request, room: Gamesmaster, address: Address) -> Response:
    if not holders.unsubscribe(room.services, room.id, address, GM):
        raise NotFound("reader", "Nobody on the list has this address.", "")
    return _back(request, room, "struck", address=address)
