"""The Gamesmaster's mail pages: sent and failed mail, and the quarantine of received mail."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign.mailbox import inbox, letters, outbox
from gm.campaign.reads import lookups
from gm.campaign.reads.metrics import figures_of
from gm.campaign.roles import GM
from gm.campaign.tokens import strike_secrets
from gm.errors import NotFound
from gm.web.guard.access import WRITE, Gamesmaster, Room
from gm.web.guard.forms import FormRow, Letter, RowNumber, Text, back, normal
from gm.web.guard.route import GuardedRoute
from gm.web.pages import render

router = APIRouter(route_class=GuardedRoute, prefix="/gm/c/{campaign}", include_in_schema=False)


@router.get("/mail")
def mail(request: Request, room: Gamesmaster) -> HTMLResponse:
    state = lookups.state_for_gm(room.services, room.id)
    return render(
        request,
        "gm/mail.html",
        door=room.door,
        state=state,
        zone=state.options.zone,
        mails=outbox.shown_to_gm(room.services, room.id, None, 200),
        quarantine=inbox.quarantined(room.services, room.id),
        unreadable=figures_of(room.services).unreadable,
        held=inbox.in_state(room.services, "held", room.id),
    )


@router.post("/announce", dependencies=WRITE)
def announce(request: Request, room: Gamesmaster, text: Text) -> Response:
    """A letter of the Gamesmaster to everybody who plays."""
    everybody = [seat.letter for seat in room.door.now.seats if seat.held and seat.letter != room.door.letter]
    letters.add_letter(room.services, room.id, GM, everybody, normal(text))
    return back(request, f"/gm/c/{room.id}/mail", "letter-sent", who=", ".join(everybody))


@router.post("/mail/retry", dependencies=WRITE)
def retry(request: Request, room: Gamesmaster, number: FormRow) -> Response:
    if not outbox.is_shown_to_gm(room.services, room.id, number):
        raise NotFound("mail", "There is no such mail.", "")
    outbox.retry(room.services, number, GM)
    return back(request, f"/gm/c/{room.id}/mail", "mail-retry")


@router.get("/inbox/{number}")
def incoming(request: Request, room: Gamesmaster, number: RowNumber) -> HTMLResponse:
    found = _incoming(room, number)
    raw = shown(found.raw[:200_000].decode("utf-8", "replace"))
    seats = lookups.state_for_gm(room.services, room.id).seats
    return render(request, "gm/inbox.html", door=room.door, mail=found, raw=raw[:40_000], seats=seats)


@router.post("/inbox/release", dependencies=WRITE)
def release(request: Request, room: Gamesmaster, number: FormRow, letter: Letter = "") -> Response:
    _incoming(room, number)
    seats = {seat.letter for seat in lookups.state_for_gm(room.services, room.id).seats}
    inbox.release(room.services, number, GM, letter if letter in seats else None)
    return back(request, f"/gm/c/{room.id}/mail", "mail-released")


_ENCODED = re.compile(r"(?:^[A-Za-z0-9+/=]{40,}\r?\n?){2,}", re.M)


def shown(raw: str) -> str:
    """A mail as it came, without what would let its reader act for the seat; what nobody can read is left out."""
    return strike_secrets(re.sub(r"=\r?\n", "", _ENCODED.sub("[...]\n", raw)))


def _incoming(room: Room, number: int) -> inbox.Inbound:
    found = inbox.get(room.services, number)
    # Mail that was taken is private to the player: what it said is in their orders.
    if found.campaign != room.id or found.state not in ("quarantined", "held"):
        raise NotFound("mail", "There is no such mail here.", "")
    if room.door.gm_plays:
        raise NotFound("mail", "A Gamesmaster who plays does not read the mail of other players.", "")
    return found
