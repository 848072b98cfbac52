"""The trying-out mode: sit down as anybody, see every mail, let the players of 1976 order for the others."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from gm.campaign import doors, lookups, outbox, players, publishing, way_in
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.errors import NotFound
from gm.store.mail_tables import Outbox
from gm.web import sample
from gm.web.access import TryingOut
from gm.web.forms import Letter, Line, back
from gm.web.mailframe import framed
from gm.web.pages import render
from gm.web.session import SeatKey, session_of

router = APIRouter(include_in_schema=False)
Number = Annotated[int, Path(ge=1, le=2**53)]


@router.get("/try")
def page(request: Request, services: TryingOut) -> HTMLResponse:
    campaigns = [lookups.state(services, line.id) for line in lookups.overview(services)]
    held = {(s.campaign, s.letter) for s in session_of(request).seats}
    return render(request, "try.html", campaigns=campaigns, held=held, sample_id=sample.CAMPAIGN)


@router.post("/try/sit")
def sit(request: Request, services: TryingOut, campaign: Line, letter: Letter) -> Response:
    mark = doors.fingerprint(services, campaign, letter)
    if mark is None:
        raise NotFound("seat", "There is no such seat.", "Choose one of those on the page.")
    session = session_of(request)
    session.stand_up()
    session.sit_down(SeatKey(campaign, letter, mark))
    if letter == GM:
        session.admin = "demo"
        return back(request, f"/gm/c/{campaign}", "sat-as-gm")
    return back(request, f"/c/{campaign}/desk", "sat", letter=letter)


@router.post("/try/others")
def others(request: Request, services: TryingOut) -> Response:
    """Play the orders of 1976 for everybody but the seats of this browser."""
    own = {s.letter for s in session_of(request).seats if s.campaign == sample.CAMPAIGN}
    letters = sample.play_for_others(services, own)
    return back(request, "/try", "others-filed" if letters else "nobody-missing", letters=", ".join(letters))


@router.post("/try/print")
def print_bell(request: Request, services: TryingOut) -> Response:
    """Print the draft at once, as the Gamesmaster would."""
    number = publishing.publish(services, sample.CAMPAIGN, GM)
    return back(request, f"/c/{sample.CAMPAIGN}/bells/{number}")


@router.get("/mailbox")
def mailbox(request: Request, services: TryingOut, to: str = "") -> HTMLResponse:
    mails = outbox.listing(services, None, None, 500)
    people = sorted({m.address for m in mails})
    shown = [m for m in mails if not to or m.address == to]
    return render(request, "mailbox.html", mails=shown, people=people, to=to)


@router.get("/mailbox/{number}")
def mail(request: Request, services: TryingOut, number: Number) -> HTMLResponse:
    return render(request, "mail.html", mail=_mail(services, number))


@router.get("/mailbox/{number}/html")
def mail_html(services: TryingOut, number: Number) -> Response:
    found = _mail(services, number)
    if not found.html:
        return PlainTextResponse(found.text)
    base = f"/mailbox/{number}"
    return framed(found.html, f"{base}/map.png", f"{base}/chart.png")


@router.get("/mailbox/{number}/{picture}.png")
def picture(services: TryingOut, number: Number, picture: str) -> Response:
    found = _mail(services, number)
    read = {"map": outbox.bell_png, "chart": outbox.bell_chart}.get(picture)
    data = read(services, found.campaign_id, found.bell) if read and found.bell and found.campaign_id else None
    if data is None:
        raise NotFound("picture", "That mail has no such picture.", "")
    return Response(data, media_type="image/png")


def _mail(services: Services, number: int) -> Outbox:
    """A mail as it would have gone out, with its reader's own link."""
    found = outbox.get(services, number)
    if found is None:
        raise NotFound("mail", "There is no such mail.", "")
    if found.campaign_id and found.letter and way_in.belongs(found.kind):
        token = players.seat_token(services, found.campaign_id, found.letter)
        url = way_in.link(services, found.campaign_id, found.letter, token, found.kind, found.created_at)
        found.text, found.html = way_in.under_text(found.text, url), way_in.under_html(found.html, url)
    return found
