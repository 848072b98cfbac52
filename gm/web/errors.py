"""Error responses: a page for people, JSON for programs, the same codes for both."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import quote

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from gm.errors import Conflict, GmError, Invalid, NotAllowed, NotFound, NotNow, UserError
from gm.web.guard.access import SignInFirst, TooOften, Unauthorised
from gm.web.pages import render
from gm.web.wording import say

STATUS: tuple[tuple[type[UserError], int], ...] = (
    (Unauthorised, 401),
    (NotFound, 404),
    (NotAllowed, 403),
    (NotNow, 409),
    (Conflict, 409),
    (Invalid, 422),
    (UserError, 400),
)
log = structlog.get_logger()


def is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def answer(
    request: Request, status: int, code: str, message: str, hint: str = "", headers: dict[str, str] | None = None
) -> Response:
    if is_api(request):
        body = {"error": {"code": code, "message": message, "hint": hint}}
        return JSONResponse(body, status, headers)
    return render(
        request, "error.html", status=status, headers=headers, code=code, message=message, hint=hint, number=status
    )


def safe_next(path: str) -> str:
    """Where to go after signing in: a path of our own, or the front page."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and "\n" not in path else "/"


def add_handlers(app: FastAPI) -> None:
    @app.exception_handler(UserError)
    async def user_error(request: Request, error: UserError) -> Response:
        status = next(number for kind, number in STATUS if isinstance(error, kind))
        code = error.code if isinstance(error, GmError) else "refused"
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
        return answer(request, status, code, str(error), error.hint, headers)

    @app.exception_handler(SignInFirst)
    async def sign_in(request: Request, error: SignInFirst) -> Response:
        path = request.url.path if request.method in ("GET", "HEAD") else "/"
        return RedirectResponse(f"/in?next={quote(path)}", 303)

    @app.exception_handler(TooOften)
    async def too_often(request: Request, error: TooOften) -> Response:
        wait = math.ceil(error.seconds)
        hint = say("wrong.too-often-hint", seconds=wait)
        return answer(request, 429, "too-often", say("wrong.too-often"), hint, {"Retry-After": str(wait)})

    @app.exception_handler(RequestValidationError)
    async def not_valid(request: Request, error: RequestValidationError) -> Response:
        if is_api(request):
            problems = [{"where": _where(e), "message": e["msg"]} for e in error.errors()]
            body = {"error": {"code": "not-valid", "message": say("wrong.not-valid"), "hint": "", "problems": problems}}
            return JSONResponse(body, 422)
        fields = ", ".join(sorted({_where(e) for e in error.errors()}))
        return answer(request, 422, "not-valid", say("wrong.missing", fields=fields), say("wrong.missing-hint"))

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        status = error.status_code
        words = say(f"wrong.{status}") if status in (404, 405, 408, 413) else str(error.detail)
        return answer(request, status, "http", words, "", dict(error.headers) if error.headers else None)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        log.error("web.failed", path=request.url.path, method=request.method, exc_info=error)
        return answer(request, 500, "failed", say("wrong.failed"), say("wrong.failed-hint"))


def _where(error: Any) -> str:
    return ".".join(str(part) for part in error.get("loc", ())[1:]) or "the request"
