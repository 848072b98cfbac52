"""The JSON API, described by OpenAPI at /api/v1/openapi.json (see docs/api.md)."""

from fastapi import APIRouter

from gm.web.api import board, orders, reading
from gm.web.models import ErrorBody

RESPONSES: dict[int | str, dict[str, object]] = {
    401: {"model": ErrorBody, "description": "No token, or one that is not valid"},
    403: {"model": ErrorBody, "description": "Not for this seat"},
    404: {"model": ErrorBody, "description": "No such thing, or not open to the caller"},
    409: {"model": ErrorBody, "description": "Not now"},
    413: {"description": "Too large"},
    422: {"model": ErrorBody, "description": "Not valid"},
    429: {"model": ErrorBody, "description": "Too often"},
}

api = APIRouter(prefix="/api/v1", responses=RESPONSES)
for module in (board, reading, orders):
    api.include_router(module.router)

__all__ = ["api"]
