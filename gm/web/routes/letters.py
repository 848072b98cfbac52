"""Letters between players, and press for the next Bell."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import press
from gm.campaign.tokens import GM
from gm.errors import Invalid
from gm.web.access import Player, limit
from gm.web.forms import Letters, Line, Text, Tick, back, normal
from gm.web.pages import render
from gm.web.served import Served

router = APIRouter(route_class=Served, prefix="/c/{campaign}", include_in_schema=False)


@router.get("/letters")
def letters(request: Request, room: Player, to: str = "", reply: int | None = None) -> HTMLResponse:
    found = press.letters_of(room.services, room.id, room.letter)
    answered = next((item for item in found if item.id == reply), None)
    return render(
        request,
        "letters.html",
        door=room.door,
        now_at=room.door.now,
        letters=[item for item in reversed(found) if item.kind == "letter"],
        press=[item for item in reversed(found) if item.kind == "press"],
        answered=answered,
        to={answered.sender} if answered and answered.sender else {to},
    )


@router.post("/letters", dependencies=[Depends(limit("write"))])
def send(
    request: Request,
    room: Player,
    text: Text,
    to: Letters,
    subject: Line = "",
    anonymous: Tick = False,
    reply: int | None = None,
) -> Response:
    now_at = room.door.now
    known = {seat.letter for seat in now_at.seats} | {GM}
    chosen = sorted(set(to) & known - {room.letter})
    if not chosen or not text.strip():
        raise Invalid("letter", "A letter needs somebody to go to, and a text.", "Go back and complete it.")
    own = {item.id for item in press.letters_of(room.services, room.id, room.letter)}
    press.add_letter(
        room.services,
        room.id,
        room.letter,
        chosen,
        normal(text),
        subject=subject,
        anonymous=anonymous,
        in_reply_to=reply if reply in own else None,
    )
    return back(request, f"/c/{room.id}/letters", "letter-sent", who=", ".join(chosen))


@router.post("/press", dependencies=[Depends(limit("write"))])
def publish(request: Request, room: Player, text: Text, dateline: Line = "") -> Response:
    if not text.strip():
        raise Invalid("press", "Press needs a text.", "Go back and write one.")
    press.add_press(room.services, room.id, room.letter, normal(text), dateline or None)
    return back(request, f"/c/{room.id}/letters", "press-taken")
