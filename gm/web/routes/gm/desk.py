"""The Gamesmaster's pages: overview of campaigns, one campaign in full, deadlines, options, orders."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import ticker
from gm.campaign.beacon import rounds
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.roles import GM
from gm.errors import Invalid
from gm.web.guard.access import WRITE, Admin, AnyGamesmaster, Gamesmaster, Room, gm_seats, is_admin
from gm.web.guard.forms import FormRow, Letter, Line, Text, Tick, back, normal
from gm.web.guard.route import GuardedRoute
from gm.web.pages import render, when
from gm.web.routes.gm.campaign_row import row_of
from gm.web.routes.gm.options_form import OptionsForm
from gm.web.routes.gm.unclaimed_mail import unclaimed

router = APIRouter(route_class=GuardedRoute, prefix="/gm", include_in_schema=False)
Hours = Annotated[float | None, Form(ge=-24 * 60, le=24 * 60)]
Whole = Annotated[int, Form(ge=0, le=24 * 14)]


@router.get("")
def overview(request: Request, services: AnyGamesmaster) -> HTMLResponse:
    """Every campaign that the caller runs; the administrator sees which there are."""
    own = {seat.campaign for seat in gm_seats(request)}
    lines = lookups.overview(services)
    shown = [row_of(services, line.id) for line in lines if line.id in own]
    others = [line for line in lines if line.id not in own] if is_admin(request) else []
    return render(
        request,
        "gm/overview.html",
        keeper=is_admin(request),
        campaigns=shown,
        others=others,
        unclaimed=unclaimed(services) if is_admin(request) else [],
    )


@router.post("/clock", dependencies=WRITE)
def clock(request: Request, services: Admin) -> Response:
    """Accept the clock. It concerns all campaigns at once, so it is for the administrator."""
    ticker.accept_clock(services, GM)
    return back(request, "/gm", "clock")


@router.get("/c/{campaign}")
def desk(request: Request, room: Gamesmaster) -> HTMLResponse:
    state = lookups.state_for_gm(room.services, room.id)
    return render(
        request,
        "gm/desk.html",
        keeper=is_admin(request),
        door=room.door,
        state=state,
        now_at=room.door.now,
        zone=state.options.zone,
        requests=[r for r in deadlines.requests(room.services, room.id) if r.state == "asked"],
        mails=outbox.shown_to_gm(room.services, room.id, "failed", 10),
        quarantine=inbox.quarantined(room.services, room.id, 20),
        audit=lookups.audit(room.services, room.id, 8),
        unwritable=not room.services.store.can_write(),
        beacon=rounds.state_of(room.services, room.id),
    )


def _done(request: Request, room: Room, words: str, **data: object) -> Response:
    return back(request, f"/gm/c/{room.id}", words, **data)


@router.post("/c/{campaign}/extend", dependencies=WRITE)
def extend(
    request: Request,
    room: Gamesmaster,
    hours: Hours = None,
    until: Line = "",
    reason: Line = "",
    shorten: Tick = False,
) -> Response:
    zone = lookups.options_of(room.services, room.id).zone
    moment = _moment(until, zone)
    if moment is None and hours is None:
        raise Invalid("extend", "Say by how many hours, or until when.", "Go back and fill in one of the two.")
    by = None if moment else hours
    new = deadlines.extend(room.services, room.id, hours=by, until=moment, reason=reason, shorten=shorten, actor=GM)
    return _done(request, room, "extended", deadline=when(new, zone))


def _moment(until: str, zone: str) -> datetime | None:
    if not until:
        return None
    try:
        return datetime.fromisoformat(until).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid("until", "That is no date and time.", "Go back and choose one.") from None


@router.post("/c/{campaign}/pause", dependencies=WRITE)
def pause(request: Request, room: Gamesmaster, reason: Line = "") -> Response:
    deadlines.pause(room.services, room.id, reason, GM)
    return _done(request, room, "paused")


@router.post("/c/{campaign}/resume", dependencies=WRITE)
def resume(request: Request, room: Gamesmaster) -> Response:
    deadlines.resume(room.services, room.id, GM)
    return _done(request, room, "resumed")


@router.post("/c/{campaign}/without-beacon", dependencies=WRITE)
def without_beacon(request: Request, room: Gamesmaster, reason: Line) -> Response:
    """Cast the dice without a round of the beacon that cannot be had."""
    rounds.go_on_without(room.services, room.id, reason, GM)
    ticker.tick(room.services, "web")
    return _done(request, room, "without-beacon")


@router.post("/c/{campaign}/close", dependencies=WRITE)
def close(request: Request, room: Gamesmaster, reason: Line = "") -> Response:
    deadlines.close_early(room.services, room.id, GM, reason)
    ticker.tick(room.services, "web")
    return _done(request, room, "closed")


@router.post("/c/{campaign}/nudge", dependencies=WRITE)
def nudge(request: Request, room: Gamesmaster) -> Response:
    letters = deadlines.nudge(room.services, room.id, None, GM)
    if not all(seat.told for seat in lookups.state_for_gm(room.services, room.id).seats):
        return _done(request, room, "nudged-untold")
    return _done(request, room, "nudged" if letters else "nobody-missing", letters=", ".join(letters))


@router.post("/c/{campaign}/invite", dependencies=WRITE)
def invite(request: Request, room: Gamesmaster) -> Response:
    letters = creation.invite(room.services, room.id, None, GM)
    return _done(request, room, "invited" if letters else "all-accepted", letters=", ".join(letters))


@router.post("/c/{campaign}/deal", dependencies=WRITE)
def deal(request: Request, room: Gamesmaster, force: Tick = False) -> Response:
    creation.deal(room.services, room.id, GM, force=force)
    ticker.tick(room.services, "web")
    return _done(request, room, "dealt")


@router.post("/c/{campaign}/finish", dependencies=WRITE)
def finish(request: Request, room: Gamesmaster, reason: Line) -> Response:
    creation.finish(room.services, room.id, reason, GM)
    ticker.tick(room.services, "web")
    return _done(request, room, "finished")


class ChangedOptions(OptionsForm):
    grace_hours: Whole
    ready: Line
    early_close_hours: Whole
    show_ready: Tick = False


@router.post("/c/{campaign}/options", dependencies=WRITE)
def options(request: Request, room: Gamesmaster, form: Annotated[ChangedOptions, Form()]) -> Response:
    """The calendar and the house rules from the next Phase on."""
    changed = change_options.change(room.services, room.id, form.model_dump(), GM)
    return _done(request, room, "charter" if changed else "charter-same")


@router.post("/c/{campaign}/settle", dependencies=WRITE)
def settle(
    request: Request,
    room: Gamesmaster,
    number: FormRow,
    granted: Tick = False,
    hours: Hours = None,
) -> Response:
    """Answer what a player asked for; more time is given at once, by so many hours."""
    new = deadlines.settle_request(room.services, room.id, number, granted, GM, hours=hours)
    if new is None:
        return _done(request, room, "settled")
    return _done(request, room, "extended", deadline=when(new, lookups.options_of(room.services, room.id).zone))


@router.get("/c/{campaign}/orders")
def orders(request: Request, room: Gamesmaster) -> HTMLResponse:
    """What is on file. A Gamesmaster who plays sees that orders are in, never what they say."""
    state = lookups.state_for_gm(room.services, room.id)
    plays = state.gm_letter is not None
    sheets = {} if plays else lookups.orders_of(room.services, room.id, GM)
    return render(request, "gm/orders.html", door=room.door, state=state, sheets=sheets, plays=plays)


@router.post("/c/{campaign}/orders", dependencies=WRITE)
def behalf(request: Request, room: Gamesmaster, letter: Letter, text: Text, phase_id: Line = "") -> Response:
    """Orders that came by post or telephone. The player is told."""
    sent = normal(text)
    done = intake.submit(room.services, room.id, letter, sent, source="gm", actor=GM, phase_id=phase_id)
    if done.status not in ("taken", "ahead", "withdrawn"):
        raise Invalid("orders", f"Not taken: {done.reason}.", "What you entered has been kept.")
    read = len(done.sheet.orders)
    serious = sum(1 for p in done.problems if p.severity == "problem")
    facts = {"letter": letter, "version": done.version, "orders": read, "serious": serious}
    return back(request, f"/gm/c/{room.id}/orders", "filed", **facts)


@router.get("/c/{campaign}/audit")
def audit(request: Request, room: Gamesmaster) -> HTMLResponse:
    rows = lookups.audit(room.services, room.id, 500)
    zone = lookups.options_of(room.services, room.id).zone
    return render(request, "gm/audit.html", door=room.door, rows=rows, zone=zone)
