"""The map at any Phase: a page with a slider, and the pictures themselves."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import lookups, sight
from gm.errors import NotFound
from gm.position import Phase
from gm.reports.map import render_svg
from gm.reports.map_view import MapView
from gm.reports.view_map import map_stacks, map_view
from gm.web.access import Reader, Room
from gm.web.boardview import map_of_position
from gm.web.kept import Bound
from gm.web.pages import game_date, render
from gm.web.served import Served

router = APIRouter(route_class=Served, prefix="/c/{campaign}", include_in_schema=False)
Turn = Annotated[int, Path(ge=0, le=1000)]
PhaseWord = Annotated[str, Path(pattern="^(now|setup|pregame|first|second)$")]
SVG = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


@router.get("/map")
def slider(request: Request, room: Reader, at: str = "") -> HTMLResponse:
    """Without a script: the chosen Phase as a picture and a list of all the others."""
    now_at = room.door.now
    seen = [p for p in sight.phases(room.services, room.id) if p.state == "published" and p.phase != Phase.FINISHED]
    frames = [(f"{p.turn}/{p.phase}", game_date(p.turn, p.phase)) for p in seen]
    if now_at.phase != Phase.SETUP:
        frames.append((f"{now_at.turn}/now", f"{game_date(now_at.turn, now_at.phase)} (now)"))
    chosen = at if at in dict(frames) else (frames[-1][0] if frames else "")
    return render(request, "map.html", door=room.door, frames=frames, chosen=chosen, title=dict(frames).get(chosen, ""))


@router.get("/map/{turn}/{phase}.svg")
def picture(room: Reader, turn: Turn, phase: PhaseWord, bare: bool = False) -> Response:
    """What a Phase came to, with its moves and battles; `now`: the positions as published."""
    if phase == "now":
        svg = _now(room, bare)
        return Response(svg, media_type="image/svg+xml", headers=SVG)
    seen = next((p for p in sight.phases(room.services, room.id) if (p.turn, p.phase) == (turn, phase)), None)
    if seen is None or seen.state != "published":
        raise NotFound("phase", "There is no published Phase of that name.", "")
    svg = _past(Bound(room.services), room.id, room.door.paper, seen.turn, seen.phase, seen.incarnation, bare)
    return Response(svg, media_type="image/svg+xml", headers=SVG | {"Cache-Control": "private, max-age=300"})


def _now(room: Room, bare: bool) -> str:
    now_at = room.door.now
    position = sight.position(room.services, room.id)
    return map_of_position(position, now_at.paper, game_date(now_at.turn, now_at.phase), None, bare)


@lru_cache(maxsize=128)
def _past(bound: Bound, campaign: str, paper: str, turn: int, phase: str, incarnation: int, bare: bool) -> str:
    services, line = bound.services, game_date(turn, phase)
    try:
        view = map_view(lookups.outcome(services, campaign, turn, phase), paper, line)
    except NotFound:
        view = MapView(paper, line, stacks=map_stacks(lookups.position_at(services, campaign, turn, phase)))
    return render_svg(view, theme="auto", interactive=True, embed_style=not bare)
