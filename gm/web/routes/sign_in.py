"""Signing in without passwords: a signed ticket from a mail is exchanged, by POST, for a session."""

from __future__ import annotations

from urllib.parse import unquote

from fastapi import APIRouter, Depends, Request
from starlette.background import BackgroundTask
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gm.campaign import keys
from gm.campaign.access import callers, links
from gm.campaign.access.ended_sessions import keeper_mark
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import outbox
from gm.campaign.notices import render_notice
from gm.campaign.ports import Mail
from gm.campaign.roles import GM
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import NotAllowed
from gm.web.errors import safe_next
from gm.web.guard.access import Anybody, limit
from gm.web.guard.forms import Address, Line, Tick, Token, back
from gm.web.guard.session import SeatKey, session_of
from gm.web.pages import render
from gm.web.routes import single_player
from gm.web.wording import say

router = APIRouter(include_in_schema=False)
SEATED = (
    Purpose.SIGN_IN,
    Purpose.ACCEPT,
    Purpose.RESIGN,
    Purpose.LEAVE,
    Purpose.ABSENT,
    Purpose.EXTEND,
    Purpose.CONFIRM,
)
TAKEN = (*SEATED, Purpose.READ, Purpose.UNSUBSCRIBE, Purpose.ADMIN, Purpose.ALONE)


@router.get("/in")
def page(request: Request, services: Anybody, next: str = "/") -> HTMLResponse:
    return render(request, "sign_in.html", next=safe_next(next))


@router.post("/in", dependencies=[Depends(limit("sign-in"))])
def exchange(request: Request, services: Anybody, token: Token, next: Line = "/", instead: Tick = False) -> Response:
    """`instead`: of the seat of the same campaign that the browser is signed in to."""
    token = _pasted(token)
    ticket = links.read(services, token, *TAKEN)
    if ticket.purpose is Purpose.ADMIN:
        address = str(ticket.data["address"])
        if ticket.fingerprint != keeper_mark(services, address):
            raise NotAllowed("link-void", "This link has been ended.", "Ask for a new one.")
        session_of(request).keep(address, ticket.fingerprint)
        return back(request, "/gm")
    if ticket.purpose is Purpose.ALONE:
        return single_player.follow(request, services, token.rsplit("#", 1)[-1], ticket.data)
    if ticket.purpose is Purpose.READ:
        session_of(request).sit_down(SeatKey(ticket.campaign, "", str(ticket.data["address"])))
        return back(request, f"/c/{ticket.campaign}")
    if ticket.purpose is Purpose.UNSUBSCRIBE:
        return _confirm_unsubscribe(request, ticket, token)
    if callers.fingerprint(services, ticket.campaign, ticket.letter) != ticket.fingerprint:
        raise NotAllowed("link-void", "This link belongs to an earlier holder of the seat.", "Ask the Gamesmaster.")
    seat = SeatKey(ticket.campaign, ticket.letter, ticket.fingerprint)
    if not instead and (held := _held(request, services, seat)) is not None:
        return _confirm_other_seat(request, services, held, seat, token, next)
    session_of(request).sit_down(seat)
    return RedirectResponse(_after(ticket, safe_next(next)), 303)


def _held(request: Request, services: Services, seat: SeatKey) -> SeatKey | None:
    """Another seat of the same campaign, whose keys are good: a link may be somebody else's, sent to be followed."""
    rivals = session_of(request).rivals(seat)
    return next((s for s in rivals if callers.fingerprint(services, s.campaign, s.letter) == s.fingerprint), None)


def _confirm_other_seat(
    request: Request, services: Services, held: SeatKey, seat: SeatKey, token: str, next: str
) -> HTMLResponse:
    facts = {
        "held": f"{holders.seat_of(services, held.campaign, held.letter).name} ({held.letter})",
        "other": f"{holders.seat_of(services, seat.campaign, seat.letter).name} ({seat.letter})",
    }
    return render(
        request,
        "confirm.html",
        title=say("confirm.other-seat"),
        lines=[say("confirm.other-seat-1", **facts), say("confirm.other-seat-2", **facts)],
        quoted="",
        action="/in",
        hidden={"token": token, "next": safe_next(next), "instead": "true"},
        button=say("confirm.other-seat-yes", **facts),
        back=f"/c/{held.campaign}/desk",
        danger=True,
    )


def _pasted(link: str) -> str:
    """The ticket in a link as people copy it: whole, in angle brackets, or broken by a mail program."""
    return unquote("".join(link.rsplit("#", 1)[-1].split()).strip("<>\"'"))


def _after(ticket: Ticket, wanted: str) -> str:
    base = f"/c/{ticket.campaign}"
    if ticket.purpose is Purpose.CONFIRM:
        return f"{base}/held/{int(ticket.data['inbox'])}"
    pages = {
        Purpose.ACCEPT: f"{base}/seat#accept",
        Purpose.RESIGN: f"{base}/resign",
        Purpose.LEAVE: f"{base}/leave",
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
        hidden={"token": token},
        button=say("confirm.unsubscribe-yes"),
        back="/",
        danger=False,
    )


@router.post("/unsubscribe", dependencies=[Depends(limit("sign-in"))])
def unsubscribe(request: Request, services: Anybody, token: Token) -> Response:
    ticket = links.read(services, token, Purpose.UNSUBSCRIBE)
    holders.unsubscribe(services, ticket.campaign, str(ticket.data["address"]))
    return back(request, "/", "unsubscribed")


@router.post("/out", dependencies=[Depends(limit("sign-in"))])
def sign_out(request: Request, services: Anybody) -> Response:
    session_of(request).stand_up()
    answer = back(request, "/", "signed-out")
    answer.headers["Clear-Site-Data"] = '"cache"'  # pictures of a closed campaign are kept for speed
    return answer


@router.post("/in/link", dependencies=[Depends(limit("link"))])
def send_link(request: Request, services: Anybody, address: Address) -> Response:
    """The answer is the same whether the address is known or not, and takes as long: the work comes after it."""
    answer = back(request, "/in", "links")
    answer.background = BackgroundTask(mail_links, services, address)
    return answer


def mail_links(services: Services, address: str) -> None:
    address = address.lower()
    found = [
        (seat.campaign, seat.letter, ticket_url(services, Purpose.SIGN_IN, seat.campaign, seat.letter))
        for seat in holders.seats_by_address(services, address)
        if seat.status not in ("quit", "removed")
    ]
    if address in services.settings.keepers:
        ticket = Ticket(Purpose.ADMIN, fingerprint=keeper_mark(services, address), data={"address": address})
        found.append(("", "", links.url(services, links.sign(services, ticket))))
    if not found:
        return
    subject, text = render_notice("links", seats=found, instance=services.settings.instance)
    quarter = keys.quarter_of_an_hour(services.clock.now())
    key = keys.once("links", address, quarter)
    outbox.queue(services, Mail(key, "links", address, address, subject, text))


def ticket_url(services: Services, purpose: Purpose, campaign: str, letter: str) -> str:
    mark = callers.fingerprint(services, campaign, letter) or ""
    return links.url(services, links.sign(services, Ticket(purpose, campaign, letter, mark)))
