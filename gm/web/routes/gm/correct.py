"""The Gamesmaster's map: the position as it stands, and a form that corrects it."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign.manage import corrections
from gm.campaign.reads import lookups
from gm.campaign.roles import GM
from gm.errors import NotFound
from gm.gamedate import game_date
from gm.position import Position
from gm.web.desk.board import map_of_position
from gm.web.guard.access import WRITE, Gamesmaster, Room, is_admin
from gm.web.guard.forms import Line, Text, Tick, back, normal
from gm.web.guard.route import GuardedRoute
from gm.web.pages import SVG, render

router = APIRouter(route_class=GuardedRoute, prefix="/gm/c/{campaign}", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """A counter or marker that can be corrected: what the form sends, and what it shows."""

    value: str  # place|counter; of markers the place is where they lie
    words: str
    group: str  # map, box, gone or markers: a heading of the list


@router.get("/correct")
def page(request: Request, room: Gamesmaster) -> HTMLResponse:
    state = lookups.state_for_gm(room.services, room.id)
    position = _standing(request, room)
    return render(
        request,
        "gm/correct.html",
        door=room.door,
        state=state,
        may=_may(request, room),
        draft=state.phase_state == "adjudicated",
        choices=_choices(position) if position else (),
        provinces=sorted((p.name, p.code) for p in room.board.provinces.values()),
    )


@router.get("/correct.svg")
def picture(request: Request, room: Gamesmaster) -> Response:
    position = _standing(request, room)
    if position is None:
        raise NotFound("picture", "There is nothing to correct now.", "")
    now_at = room.door.now
    svg = map_of_position(room.board, position, now_at.paper, game_date(now_at.turn, now_at.phase), None, False)
    return Response(svg, media_type="image/svg+xml", headers=SVG | {"Cache-Control": "no-store"})


@router.post("/correct", dependencies=WRITE)
def correct(
    request: Request,
    room: Gamesmaster,
    reason: Text,
    what: Line = "",
    to: Line = "",
    owner: Line = "",
    lines: Text = "",
    rule: Line = "",
    insist: Tick = False,
) -> Response:
    """One thing by the lists, or any number by lines."""
    chosen = [*([_line(what, to, owner)] if what else []), *normal(lines).split("\n")]
    keeper = is_admin(request)
    corrections.correct(
        room.services,
        room.id,
        [line for line in chosen if line.strip()],
        reason=normal(reason),
        rule=rule,
        insist=insist,
        actor="keeper" if keeper else GM,
        keeper=keeper,
    )
    return back(request, f"/gm/c/{room.id}/correct", "corrected")


def _may(request: Request, room: Room) -> bool:
    return room.door.gm_plays is None or is_admin(request)


def _standing(request: Request, room: Room) -> Position | None:
    """A Gamesmaster who plays sees no draft."""
    return corrections.current_position(room.services, room.id) if _may(request, room) else None


def _line(what: str, to: str, owner: str) -> str:
    """What was chosen in the lists, as a line."""
    place, _, thing = what.partition("|")
    whose = f" OWNER {owner}" if owner else ""
    if not to:
        return f"OWNER {thing} {owner}"
    if place not in ("map", "box", "gone"):
        return f"MOVE {thing} FROM {place} TO {to}"
    if len(to) == 1 or to in ("NEUTRAL", "GONE"):
        return f"REMOVE {thing} TO {to}"
    return f"{'MOVE' if place == 'map' else 'ADD'} {thing} TO {to}{whose}"


def _choices(position: Position) -> tuple[Choice, ...]:
    found = [
        Choice(f"map|#{p.code}", f"{p.bell} · {s.province} · {s.owner or '–'}", "map")
        for s in position.stacks
        for p in s.pieces
    ]
    boxes = [(player, position.box(player)) for player in position.players] + [("NEUTRAL", position.neutral)]
    found += [Choice(f"box|#{h.piece.code}", f"{h.piece.bell} · {name}", "box") for name, b in boxes for h in b.held]
    found += [Choice(f"gone|#{p.code}", p.bell, "gone") for p in position.gone]
    lying = [(name, box.markers.as_list()) for name, box in boxes[:-1]]
    lying += [("RANDOMIZER", position.randomizer.as_list()), ("GONE", position.gone_chits)]
    found += [Choice(f"{n}|{m}", f"{m} · {n}", "markers") for n, ms in lying for m in dict.fromkeys(ms)]
    return tuple(found)
