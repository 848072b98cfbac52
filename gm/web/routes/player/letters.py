"""Pages for letters between players and press for the next Bell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign.mailbox import letters
from gm.campaign.mailbox.who_writes import OUT
from gm.campaign.phase.intake import Submitted
from gm.campaign.reads import summaries
from gm.campaign.roles import GM
from gm.campaign.seats import proposals
from gm.errors import Invalid
from gm.orders.rules.quorums import PURGE_QUORUM
from gm.web.desk.form_choices import desk_view
from gm.web.guard.access import WRITE, PlayerSeat
from gm.web.guard.forms import AskedRow, Letters, Line, Number, RowNumber, Text, Tick, back, normal, tell
from gm.web.guard.route import GuardedRoute
from gm.web.guard.session import session_of
from gm.web.pages import render
from gm.web.wording import say

router = APIRouter(route_class=GuardedRoute, prefix="/c/{campaign}", include_in_schema=False)
_OFFERS = "/c/{}/letters?at=proposals#offers"  # where the answer stands beside them
_FORM = "/c/{}/letters?at=proposals&form={}#offers"
Choices = Annotated[Sequence[str], Form()]
PAGE = 50  # letters


@router.get("/letters")
def letters_page(
    request: Request,
    room: PlayerSeat,
    to: str = "",
    reply: AskedRow = None,
    before: AskedRow = None,
    at: str = "",
    form: str = "",
) -> HTMLResponse:
    """`at`: proposals, if what was just done is to be told beside them. `before`: the letters older than this one.
    `form`: which one of a proposal stands open, of a trade with a player or of a purge.
    """
    found = letters.letters_of(room.services, room.id, room.letter, newest=PAGE, before=before)
    answered = letters.letter_of(room.services, room.id, room.letter, reply)
    read_at = letters.look_at(room.services, room.id, room.letter)
    now_at = room.door.now
    offers = proposals.proposals_of(room.services, room.id, room.letter)
    return render(
        request,
        "letters.html",
        door=room.door,
        now_at=now_at,
        names=now_at.names | {GM: now_at.gm_name},
        threads=letters.threads(found, room.letter, read_at),
        read_at=read_at,
        older=found[0].id if len(found) == PAGE else None,
        view=desk_view(room.board, summaries.position(room.services, room.id), room.letter) if now_at.is_open else None,
        asked=sum(p.is_open and room.letter in p.waits_for for p in offers),
        proposals=sorted(offers, key=lambda p: room.letter not in p.waits_for),
        press=[item for item in reversed(found) if item.kind == "press"],
        quorum=PURGE_QUORUM,
        at=at,
        form=form,
        answered=answered,
        to={answered.sender} if answered and answered.sender else set(to.split(",")),
    )


@router.post("/proposals", dependencies=WRITE)
def propose(
    request: Request,
    room: PlayerSeat,
    order: Line = "",
    to: Line = "",
    give: Choices = (),
    want: Choices = (),
    object: Line = "",
    using: Number = 0,
    partner: Choices = (),
    asks: Choices = (),
    share: Choices = (),
    phase_id: Line = "",
) -> Response:
    """An order as text, or chosen part by part: a trade has `to`, a Purge an `object`.

    `partner`, `asks`, `share`: a line for each player, the proposer first; who is asked for nothing stays out of it.
    """
    form = _FORM.format(room.id, quote(to) if to else "purge")
    if missing := _missing(to, give, want, object, using, asks):
        session_of(request).flash("bad", say(f"offer.{missing}", who=room.door.now.names.get(to, to)))
        return back(request, form)
    if to:
        order = f"GIVE {_listed(give)} TO {to} FOR {_listed(want)}"
    elif object:
        members = [line for line in zip(partner, asks, share, strict=False) if line[1] and line[0] != object]
        others = [line for line in members if line[0] != room.letter]
        order = f"PURGE {object}{' WITH ' if others else ''}{_listed(p for p, _, _ in others)} USING {using} PM"
        if others:
            order += f" DIVIDE {_listed(f'{p} {n}' for p, _, n in members if n != '0')}"
            order += f" ASKING {_listed(f'{p} {n}' for p, n, _ in others)}"
    try:
        made = proposals.propose(room.services, room.id, room.letter, order, phase_id=phase_id)
    except Invalid as refused:
        if not to and not object:
            raise  # the page of what went wrong leads back to what was typed
        session_of(request).flash("bad", f"{_sentence(str(refused))} {_sentence(refused.hint)}".strip())
        return back(request, form)
    partners = ", ".join(p for p in made.orders if p != room.letter)
    tell(request, "proposed", number=made.number, who=partners)
    _tell_the_sheet(request, made.filed, made.unreadied)
    return back(request, _OFFERS.format(room.id))


def _sentence(words: str) -> str:
    words = words.strip()
    return words if not words else f"{words[0].upper()}{words[1:]}{'' if words[-1] in '.?!' else '.'}"


def _missing(
    to: str, give: Sequence[str], want: Sequence[str], object: str, using: int, asks: Sequence[str]
) -> str | None:
    """What was left open in a form that was filled in part by part."""
    if to:
        given, wanted = any(give), any(want)
        return None if given and wanted else "nothing" if not given and not wanted else "want" if given else "give"
    return "alone" if object and using < PURGE_QUORUM and not any(asks[1:]) else None


def _tell_the_sheet(request: Request, filed: Submitted | None, unreadied: bool) -> None:
    """Which version of the seat's sheet a proposal made, under which seal, and whether it took readiness away."""
    if filed is not None:
        tell(request, "sheet-now", version=filed.version, seal=filed.receipt)
    if unreadied:
        tell(request, "no-longer-ready", kind="warn")


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(part for part in parts if part)


@router.post("/proposals/{number}", dependencies=WRITE)
def answer_proposal(
    request: Request, room: PlayerSeat, number: RowNumber, agree: Tick = False, page: Line = ""
) -> Response:
    """Agree, decline, or withdraw one's own; from the page of letters or from the desk."""
    done = proposals.answer(room.services, room.id, room.letter, number, agree)
    where = f"/c/{room.id}/desk" if page == "desk" else _OFFERS.format(room.id)
    tell(request, "offer-withdrawn" if done.withdrawn else "agreed" if agree else "disagreed", number=number)
    _tell_the_sheet(request, done.filed, done.unreadied)
    return back(request, where)


@router.post("/letters", dependencies=WRITE)
def send(
    request: Request,
    room: PlayerSeat,
    text: Text,
    to: Letters = (),
    subject: Line = "",
    anonymous: Tick = False,
    reply: AskedRow = None,
) -> Response:
    now_at = room.door.now
    known = {seat.letter for seat in now_at.seats} | {GM}
    to = [*to, *(seat.letter for seat in now_at.seats if seat.status not in OUT)] if "ALL" in to else to
    chosen = sorted(set(to) & known - {room.letter})
    answered = letters.letter_of(room.services, room.id, room.letter, reply)
    unsigned = answered is not None and answered.sender is None
    if (not chosen and not unsigned) or not text.strip():
        raise Invalid("letter", "A letter needs somebody to go to, and a text.", "Go back and complete it.")
    letters.add_letter(
        room.services,
        room.id,
        room.letter,
        () if unsigned else chosen,
        normal(text),
        subject=subject,
        anonymous=anonymous,
        in_reply_to=answered.id if answered is not None else None,
    )
    who = ", ".join(chosen)
    return back(request, f"/c/{room.id}/letters", "letter-answered" if unsigned else "letter-sent", who=who)


@router.post("/press/withdraw", dependencies=WRITE)
def withdraw(request: Request, room: PlayerSeat, number: Number) -> Response:
    letters.take_back(room.services, room.id, room.letter, number)
    return back(request, f"/c/{room.id}/letters", "press-withdrawn")


@router.post("/press", dependencies=WRITE)
def publish(request: Request, room: PlayerSeat, text: Text, dateline: Line = "") -> Response:
    if not text.strip():
        raise Invalid("press", "Press needs a text.", "Go back and write one.")
    letters.add_press(room.services, room.id, room.letter, normal(text), dateline or None)
    return back(request, f"/c/{room.id}/letters", "press-taken")
