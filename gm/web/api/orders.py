"""API routes for orders of the caller's own seat: check, submit, versions, reachable provinces."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query

from gm.campaign.phase import intake
from gm.campaign.reads import summaries
from gm.campaign.seats import unsent
from gm.errors import Invalid, NotFound
from gm.orders import effort
from gm.orders import kinds as m
from gm.orders.parser import parse
from gm.web.desk import movement_preview
from gm.web.desk.board import desk_info, piece_info
from gm.web.desk.check import live_check
from gm.web.desk.problems import problem_info
from gm.web.desk.reach import reach
from gm.web.desk.stack_info import look
from gm.web.guard import access
from gm.web.guard.access import PlayerSeat, Room
from gm.web.guard.forms import After
from gm.web.guard.route import GuardedRoute
from gm.web.models import (
    Checked,
    DeskInfo,
    KeptInfo,
    OfferInfo,
    OrdersIn,
    ReachInfo,
    ReadyIn,
    ReadyInfo,
    StackLook,
    SubmittedInfo,
    VersionInfo,
    WayInfo,
)
from gm.web.wording import say

router = APIRouter(route_class=GuardedRoute, prefix="/campaigns/{campaign}", tags=["orders"])
LONGEST_PATH = 60


@router.get("/desk")
def desk(room: PlayerSeat, after: After = "") -> DeskInfo:
    """Everything the map needs to write orders: the published positions, your forces marked."""
    published = summaries.position(room.services, room.id)
    return desk_info(room.board, published, movement_preview.after(room.board, published, after), room.letter)


@router.post("/orders/check", dependencies=[Depends(access.limit_costly("check"))])
def check(room: PlayerSeat, body: OrdersIn) -> Checked:
    """What would be understood, what not and why, on the published positions. Nothing is kept."""
    seen = intake.preview_orders(room.services, room.id, room.letter, body.text)
    position = summaries.position(room.services, room.id)
    return live_check(room.board, position, room.letter, seen, body.text)


@router.post("/orders/unsent", dependencies=[Depends(access.limit_costly("check"))])
def keep(room: PlayerSeat, body: OrdersIn) -> KeptInfo:
    """Keep a text that is not sent yet, for the page on which you write orders. It counts for nothing."""
    unsent.keep(room.services, room.id, room.letter, body.text)
    return KeptInfo(kept=True)


@router.post("/orders", dependencies=access.WRITE)
def submit(room: PlayerSeat, body: OrdersIn) -> SubmittedInfo:
    """Send orders. They replace what you sent before for this Phase, unless the sheet begins with ADD. A text with
    the orders of two Phases, each under its ORDERS line, is two sheets: the second comes under `also`."""
    about: dict[str, Any] = {"actor": room.letter, "ready": body.ready, "phase_id": body.phase_id}
    first, *others = intake.submit_each(room.services, room.id, room.letter, body.text, source="api", **about)
    return _submitted(first, others)


def _submitted(done: intake.Submitted, others: Sequence[intake.Submitted] = ()) -> SubmittedInfo:
    return SubmittedInfo(
        status=done.status,
        reason=done.reason,
        version=done.version,
        turn=done.turn,
        phase=done.phase,
        canonical=done.canonical,
        problems=[problem_info(p) for p in done.problems],
        receipt=done.receipt,
        salt=done.salt,
        deadline=done.deadline,
        ready=done.ready,
        also=[_submitted(other) for other in others],
    )


@router.post("/ready", dependencies=access.WRITE)
def ready(room: PlayerSeat, body: ReadyIn) -> ReadyInfo:
    """Say that you want to change nothing more, or that you want the full time."""
    found = intake.say_ready(room.services, room.id, room.letter, body.ready, phase_id=body.phase_id)
    return ReadyInfo.model_validate(found, from_attributes=True)


@router.get("/orders")
def versions(room: PlayerSeat) -> list[VersionInfo]:
    """The last fifty versions that you sent for the present Phase, the newest first."""
    return [_version(row) for row in reversed(intake.versions(room.services, room.id, room.letter, intake.NEWEST))]


def _version(row: object) -> VersionInfo:
    return VersionInfo.model_validate(row, from_attributes=True)


@router.get("/reach", dependencies=[Depends(access.limit_costly("check"))])
def reachable(
    room: PlayerSeat,
    pieces: Annotated[str, Query(max_length=200, description="identity codes, with commas", examples=["19,61"])],
    path: Annotated[
        str, Query(max_length=400, description="provinces so far, from where it stands", examples=["PETR-PSKO"])
    ],
    rail: bool = False,
    acts: Annotated[str, Query(max_length=400, description="handling so far: `URAL+129,CHIT-77`")] = "",
    sheet: Annotated[str, Query(max_length=8000, description="your other orders: forces of yours fight together")] = "",
    to: Annotated[str, Query(max_length=4, description="a province that is out of reach: why is it?")] = "",
    after: After = "",
) -> ReachInfo:
    """Where a force can go on to, where it would be stopped and by whom, and what it could pick up here."""
    order = _move(room, pieces, path, rail, acts)
    published = summaries.position(room.services, room.id)
    others = effort.bounded(parse(room.board, sheet, published.players).sheet).orders if sheet.strip() else ()
    if {p.one for p in order.force} & movement_preview.moved(room.board, published, after):
        return ReachInfo(
            here=path.split("-")[-1], left=0, ended=say("reach.moved"), reach=[], pickups=[], drops=[], fights=[]
        )
    found = reach(
        room.board, movement_preview.after(room.board, published, after), room.letter, order, others, to.upper()
    )
    return ReachInfo(
        here=found.here,
        left=found.left,
        ended=found.ended,
        reach=[WayInfo.model_validate(way, from_attributes=True) for way in found.ways],
        pickups=[OfferInfo.model_validate(piece_info(p), from_attributes=True) for p in found.pickups],
        drops=[OfferInfo.model_validate(piece_info(p), from_attributes=True) for p in found.drops],
        fights=list(found.fights),
        threats=list(found.threats),
        why=found.why,
    )


@router.get("/stacks/{index}", dependencies=[Depends(access.limit_costly("check"))])
def stack(room: PlayerSeat, index: Annotated[int, Path(ge=0, le=1000)], after: After = "") -> StackLook:
    """Where a stack could go, whom of yours it threatens or who threatens it, and attacks with their odds."""
    position = movement_preview.after(room.board, summaries.position(room.services, room.id), after)
    if index >= len(position.stacks):
        raise NotFound("stack", say("wrong.no-stack"), "")
    return look(room.board, position, room.letter, index)


def _move(room: Room, pieces: str, path: str, rail: bool, acts: str) -> m.Move:
    """The order that the map has put together so far."""
    board = room.board
    codes = [part.strip() for part in pieces.split(",") if part.strip()]
    provinces = [part.strip().upper() for part in path.split("-") if part.strip()]
    if not codes or not all(c.isascii() and c.isdecimal() and int(c) in board.pieces for c in codes):
        raise Invalid("pieces", "No such pieces.", "Give identity codes, with commas.")
    if not provinces or len(provinces) > LONGEST_PATH or any(p not in board.provinces for p in provinces):
        raise Invalid("path", "No such path.", "Give province codes with hyphens, from where the force stands.")
    handling: dict[str, list[m.Handling]] = {}
    for act in filter(None, acts.split(",")):
        code, sign, piece = act[:4].upper(), act[4:5], act[5:]
        if code in provinces and piece.isascii() and piece.isdecimal() and int(piece) in board.pieces:
            kind = m.Act.PICK if sign == "+" else m.Act.DROP
            handling.setdefault(code, []).append(m.Handling(kind, m.Named((board.pieces[int(piece)],))))
    force = tuple(m.Named((board.pieces[int(c)],)) for c in dict.fromkeys(codes))
    stops = tuple(m.Stop(code, tuple(handling.pop(code, ()))) for code in provinces)
    return m.Move(force=force, path=stops, by_rail=rail)
