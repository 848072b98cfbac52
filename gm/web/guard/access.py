"""Access control: who the caller is and what they may see, and the check against CSRF. Every route names one of these
rules; a test checks it.

A campaign that somebody may not read answers as if it did not exist.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from gm.board.model import Board
from gm.campaign.access import callers, links
from gm.campaign.access.callers import Access, Credential
from gm.campaign.access.networks import network
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.errors import GmError, NotAllowed, NotFound
from gm.web.guard.limits import Limiter
from gm.web.guard.route import LetIn
from gm.web.guard.session import SeatKey, Session, Sessions, session_of
from gm.web.wording import say


class SignInFirst(Exception):
    """A page that needs a seat was asked for without a sign-in."""


class TooOften(Exception):
    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Room:
    """One caller in one campaign."""

    services: Services
    door: Access
    session: Session

    @property
    def id(self) -> str:
        return self.door.campaign

    @property
    def letter(self) -> str:
        assert self.door.letter is not None
        return self.door.letter

    @property
    def board(self) -> Board:
        """The board that the campaign is played on."""
        return self.door.now.board

    def working_as(self, letter: str) -> Room:
        """What is done from here on is done only while the keys of this seat are those that were just shown."""
        return replace(self, services=self.services.working_for(self.door.claim(letter)))

    @property
    def keys(self) -> str:
        """The fingerprint of the keys by which the caller was let in, not of newer ones."""
        claim = self.services.claim
        assert claim is not None
        return callers.fingerprint_of(self.services, self.id, claim.letter, claim.generation)

    @property
    def actor(self) -> str:
        """How the audit log names the caller."""
        return "GM" if self.door.is_gm else self.door.letter or "reader"


def services_of(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


def client_of(request: Request) -> str:
    """The address that limits are counted by; behind a proxy of ours, the one that it wrote down."""
    host = request.client.host[:64] if request.client else "?"
    return network(host) if ":" in host else host


def limit(kind: str) -> Callable[[Request], Awaitable[None]]:
    async def counted(request: Request) -> None:  # waits for nothing, so it needs no thread
        limiter: Limiter = request.app.state.limiter
        wait = limiter.take(kind, client_of(request))
        if wait:
            raise TooOften(wait)

    return counted


PATIENCE = 10.0  # seconds for which a request waits for others of its caller
A_MOMENT = 0.02


async def begin(request: Request, kind: str, caller: str, patience: float) -> None:
    """Take one of the places for what runs at once; waiting holds no thread. `Limiter.end` gives it back."""
    limiter: Limiter = request.app.state.limiter
    end = time.monotonic() + patience
    while not limiter.begin(kind, caller):
        if time.monotonic() >= end:
            raise TooOften(1)
        await asyncio.sleep(A_MOMENT)


def limit_costly(kind: str, patience: float = 0.0) -> Callable[[Request], AsyncIterator[None]]:
    """For what may take long: limited in number a minute, and in how many run at once, of one caller and of one seat,
    from wherever it is asked."""

    async def counted(request: Request) -> AsyncIterator[None]:
        limiter: Limiter = request.app.state.limiter
        callers_here = (client_of(request), *_seats_here(request))
        for caller in callers_here:
            if wait := limiter.take(kind, caller):
                raise TooOften(wait)
        begun: list[str] = []
        try:
            for caller in callers_here:
                await begin(request, kind, caller, patience)
                begun.append(caller)
            yield
        finally:
            for caller in begun:
                limiter.end(kind, caller)

    return counted


def _seats_here(request: Request) -> list[str]:
    """The caller's seats in the campaign of the address, as their cookie or token says: not looked up."""
    campaign = request.path_params.get("campaign", "")
    return [f"{campaign}/{key.letter}/{key.fingerprint}" for key in keys_of(request, campaign)]


WRITE = [Depends(limit_costly("write", PATIENCE))]  # of a route that changes something


def bearer(request: Request) -> str | None:
    """A program's token; pages are for people and know only cookies."""
    if not request.url.path.startswith("/api/"):
        return None
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def keys_of(request: Request, campaign: str) -> list[Credential]:
    """The caller's credentials for a campaign: from their cookie, or from a program's token."""
    token = bearer(request)
    if token is not None:
        try:
            ticket = links.read(services_of(request), token, links.Purpose.API)
        except NotAllowed:
            raise Unauthorised("token", say("wrong.token"), say("wrong.token-hint")) from None
        return [Credential(ticket.letter, ticket.fingerprint)] if ticket.campaign == campaign else []
    return [Credential(s.letter, s.fingerprint) for s in session_of(request).seats if s.campaign == campaign]


def enter(request: Request, campaign: str) -> Room:
    keys = keys_of(request, campaign)
    services = services_of(request)
    found = callers.door(services, campaign, keys) if len(campaign) <= 80 else None
    if found is None:
        raise no_such(campaign)
    if keys and bearer(request) is not None and not found.known:  # its seat has new keys
        raise Unauthorised("token", say("wrong.token"), say("wrong.token-hint"))
    return Room(services, found, session_of(request))


def no_such(campaign: str) -> NotFound:
    return NotFound("campaign", say("wrong.no-campaign"), say("wrong.no-campaign-hint"), campaign=campaign)


def anybody(request: Request) -> Services:
    """Open to all."""
    return services_of(request)


def reader(request: Request, campaign: str) -> Room:
    """Whoever may read the campaign: everyone if it is public, else those who belong to it."""
    room = enter(request, campaign)
    if not room.door.may_read:
        raise no_such(campaign)
    return room


def player(request: Request, campaign: str) -> Room:
    """Who holds a seat in the campaign."""
    _sign_in_first(request)
    room = enter(request, campaign)
    if room.door.letter is None:
        raise _refusal(room, say("wrong.players-only"))
    return room.working_as(room.letter)


def gamesmaster(request: Request, campaign: str) -> Room:
    """The Gamesmaster of the campaign."""
    _sign_in_first(request)
    room = enter(request, campaign)
    if not room.door.is_gm:
        raise _refusal(room, say("wrong.gamesmaster-only"))
    return room.working_as(GM)


def any_gamesmaster(request: Request) -> Services:
    """The Gamesmaster of any campaign here, or the administrator."""
    if is_any_gamesmaster(request):
        return services_of(request)
    _sign_in_first(request)
    raise NotAllowed("role", "Only Gamesmasters come in here.", "Ask whoever keeps this installation.")


def is_any_gamesmaster(request: Request) -> bool:
    return is_admin(request) or next(gm_seats(request), None) is not None


def is_somebody(request: Request) -> bool:
    """Whether the caller shows a session with a seat, or a token, whatever it opens."""
    return bearer(request) is not None or bool(session_of(request).seats) or is_admin(request)


def gm_seats(request: Request) -> Iterator[SeatKey]:
    """The campaigns that the caller runs."""
    if bearer(request) is not None:
        return
    for seat in session_of(request).seats:
        if seat.letter == GM and callers.fingerprint(services_of(request), seat.campaign, GM) == seat.fingerprint:
            yield seat


def admin(request: Request) -> Services:
    """The administrator of the installation."""
    if is_admin(request):
        return services_of(request)
    _sign_in_first(request)
    raise NotAllowed("role", "Only the keeper of this installation comes in here.", "")


def is_admin(request: Request) -> bool:
    if bearer(request) is not None:
        return False
    address = session_of(request).admin
    services = services_of(request)
    listed = services.settings.keepers
    return bool(address) and (address in listed or (services.settings.demo and address == "demo"))


def trying_out(request: Request) -> Services:
    """Anyone, but only in the trying-out mode."""
    services = services_of(request)
    if not services.settings.demo:
        raise NotFound("page", "There is no such page.", "")
    return services


def sit_down(request: Request, campaign: str, letter: str, leave_others: bool = False) -> bool:
    """Sign the caller in to a seat, or as Gamesmaster; False if there is no such seat. `leave_others`: of the same
    campaign; those of others, a game alone among them, are kept."""
    mark = callers.fingerprint(services_of(request), campaign, letter)
    if mark is None:
        return False
    session = session_of(request)
    if leave_others:
        session.leave(campaign)
    session.sit_down(SeatKey(campaign, letter, mark))
    return True


def signed_in(request: Request) -> bool:
    session = session_of(request)
    return bearer(request) is not None or bool(session.seats) or bool(session.admin)


def _refusal(room: Room, words: str) -> GmError:
    return NotAllowed("role", words, "") if room.door.may_read else no_such(room.id)


def _sign_in_first(request: Request) -> None:
    """Checked before anything is looked up, so that nobody learns which campaigns there are."""
    if signed_in(request):
        return
    if request.url.path.startswith("/api/"):
        raise Unauthorised("sign-in", "This needs a token.", "Send `Authorization: Bearer TOKEN`; your desk makes one.")
    raise SignInFirst


class Unauthorised(GmError):
    """A program without a token."""


_read = limit("read")


async def guard(request: Request) -> AsyncIterator[None]:
    """Checks on every request: rate limit, CSRF, and how many of one caller run at once: the others wait."""
    await _read(request)
    if "\x00" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise HTTPException(404)  # PostgreSQL has no room for it
    await _check_csrf(request)
    limiter: Limiter = request.app.state.limiter
    caller = client_of(request)
    await begin(request, "read", caller, PATIENCE)
    try:
        yield
    finally:
        limiter.end("read", caller)


async def _check_csrf(request: Request) -> None:
    """CSRF: every change must come from a page of our own, by the form's token and the origin the browser names."""
    if request.method in ("GET", "HEAD", "OPTIONS") or bearer(request) is not None:
        return
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise _foreign()
    sessions: Sessions = request.app.state.sessions
    given = request.headers.get("x-csrf", "")
    kind = request.headers.get("content-type", "")
    if not given and kind.startswith(("application/x-www-form-urlencoded", "multipart/form-data")):
        form = await request.form()
        value = form.get("csrf", "")
        given = value if isinstance(value, str) else ""
    if not sessions.csrf_ok(session_of(request), given):
        raise _foreign()


def _foreign() -> NotAllowed:
    return NotAllowed(
        "csrf", "This form is too old or came from another site.", "Go back, load the page again, and repeat."
    )


Anybody = Annotated[Services, Depends(anybody)]
Reader = Annotated[Room, LetIn(reader)]
PlayerSeat = Annotated[Room, LetIn(player)]
Gamesmaster = Annotated[Room, LetIn(gamesmaster)]
AnyGamesmaster = Annotated[Services, Depends(any_gamesmaster)]
Admin = Annotated[Services, Depends(admin)]
TryingOut = Annotated[Services, Depends(trying_out)]
