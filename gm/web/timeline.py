"""Every published Phase with its moves, for the slider of the map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from gm.adjudicator import outcome as o
from gm.campaign.cache import ServicesKey
from gm.campaign.reads import lookups, summaries
from gm.campaign.services import Services
from gm.errors import NotFound
from gm.gamedate import game_date
from gm.position import Phase
from gm.store.base import PhaseKey
from gm.web.desk.board import centres, color_of
from gm.web.guard.access import Room
from gm.web.models import FrameInfo, MoveInfo, Timeline


def timeline_json(room: Room) -> bytes:
    now = room.door.now
    return _kept(ServicesKey(room.services), now.key, now.bells)


@lru_cache(maxsize=64)
def _kept(key: ServicesKey, at: PhaseKey, last: int) -> bytes:
    """Kept until the campaign moves on or another issue is printed: only then is there another Phase to show."""
    frames = _frames(key.services, at.campaign_id)
    return Timeline(frames=frames, centres=centres()).model_dump_json().encode()


def _frames(services: Services, campaign: str) -> list[FrameInfo]:
    bells = {(b.turn, b.phase): b for b in lookups.bells(services, campaign)}
    found = []
    for seen in summaries.phases(services, campaign):
        if seen.state != "published" or seen.phase == Phase.FINISHED:
            continue
        bell = bells.get((seen.turn, seen.phase))
        events = _events(services, campaign, seen.turn, seen.phase)
        found.append(
            FrameInfo(
                turn=seen.turn,
                phase=seen.phase,
                bell=bell.number if bell else None,
                title=game_date(seen.turn, seen.phase),
                headline=bell.headline if bell else "",
                map=f"/c/{campaign}/map/{seen.turn}/{seen.phase}.svg",
                moves=_moves(events),
                battles=sorted({event.province for event in events if isinstance(event, o.Fought)}),
                points=seen.points,
            )
        )
    return found


def _events(services: Services, campaign: str, turn: int, phase: str) -> Sequence[o.Event]:
    try:
        return lookups.outcome(services, campaign, turn, phase).events
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
