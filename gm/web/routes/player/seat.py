"""The page of a player's seat: accepting it, time zone, absence, more time, resigning, tokens and keys, held mail."""

from __future__ import annotations

from datetime import date
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign.access import links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import inbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.reads import summaries
from gm.campaign.seats import holders
from gm.errors import Invalid, NotFound
from gm.web.guard.access import WRITE, PlayerSeat, Room
from gm.web.guard.forms import Line, RowNumber, Text, Tick, back, normal
from gm.web.guard.route import GuardedRoute
from gm.web.pages import render
from gm.web.wording import say

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)
Day = Annotated[date, Form()]
AnyDay = Annotated[date | None, Form()]


@router.get("/seat")
def seat(request: Request, room: PlayerSeat) -> HTMLResponse:
    return _page(request, room)


def _page(request: Request, room: Room, token: str = "") -> HTMLResponse:
    asked = [r for r in deadlines.requests(room.services, room.id) if r.letter == room.letter]
    return render(
        request,
        "seat.html",
        door=room.door,
        now_at=room.door.now,
        requests=asked,
        found=summaries.desk(room.services, room.door.now, room.letter) if room.door.now.is_open else None,
        token=token,
    )


@router.post("/accept", dependencies=WRITE)
def accept(request: Request, room: PlayerSeat) -> Response:
    creation.accept(room.services, room.id, room.letter)
    return back(request, f"/c/{room.id}/seat", "accepted")


@router.post("/decline", dependencies=WRITE)
def decline(request: Request, room: PlayerSeat, note: Line = "") -> Response:
    creation.decline(room.services, room.id, room.letter, note)
    return back(request, "/", "declined")


@router.post("/zone", dependencies=WRITE)
def zone(request: Request, room: PlayerSeat, zone: Line) -> Response:
    holders.set_zone(room.services, room.id, room.letter, zone)
    return back(request, f"/c/{room.id}/seat", "zone", zone=zone)


@router.post("/absence", dependencies=WRITE)
def absence(
    request: Request, room: PlayerSeat, end: Day, start: AnyDay = None, note: Line = "", standin: Tick = False
) -> Response:
    """From today on, if nothing else is said."""
    today = room.services.clock.now().astimezone(ZoneInfo(room.door.zone)).date()
    start = start or today
    if end < start:
        raise Invalid("absence", "The absence ends before it begins.", "Go back and correct the dates.")
    deadlines.absent(room.services, room.id, room.letter, start, end, note, standin)
    return back(request, f"/c/{room.id}/seat", "played-for" if standin else "absence", end=f"{end.day} {end:%B}")


@router.post("/extension", dependencies=WRITE)
def extension(request: Request, room: PlayerSeat, reason: Text) -> Response:
    deadlines.ask_extension(room.services, room.id, room.letter, normal(reason)[:2000])
    return back(request, f"/c/{room.id}/seat", "extension")


@router.get("/resign")
def resign_page(request: Request, room: PlayerSeat) -> HTMLResponse:
    return _confirm(request, room, "resign", "desk")


@router.get("/leave")
def leave_page(request: Request, room: PlayerSeat) -> HTMLResponse:
    return _confirm(request, room, "leave", "seat")


@router.post("/leave", dependencies=WRITE)
def leave(request: Request, room: PlayerSeat) -> Response:
    holders.leave_to_standin(room.services, room.id, room.letter)
    return back(request, "/", "left")


@router.post("/resign", dependencies=WRITE)
def resign(request: Request, room: PlayerSeat) -> Response:
    holders.resign(room.services, room.id, room.letter)
    return back(request, f"/c/{room.id}", "resigned")


@router.post("/token", dependencies=WRITE)
def token(request: Request, room: PlayerSeat) -> HTMLResponse:
    """Shown once, in the answer itself: never in an address, never stored."""
    made = links.sign(room.services, Ticket(Purpose.API, room.id, room.letter, room.keys))
    return _page(request, room, made)


@router.post("/keys", dependencies=WRITE)
def new_keys(request: Request, room: PlayerSeat) -> Response:
    """Everything that opened the seat ends, this browser's cookie too; the new link goes to the player's mailbox."""
    holders.new_keys(room.services, room.id, room.letter, room.letter)
    return back(request, "/in", "new-keys")


@router.get("/held/{mail}")
def held(request: Request, room: PlayerSeat, mail: RowNumber) -> HTMLResponse:
    _held(room, mail)
    return render(
        request,
        "confirm.html",
        door=room.door,
        title=say("confirm.held"),
        lines=[say("confirm.held-1"), say("confirm.held-2")],
        quoted=inbox.held_words(room.services, mail),
        action=f"/c/{room.id}/held/{mail}",
        hidden={},
        button=say("confirm.held-yes"),
        back=f"/c/{room.id}/desk",
        danger=False,
    )


@router.post("/held/{mail}", dependencies=WRITE)
def release(request: Request, room: PlayerSeat, mail: RowNumber) -> Response:
    _held(room, mail)
    inbox.release(room.services, mail, room.letter, room.letter)
    return back(request, f"/c/{room.id}/desk", "held-released")


def _held(room: Room, mail: int) -> None:
    found = inbox.get(room.services, mail)
    if (found.campaign, found.letter, found.state) != (room.id, room.letter, "held"):
        raise NotFound("mail", "There is no such mail waiting for you.", "")


def _confirm(request: Request, room: PlayerSeat, what: str, back: str) -> HTMLResponse:
    return render(
        request,
        "confirm.html",
        door=room.door,
        title=say(f"confirm.{what}"),
        lines=[say(f"confirm.{what}-1"), say(f"confirm.{what}-2")],
        quoted="",
        action=f"/c/{room.id}/{what}",
        hidden={},
        button=say(f"confirm.{what}-yes"),
        back=f"/c/{room.id}/{back}",
        danger=True,
    )
