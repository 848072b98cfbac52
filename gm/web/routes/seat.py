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

router = APIRouter(prefix="/c/{campaign}", include_in_schema=False)
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
    return back(request, f"/c/{room.id}/seat", "The seat is yours. The first Bell will tell what you were dealt.")


@router.post("/zone", dependencies=WRITE)
def zone(request: Request, room: Player, zone: Line) -> Response:
    players.set_zone(room.services, room.id, room.letter, zone)
    return back(request, f"/c/{room.id}/seat", f"Deadlines are now told in {zone}.")


@router.post("/absence", dependencies=WRITE)
def absence(request: Request, room: Player, start: Day, end: Day, note: Line = "", standin: Tick = False) -> Response:
    if end < start:
        raise Invalid("absence", "The absence ends before it begins.", "Go back and correct the dates.")
    calendar.absent(room.services, room.id, room.letter, start, end, note, standin)
    return back(request, f"/c/{room.id}/seat", "The Gamesmaster has been told.")


@router.post("/extension", dependencies=WRITE)
def extension(request: Request, room: Player, reason: Text) -> Response:
    calendar.ask_extension(room.services, room.id, room.letter, normal(reason)[:2000])
    return back(request, f"/c/{room.id}/seat", "The Gamesmaster has been asked. Until he answers the deadline stands.")


@router.get("/resign")
def resign_page(request: Request, room: Player) -> HTMLResponse:
    return render(
        request,
        "confirm.html",
        door=room.door,
        title="Leave the campaign?",
        lines=[
            "Your Leaders and their units stay where they are. They never move or attack again, and still defend.",
            "The Gamesmaster may find somebody to take your seat until the Phase is worked out.",
        ],
        quoted="",
        action=f"/c/{room.id}/resign",
        hidden={},
        button="Yes, I resign",
        back=f"/c/{room.id}/desk",
        danger=True,
    )


@router.post("/resign", dependencies=WRITE)
def resign(request: Request, room: Player) -> Response:
    players.resign(room.services, room.id, room.letter)
    return back(request, f"/c/{room.id}", "You have resigned. Thank you for playing.")


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
        title="Did you send this?",
        lines=[
            "A mail came from your address, but without the secret part of the reply address.",
            "It counts once you say that it is yours.",
        ],
        quoted=found.raw.decode("utf-8", "replace")[:4000],
        action=f"/c/{room.id}/held/{mail}",
        hidden={},
        button="Yes, take it",
        back=f"/c/{room.id}/desk",
        danger=False,
    )


@router.post("/held/{mail}", dependencies=WRITE)
def release(request: Request, room: Player, mail: int) -> Response:
    _held(room, mail)
    inbox.release(room.services, mail, room.letter, room.letter)
    return back(request, f"/c/{room.id}/desk", "Your mail is being read now; the receipt follows by mail.")


def _held(room: Room, mail: int) -> inbox.Inbound:
    if not 0 < mail < 2**62:
        raise NotFound("mail", "There is no such mail.", "")
    found = inbox.get(room.services, mail)
    if (found.campaign, found.letter, found.state) != (room.id, room.letter, "held"):
        raise NotFound("mail", "There is no such mail waiting for you.", "")
    return found
