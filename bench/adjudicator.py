"""Phases per second, side by side with the PyPI package `diplomacy` 1.1.2 on its standard game, in the same run.

Ours: five players, every counter on the map, 50 orders a Phase, First and Second Phases in turn. The reference plays
its standard game (34 pieces at the most) with random legal orders through all its phases, retreats and builds included.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.board.model import Board, Color
from gm.orders import model as m
from gm.orders.check import check
from gm.orders.parser import parse
from gm.orders.printer import print_order
from gm.position import Phase, Player, Position, Stack

PLAYERS = tuple("ABCDE")
ORDERS = 10  # a player and Phase
ROUNDS = 5

Job = tuple[Position, dict[Player, m.Sheet], dict[Player, str]]


def named(board: Board, stack: Stack) -> tuple[m.Named, ...]:
    return tuple(m.Named(board.twins[p.twin_key]) for p in stack.pieces)


def first_phase(board: Board, position: Position, player: Player, rng: Random) -> Iterator[m.Order]:
    """A sheet as players write them: forces on the move, some meeting in a province to form one stack."""
    ends: dict[str, list[Stack]] = {}
    for stack in position.owned(player):
        path = [stack.province]
        for _ in range(rng.randint(1, 3)):
            path.append(rng.choice(board.neighbours(path[-1], stack.color)))
        ends.setdefault(path[-1], []).append(stack)
        yield m.Move(force=named(board, stack), path=tuple(map(m.Stop, path)))
    for province, stacks in ends.items():
        if len(stacks) > 1:
            yield m.Restack(province=province, pieces=tuple(n for s in stacks for n in named(board, s)))
    yield m.Counterpurge(against=m.Against.STRONGEST)
    yield m.Purge(object="A" if player != "A" else "B", using=position.box(player).pm)
    yield m.Assassinate(targets=(rng.choice(board.leaders),), markers=1)


def second_phase(board: Board, position: Position, player: Player, rng: Random) -> Iterator[m.Order]:
    for stack in position.owned(player):
        mine = m.Named((stack.pieces[0],))
        for other in position.at(stack.province):
            if other.color is not stack.color and other.strength:
                yield m.Attack(target=m.Named((other.pieces[0],)), province=stack.province, attackers=(mine,))
        if stack.color is Color.RED:
            near = [s for p in board.neighbours(stack.province, Color.RED) for s in position.at(p)]
            for other in (s for s in near if s.color is Color.BLUE):
                yield m.Subvert(target=m.Named((other.pieces[0],)), province=other.province, attackers=(mine,))
    yield m.Lose(pieces=(m.Named((rng.choice(board.units),)),))
    yield m.Vote(end=False)
    yield m.Counterpurge(against=m.Against.STRONGEST)
    yield m.Purge(object="A" if player != "A" else "B", using=position.box(player).pm)
    while True:  # the hopeful: attacks on somebody who is elsewhere
        stack = rng.choice(position.owned(player))
        target = m.Named((rng.choice(board.leaders),))
        yield m.Attack(target=target, province=stack.province, attackers=(m.Named((stack.pieces[0],)),))


def jobs(board: Board, count: int) -> list[Job]:
    """Start positions of all games are different deals; each game is played for one turn."""
    found: list[Job] = []
    for seed in range(count):
        rng = Random(seed)
        position = Position(players=PLAYERS)
        for _ in range(2):
            position = adjudicate(board, position, {}, luck(seed, position)).after
        for writer in (first_phase, second_phase):
            sheets = {}
            for player in PLAYERS:
                orders = [o for o, _ in zip(writer(board, position, player, rng), range(ORDERS), strict=False)]
                while len(orders) < ORDERS:
                    orders.append(m.Vote(end=False))
                sheets[player] = m.Sheet(tuple(orders))
            texts = {p: "\n".join(print_order(o) for o in s.orders) for p, s in sheets.items()}
            found.append((position, sheets, texts))
            position = adjudicate(board, position, sheets, luck(seed, position)).after
    return found


def luck(seed: int, position: Position) -> ProvableChance:
    return ProvableChance(seed.to_bytes(32, "big"), "bench", position.turn, position.phase, "digest")


def fresh(position: Position) -> Position:
    """The same Position without anything remembered from the run before."""
    return Position(**{name: getattr(position, name) for name in position.__dataclass_fields__})


def best(work: Callable[[], float]) -> float:
    """The best of several runs: the others had company on the machine."""
    return min(work() for _ in range(ROUNDS))


def ours(board: Board, work: list[Job]) -> float:
    total = 0.0
    for position, sheets, _ in work:
        position = fresh(position)
        chance = luck(1, position)
        start = time.process_time()
        adjudicate(board, position, sheets, chance)
        total += time.process_time() - start
    return total


def ours_from_text(board: Board, work: list[Job]) -> float:
    total = 0.0
    for position, _, texts in work:
        position = fresh(position)
        chance = luck(1, position)
        start = time.process_time()
        sheets = {}
        for player, text in texts.items():
            sheets[player] = parse(board, text, PLAYERS).sheet
            check(board, position, player, sheets[player])
        adjudicate(board, position, sheets, chance)
        total += time.process_time() - start
    return total


def reference(phases: int) -> tuple[float, float]:
    """Seconds of `process()`, and of `set_orders()` for every power and `process()`."""
    from diplomacy import Game

    rng = Random(1)
    game = Game()
    processing = setting = 0.0
    for _ in range(phases):
        if game.is_game_done:
            game = Game()
        possible = game.get_all_possible_orders()
        orders = {
            power: [rng.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
            for power in game.powers
        }
        start = time.process_time()
        for power, chosen in orders.items():
            game.set_orders(power, chosen)
        ready = time.process_time()
        game.process()
        processing += time.process_time() - ready
        setting += ready - start
    return processing, setting + processing


def main() -> None:
    board = standard_board()
    work = jobs(board, 30)
    assert all(sum(len(s.orders) for s in sheets.values()) == 50 for _, sheets, _ in work)
    assert {position.phase for position, _, _ in work} == {Phase.FIRST, Phase.SECOND}
    phases = len(work)
    adjudicating = best(lambda: ours(board, work))
    whole = best(lambda: ours_from_text(board, work))
    runs = [reference(phases) for _ in range(ROUNDS)]
    processing = min(run[0] for run in runs)
    setting = min(run[1] for run in runs)
    print(f"adjudicate                        {phases / adjudicating:8.0f} phases/s")
    print(f"diplomacy process()               {phases / processing:8.0f} phases/s")
    print(f"  ratio                           {processing / adjudicating:8.2f}x  (target 1.0x)")
    print(f"parse + check + adjudicate        {phases / whole:8.0f} phases/s")
    print(f"diplomacy set_orders + process()  {phases / setting:8.0f} phases/s")
    print(f"  ratio                           {setting / whole:8.2f}x  (target 2.0x)")
