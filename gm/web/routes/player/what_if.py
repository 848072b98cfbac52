"""The what-if room: a player tries orders on the published positions, many times, and nothing is filed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import HTMLResponse

from gm.campaign.reads import summaries, what_if
from gm.errors import GmError
from gm.web.guard.access import PlayerSeat, Room, client_of, limit_costly
from gm.web.guard.forms import Text, Tick, normal
from gm.web.guard.route import GuardedRoute
from gm.web.pages import render
from gm.whatif.answer_text import sentences
from gm.whatif.question import MOST_TIMES, Answer

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)
Times = Annotated[int, Form(ge=1, le=MOST_TIMES)]
Guesses = Annotated[list[str], Form()]


@router.get("/what-if")
def what_if_page(request: Request, room: PlayerSeat) -> HTMLResponse:
    found = summaries.desk(room.services, room.door.now, room.letter)
    return _page(request, room, found.orders.text if found.orders else "")


@router.post("/what-if", dependencies=[Depends(limit_costly("what-if"))])
def try_out(
    request: Request,
    room: PlayerSeat,
    orders: Text = "",
    seat: Guesses = [],  # noqa: B006 - FastAPI copies it
    guess: Guesses = [],  # noqa: B006
    standins: Tick = False,
    times: Times = what_if.TIMES,
) -> HTMLResponse:
    """Orders with a typed guess for each of `seat`. From the desk only `orders` comes: then stand-ins are guessed."""
    others = {letter: normal(text)[:20_000] for letter, text in zip(seat, guess, strict=False) if text.strip()}
    standins = standins or not seat
    answer: Answer | None = None
    refused: GmError | None = None
    try:
        answer = what_if.ask(
            room.services,
            room.id,
            room.letter,
            normal(orders),
            others,
            standins=standins,
            times=times,
            caller=client_of(request),
        )
    except GmError as error:
        refused = error
    return _page(request, room, normal(orders), others, standins, times, answer, refused)


def _page(
    request: Request,
    room: Room,
    text: str,
    others: dict[str, str] | None = None,
    standins: bool = True,
    times: Annotated[int, Form(ge=1, le=100_000)] = what_if.TIMES,
    answer: Answer | None = None,
    refused: GmError | None = None,
) -> HTMLResponse:
    return render(
        request,
        "what_if.html",
        door=room.door,
        now_at=room.door.now,
        text=text,
        others=others or {},
        standins=standins,
        times=times,
        answer=answer,
        say=sentences(answer) if answer else None,
        refused=refused,
    )
