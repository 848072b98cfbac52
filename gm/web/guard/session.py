"""Sessions: a signed cookie that names the seats that the browser is signed in to, and nothing that is secret.

A seat in the cookie counts only while its fingerprint is that of the seat's present keys, so a new holder or new keys
end it; a keeper's counts until `gm link --end-sessions`. Of sessions that were signed out the server keeps a hash: a
copy of their cookie opens nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gm.campaign.access.ended_sessions import end, has_ended, keeper_mark
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.config import Settings

MOST_SEATS = 24  # a cookie has 4 KB
VERSION = 1


@dataclass(frozen=True, slots=True)
class SeatKey:
    campaign: str
    letter: str  # a player's, `GM`, or empty for a reader
    fingerprint: str  # of a seat; the address of a reader

    @property
    def is_players(self) -> bool:
        return self.letter not in ("", GM)


@dataclass(slots=True)
class Session:
    sid: str = ""
    seats: tuple[SeatKey, ...] = ()
    admin: str = ""  # the address of the administrator of the installation
    admin_mark: str = ""  # as it was when they signed in
    flashes: list[list[str]] = field(default_factory=list)
    changed: bool = False
    ended: list[str] = field(default_factory=list)  # earlier ids of this session

    def ensure(self) -> str:
        """Make a session id for this browser when it is first needed."""
        if not self.sid:
            self.sid = secrets.token_urlsafe(16)
            self.changed = True
        return self.sid

    def renew(self) -> None:
        """A new session id whenever rights are gained or given up; the old one ends."""
        if self.sid:
            self.ended.append(self.sid)
        self.sid = secrets.token_urlsafe(16)
        self.changed = True

    def sit_down(self, seat: SeatKey) -> None:
        """One seat of a player in each campaign: another one of it is left."""
        same = (seat.campaign, seat.letter)
        left = self.rivals(seat)
        others = tuple(s for s in self.seats if s not in left and (s.campaign, s.letter) != same)
        self.seats = (*others, seat)[-MOST_SEATS:]
        self.renew()

    def rivals(self, seat: SeatKey) -> tuple[SeatKey, ...]:
        """Other players' seats of the same campaign that this browser is signed in to."""
        here = tuple(s for s in self.seats if s.campaign == seat.campaign and s.letter != seat.letter)
        return tuple(s for s in here if s.is_players) if seat.is_players else ()

    def leave(self, campaign: str) -> None:
        """Every seat of one campaign is left, and the administrator's chair; seats of other campaigns are kept."""
        self.seats = tuple(s for s in self.seats if s.campaign != campaign)
        self.admin = self.admin_mark = ""
        self.renew()

    def keep(self, address: str, mark: str) -> None:
        """As the administrator of the installation."""
        self.admin, self.admin_mark = address, mark
        self.renew()

    def stand_up(self) -> None:
        self.seats, self.admin, self.flashes = (), "", []
        self.renew()

    def flash(self, kind: str, text: str) -> None:
        self.flashes.append([kind, text[:600]])
        self.changed = True

    def take_flashes(self) -> list[list[str]]:
        found, self.flashes = self.flashes, []
        if found:
            self.changed = True
        return found

    @property
    def empty(self) -> bool:
        return not (self.sid or self.seats or self.admin or self.flashes)


class Sessions:
    """Reads and writes the cookie."""

    def __init__(self, key: bytes, settings: Settings) -> None:
        self.secure = settings.base_url.startswith("https:")
        self.name = "__Host-kolokol" if self.secure else "kolokol"
        self.max_age = settings.session_days * 86_400
        self._signer = URLSafeTimedSerializer(key, salt="kolokol/session")
        self._csrf_key = hashlib.sha256(b"kolokol/csrf " + key).digest()

    def load(self, cookie: str | None) -> Session:
        if not cookie:
            return Session()
        try:
            raw: dict[str, Any] = self._signer.loads(cookie, max_age=self.max_age)
        except BadData:
            return Session()
        if raw.get("v") != VERSION:
            return Session()
        seats = tuple(SeatKey(c, letter, mark) for c, letter, mark in raw["seats"])
        return Session(raw["sid"], seats, raw.get("admin", ""), raw.get("mark", ""), raw.get("flash", []))

    def dump(self, session: Session) -> str:
        raw: dict[str, Any] = {"v": VERSION, "sid": session.sid, "seats": []}
        raw["seats"] = [[s.campaign, s.letter, s.fingerprint] for s in session.seats]
        if session.admin:
            raw["admin"], raw["mark"] = session.admin, session.admin_mark
        if session.flashes:
            raw["flash"] = session.flashes
        return str(self._signer.dumps(raw))

    def csrf(self, session: Session) -> str:
        """The CSRF token of this session: every form carries it, and no other site can know it."""
        return hmac.new(self._csrf_key, session.ensure().encode(), "sha256").hexdigest()[:40]

    def csrf_ok(self, session: Session, given: str) -> bool:
        return bool(session.sid) and hmac.compare_digest(self.csrf(session).encode(), given.encode("utf-8", "replace"))

    def header(self, session: Session) -> str:
        value = self.dump(session)
        secure = "; Secure" if self.secure else ""
        return f"{self.name}={value}; Path=/; Max-Age={self.max_age}; HttpOnly; SameSite=Lax{secure}"


class SessionMiddleware:
    def __init__(self, app: ASGIApp, sessions: Sessions, services: Services) -> None:
        self.app = app
        self.sessions = sessions
        self.services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        session = self.sessions.load(HTTPConnection(scope).cookies.get(self.sessions.name))
        asks = (session.seats or session.admin) and not scope["path"].startswith("/static/")
        if asks:
            session = await run_in_threadpool(self._still_good, session)
        scope["kolokol.session"] = session

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and session.ended:
                await run_in_threadpool(end, self.services, session.ended)
            if message["type"] == "http.response.start" and session.changed:
                MutableHeaders(scope=message).append("Set-Cookie", self.sessions.header(session))
            await send(message)

        await self.app(scope, receive, send_with_cookie)

    def _still_good(self, session: Session) -> Session:
        if has_ended(self.services, session.sid):
            return Session()
        if session.admin and session.admin_mark != keeper_mark(self.services, session.admin):
            session.admin, session.changed = "", True
        return session


def session_of(connection: HTTPConnection) -> Session:
    found: Session = connection.scope["kolokol.session"]
    return found
