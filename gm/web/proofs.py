"""What a reader needs to recompute the luck of every published Phase, with what each draw was made from.

A roll is on record with its occasion and what came; the chits in the Randomizer at that moment, or the players among
whom it fell, are not. They follow from the published positions and orders: the Phase is played again, and noted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from gm.adjudicator.chance import ProvableChance
from gm.campaign import lookups, sheets, sight
from gm.campaign.services import Services
from gm.store.base import PhaseKey
from gm.web.access import Room
from gm.web.api.models import PhaseProofInfo
from gm.web.kept import Bound


class Noting(ProvableChance):
    """The dice of a Phase, noting what each draw was made from."""

    def __init__(self, proof: sight.PhaseProof) -> None:
        super().__init__(bytes.fromhex(proof.secret), proof.dice_name, proof.turn, proof.phase, proof.digest)
        self.noted: dict[str, dict[str, list[str]]] = {}  # by occasion

    def pick(self, occasion: str, options: Sequence[str]) -> str:
        self.noted[occasion] = {"options": list(options)}
        return super().pick(occasion, options)

    def deal(self, occasion: str, cards: Sequence[str], players: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        self.noted |= {f"{occasion}/{p}": {"options": list(cards), "among": list(players)} for p in players}
        return super().deal(occasion, cards, players)


def proofs(room: Room) -> list[PhaseProofInfo]:
    now = room.door.now
    return _kept_proofs(Bound(room.services), now.key, now.bells, now.options.masses)


@lru_cache(maxsize=32)
def _kept_proofs(bound: Bound, at: PhaseKey, last: int, masses: bool) -> list[PhaseProofInfo]:
    """Kept until the campaign moves on or another issue is printed: only then is there another Phase to prove."""
    found = sight.proofs(bound.services, at.campaign_id)
    return [
        PhaseProofInfo.model_validate(asdict(proof) | {"rolls": _rolls(bound.services, at.campaign_id, proof, masses)})
        for proof in found
    ]


def _rolls(services: Services, campaign: str, proof: sight.PhaseProof, masses: bool) -> list[dict[str, Any]]:
    if all(roll.get("drawn") is None for roll in proof.rolls):
        return list(proof.rolls)
    before = lookups.outcome(services, campaign, proof.turn, proof.phase).before
    orders = {s.player: sheets.sheet_of(services.board, s.orders, before.players) for s in proof.sheets}
    chance = Noting(proof)
    services.adjudicate(services.board, before, orders, chance, masses)
    return [roll | chance.noted.get(roll["occasion"], {}) for roll in proof.rolls]
