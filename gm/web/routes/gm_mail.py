"""Mail as the Gamesmaster sees it: sent, failed, and the quarantine of what came in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Path, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import inbox, lookups, outbox
from gm.campaign.tokens import GM
from gm.errors import NotFound
from gm.web.access import Gamesmaster, Room, limit
from gm.web.forms import Letter, back
from gm.web.pages import render
from gm.web.served import Served

router = APIRouter(route_class=Served, prefix="/gm/c/{campaign}", include_in_schema=False)
WRITE = [Depends(limit("write"))]
Number = Annotated[int, Path(ge=1, le=2**53)]
FormNumber = Annotated[int, Form(ge=1, le=2**53)]


@router.get("/mail")
def mail(request: Request, room: Gamesmaster) -> HTMLResponse:
    state = lookups.state(room.services, room.id)
    return render(
        request,
        "gm/mail.html",
        door=room.door,
        state=state,
        zone=state.options.zone,
        mails=outbox.listing(room.services, room.id, None, 200),
        quarantine=inbox.quarantined(room.services, room.id),
        held=inbox.in_state(room.services, "held", room.id),
    )


@router.post("/mail/retry", dependencies=WRITE)
def retry(request: Request, room: Gamesmaster, number: FormNumber) -> Response:
    found = outbox.get(room.services, number)
    if found is None or found.campaign_id != room.id:
        raise NotFound("mail", "There is no such mail.", "")
    outbox.retry(room.services, number, GM)
    return back(request, f"/gm/c/{room.id}/mail", "mail-retry")


@router.get("/inbox/{number}")
def incoming(request: Request, room: Gamesmaster, number: Number) -> HTMLResponse:
    found = _incoming(room, number)
    raw = found.raw.decode("utf-8", "replace")
    seats = lookups.state(room.services, room.id).seats
    return render(request, "gm/inbox.html", door=room.door, mail=found, raw=raw[:40_000], seats=seats)


@router.post("/inbox/release", dependencies=WRITE)
def release(request: Request, room: Gamesmaster, number: FormNumber, letter: Letter = "") -> Response:
    _incoming(room, number)
    seats = {seat.letter for seat in lookups.state(room.services, room.id).seats}
    inbox.release(room.services, number, GM, letter if letter in seats else None)
    return back(request, f"/gm/c/{room.id}/mail", "mail-released")


def _incoming(room: Room, number: int) -> inbox.Inbound:
    found = inbox.get(room.services, number)
    # Mail that was taken is the player's own business: what it said is in his orders.
    if found.campaign != room.id or found.state not in ("quarantined", "held"):
        raise NotFound("mail", "There is no such mail here.", "")
    if found.letter and room.door.gm_plays:
        raise NotFound("mail", "A Gamesmaster who plays does not read the mail of other players.", "")
    return found
