"""The player's desk: his orders by map or by text, checked and saved with the same receipt as by mail."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from gm.campaign import intake, sight
from gm.campaign.sight import Seen
from gm.errors import NotFound
from gm.web.access import Player, Room, limit
from gm.web.api.models import Checked
from gm.web.boardview import map_of_position
from gm.web.checking import checked
from gm.web.desk_view import desk_view
from gm.web.forms import Text, Tick, back, normal
from gm.web.pages import fragment, game_date, render
from gm.web.problems import receipt_text
from gm.web.served import Served

router = APIRouter(route_class=Served, prefix="/c/{campaign}", include_in_schema=False)


@router.get("/desk")
def desk(request: Request, room: Player, version: int | None = None) -> HTMLResponse:
    text = None
    if version is not None:
        rows = intake.versions(room.services, room.id, room.letter)
        row = next((r for r in rows if r.version == version), None)
        if row is None:
            raise NotFound("version", "There is no such version.", "Your seat lists them.")
        text = row.raw
    return page(request, room, text)


@dataclass(frozen=True, slots=True)
class FixedParts:
    """What of a player's desk stays the same as long as the positions do."""

    forces: Markup
    forms: Markup


_KEPT: OrderedDict[tuple[str, str, tuple[Seen, ...]], FixedParts] = OrderedDict()
MOST_KEPT = 500


def fixed_parts(room: Room, found: sight.Desk) -> FixedParts:
    key = (found.position.digest, room.letter, found.now.seats)
    kept = _KEPT.get(key)
    if kept is None:
        view = desk_view(room.services.board, found.position, room.letter)
        data = {"view": view, "seats": found.now.seats, "letter": room.letter}
        forces, forms = (fragment(f"desk_{name}.html", **data) for name in ("forces", "forms"))
        kept = _KEPT[key] = FixedParts(forces, forms)
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
    return kept


def page(request: Request, room: Room, text: str | None = None, seen: Checked | None = None) -> HTMLResponse:
    found = sight.desk(room.services, room.door.now, room.letter)
    saved = found.orders.raw if found.orders else ""
    return render(
        request,
        "desk.html",
        door=room.door,
        now_at=found.now,
        fixed=fixed_parts(room, found),
        digest=found.position.digest[:12],
        orders=found.orders,
        waits=found.waits,
        text=saved if text is None else text,
        saved=saved,
        seen=seen,
    )


@router.post("/orders", dependencies=[Depends(limit("write"))])
def save(request: Request, room: Player, orders: Text = "", check: Tick = False) -> Response:
    text = normal(orders)
    if check:  # without a script: the same page with what the server thinks of it
        shown = intake.preview_orders(room.services, room.id, room.letter, text)
        position = sight.position(room.services, room.id)
        seen = checked(room.services.board, position, room.letter, shown.sheet, shown.canonical, shown.problems)
        return page(request, room, text, seen)
    done = intake.submit(room.services, room.id, room.letter, text, source="web", actor=room.letter)
    if done.resign_asked:
        return back(request, f"/c/{room.id}/resign")
    now_at = room.door.now
    return render(
        request,
        "receipt.html",
        door=room.door,
        done=done,
        receipt=receipt_text(room, done, now_at),
        now_at=now_at,
    )


@router.get("/orders")
def versions(request: Request, room: Player) -> HTMLResponse:
    rows = sorted(intake.versions(room.services, room.id, room.letter), key=lambda r: -r.version)
    return render(request, "versions.html", door=room.door, rows=rows, now_at=room.door.now)


@router.post("/wait", dependencies=[Depends(limit("write"))])
def wait(request: Request, room: Player, on: Tick = False) -> Response:
    intake.wait(room.services, room.id, room.letter, on)
    return back(request, f"/c/{room.id}/desk", "waits" if on else "waits-no-more")


@router.get("/desk.svg")
def desk_map(room: Player, d: str = "", bare: bool = False) -> Response:
    """The map with his own forces marked. Its address changes with the position, so a browser may keep it.

    Bare: without its style sheet, for a page that brings it.
    """
    found = sight.desk(room.services, room.door.now, room.letter)
    title = game_date(found.now.turn, found.now.phase)
    svg = map_of_position(found.position, found.now.name, title, room.letter, bare)
    fresh = d == found.position.digest[:12]
    headers = {"Cache-Control": "private, max-age=86400" if fresh else "no-store"}
    return Response(svg, media_type="image/svg+xml", headers=headers | {"Content-Security-Policy": SVG_CSP})


SVG_CSP = "default-src 'none'; style-src 'unsafe-inline'"
