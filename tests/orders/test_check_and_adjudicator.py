"""What the checker says before the deadline is what the adjudicator finds after it, if nobody else did anything."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.outcome import Fought, OrderResult, Status
from gm.adjudicator.sequence import adjudicate
from gm.board.load import for_shorter_game
from gm.orders import kinds as m
from gm.orders.check.checker import belongs, check, unordered
from gm.orders.problems import Severity
from gm.orders.rules.odds import prospects, results_of
from gm.position import Phase, Player, Position
from tests.orders.samples import BOARD, position, read
from tests.playout import RandomPlayer
from tests.strategies import random_position
from tests.support import IN_CI

PLAYERS = ("A", "B", "C", "D")
SEEDS = range(400 if IN_CI else 40)
# Warnings about what an order brings about, not about the order itself.
BESIDE_THE_POINT = {
    "left-behind",
    "unled-stack",
    "ambiguous-name",
    "stacked-twice",
    "not-his-to-lose",
    "not-his-to-choose",
}


def alone(
    position: Position, player: Player, orders: tuple[m.Order, ...]
) -> list[tuple[m.Order, OrderResult, set[str]]]:
    """Each order with what became of it and what the checker had against it."""
    sheet = m.Sheet(orders)
    chance = ProvableChance(b"k" * 32, "check", position.turn, position.phase, "0" * 64)
    outcome = adjudicate(BOARD, position, {player: sheet}, chance)
    results = {r.number: r for r in outcome.results if r.player == player}
    against: dict[int, set[str]] = {}
    for problem in check(BOARD, position, player, sheet):
        if problem.severity is not Severity.NOTE:
            against.setdefault(problem.order, set()).add(problem.code)
    return [(o, results[n], against.get(n, set()) - BESIDE_THE_POINT) for n, o in enumerate(orders, start=1)]


def told(position: Position, order: m.Order, result: OrderResult, codes: set[str]) -> str:
    reasons = [(r.code, r.data) for r in result.reasons]
    return f"{order.printed()}\n  {result.status} {reasons}\n  checker: {codes}\n  {position.turn} {position.phase}"


@pytest.mark.parametrize("seed", SEEDS)
def test_movement_is_done_in_whole_just_when_the_checker_has_nothing_against_it(seed: int) -> None:
    dice = Random(seed)
    position = random_position(BOARD, dice, PLAYERS, Phase.FIRST)
    sheet = RandomPlayer(BOARD, dice).sheet(position, player := dice.choice(position.active))
    kinds = (m.Move, m.Attach, m.Restack, m.Emigrate, m.Exit, m.Seize)
    orders = tuple(o for o in sheet.orders if isinstance(o, kinds))
    for order, result, codes in alone(position, player, orders):
        assert (result.status is Status.DONE) == (not codes), told(position, order, result, codes)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_attack_takes_place_in_whole_just_when_the_checker_has_nothing_against_it(seed: int) -> None:
    dice = Random(seed)
    position = random_position(BOARD, dice, PLAYERS, Phase.SECOND)
    sheet = RandomPlayer(BOARD, dice).sheet(position, player := dice.choice(position.active))
    for order in sheet.orders:
        if isinstance(order, m.Attack | m.Subvert):
            ((_, result, codes),) = alone(position, player, (order,))
            fought = result.status is Status.DONE or any(r.code == "no-effect" for r in result.reasons)
            whole = fought and len(result.reasons) == 1
            assert whole == (not codes), told(position, order, result, codes)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_odds_and_attackers_foreseen_are_those_of_the_battle(seed: int) -> None:
    """A whole sheet: of twins the same are meant, a stack attacks once, odds are counted on those that are left.

    Losses of an attack can change the next one there, so the first attack in a province is compared.
    """
    dice = Random(seed)
    position = random_position(BOARD, dice, PLAYERS, Phase.SECOND)
    player = dice.choice(position.active)
    orders = tuple(RandomPlayer(BOARD, dice).sheet(position, player).orders)
    chance = ProvableChance(b"k" * 32, "odds", position.turn, position.phase, "0" * 64)
    outcome = adjudicate(BOARD, position, {player: m.Sheet(orders)}, chance)
    foreseen = prospects(BOARD, position, player, orders)
    fought = {e.number: e for e in outcome.events if isinstance(e, Fought)}
    seen: set[tuple[str, bool]] = set()
    for number, prospect in foreseen.items():
        battle = fought.get(number)
        if (prospect.province, prospect.subversion) in seen:
            continue
        if prospect.refusal is None:
            seen.add((prospect.province, prospect.subversion))
        elif not prospect.subversion and battle is None:
            continue
        if any(e.subversion and e.result == "De" for e in fought.values()):
            return  # the map is another one
        assert (battle is None) == (prospect.refusal is not None), (orders[number - 1].printed(), prospect)
        if battle is not None:
            found = (battle.attackers, battle.defender, battle.attack, battle.defence, battle.odds)
            expected = (prospect.stacks, prospect.defender, prospect.attack, prospect.defence, prospect.odds)
            assert found == expected, orders[number - 1].printed()
            assert results_of(BOARD, battle.odds)[battle.die] == battle.result


@pytest.mark.parametrize("seed", SEEDS)
def test_a_gift_goes_through_just_when_the_checker_has_nothing_against_it(seed: int) -> None:
    dice = Random(seed)
    position = random_position(BOARD, dice, PLAYERS, dice.choice([Phase.FIRST, Phase.SECOND]))
    player = dice.choice(position.active)
    orders = tuple(
        m.Give(what=m.Goods(dice.randint(0, 3), dice.randint(0, 2)), to=dice.choice(PLAYERS)) for _ in range(3)
    )
    for order, result, codes in alone(position, player, orders):
        if "gives-nothing" not in codes:
            assert (result.status is Status.DONE) == (not codes), told(position, order, result, codes)


# --- the shorter game (J38) ---

SHORTER = for_shorter_game(BOARD)
SHEETS = 200
AFOOT = "A KURS: RL2 Zinoviev, RU4 TULA\n- CHER: BU2 CHER/GE\nB KURS: WL1 Kappel\nA BOX: 9 PM\n"


def test_a_receipt_of_the_shorter_game_refuses_just_what_the_adjudicator_fails_for_it() -> None:
    """Every order of 200 random sheets, in the Phase of it and in the other."""
    seen: Counter[str] = Counter()
    for seed in range(SHEETS):
        dice = Random(seed)
        phase = dice.choice([Phase.FIRST, Phase.SECOND])
        here = random_position(BOARD, dice, PLAYERS, phase)
        player = dice.choice(here.active)
        written_for = replace(here, phase=dice.choice([phase, Phase.FIRST, Phase.SECOND]))
        sheet = RandomPlayer(BOARD, dice).sheet(written_for, player)
        chance = ProvableChance(b"k" * 32, "masses", here.turn, here.phase, "0" * 64)
        outcome = adjudicate(BOARD, here, {player: sheet}, chance, GameOptions(masses=True))
        again = adjudicate(SHORTER, here, {player: sheet}, chance, GameOptions(masses=True))
        assert again == outcome
        failed = {r.number for r in outcome.results if any(why.code == "not-in-masses" for why in r.reasons)}
        problems = check(SHORTER, here, player, sheet)
        assert {p.order for p in problems if p.code == "not-in-masses"} == failed, sheet.printed()
        assert all(p.severity is Severity.PROBLEM for p in problems if p.code == "not-in-masses")
        waits = {p.order for p in problems if p.code == "no-occasion"}
        assert not any(r.status is Status.FAILED for r in outcome.results if r.number in waits)
        assert not any(p.code in ("not-in-masses", "no-occasion") for p in check(BOARD, here, player, sheet))
        seen.update(type(order).__name__ for n, order in enumerate(sheet.orders, start=1) if n in failed | waits)
    assert {"Subvert", "Purge", "Execute", "Counterpurge", "Comply", "RefuseExecution"} == set(seen)


def test_in_the_shorter_game_nobody_is_told_to_subvert() -> None:
    stands = position(AFOOT, phase=Phase.SECOND)
    (whole,), (idle,) = (unordered(board, stands, "A", m.Sheet()) for board in (BOARD, SHORTER))
    assert (whole.subvertible, idle.subvertible) == (("CHER",), ())
    for kind in (m.Subvert, m.Purge, m.Execute, m.Counterpurge, m.Comply, m.RefuseExecution):
        assert belongs(BOARD, stands, kind) and not belongs(SHORTER, stands, kind)
    assert belongs(SHORTER, stands, m.Attack)


def test_in_the_shorter_game_an_order_of_the_other_phase_is_not_recommended_for_it() -> None:
    stands = position(AFOOT, phase=Phase.FIRST)
    sheet = read("SUBVERT BU2 CHER/GE IN CHER WITH Zinoviev").sheet
    (whole,), (told,) = (check(board, stands, "A", sheet) for board in (BOARD, SHORTER))
    assert (whole.code, told.code) == ("wrong-phase", "wrong-phase")
    assert whole.suggestion is not None and told.suggestion is None


def test_in_the_shorter_game_a_stack_that_was_to_subvert_can_still_attack() -> None:
    stands = position(AFOOT, phase=Phase.SECOND)
    sheet = read("SUBVERT BU2 CHER/GE IN CHER WITH Zinoviev\nATTACK Kappel IN KURS WITH Zinoviev").sheet
    assert [p.code for p in check(SHORTER, stands, "A", sheet)] == ["not-in-masses", "odds"]
    assert prospects(SHORTER, stands, "A", sheet.orders)[1].refusal == "not-in-masses"
