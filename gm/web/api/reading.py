"""Read-only API routes: campaigns, positions, Bells, results, dice."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from gm.adjudicator.versions import ALONE, READING
from gm.campaign.access import callers
from gm.campaign.reads import lookups, summaries
from gm.web.desk.board import position_info
from gm.web.guard.access import Anybody, Reader, keys_of
from gm.web.guard.forms import BellNumber
from gm.web.guard.route import GuardedRoute
from gm.web.guard.session import session_of
from gm.web.models import (
    BellInfo,
    BellRow,
    CampaignInfo,
    CampaignRow,
    FairnessInfo,
    PhaseWord,
    PositionInfo,
    ResultRow,
    ResultsInfo,
    SeatInfo,
    Timeline,
    Turn,
)
from gm.web.proofs import proofs
from gm.web.timeline import timeline_json

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
        phase_id=room.door.now.phase_id,
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


@router.get("/campaigns/{campaign}/timeline", response_model=Timeline)
def timeline(room: Reader) -> Response:
    """Every published Phase with its moves: what the map's slider shows."""
    return Response(timeline_json(room), media_type="application/json")


@router.get("/campaigns/{campaign}/fairness")
def fairness(room: Reader) -> FairnessInfo:
    """Secrets, seals, rolls and draws of every published Phase: enough to recompute each of them."""
    reading = ALONE if summaries.position(room.services, room.id).solitaire else READING
    return FairnessInfo(phases=proofs(room), next_commitment=room.door.now.commitment, reading=reading)
