"""Map pages: the map at any Phase with a slider, and the pictures themselves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, Response

from gm.board.model import Board
from gm.campaign.cache import ServicesKey
from gm.campaign.reads import lookups, summaries
from gm.errors import NotFound
from gm.gamedate import game_date
from gm.position import Phase
from gm.reports.map import render_svg
from gm.reports.map.model import MapView
from gm.reports.view.map import map_stacks, map_view
from gm.web.desk.board import map_of_position
from gm.web.guard.access import Reader, Room
from gm.web.guard.route import GuardedRoute
from gm.web.pages import SVG, render
from gm.web.routes.reader.steps import steps_of_issue
from gm.web.wording import say

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)
Turn = Annotated[int, Path(ge=0, le=1000)]
PhaseWord = Annotated[str, Path(pattern="^(now|opening|setup|pregame|first|second)$")]
OPENING = "opening"


@dataclass(frozen=True, slots=True)
class MapFrame:
    """A picture of the slider."""

    at: str  # its address
    title: str
    words: str = ""
    dice: tuple[int, ...] = ()


@router.get("/map")
def slider(request: Request, room: Reader, at: str = "") -> HTMLResponse:
    """Without a script: the chosen Phase as a picture and a list of all the others."""
    if summaries.position(room.services, room.id).solitaire is not None:
        return _through_steps(request, room, at)
    now_at = room.door.now
    seen = [p for p in summaries.phases(room.services, room.id) if p.state == "published" and p.phase != Phase.FINISHED]
    frames = [(f"{p.turn}/{p.phase}", game_date(p.turn, p.phase)) for p in seen]
    if seen and seen[0].phase != Phase.SETUP:  # a campaign that began from a printed position
        frames.insert(0, (f"{seen[0].turn}/{OPENING}", say("map.opening", at=game_date(seen[0].turn, seen[0].phase))))
    if now_at.phase != Phase.SETUP:
        frames.append((f"{now_at.turn}/now", f"{game_date(now_at.turn, now_at.phase)} (now)"))
    return _slider(request, room, "map", [MapFrame(*frame) for frame in frames], at)


def _through_steps(request: Request, room: Room, at: str) -> HTMLResponse:
    """The game for one person: its sheets are played in parts, so that every step of every issue has a frame."""
    frames = []
    for bell in reversed(summaries.bells(room.services, room.id)):
        if bell.void or bell.phase == Phase.FINISHED:  # the last issue tells of no Phase
            continue
        told = steps_of_issue(ServicesKey(room.services), room.id, bell.number)
        for number, step in enumerate(told, 1):
            title = say("map.step", at=game_date(bell.turn, bell.phase), bell=bell.number, step=number, steps=len(told))
            frames.append(MapFrame(f"{bell.number}/{number}", title, " ".join(step.words), step.dice))
    return _slider(request, room, "steps", frames, at)


def _slider(request: Request, room: Room, base: str, frames: Sequence[MapFrame], at: str) -> HTMLResponse:
    chosen = next((f for f in frames if f.at == at), frames[-1] if frames else None)
    return render(request, "map.html", door=room.door, pictures=base, frames=frames, chosen=chosen)


@router.get("/map/{turn}/{phase}.svg")
def picture(room: Reader, turn: Turn, phase: PhaseWord, bare: bool = False) -> Response:
    """What a Phase came to, with its moves and battles; `now`: the positions as published."""
    if phase == "now":
        svg = _now(room, bare)
        return Response(svg, media_type="image/svg+xml", headers=SVG)
    phases = summaries.phases(room.services, room.id)
    opening = phase == OPENING
    seen = phases[0] if opening and phases else next((p for p in phases if (p.turn, p.phase) == (turn, phase)), None)
    if seen is None or seen.state != "published":
        raise NotFound("phase", "There is no published Phase of that name.", "")
    which = seen.turn, seen.phase, seen.incarnation
    svg = _past(ServicesKey(room.services), room.board, room.id, room.door.paper, *which, bare, opening)
    return Response(svg, media_type="image/svg+xml", headers=SVG | {"Cache-Control": "private, max-age=300"})


def _now(room: Room, bare: bool) -> str:
    now_at = room.door.now
    position = summaries.position(room.services, room.id)
    return map_of_position(room.board, position, now_at.paper, game_date(now_at.turn, now_at.phase), None, bare)


@lru_cache(maxsize=128)
def _past(
    key: ServicesKey,
    board: Board,
    campaign: str,
    paper: str,
    turn: int,
    phase: str,
    incarnation: int,
    bare: bool,
    opening: bool,
) -> str:
    services, line = key.services, game_date(turn, phase)
    view = None
    if not opening:
        with suppress(NotFound):  # a campaign that began from a printed position has no report of it
            view = map_view(board, lookups.outcome(services, campaign, turn, phase), paper, line)
    if view is None:
        stacks = map_stacks(lookups.position_at(services, campaign, turn, phase))
        view = MapView(paper, line, stacks=stacks, board=board)
    return render_svg(view, theme="auto", interactive=True, embed_style=not bare)
