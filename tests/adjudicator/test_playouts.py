"""Random campaigns: whatever players write, the table stays whole and the rules of stacking hold."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.working_position import WorkingPosition, replay
from gm.adjudicator.outcome import Outcome, Status
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.board.model import Color
from gm.orders.kinds import Sheet
from gm.orders.rules.stacking import fault
from gm.position import Phase, Player, Position
from tests.playout import RandomPlayer
from tests.support import examples

BOARD = standard_board()
CAMPAIGNS = examples(2_000, here=160)
CHUNKS = 16
LAST_TURN = 12


def luck(seed: int, position: Position) -> ProvableChance:
    return ProvableChance(seed.to_bytes(32, "big"), f"playout-{seed}", position.turn, position.phase, "digest")


def sheets_for(random_player: RandomPlayer, position: Position) -> dict[Player, Sheet]:
    if position.phase is Phase.SETUP:
        return {}
    return {player: random_player.sheet(position, player) for player in position.active}


def still_on(position: Position) -> bool:
    return position.phase is not Phase.FINISHED and position.turn <= LAST_TURN and len(position.active) > 1


def conserved(step: str, table: WorkingPosition) -> None:
    """Every counter is in exactly one place and every marker is somewhere."""
    held = [h.piece for found in table.held.values() for h in found]
    places = [*table.where, *held, *table.gone]
    assert len(places) == len(set(places)) == len(BOARD.pieces), f"{step}: a piece is lost or there twice"
    everywhere = list(table.markers.values())
    assert sum(m.pm for m in everywhere) == BOARD.markers.politburo, step
    assert sum(m.am for m in everywhere) == 15, step
    chits = Counter(chit for m in everywhere for chit in m.chits)
    assert chits == Counter(BOARD.markers.randomizer_chits), step


def well_stacked(step: str, table: WorkingPosition) -> None:
    """No stack breaks 7.1 or J2, and each belongs to whom J1 gives it."""
    for stack in table.every():
        assert fault(BOARD, stack.pieces) is None, f"{step}: {stack}"
        if stack.leaders:
            assert stack.owner in table.base.players, f"{step}: {stack}"
        elif stack.color in (Color.RED, Color.WHITE, None):
            assert stack.owner is None, f"{step}: {stack}"
        else:
            nation = stack.units[0].nation
            assert stack.owner == table.marker_holder(nation), f"{step}: {stack}"


def watch(step: str, table: WorkingPosition) -> None:
    conserved(step, table)
    well_stacked(step, table)


def answered(sheets: dict[Player, Sheet], outcome: Outcome) -> None:
    """Every order has one result, and one that was not done in whole says why."""
    given = [(player, n) for player, sheet in sheets.items() for n, _ in enumerate(sheet.orders, start=1)]
    assert sorted((r.player, r.number) for r in outcome.results) == sorted(given)
    for result in outcome.results:
        assert result.reasons or result.status is Status.DONE, result


def play(seed: int) -> list[Outcome]:
    random_player = RandomPlayer(BOARD, Random(seed))
    position = Position(players=tuple("ABCDEFGH"[: 2 + seed % 7]))
    outcomes = []
    while still_on(position):
        sheets = sheets_for(random_player, position)
        outcome = adjudicate(BOARD, position, sheets, luck(seed, position), watch=watch)
        answered(sheets, outcome)
        outcomes.append(outcome)
        position = outcome.after
    return outcomes


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_campaigns_keep_every_piece_and_break_no_stack(chunk: int) -> None:
    """2,000 campaigns of 2 to 8 players in CI; fewer at a desk."""
    for seed in range(chunk, CAMPAIGNS, CHUNKS):
        assert len(play(seed)) >= 2


@pytest.mark.parametrize("seed", range(12))
def test_replaying_the_events_on_the_old_position_gives_the_new_one(seed: int) -> None:
    for outcome in play(seed):
        assert replay(BOARD, outcome.before, outcome.events) == outcome.after


@pytest.mark.parametrize("seed", range(12))
def test_the_order_in_which_sheets_arrive_does_not_matter_and_twice_is_the_same(seed: int) -> None:
    rng = Random(seed)
    for outcome in play(seed):
        position = outcome.before
        given = {r.player: [] for r in outcome.results}
        for result in outcome.results:
            given[result.player].append(result.order)
        names = list(given)
        rng.shuffle(names)
        sheets = {name: Sheet(tuple(given[name])) for name in names}
        assert adjudicate(BOARD, position, sheets, luck(seed, position)) == outcome


@pytest.mark.parametrize("seed", range(6))
def test_the_order_in_which_a_position_lists_boxes_and_stacks_does_not_matter(seed: int) -> None:
    rng = Random(seed)
    for outcome in play(seed)[2:8]:
        before = outcome.before
        boxes = list(before.boxes.items())
        rng.shuffle(boxes)
        stacks = list(before.stacks)
        rng.shuffle(stacks)
        shuffled = replace(before, boxes=dict(boxes)).with_stacks(stacks)
        given: dict[Player, list] = {}
        for result in outcome.results:
            given.setdefault(result.player, []).append(result.order)
        sheets = {name: Sheet(tuple(orders)) for name, orders in given.items()}
        again = adjudicate(BOARD, shuffled, sheets, luck(seed, before))
        assert (again.after, again.results, again.rolls) == (outcome.after, outcome.results, outcome.rolls)


def test_every_order_comes_to_something() -> None:
    for outcome in play(3):
        for result in outcome.results:
            if result.status in ("failed", "partly"):
                assert result.reasons, f"{result.order} {result.status} without a reason"
                assert result.rules, f"{result.order} {result.status} cites no rule"
