"""Route class that checks access in the same thread that then runs the endpoint.

A dependency that reads the store would have a thread of its own, and changing threads costs as much as three queries.
So a route names the access rule (`room: Reader`), and the Room is made just before the endpoint is called. Access
is still checked first: what is wrong with a request is told only to callers who may make it.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_type_hints

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from gm.campaign.roles import HandedOver


@dataclass(frozen=True, slots=True)
class LetIn:
    """Marks the parameter of an endpoint that is to be the caller's Room: the rule makes it or refuses."""

    rule: Callable[[Request, str], Any]


class GuardedRoute(APIRoute):
    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, _let_in_first(endpoint), **options)

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        handle = super().get_route_handler()
        rule = getattr(self.endpoint, "rule", None)
        if rule is None:
            return handle

        async def door_first(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError:
                await run_in_threadpool(rule, request, request.path_params["campaign"])
                raise

        return door_first


async def _asking(request: Request, campaign: str) -> tuple[Request, str]:
    return request, campaign


def _let_in_first(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """The endpoint as FastAPI is to see it: it asks for nothing that needs a thread of its own."""
    hints = get_type_hints(endpoint, include_extras=True)
    marks = {name: mark for name, hint in hints.items() for mark in get_args(hint) if isinstance(mark, LetIn)}
    if not marks:
        return endpoint
    ((name, mark),) = marks.items()

    @wraps(endpoint)
    def serve(**given: Any) -> Any:
        try:
            return endpoint(**given | {name: mark.rule(*given[name])})
        except HandedOver:
            mark.rule(*given[name])  # refuses as it does everybody who comes with those keys from now on
            raise

    hints[name] = Annotated[tuple[Request, str], Depends(_asking)]
    given = inspect.signature(endpoint)
    parameters = [p.replace(annotation=hints[p.name]) for p in given.parameters.values()]
    signature = given.replace(parameters=parameters, return_annotation=hints["return"])
    vars(serve).update(__signature__=signature, rule=mark.rule)
    return serve
