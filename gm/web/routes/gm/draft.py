"""The Gamesmaster's page for the draft of the next Bell: headline, decisions, preview, publishing, rollback."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from gm.campaign.phase import drafting, publishing, rollback
from gm.campaign.reads import lookups, summaries
from gm.campaign.roles import GM
from gm.errors import NotAllowed, NotFound, NotNow
from gm.gamedate import game_date
from gm.web.guard.access import WRITE, Gamesmaster, Room
from gm.web.guard.forms import Line, Text, Tick, back, normal
from gm.web.guard.route import GuardedRoute
from gm.web.mail_frame import framed
from gm.web.pages import render

router = APIRouter(route_class=GuardedRoute, prefix="/gm/c/{campaign}", include_in_schema=False)


@router.get("/draft")
def draft(request: Request, room: Gamesmaster, reader: str = "") -> HTMLResponse:
    state = lookups.state_for_gm(room.services, room.id)
    proof, why = None, ""
    try:
        proof = drafting.preview(room.services, room.id)
    except NotNow:
        pass  # the page says so in its own words
    except NotAllowed as error:
        why = f"{error}: {error.hint}."
    return render(
        request,
        "gm/draft.html",
        door=room.door,
        state=state,
        proof=proof,
        why=why,
        reader=reader,
        past=[p for p in summaries.phases(room.services, room.id) if p.state == "published" and p.phase != "finished"],
    )


@router.get("/draft/copy/{reader}")
def copy(request: Request, room: Gamesmaster, reader: str, form: str = "html") -> Response:
    """The issue as one reader will get it: for the frame in the draft's page."""
    found = drafting.copy_for(room.services, room.id, None if reader == "public" else reader)
    if form == "text" or not found.html:
        return PlainTextResponse(found.text)
    return framed(found.html, f"/gm/c/{room.id}/draft/map.png", f"/gm/c/{room.id}/draft/chart.png")


@router.get("/draft/{picture}.png")
def picture(room: Gamesmaster, picture: str) -> Response:
    document = drafting.preview(room.services, room.id).document
    data = {"map": document.png, "chart": document.chart}.get(picture)
    if data is None:
        raise NotFound("picture", "The draft has no such picture.", "")
    return Response(data, media_type="image/png")


@router.post("/draft", dependencies=WRITE)
def save(
    request: Request,
    room: Gamesmaster,
    headline: Line = "",
    lead: Text = "",
    column: Text = "",
    farewell: Text = "",
) -> Response:
    publishing.set_draft(
        room.services,
        room.id,
        headline=headline,
        lead=normal(lead),
        column=normal(column),
        farewell=normal(farewell),
        actor=GM,
    )
    return _back(request, room, "draft-kept")


@router.post("/draft/story", dependencies=WRITE)
def story(
    request: Request, room: Gamesmaster, key: Line, headline: Line = "", text: Text = "", killed: Tick = False
) -> Response:
    publishing.edit_story(room.services, room.id, key, headline=headline, text=normal(text), killed=killed, actor=GM)
    return _back(request, room, "draft-kept")


@router.post("/decide", dependencies=WRITE)
def decide(request: Request, room: Gamesmaster, text: Text, reason: Text) -> Response:
    publishing.decide(room.services, room.id, normal(text), normal(reason), GM)
    return _back(request, room, "decided")


@router.post("/publish", dependencies=WRITE)
def publish(request: Request, room: Gamesmaster) -> Response:
    number = publishing.publish(room.services, room.id, GM)
    return back(request, f"/gm/c/{room.id}", "published", number=number)


@router.post("/rollback", dependencies=WRITE)
def roll_back(
    request: Request,
    room: Gamesmaster,
    to: Line,
    reason: Text,
    keep: Tick = False,
    sure: Annotated[bool, Form()] = False,
) -> Response:
    turn, _, phase = to.partition("/")
    if not sure or not turn.isdecimal() or int(turn) > 1000:
        raise NotNow("rollback", "Rolling back needs a Phase, a reason, and the tick that you mean it.", "Go back.")
    rollback.rollback(room.services, room.id, int(turn), phase, normal(reason), GM, keep_orders=keep)
    return back(request, f"/gm/c/{room.id}", "rolled-back", at=game_date(int(turn), phase))


def _back(request: Request, room: Room, words: str, **data: object) -> Response:
    return back(request, f"/gm/c/{room.id}/draft", words, **data)
