"""A Phase step by step on the map: what was done, its dice, and where everything stood after it."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from msgspec.structs import replace
from starlette.responses import Response

from gm.adjudicator.solitaire.event_types import SolitaireBegun
from gm.campaign import boards
from gm.campaign.cache import ServicesKey
from gm.campaign.reads import lookups
from gm.errors import NotFound
from gm.gamedate import game_date
from gm.reports.issue import PlayerInfo
from gm.reports.map import render_svg
from gm.reports.view.map import map_view
from gm.reports.view.steps import PlayStep, steps_of
from gm.web.desk.board import centres
from gm.web.guard.access import Reader, Room
from gm.web.guard.forms import BellNumber, back
from gm.web.guard.route import GuardedRoute
from gm.web.pages import SVG, render
from gm.web.wording import say

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)
Which = Annotated[int, Path(ge=0, le=10_000)]
At = Annotated[int, Query(ge=0, le=10_000)]


@router.get("/steps/{number}")
def page(request: Request, room: Reader, number: BellNumber, at: At = 1) -> Response:
    """One step and the way to the next; 0: all of them at once."""
    steps = steps_of_issue(ServicesKey(room.services), room.id, number)
    if not steps:
        return back(request, f"/c/{room.id}/bells/{number}")
    at = min(at, len(steps))
    step = steps[at - 1] if at else None
    return render(
        request,
        "steps.html",
        door=room.door,
        number=number,
        steps=steps,
        at=at,
        step=step,
        centre=centres().get(step.focus) if step else None,
        title=_title(room, number),
        alone=not room.door.now.options.deadlines,
        begins=any(isinstance(event, SolitaireBegun) for event in steps[0].outcome.events),
    )


@router.get("/steps/{number}/{at}.svg")
def picture(room: Reader, number: BellNumber, at: Which, bare: bool = False) -> Response:
    svg = _drawn(ServicesKey(room.services), room.id, room.door.paper, _title(room, number), number, at, bare)
    return Response(svg, media_type="image/svg+xml", headers=SVG | {"Cache-Control": "private, max-age=86400"})


def _title(room: Room, number: int) -> str:
    bell = lookups.bell(room.services, room.id, number)
    return game_date(bell.turn, bell.phase)


@lru_cache(maxsize=64)
def steps_of_issue(key: ServicesKey, campaign: str, number: int) -> tuple[PlayStep, ...]:
    """Of the Phase on which an issue reports."""
    outcome = lookups.outcome_of_bell(key.services, campaign, number)
    state = lookups.state(key.services, campaign)
    return steps_of(state.board, outcome, {seat.letter: PlayerInfo(seat.name) for seat in state.seats})


@lru_cache(maxsize=64)
def _drawn(key: ServicesKey, campaign: str, paper: str, line: str, number: int, at: int, bare: bool) -> str:
    steps = steps_of_issue(key, campaign, number)
    if at > len(steps) or not steps:
        raise NotFound("steps", say("wrong.404"), "")
    if at:
        outcome = steps[at - 1].outcome
    else:  # all at once
        events = tuple(event for step in steps for event in step.outcome.events)
        outcome = replace(steps[-1].outcome, before=steps[0].outcome.before, events=events)
    view = map_view(boards.board(key.services, campaign), outcome, paper, line)
    return render_svg(view, theme="auto", interactive=True, embed_style=not bare)
