"""The page on which a player writes orders, by map or text, checked and saved with the same receipt as by mail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from gm.board.model import Board
from gm.campaign.cache import BoundedCache, ServicesKey
from gm.campaign.phase import intake
from gm.campaign.reads import lookups, summaries
from gm.campaign.reads.summaries import SeatSummary
from gm.campaign.seats import proposals, unsent
from gm.campaign.solo import single_player
from gm.errors import Invalid, NotFound
from gm.gamedate import game_date
from gm.orders.check.checker import check_context
from gm.orders.kinds import Sheet
from gm.orders.language.sheet import adds
from gm.position import Phase
from gm.web.desk import movement_preview
from gm.web.desk.alone import dangers
from gm.web.desk.board import map_of_position
from gm.web.desk.check import live_check
from gm.web.desk.drafted import force_threats
from gm.web.desk.form_choices import desk_view
from gm.web.desk.problems import receipt_of
from gm.web.guard.access import WRITE, PlayerSeat, Room
from gm.web.guard.forms import After, AskedRow, Line, RowNumber, Text, Tick, back, normal, tell
from gm.web.guard.route import GuardedRoute
from gm.web.models import Checked
from gm.web.pages import SVG, fragment, render, when
from gm.web.wording import say

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)


@router.get("/desk")
def desk(request: Request, room: PlayerSeat, version: AskedRow = None) -> Response:
    text = None
    if version is not None:
        row = intake.version(room.services, room.id, room.letter, version)
        if row is None:
            raise NotFound("version", "There is no such version.", "Your seat lists them.")
        text = row.canonical if adds(row.raw) else row.raw
    if not room.door.now.options.deadlines and room.door.now.status == "finished":
        return back(request, f"/c/{room.id}/end")
    return page(request, room, text)


@dataclass(frozen=True, slots=True)
class FixedParts:
    """What of a player's desk stays the same as long as the positions and the orders in its box do."""

    now: Markup
    forces: Markup
    forms: Markup


_FIXED: BoundedCache[tuple[Board, str, str, tuple[SeatSummary, ...], str], FixedParts] = BoundedCache(500)


def fixed_parts(room: Room, found: summaries.DeskSummary, text: str) -> FixedParts:
    key = (room.board, found.position.digest, room.letter, found.now.seats, text)
    kept = _FIXED.get(key)
    if kept is None:
        view = desk_view(room.board, found.position, room.letter)
        dangers = force_threats(check_context(room.board, found.position, room.letter, _drafted(room, text)))
        forces = {force.index: force for force in view.forces}
        lines = [(forces[danger.stack], danger) for danger in dangers]
        options = found.now.options
        own_end = options.last_turn or options.victory != "annihilation"
        winning = f"/c/{room.id}#house" if own_end else "/how-to-play#winning"
        data = {
            "view": view,
            "seats": found.now.seats,
            "letter": room.letter,
            "forces": lines,
            "winning": winning,
        }
        parts = (fragment(f"desk_{name}.html", **data) for name in ("now", "forces", "forms"))
        kept = _FIXED.put(key, FixedParts(*parts))
    return kept


def _drafted(room: Room, text: str) -> Sheet:
    """The orders of the box as they would count; none if they are more than anybody reads."""
    if not text.strip():
        return Sheet()
    try:
        return intake.preview_orders(room.services, room.id, room.letter, text).sheet
    except Invalid:
        return Sheet()


def _others(found: summaries.DeskSummary, own: str) -> list[tuple[str, list[str]]]:
    """Who else is ready, who has orders on file, who is not waited for, who has none: where the campaign shows it."""
    roll = found.roll
    if roll is None or not found.now.options.show_ready:
        return []
    seats = [s for s in found.now.seats if s.letter != own]
    sorted_out = {
        "ready": [s.name for s in seats if s.letter in roll.ready],
        "on-file": [s.name for s in seats if s.letter in roll.orders and s.letter in roll.unready],
        "unawaited": [s.name for s in seats if s.letter in roll.orders and s.letter not in roll.expected],
        "missing": [s.name for s in seats if s.letter in roll.missing],
    }
    return [(say(f"others.{key}"), names) for key, names in sorted_out.items() if names]


def _offers(room: Room) -> list[proposals.ProposalView]:
    """Proposals of this Phase that the seat made or was made, those that wait for its answer first."""
    found = [p for p in proposals.proposals_of(room.services, room.id, room.letter) if p.is_open]
    return sorted(found, key=lambda p: room.letter not in p.waits_for)


@lru_cache(maxsize=256)
def _last_bell(key: ServicesKey, campaign: str, number: int) -> Markup:
    """What the last issue reported, beside the map; kept, because all players of a campaign read the same."""
    bell = lookups.latest_bell(key.services, campaign)
    if bell is None:
        return Markup("")
    sections = bell.json.get("bell", {}).get("sections", [])
    return fragment("desk_bell.html", campaign=campaign, bell=bell, sections=sections)


def page(request: Request, room: Room, text: str | None = None, seen: Checked | None = None) -> HTMLResponse:
    found = summaries.desk(room.services, room.door.now, room.letter)
    saved = found.orders.text if found.orders else ""
    offers = _offers(room) if found.proposed else []
    shown = text if text is not None else saved if found.unsent is None else found.unsent
    return render(
        request,
        "desk.html",
        door=room.door,
        now_at=found.now,
        fixed=fixed_parts(room, found, shown),
        digest=found.position.digest[:12],
        orders=found.orders,
        said=found.said,
        ready=found.ready,
        solitaire=found.position.solitaire,
        dangers=dangers(room.board, found.position),
        text=shown,
        saved=saved,
        unsent=found.unsent is not None and text is None,
        seen=seen,
        offers=offers,
        asked=sum(room.letter in p.waits_for for p in offers),
        others=_others(found, room.letter),
        last_bell=_last_bell(ServicesKey(room.services), room.id, found.now.bells),
    )


@router.post("/orders", dependencies=WRITE)
def save(
    request: Request,
    room: PlayerSeat,
    orders: Text = "",
    check: Tick = False,
    ready: Tick = False,
    wait: Tick = False,
    ends: Tick = False,
    phase_id: Line = "",
) -> Response:
    """`wait`: not ready, where a sheet would make ready; `ends`: alone, the last attacks of the Game-Turn; `phase_id`:
    for which Phase the page was made."""
    text, others = normal(orders), list[intake.Submitted]()
    if check:  # from the what-if room, or without a script: the desk with what the server thinks of it
        unsent.keep(room.services, room.id, room.letter, text)
        shown = intake.preview_orders(room.services, room.id, room.letter, text)
        position = summaries.position(room.services, room.id)
        seen = live_check(room.board, position, room.letter, shown, text)
        return page(request, room, text, seen)
    try:
        if room.door.now.deadline is None:
            sheet = f"{text.rstrip()}\nDONE" if ends else text
            done = single_player.play(
                room.services, room.id, room.letter, sheet.lstrip("\n"), source="web", phase_id=phase_id
            )
            if done.played:
                unsent.forget(room.services, room.id, room.letter)
                return back(request, _what_came_of_it(room))
        else:
            said = ready or (False if wait else None)
            about: dict[str, Any] = {"actor": room.letter, "ready": said, "phase_id": phase_id}
            done, *others = intake.submit_each(room.services, room.id, room.letter, text, source="web", **about)
    except intake.OtherPhase:  # what was typed is shown at the new desk, and nothing is filed
        tell(request, "other-phase", kind="warn")
        return page(request, room, text)
    if done.resign_asked:
        return back(request, f"/c/{room.id}/resign")
    if done.status not in ("refused", "late"):
        unsent.forget(room.services, room.id, room.letter)
    asked = {"asked_ready": "true"} if ready else {}
    if others:
        asked["also"] = str(others[0].submission_id)
    return back(request, f"/c/{room.id}/orders/{done.submission_id}{'?' + urlencode(asked) if asked else ''}")


@router.get("/orders/{number}")
def receipt(
    request: Request, room: PlayerSeat, number: RowNumber, asked_ready: bool = False, also: AskedRow = None
) -> Response:
    """What became of a sheet. A page of its own: loading it again files nothing. `also`: the sheet for another Phase
    that was sent with it."""
    done = intake.submitted_again(room.services, room.id, room.letter, number)
    if done is None:
        raise NotFound("orders", say("wrong.no-sheet"), say("wrong.no-sheet-hint"))
    now_at = room.door.now
    return render(
        request,
        "receipt.html",
        door=room.door,
        done=done,
        asked_ready=asked_ready,
        also=also,
        receipt=receipt_of(room, done),
        now_at=now_at,
    )


def _what_came_of_it(room: Room) -> str:
    """Where a sheet that was played at once leads to: its Bell; at the end of the game, how it went."""
    now_at = summaries.now(room.services, room.id)
    if now_at.status == "finished":
        return f"/c/{room.id}/end"
    solitaire = summaries.position(room.services, room.id).solitaire
    if solitaire is None:
        return f"/c/{room.id}/bells/{now_at.bells}"
    moved = now_at.phase == Phase.SECOND and not solitaire.part  # nothing was rolled: on to the attacks
    return f"/c/{room.id}/desk" if moved else f"/c/{room.id}/steps/{now_at.bells}"


@router.get("/orders")
def versions(request: Request, room: PlayerSeat) -> HTMLResponse:
    rows = intake.versions(room.services, room.id, room.letter, intake.NEWEST)[::-1]
    counts = intake.current_orders(room.services, room.id, room.letter)
    number = counts.version if counts is not None else None
    return render(request, "versions.html", door=room.door, rows=rows, counts=number, now_at=room.door.now)


@router.post("/ready", dependencies=WRITE)
def ready(request: Request, room: PlayerSeat, on: Tick = False, page: Line = "desk", phase_id: Line = "") -> Response:
    """READY and NOT READY, from the desk or from the page of the seat."""
    where = f"/c/{room.id}/{'seat' if page == 'seat' else 'desk'}"
    try:
        found = intake.say_ready(room.services, room.id, room.letter, on, phase_id=phase_id)
    except intake.OtherPhase:
        tell(request, "other-phase", kind="warn")
        return back(request, where)
    at = when(found.deadline, room.door.zone)
    if not on:
        return back(request, where, "not-ready", deadline=at)
    if found.nearer:
        return back(request, where, "ready-nearer", deadline=at)
    return back(request, where, "ready" if found.ready else "ready-without")


@router.get("/desk.svg")
def desk_map(room: PlayerSeat, d: str = "", bare: bool = False, after: After = "") -> Response:
    """The map with the player's forces marked. Its address changes with the position, so a browser may keep it.

    Bare: without its style sheet, for a page that brings it.
    """
    found = summaries.desk(room.services, room.door.now, room.letter)
    title = game_date(found.now.turn, found.now.phase)
    position = movement_preview.after(room.board, found.position, after)
    svg = map_of_position(room.board, position, found.now.name, title, room.letter, bare)
    fresh = d == position.digest[:12]
    headers = {"Cache-Control": "private, max-age=86400" if fresh else "no-store"}
    return Response(svg, media_type="image/svg+xml", headers=headers | SVG)
