"""Read-only API routes: campaigns, positions, Bells, results, dice."""

from collections.abc import Iterable, Sequence

from fastapi import APIRouter, Request

from gm.adjudicator import outcome as o
from gm.adjudicator.versions import READING
from gm.campaign.access import callers
from gm.campaign.reads import lookups, summaries
from gm.errors import NotFound
from gm.gamedate import game_date
from gm.position import Phase
from gm.web.desk.board import centres, color_of, position_info
from gm.web.guard.access import Anybody, Reader, Room, keys_of
from gm.web.guard.forms import BellNumber
from gm.web.guard.route import GuardedRoute
from gm.web.guard.session import session_of
from gm.web.models import (
    BellInfo,
    BellRow,
    CampaignInfo,
    CampaignRow,
    FairnessInfo,
    FrameInfo,
    MoveInfo,
    PhaseWord,
    PositionInfo,
    ResultRow,
    ResultsInfo,
    SeatInfo,
    Timeline,
    Turn,
)
from gm.web.proofs import proofs

router = APIRouter(route_class=GuardedRoute, tags=["reading"])


@router.get("/campaigns")
def campaigns(services: Anybody, request: Request) -> list[CampaignRow]:
    """The campaigns that you may read."""
    mine = {s.campaign for s in session_of(request).seats}
    found = []
    for line in lookups.overview(services):
        if line.public or (line.id in mine and _may_read(request, line.id)):
            found.append(CampaignRow.model_validate(line, from_attributes=True))
    return found


def _may_read(request: Request, campaign: str) -> bool:
    door = callers.door(request.app.state.services, campaign, keys_of(request, campaign))
    return door is not None and door.may_read


@router.get("/campaigns/{campaign}")
def campaign(room: Reader) -> CampaignInfo:
    """Where a campaign stands: Phase, deadline, who has ordered (not what)."""
    state = lookups.state(room.services, room.id)
    shown = state.options.show_ready
    seats = [
        SeatInfo(
            letter=s.letter,
            name=s.name,
            status=s.status,
            ordered=s.ordered if shown or s.letter == room.door.letter else None,
            ready=s.ready if shown or s.letter == room.door.letter else None,
        )
        for s in state.seats
    ]
    return CampaignInfo(
        id=state.id,
        name=state.name,
        paper=state.paper,
        status=state.status,
        public=state.options.public,
        turn=state.turn,
        phase=state.phase,
        phase_state=state.phase_state,
        deadline=state.deadline,
        full_deadline=state.full_deadline,
        commitment=state.commitment,
        gamesmaster=state.gm_name,
        seats=seats,
        bells=state.bell_number,
        you=room.door.letter,
    )


@router.get("/campaigns/{campaign}/position")
def position(room: Reader) -> PositionInfo:
    """The published positions, those with which the present Phase began."""
    return position_info(summaries.position(room.services, room.id))


@router.get("/campaigns/{campaign}/position/{turn}/{phase}")
def position_at(room: Reader, turn: Turn, phase: PhaseWord) -> PositionInfo:
    """The positions with which a Phase began."""
    return position_info(lookups.position_at(room.services, room.id, turn, phase))


@router.get("/campaigns/{campaign}/bells")
def bells(room: Reader) -> list[BellRow]:
    """Every issue, the oldest first."""
    return [BellRow.model_validate(b, from_attributes=True) for b in lookups.bells(room.services, room.id)]


@router.get("/campaigns/{campaign}/bells/{number}")
def bell(room: Reader, number: BellNumber) -> BellInfo:
    """One issue, as text and as values."""
    found = lookups.bell(room.services, room.id, number)
    return BellInfo(
        void=any(line.void for line in lookups.bells(room.services, room.id) if line.number == number),
        number=found.number,
        turn=found.turn,
        phase=found.phase,
        headline=found.headline,
        published_at=found.published_at,
        text=found.text,
        document=dict(found.json),
    )


@router.get("/campaigns/{campaign}/results/{turn}/{phase}")
def results(room: Reader, turn: Turn, phase: PhaseWord) -> ResultsInfo:
    """What became of every order of a published Phase, and every roll."""
    found = lookups.outcome(room.services, room.id, turn, phase)
    return ResultsInfo(
        turn=turn,
        phase=phase,
        results=[
            ResultRow(
                player=r.player, number=r.number, order=r.order.printed(), status=r.status.value, rules=list(r.rules)
            )
            for r in found.results
        ],
        rolls=[{"occasion": r.occasion, "dice": list(r.dice), "drawn": r.drawn, "cell": r.cell} for r in found.rolls],
        points={p: (points.red, points.white) for p, points in sorted(found.points.items())},
    )


@router.get("/campaigns/{campaign}/timeline")
def timeline(room: Reader) -> Timeline:
    """Every published Phase with its moves: what the map's slider shows."""
    return Timeline(frames=frames(room), centres=centres())


@router.get("/campaigns/{campaign}/fairness")
def fairness(room: Reader) -> FairnessInfo:
    """Secrets, seals, rolls and draws of every published Phase: enough to recompute each of them."""
    return FairnessInfo(phases=proofs(room), next_commitment=room.door.now.commitment, reading=READING)


def frames(room: Room) -> list[FrameInfo]:
    bells = {(b.turn, b.phase): b for b in lookups.bells(room.services, room.id)}
    found = []
    for seen in summaries.phases(room.services, room.id):
        if seen.state != "published" or seen.phase == Phase.FINISHED:
            continue
        bell = bells.get((seen.turn, seen.phase))
        events = _events(room, seen.turn, seen.phase)
        found.append(
            FrameInfo(
                turn=seen.turn,
                phase=seen.phase,
                bell=bell.number if bell else None,
                title=game_date(seen.turn, seen.phase),
                headline=bell.headline if bell else "",
                map=f"/c/{room.id}/map/{seen.turn}/{seen.phase}.svg",
                moves=_moves(events),
                battles=sorted({event.province for event in events if isinstance(event, o.Fought)}),
                points=seen.points,
            )
        )
    return found


def _events(room: Room, turn: int, phase: str) -> Sequence[o.Event]:
    try:
        return lookups.outcome(room.services, room.id, turn, phase).events
    except NotFound:  # a campaign that began from a printed position has no report of it
        return ()


def _moves(events: Iterable[o.Event]) -> list[MoveInfo]:
    found = []
    for event in events:
        if isinstance(event, o.Moved) and event.pieces and len(event.path) > 1:
            top = next((p for p in event.pieces if p.is_leader), event.pieces[0])
            found.append(
                MoveInfo(
                    player=event.player,
                    color=color_of(top),
                    label=top.name,
                    path=list(event.path),
                    stopped=event.stopped is not None,
                )
            )
    return found
