"""Pages of the demo mode: sign in to any seat, see every mail, play for the others."""

from __future__ import annotations

from datetime import datetime, timedelta

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from gm.campaign.access import signin_footer
from gm.campaign.mailbox import addressee, outbox
from gm.campaign.phase import publishing
from gm.campaign.reads import bells, lookups
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.errors import NotFound
from gm.store.mail_tables import Outbox
from gm.web import sample
from gm.web.guard.access import TryingOut, sit_down
from gm.web.guard.forms import Letter, Line, RowNumber, Tick, back, tell
from gm.web.guard.session import session_of
from gm.web.mail_frame import framed
from gm.web.pages import render

router = APIRouter(include_in_schema=False)
SOON = timedelta(minutes=1)


@router.get("/try")
def page(request: Request, services: TryingOut) -> HTMLResponse:
    campaigns = [lookups.state(services, line.id) for line in lookups.overview(services)]
    held = {(s.campaign, s.letter) for s in session_of(request).seats}
    soon = services.clock.now() + SOON
    closing = {c.id for c in campaigns if c.phase_state == "sealed" or _closes(c, soon)}
    about = next((c for c in campaigns if c.id == sample.CAMPAIGN), None)
    return render(
        request, "try.html", campaigns=campaigns, held=held, sample=about, sample_id=sample.CAMPAIGN, closing=closing
    )


def _closes(campaign: lookups.CampaignState, soon: datetime) -> bool:
    """Whether everybody is ready, and the Phase only waits to be closed."""
    due = campaign.deadline if campaign.full_deadline is not None else None
    return campaign.phase_state == "open" and campaign.status == "running" and due is not None and due <= soon


@router.post("/try/sit")
def sit(request: Request, services: TryingOut, campaign: Line, letter: Letter, new: Tick = False) -> Response:
    """`new`: to begin another campaign as the Gamesmaster."""
    if not sit_down(request, campaign, letter, leave_others=True):
        raise NotFound("seat", "There is no such seat.", "Choose one of those on the page.")
    if letter == GM:
        session_of(request).admin = "demo"
        return back(request, "/gm/new" if new else f"/gm/c/{campaign}", "sat-as-gm")
    return back(request, f"/c/{campaign}/desk", "sat", letter=letter)


@router.post("/try/others")
def others(request: Request, services: TryingOut) -> Response:
    """Play for everybody but the seats of this browser."""
    own = {s.letter for s in session_of(request).seats if s.campaign == sample.CAMPAIGN}
    done = sample.play_for_others(services, own)
    state = lookups.state(services, sample.CAMPAIGN)
    waited = [s.name for s in state.seats if s.letter in own and not s.ready] if state.phase_state == "open" else []
    if done.filed:
        tell(request, "others-played" if done.standins else "others-filed", letters=", ".join(done.filed))
    if done.readied:
        tell(request, "others-readied", letters=", ".join(done.readied))
    if not done.filed and not done.readied:
        tell(request, "nobody-missing")
    if waited:
        tell(request, "others-wait", kind="warn", names=", ".join(waited))
    if state.phase_state == "adjudicated":
        tell(request, "others-print")
    return back(request, "/try")


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
def mail(request: Request, services: TryingOut, number: RowNumber) -> HTMLResponse:
    return render(request, "mail.html", mail=_mail(services, number))


@router.get("/mailbox/{number}/html")
def mail_html(services: TryingOut, number: RowNumber) -> Response:
    found = _mail(services, number)
    if not found.html:
        return PlainTextResponse(found.text)
    base = f"/mailbox/{number}"
    return framed(found.html, f"{base}/map.png", f"{base}/chart.png")


@router.get("/mailbox/{number}/{picture}.png")
def picture(services: TryingOut, number: RowNumber, picture: str) -> Response:
    found = _mail(services, number)
    read = {"map": bells.bell_png, "chart": bells.bell_chart}.get(picture)
    data = read(services, found.campaign_id, found.bell) if read and found.bell and found.campaign_id else None
    if data is None:
        raise NotFound("picture", "That mail has no such picture.", "")
    return Response(data, media_type="image/png")


def _mail(services: Services, number: int) -> Outbox:
    """A mail as it would have gone out, with its reader's own link."""
    found = outbox.get(services, number)
    if found is None:
        raise NotFound("mail", "There is no such mail.", "")
    if found.campaign_id and found.letter and signin_footer.belongs(found.kind):
        token = addressee.keys_for(services, found.campaign_id, found.letter, found.address)
        if token is None:
            return found
        url = signin_footer.link(services, found.campaign_id, found.letter, token, found.kind, found.created_at)
        found.text = signin_footer.under_text(found.text, url, found.kind)
        found.html = signin_footer.under_html(found.html, url, found.kind)
    return found
