"""Security middleware: headers (CSP and others) on every response, limits on the size and time of request bodies."""

from __future__ import annotations

import asyncio

from python_multipart.multipart import parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gm.web.guard import access
from gm.web.guard.bodies import MULTIPART, URLENCODED, is_cheap, kind_of

# Own files only, no inline code or style, nothing from elsewhere.
CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
# A mail or a Bell as its reader gets it: styles in the text, no script, shown in a frame of our own pages only.
MAIL_CSP = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-popups allow-same-origin"
)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Content-Security-Policy": CSP,
    "Cache-Control": "no-store",
}
HTTPS = {"Strict-Transport-Security": "max-age=31536000"}

BODY_SECONDS = 15  # for a body to come whole, and besides
LEAST_RATE = 5_000  # bytes of it a second
LARGEST_OF_STRANGERS = 20_000  # who has no session and no token
LARGEST_BODY = 300_000
LARGEST_UPLOAD = 6_000_000
UPLOADS = ("/gm/board",)  # by Gamesmasters and keepers
WITH_FILES = ("/gm/board", "/gm/new")  # theirs as well
LARGEST_IN_PARTS = 4_000  # elsewhere: what a mail program sends to unsubscribe
LONGEST_TYPE = 300  # of a Content-Type
CHARSETS = (b"", b"utf-8", b"utf8")


class TooLarge(HTTPException):
    """Raised while a body is being read; an HTTP error, so that whoever reads it passes it on as it is."""

    def __init__(self) -> None:
        super().__init__(413)


class TooSlow(HTTPException):
    """The body of a request did not come to its end."""

    def __init__(self) -> None:
        super().__init__(408)


class OddType(HTTPException):
    """A body in characters of the caller's choice: Python's decoders are many, some of them slow, and the names that
    it does not know are remembered for ever."""

    def __init__(self) -> None:
        super().__init__(415)


class SecurityMiddleware:
    """Headers on every answer, a limit on every body. A route may set its own policy; it is then left alone."""

    def __init__(self, app: ASGIApp, https: bool) -> None:
        self.app = app
        wanted = HEADERS | HTTPS if https else HEADERS
        self.fixed = [(name.lower().encode(), value.encode()) for name, value in wanted.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        kind = Headers(scope=scope).get("content-type", "")
        is_odd = _is_odd(kind)  # first: what is too long is not even looked at
        limit = 0 if is_odd else await _largest(scope, kind)
        started = False

        async def send_safely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self.dress(message)
            await send(message)

        out: Send = send_safely
        if scope["method"] == "HEAD":  # every page answers it: as GET does, without the page
            scope, out = {**scope, "method": "GET"}, _headless(send_safely)
        refused = OddType() if is_odd else TooLarge() if _announced(scope) > limit else None
        if refused is not None:
            await _refuse(scope, receive, out, refused)
            return
        received, whole = 0, False
        begun = asyncio.get_running_loop().time()

        async def receive_within() -> Message:
            nonlocal received, whole
            end = begun + BODY_SECONDS + received / LEAST_RATE
            try:
                async with asyncio.timeout_at(None if whole else end):
                    message = await receive()
            except TimeoutError:
                raise TooSlow from None
            whole = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > limit:
                raise TooLarge
            return message

        async def receive_form() -> Message:
            """All of it at once, if it is one that costs little to read."""
            if whole:
                return await receive_within()
            message = await receive_within()
            parts = [message.get("body", b"")]
            while not whole:
                message = await receive_within()
                parts.append(message.get("body", b""))
            if not is_cheap(kind, body := b"".join(parts)):
                raise TooLarge
            return {**message, "body": body}

        try:
            await self.app(scope, receive_form if kind_of(kind) in (URLENCODED, MULTIPART) else receive_within, out)
        except (TooLarge, TooSlow) as error:
            if started:
                raise
            await _refuse(scope, receive, out, error)

    def dress(self, start: Message) -> None:
        """Add the headers that the route did not set. Works on bytes, for it runs on every response."""
        given = dict(start["headers"])
        headers = [*start["headers"], *(pair for pair in self.fixed if pair[0] not in given)]
        if b"frame-ancestors 'self'" not in given.get(b"content-security-policy", b""):
            headers.append((b"x-frame-options", b"DENY"))
        start["headers"] = headers


def _headless(send: Send) -> Send:
    async def send_head(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head


async def _largest(scope: Scope, kind: str) -> int:
    """How much the caller may send: forms are read before a route asks who sent them."""
    if scope["method"] in ("GET", "HEAD", "OPTIONS"):
        return LARGEST_BODY
    path, request = scope["path"], Request(scope)
    if path in WITH_FILES and await run_in_threadpool(access.is_any_gamesmaster, request):
        return LARGEST_UPLOAD if path in UPLOADS else LARGEST_BODY
    if kind_of(kind) == MULTIPART:
        return LARGEST_IN_PARTS
    return LARGEST_BODY if access.is_somebody(request) else LARGEST_OF_STRANGERS


def _is_odd(kind: str) -> bool:
    """Read as the parser of forms reads it. The heads of a form's parts and `_charset_` count for nothing there."""
    return len(kind) > LONGEST_TYPE or parse_options_header(kind)[1].get(b"charset", b"").lower() not in CHARSETS


def _announced(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "0")
    return int(length) if length.isdecimal() else 0


async def _refuse(scope: Scope, receive: Receive, send: Send, error: HTTPException) -> None:
    await PlainTextResponse(f"{error.detail}\n", status_code=error.status_code)(scope, receive, send)
