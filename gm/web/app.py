"""Creating the FastAPI application from Services: middleware, routes, static files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import gm
from gm import __version__
from gm.campaign.services import Services
from gm.reports.map import stylesheet
from gm.web import primer
from gm.web.api import api
from gm.web.bell_page import bell_css
from gm.web.errors import add_handlers
from gm.web.guard import access
from gm.web.guard.limits import Limiter
from gm.web.guard.security import SecurityMiddleware
from gm.web.guard.session import SessionMiddleware, Sessions
from gm.web.pages import STATIC, static_version
from gm.web.routes import pages

FOREVER = "public, max-age=31536000, immutable"


# Style sheets that the reports bring along, pictures that the map's code draws, words of the game.
REPORT_FONTS = Path(gm.__file__).parent / "reports" / "data" / "fonts"
MADE: Mapping[str, Callable[[], str]] = {
    "css/map.css": lambda: stylesheet("auto"),
    "css/bell.css": bell_css,
    "js/terms.js": lambda: f"export const TERMS = {json.dumps(primer.glossary())};",
    "pictures/march.svg": primer.march,
    "pictures/stack.svg": primer.one_stack,
    "pictures/enemies.svg": primer.enemies,
}
MEDIA = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


class OwnFiles(StaticFiles):
    """Static files (scripts, styles, fonts) under a path that changes with their content."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = FOREVER
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path in MADE:
            media = MEDIA[path.rpartition(".")[2]]
            return Response(MADE[path](), media_type=media, headers={"Cache-Control": FOREVER})
        font = REPORT_FONTS / path.removeprefix("css/fonts/")
        if path.startswith("css/fonts/") and font.parent == REPORT_FONTS and font.is_file():
            return FileResponse(font, media_type="font/ttf", headers={"Cache-Control": FOREVER})
        return await super().get_response(path, scope)


def create_app(services: Services, *, limiter: Limiter | None = None, extra: Sequence[APIRouter] = ()) -> FastAPI:
    sessions = Sessions(services.secret_key, services.settings)
    app = FastAPI(
        title="Kolokol",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        middleware=[
            Middleware(SessionMiddleware, sessions=sessions, services=services),
            Middleware(SecurityMiddleware, https=sessions.secure),  # how large a body may be hangs on the session
            Middleware(GZipMiddleware, minimum_size=1500, compresslevel=5),
        ],
    )
    app.state.services = services
    app.state.sessions = sessions
    app.state.limiter = limiter or Limiter()
    for router in (*pages(services.settings.demo), api, *extra):
        app.include_router(router, dependencies=[Depends(access.guard)])
    app.mount(f"/static/{static_version()}", OwnFiles(directory=STATIC), name="static")
    app.add_api_route("/robots.txt", robots, include_in_schema=False)
    app.add_api_route("/favicon.ico", favicon, include_in_schema=False)
    add_handlers(app)
    return app


def robots() -> PlainTextResponse:
    return PlainTextResponse("User-agent: *\nDisallow: /in\nDisallow: /gm\nDisallow: /api\n")


def favicon() -> FileResponse:
    return FileResponse(
        STATIC / "bell.svg", media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"}
    )
