"""Orders: check, submit, read back. All of it for one's own seat only."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from gm.campaign import intake, sight
from gm.errors import Invalid
from gm.web import access
from gm.web.access import Player, Room
from gm.web.api.models import Checked, DeskInfo, OfferInfo, OrdersIn, ReachInfo, SubmittedInfo, VersionInfo, WayInfo
from gm.web.boardview import desk_info, piece_info
from gm.web.checking import checked
from gm.web.problems import problem_info
from gm.web.reach import Force, reach
from gm.web.served import Served

router = APIRouter(route_class=Served, prefix="/campaigns/{campaign}", tags=["orders"])
LONGEST_PATH = 60


@router.get("/desk")
def desk(room: Player) -> DeskInfo:
    """Everything the map needs to write orders: the published positions, your forces marked."""
    position = sight.position(room.services, room.id)
    return desk_info(room.services.board, position, room.letter)


@router.post("/orders/check", dependencies=[Depends(access.limit("check"))])
def check(room: Player, body: OrdersIn) -> Checked:
    """What would be understood, what not and why, on the published positions. Nothing is kept."""
    seen = intake.preview_orders(room.services, room.id, room.letter, body.text)
    position = sight.position(room.services, room.id)
    return checked(room.services.board, position, room.letter, seen.sheet, seen.canonical, seen.problems)


@router.post("/orders", dependencies=[Depends(access.limit("write"))])
def submit(room: Player, body: OrdersIn) -> SubmittedInfo:
    """Send orders. They replace what you sent before for this Phase, unless the sheet begins with ADD."""
    done = intake.submit(room.services, room.id, room.letter, body.text, source="api", actor=room.letter)
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
    )


@router.get("/orders")
def versions(room: Player) -> list[VersionInfo]:
    """Every version that you sent for the present Phase, the newest first."""
    return [_version(row) for row in intake.versions(room.services, room.id, room.letter)]


def _version(row: object) -> VersionInfo:
    return VersionInfo.model_validate(row, from_attributes=True)


@router.get("/reach")
def reachable(
    room: Player,
    pieces: Annotated[str, Query(max_length=200, description="identity codes, with commas", examples=["19,61"])],
    path: Annotated[
        str, Query(max_length=400, description="provinces so far, from where it stands", examples=["PETR-PSKO"])
    ],
    rail: bool = False,
    acts: Annotated[str, Query(max_length=400, description="handling so far: `URAL+129,CHIT-77`")] = "",
) -> ReachInfo:
    """Where a force can go on to, where it would be stopped and by whom, and what it could pick up here."""
    force = _force(room, pieces, path, rail, acts)
    position = sight.position(room.services, room.id)
    found = reach(room.services.board, position, room.letter, force)
    return ReachInfo(
        here=found.here,
        left=found.left,
        ended=found.ended,
        reach=[WayInfo.model_validate(way, from_attributes=True) for way in found.ways],
        pickups=[OfferInfo.model_validate(piece_info(p), from_attributes=True) for p in found.pickups],
        drops=[OfferInfo.model_validate(piece_info(p), from_attributes=True) for p in found.drops],
    )


def _force(room: Room, pieces: str, path: str, rail: bool, acts: str) -> Force:
    board = room.services.board
    codes = [part.strip() for part in pieces.split(",") if part.strip()]
    provinces = [part.strip().upper() for part in path.split("-") if part.strip()]
    if not codes or not all(c.isascii() and c.isdigit() and int(c) in board.pieces for c in codes):
        raise Invalid("pieces", "No such pieces.", "Give identity codes, with commas.")
    if not provinces or len(provinces) > LONGEST_PATH or any(p not in board.provinces for p in provinces):
        raise Invalid("path", "No such path.", "Give province codes with hyphens, from where the force stands.")
    force = Force([board.pieces[int(c)] for c in dict.fromkeys(codes)], provinces, rail)
    for act in filter(None, acts.split(",")):
        code, sign, piece = act[:4].upper(), act[4:5], act[5:]
        if code in board.provinces and piece.isascii() and piece.isdigit() and int(piece) in board.pieces:
            handled = force.picked if sign == "+" else force.dropped
            handled.setdefault(code, []).append(board.pieces[int(piece)])
    return force
