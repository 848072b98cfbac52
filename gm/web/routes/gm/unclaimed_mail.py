"""For the keeper of the installation: mail that belongs to no campaign, or to one whose Gamesmaster plays."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign.mailbox import inbox
from gm.campaign.reads import lookups
from gm.campaign.roles import KEEPER
from gm.campaign.services import Services
from gm.errors import NotFound
from gm.web.guard.access import WRITE, Admin
from gm.web.guard.forms import FormRow, Line, RowNumber, back
from gm.web.guard.route import GuardedRoute
from gm.web.pages import render
from gm.web.routes.gm.mail import shown

router = APIRouter(route_class=GuardedRoute, prefix="/gm", include_in_schema=False)


def unclaimed(services: Services) -> list[inbox.InboxLine]:
    """What no Gamesmaster can look into."""
    aside = inbox.quarantined(services, None, 50) + inbox.in_state(services, "held", None, 50)
    return [slip for slip in aside if slip.campaign is None or _plays(services, slip.campaign)]


def _plays(services: Services, campaign: str) -> bool:
    return lookups.state(services, campaign).gm_letter is not None


@router.get("/inbox/{number}")
def incoming(request: Request, services: Admin, number: RowNumber) -> HTMLResponse:
    found = _one(services, number)
    raw = shown(found.raw[:200_000].decode("utf-8", "replace"))[:40_000]
    wanted = [line for line in lookups.overview(services) if line.status != "finished"]
    wanted = [line for line in wanted if found.campaign in (None, line.id)]
    seats = [(line, seat) for line in wanted for seat in lookups.state(services, line.id).seats if seat.held]
    return render(request, "gm/unclaimed_mail.html", mail=found, raw=raw, seats=seats)


@router.post("/inbox/release", dependencies=WRITE)
def release(request: Request, services: Admin, number: FormRow, seat: Line) -> Response:
    found = _one(services, number)
    campaign, _, letter = seat.rpartition("/")
    known = {s.letter for s in lookups.state(services, campaign).seats}
    if letter not in known or found.campaign not in (None, campaign):
        raise NotFound("seat", "There is no such seat.", "")
    inbox.release(services, number, KEEPER, letter, campaign)
    return back(request, "/gm", "mail-released")


def _one(services: Services, number: int) -> inbox.Inbound:
    if number not in {slip.id for slip in unclaimed(services)}:
        raise NotFound("mail", "There is no such mail here.", "")
    return inbox.get(services, number)
