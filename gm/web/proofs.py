"""Data for recomputing the dice and draws of every published Phase."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from gm.adjudicator.engine.options import GameOptions
from gm.board.model import Board
from gm.campaign.cache import ServicesKey
from gm.campaign.reads import lookups, summaries
from gm.campaign.services import Services
from gm.reports.proof.beacon import line_of
from gm.reports.proof.checks.record import Drawing, drawings
from gm.reports.proof.fairness import house_lines
from gm.store.base import PhaseKey
from gm.web.guard.access import Room
from gm.web.models import PhaseProofInfo


def proofs(room: Room) -> list[PhaseProofInfo]:
    now = room.door.now
    return _kept_proofs(ServicesKey(room.services), now.board, now.key, now.bells, now.options.game)


@lru_cache(maxsize=32)
def _kept_proofs(key: ServicesKey, board: Board, at: PhaseKey, last: int, options: GameOptions) -> list[PhaseProofInfo]:
    """Kept until the campaign moves on or another issue is printed: only then is there another Phase to prove."""
    found = summaries.proofs(key.services, at.campaign_id)
    return [
        PhaseProofInfo.model_validate(
            asdict(proof)
            | {
                "rolls": _rolls(key.services, board, at.campaign_id, proof, options),
                "house": house_lines(options, board, line_of(proof.beacon)) if proof.dice > 1 else [],
            }
        )
        for proof in found
    ]


def _rolls(
    services: Services, board: Board, campaign: str, proof: summaries.PhaseProof, options: GameOptions
) -> list[dict[str, Any]]:
    plain = [{name: value for name, value in roll.items() if name not in ("options", "among")} for roll in proof.rolls]
    if all(roll.get("drawn") is None for roll in plain):
        return plain
    found = drawings(board, lookups.outcome(services, campaign, proof.turn, proof.phase), options)
    return [{**roll, **_told(found.get(roll["occasion"]))} for roll in plain]


def _told(drawing: Drawing | None) -> dict[str, list[str]]:
    return {name: list(value) for name, value in asdict(drawing).items() if value} if drawing else {}
