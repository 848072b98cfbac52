"""Signing in without passwords: a signed ticket from a mail is exchanged, by POST, for a session."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gm.campaign import doors, links, outbox, players
from gm.campaign.links import Purpose, Ticket
from gm.campaign.ports import Mail
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.errors import NotAllowed
from gm.web.access import Anybody, limit
from gm.web.errors import safe_next
from gm.web.forms import Address, Line, Token, back
from gm.web.mails import compose
from gm.web.pages import render
from gm.web.session import SeatKey, session_of
from gm.web.words import say

router = APIRouter(include_in_schema=False)
SEATED = (Purpose.SIGN_IN, Purpose.ACCEPT, Purpose.RESIGN, Purpose.ABSENT, Purpose.EXTEND, Purpose.CONFIRM)
TAKEN = (*SEATED, Purpose.READ, Purpose.UNSUBSCRIBE, Purpose.ADMIN)


@router.get("/in")
def page(request: Request, services: Anybody, next: str = "/") -> HTMLResponse:
    return render(request, "sign_in.html", next=safe_next(next))


@router.post("/in", dependencies=[Depends(limit("sign-in"))])
def exchange(request: Request, services: Anybody, token: Token, next: Line = "/") -> Response:
    ticket = links.read(services, token.rsplit("#", 1)[-1], *TAKEN)
    if ticket.purpose is Purpose.ADMIN:
        session_of(request).admin = str(ticket.data["address"])
        session_of(request).renew()
        return back(request, "/gm")
    if ticket.purpose is Purpose.READ:
        session_of(request).sit_down(SeatKey(ticket.campaign, "", str(ticket.data["address"])))
        return back(request, f"/c/{ticket.campaign}")
    if ticket.purpose is Purpose.UNSUBSCRIBE:
        return _confirm_unsubscribe(request, ticket, token)
    if doors.fingerprint(services, ticket.campaign, ticket.letter) != ticket.fingerprint:
        raise NotAllowed("link-void", "This link belongs to an earlier holder of the seat.", "Ask the Gamesmaster.")
    session_of(request).sit_down(SeatKey(ticket.campaign, ticket.letter, ticket.fingerprint))
    return RedirectResponse(_after(ticket, safe_next(next)), 303)


def _after(ticket: Ticket, wanted: str) -> str:
    base = f"/c/{ticket.campaign}"
    if ticket.purpose is Purpose.CONFIRM:
        return f"{base}/held/{int(ticket.data['inbox'])}"
    pages = {
        Purpose.ACCEPT: f"{base}/seat#accept",
        Purpose.RESIGN: f"{base}/resign",
        Purpose.ABSENT: f"{base}/seat#absence",
        Purpose.EXTEND: f"{base}/seat#extension",
    }
    if ticket.purpose in pages:
        return pages[ticket.purpose]
    if wanted != "/":
        return wanted
    return f"/gm/c/{ticket.campaign}" if ticket.letter == GM else f"{base}/desk"


def _confirm_unsubscribe(request: Request, ticket: Ticket, token: str) -> HTMLResponse:
    return render(
        request,
        "confirm.html",
        title=say("confirm.unsubscribe"),
        lines=[say("confirm.unsubscribe-1")],
        quoted="",
        action="/unsubscribe",
        hidden={"token": token.rsplit("#", 1)[-1]},
        button=say("confirm.unsubscribe-yes"),
        back="/",
        danger=False,
    )


@router.post("/unsubscribe", dependencies=[Depends(limit("sign-in"))])
def unsubscribe(request: Request, services: Anybody, token: Token) -> Response:
    ticket = links.read(services, token, Purpose.UNSUBSCRIBE)
    players.unsubscribe(services, ticket.campaign, str(ticket.data["address"]))
    return back(request, "/", "unsubscribed")


@router.post("/out")
def sign_out(request: Request, services: Anybody) -> Response:
    session_of(request).stand_up()
    return back(request, "/", "signed-out")


@router.post("/in/link", dependencies=[Depends(limit("link"))])
def send_link(request: Request, services: Anybody, address: Address) -> Response:
    """The answer is the same whether the address is known or not."""
    mail_links(services, address)
    return back(request, "/in", "links")


def mail_links(services: Services, address: str) -> None:
    address = address.lower()
    found = [
        (seat.campaign, seat.letter, ticket_url(services, Purpose.SIGN_IN, seat.campaign, seat.letter))
        for seat in players.seats_by_address(services, address)
        if seat.status not in ("quit", "removed")
    ]
    admins = {a.strip().lower() for a in services.settings.admins.split(",") if a.strip()}
    if address in admins:
        token = links.sign(services, Ticket(Purpose.ADMIN, data={"address": address}))
        found.append(("", "", links.url(services, token)))
    if not found:
        return
    subject, text = compose("links", seats=found, instance=services.settings.instance)
    # One mail a quarter of an hour to an address, however often somebody asks.
    quarter = int(services.clock.now().timestamp()) // 900
    key = f"links/{address}/{quarter}"
    outbox.queue(services, Mail(key, "links", address, address, subject, text))


def ticket_url(services: Services, purpose: Purpose, campaign: str, letter: str) -> str:
    mark = doors.fingerprint(services, campaign, letter) or ""
    return links.url(services, links.sign(services, Ticket(purpose, campaign, letter, mark)))
