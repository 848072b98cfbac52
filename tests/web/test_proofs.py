"""Every draw is told with what it was made from, so that anybody can make it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gm.adjudicator.chance import ProvableChance
from gm.campaign import lifecycle, lookups, sheets, sight, ticker
from gm.campaign.services import Services
from gm.web.proofs import Noting
from gm.web.sample import orders_of_1976
from tests.web.table import OPEN, Browser, people, play

Make = Callable[[], Browser]


def drawn_again(proof: dict[str, Any], roll: dict[str, Any]) -> str:
    chance = ProvableChance(
        bytes.fromhex(proof["secret"]), proof["dice_name"], proof["turn"], proof["phase"], proof["digest"]
    )
    if "among" not in roll:
        return chance.pick(roll["occasion"], roll["options"])
    occasion, player = roll["occasion"].split("/")
    return ", ".join(chance.deal(occasion, roll["options"], roll["among"])[player])


def test_every_draw_on_record_can_be_made_again_from_what_is_told(browser: Make, table: Services) -> None:
    play(table, "first")
    play(table, "second")
    options = {"public": True, "publish": "auto"}
    dealt = lifecycle.create(
        table, name="Dealt", players=people("dealt"), gm_name="Gregor", gm_address="gm@dealt.test", options=options
    )
    lifecycle.deal(table, dealt, force=True)
    ticker.tick(table)
    for campaign in (OPEN, dealt):
        proofs = browser().get(f"/api/v1/campaigns/{campaign}/fairness").json()["phases"]
        draws = [(proof, roll) for proof in proofs for roll in proof["rolls"] if roll["drawn"] is not None]
        assert [drawn_again(proof, roll) for proof, roll in draws] == [roll["drawn"] for _, roll in draws]
    assert [roll["occasion"] for _, roll in draws] == [f"deal/{letter}" for letter in "ABCDE"]


def test_whatever_comes_each_draw_is_noted_with_what_it_was_made_from(table: Services) -> None:
    """The Second Phase is played with other dice until there were chits as well as players by lot."""
    play(table, "first")
    play(table, "second")
    before = lookups.outcome(table, OPEN, 1, "second").before
    orders = {p: sheets.sheet_of(table.board, t, before.players) for p, t in orders_of_1976("second").items()}
    seen: set[str] = set()
    for number in range(300):
        proof = sight.PhaseProof(1, "second", OPEN, f"{number:064x}", "", "", (), ())
        chance = Noting(proof)
        outcome = table.adjudicate(table.board, before, orders, chance, False)
        drawn = {roll.occasion: roll.drawn for roll in outcome.rolls if roll.drawn is not None}
        assert drawn.keys() == chance.noted.keys()
        assert all(drawn[occasion] in noted["options"] for occasion, noted in chance.noted.items())
        seen |= {occasion.split("/")[0] for occasion in drawn}
        if {"randomizer", "recipient"} <= seen:
            return
    raise AssertionError(f"only {seen} in three hundred Phases")
