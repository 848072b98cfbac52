"""A player's seat: accepting it, time zone, absence, extension, resigning, a token for programs, held mail."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import calendar, doors, inbox, intake, lifecycle, links, players
from gm.campaign.links import Purpose, Ticket
from gm.errors import Invalid, NotFound
from gm.web.access import Player, Room, limit
from gm.web.forms import Line, Text, Tick, back, normal
from gm.web.pages import render
from gm.web.served import Served
from gm.web.words import say

router = APIRouter(route_class=Served, prefix="/c/{campaign}", include_in_schema=False)
WRITE = [Depends(limit("write"))]
Day = Annotated[date, Form()]


@router.get("/seat")
def seat(request: Request, room: Player) -> HTMLResponse:
    return _page(request, room)


def _page(request: Request, room: Room, token: str = "") -> HTMLResponse:
    asked = [r for r in calendar.requests(room.services, room.id) if r.letter == room.letter]
    return render(
        request,
        "seat.html",
        door=room.door,
        now_at=room.door.now,
        requests=asked,
        versions=intake.versions(room.services, room.id, room.letter),
        token=token,
    )


@router.post("/accept", dependencies=WRITE)
def accept(request: Request, room: Player) -> Response:
    lifecycle.accept(room.services, room.id, room.letter)
    return back(request, f"/c/{room.id}/seat", "accepted")


@router.post("/zone", dependencies=WRITE)
def zone(request: Request, room: Player, zone: Line) -> Response:
    players.set_zone(room.services, room.id, room.letter, zone)
    return back(request, f"/c/{room.id}/seat", "zone", zone=zone)


@router.post("/absence", dependencies=WRITE)
def absence(request: Request, room: Player, start: Day, end: Day, note: Line = "", standin: Tick = False) -> Response:
    if end < start:
        raise Invalid("absence", "The absence ends before it begins.", "Go back and correct the dates.")
    calendar.absent(room.services, room.id, room.letter, start, end, note, standin)
    return back(request, f"/c/{room.id}/seat", "absence")


@router.post("/extension", dependencies=WRITE)
def extension(request: Request, room: Player, reason: Text) -> Response:
    calendar.ask_extension(room.services, room.id, room.letter, normal(reason)[:2000])
    return back(request, f"/c/{room.id}/seat", "extension")


@router.get("/resign")
def resign_page(request: Request, room: Player) -> HTMLResponse:
    return render(
        request,
        "confirm.html",
        door=room.door,
        title=say("confirm.resign"),
        lines=[say("confirm.resign-1"), say("confirm.resign-2")],
        quoted="",
        action=f"/c/{room.id}/resign",
        hidden={},
        button=say("confirm.resign-yes"),
        back=f"/c/{room.id}/desk",
        danger=True,
    )


@router.post("/resign", dependencies=WRITE)
def resign(request: Request, room: Player) -> Response:
    players.resign(room.services, room.id, room.letter)
    return back(request, f"/c/{room.id}", "resigned")


@router.post("/token", dependencies=WRITE)
def token(request: Request, room: Player) -> HTMLResponse:
    """Shown once, in the answer itself: never in an address, never stored."""
    mark = doors.fingerprint(room.services, room.id, room.letter) or ""
    made = links.sign(room.services, Ticket(Purpose.API, room.id, room.letter, mark))
    return _page(request, room, made)


@router.get("/held/{mail}")
def held(request: Request, room: Player, mail: int) -> HTMLResponse:
    found = _held(room, mail)
    return render(
        request,
        "confirm.html",
        door=room.door,
        title=say("confirm.held"),
        lines=[say("confirm.held-1"), say("confirm.held-2")],
        quoted=found.raw.decode("utf-8", "replace")[:4000],
        action=f"/c/{room.id}/held/{mail}",
        hidden={},
        button=say("confirm.held-yes"),
        back=f"/c/{room.id}/desk",
        danger=False,
    )


@router.post("/held/{mail}", dependencies=WRITE)
def release(request: Request, room: Player, mail: int) -> Response:
    _held(room, mail)
    inbox.release(room.services, mail, room.letter, room.letter)
    return back(request, f"/c/{room.id}/desk", "held-released")


def _held(room: Room, mail: int) -> inbox.Inbound:
    if not 0 < mail < 2**62:
        raise NotFound("mail", "There is no such mail.", "")
    found = inbox.get(room.services, mail)
    if (found.campaign, found.letter, found.state) != (room.id, room.letter, "held"):
        raise NotFound("mail", "There is no such mail waiting for you.", "")
    return found
