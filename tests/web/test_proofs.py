"""Every draw is told with what it was made from, so that anybody can make it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.options import GameOptions
from gm.board.load import standard_board
from gm.campaign import ticker
from gm.campaign.manage import creation
from gm.campaign.phase import sheets
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.reports.proof.checks.record import drawings
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
    dealt = creation.create(
        table, name="Dealt", players=people("dealt"), gm_name="Gregor", gm_address="gm@dealt.test", options=options
    )
    creation.deal(table, dealt, force=True)
    ticker.tick(table)
    for campaign in (OPEN, dealt):
        proofs = browser().get(f"/api/v1/campaigns/{campaign}/fairness").json()["phases"]
        draws = [(proof, roll) for proof in proofs for roll in proof["rolls"] if roll["drawn"] is not None]
        assert [drawn_again(proof, roll) for proof, roll in draws] == [roll["drawn"] for _, roll in draws]
    assert [roll["occasion"] for _, roll in draws] == [f"deal/{letter}" for letter in "ABCDE"]


def test_whatever_comes_each_draw_is_on_record_with_what_it_was_made_from(table: Services) -> None:
    """The Second Phase is played with other dice until there were chits as well as players by lot."""
    play(table, "first")
    play(table, "second")
    before = lookups.outcome(table, OPEN, 1, "second").before
    orders = {p: sheets.sheet_of(standard_board(), t, before.players) for p, t in orders_of_1976("second").items()}
    seen: set[str] = set()
    for number in range(300):
        chance = ProvableChance(number.to_bytes(32, "big"), OPEN, 1, "second", "")
        outcome = table.adjudicate(standard_board(), before, orders, chance, GameOptions())
        draws = [roll for roll in outcome.rolls if roll.drawn is not None]
        assert all(chance.pick(roll.occasion, roll.options) == roll.drawn for roll in draws)
        assert {
            occasion: drawing.options
            for occasion, drawing in drawings(standard_board(), outcome, GameOptions()).items()
        } == {roll.occasion: roll.options for roll in draws}, "the same follows from the events"
        seen |= {roll.occasion.split("/")[0] for roll in draws}
        if {"randomizer", "recipient"} <= seen:
            return
    raise AssertionError(f"only {seen} in three hundred Phases")
