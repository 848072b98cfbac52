"""Phases per second, side by side with the PyPI package `diplomacy` 1.1.2 on its standard game, in the same run.

Ours: five players, every counter on the map, 50 orders a Phase, First and Second Phases in turn. The reference plays
its standard game (34 pieces at the most) through all its phases, retreats and builds included. Both get random orders
that are legal on the position as it stands; what comes of them is for the adjudicators to find out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from random import Random

import msgspec

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.board.model import Board, Color
from gm.orders import kinds as m
from gm.orders.check.checker import check
from gm.orders.parser import parse
from gm.orders.problems import Severity
from gm.position import Phase, Player, Position, Stack

PLAYERS = tuple("ABCDE")
ORDERS = 10  # a player and Phase
ROUNDS = 15

Job = tuple[Position, dict[Player, m.Sheet], dict[Player, str]]


def named(board: Board, stack: Stack) -> tuple[m.Named, ...]:
    return tuple(m.Named(board.twins[p.twin_key]) for p in stack.pieces)


def first_phase(board: Board, position: Position, player: Player, rng: Random) -> Iterator[m.Order]:
    """Forces on the march, then whatever else a player may want in the First Phase."""
    for stack in position.owned(player):
        for _ in range(8):  # till one goes through
            path = [stack.province]
            for _ in range(rng.randint(1, 3)):
                path.append(rng.choice(board.neighbours(path[-1], stack.color)))
            yield m.Move(force=named(board, stack), path=tuple(map(m.Stop, path)))
    yield m.Counterpurge(against=m.Against.STRONGEST)
    yield m.Assassinate(targets=(rng.choice(board.leaders),), markers=1)
    yield from anything(position, player)


def second_phase(board: Board, position: Position, player: Player, _: Random) -> Iterator[m.Order]:
    """Every attack that is to be had, then whatever else a player may want in the Second Phase."""
    for stack in position.owned(player):
        mine = (m.Named((stack.pieces[0],)),)
        for other in position.at(stack.province):
            if other.strength:
                yield m.Attack(target=m.Named((other.pieces[0],)), province=stack.province, attackers=mine)
        for there in board.neighbours(stack.province, Color.RED):
            for other in position.at(there):
                if other.color is Color.BLUE:
                    yield m.Subvert(target=m.Named((other.pieces[0],)), province=there, attackers=mine)
    for stack in position.owned(player):
        if stack.units:
            yield m.Lose(pieces=(m.Named((stack.units[-1],)),))
    yield m.Counterpurge(against=m.Against.STRONGEST)
    yield from anything(position, player)


def anything(position: Position, player: Player) -> Iterator[m.Order]:
    """Gifts and votes, as many as it takes."""
    for other in position.players:
        if other != player:
            yield m.Give(what=m.Goods(am=1), to=other)
    while True:
        yield m.Vote(end=False)


def legal(board: Board, position: Position, player: Player, wishes: Iterator[m.Order]) -> m.Sheet:
    """The first ORDERS wishes that the checker has nothing to say against, as the reference gives legal orders only."""
    taken: tuple[m.Order, ...] = ()
    for order in wishes:
        if all(p.severity is Severity.NOTE for p in check(board, position, player, m.Sheet((*taken, order)))):
            taken = (*taken, order)
            if len(taken) == ORDERS:
                break
    return m.Sheet(taken)


def jobs(board: Board, count: int) -> list[Job]:
    """Start positions of all games are different deals; each game is played for one turn."""
    found: list[Job] = []
    for seed in range(count):
        rng = Random(seed)
        position = Position(players=PLAYERS)
        for _ in range(2):
            position = adjudicate(board, position, {}, luck(seed, position)).after
        for writer in (first_phase, second_phase):
            sheets = {p: legal(board, position, p, writer(board, position, p, rng)) for p in PLAYERS}
            texts = {p: "\n".join(o.printed() for o in s.orders) for p, s in sheets.items()}
            found.append((position, sheets, texts))
            position = adjudicate(board, position, sheets, luck(seed, position)).after
    return found


def luck(seed: int, position: Position) -> ProvableChance:
    return ProvableChance(seed.to_bytes(32, "big"), "bench", position.turn, position.phase, "digest")


def fresh(position: Position) -> Position:
    """The same Position without anything remembered from the run before."""
    return msgspec.structs.replace(position)


def ours(board: Board, work: list[Job]) -> list[float]:
    """Seconds of `adjudicate` for each Phase."""
    times = []
    for position, sheets, _ in work:
        position = fresh(position)
        chance = luck(1, position)
        start = time.process_time()
        adjudicate(board, position, sheets, chance)
        times.append(time.process_time() - start)
    return times


def ours_from_text(board: Board, work: list[Job]) -> list[float]:
    """Seconds of parsing, checking and adjudicating for each Phase."""
    times = []
    for position, _, texts in work:
        position = fresh(position)
        chance = luck(1, position)
        start = time.process_time()
        sheets = {}
        for player, text in texts.items():
            sheets[player] = parse(board, text, PLAYERS).sheet
            check(board, position, player, sheets[player])
        adjudicate(board, position, sheets, chance)
        times.append(time.process_time() - start)
    return times


def reference(phases: int) -> tuple[list[float], list[float]]:
    """Seconds of `process()` for each phase, and of `set_orders()` for every power and `process()`."""
    from diplomacy import Game

    rng = Random(1)
    game = Game()
    processing, setting = [], []
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
        done = time.process_time()
        processing.append(done - ready)
        setting.append(done - start)
    return processing, setting


def best(runs: Iterable[list[float]]) -> float:
    """The best time of every single phase, all together: each has met a quiet moment of the machine."""
    return sum(min(phase) for phase in zip(*runs, strict=True))


def main() -> None:
    board = standard_board()
    work = jobs(board, 30)
    assert all(sum(len(s.orders) for s in sheets.values()) == 50 for _, sheets, _ in work)
    assert {position.phase for position, _, _ in work} == {Phase.FIRST, Phase.SECOND}
    phases = len(work)
    # In turns, so that whatever else the machine does meets all of them alike.
    runs = [(ours(board, work), ours_from_text(board, work), *reference(phases)) for _ in range(ROUNDS)]
    adjudicating, whole, processing, setting = (best(contender) for contender in zip(*runs, strict=True))
    print(f"adjudicate                        {phases / adjudicating:8.0f} phases/s")
    print(f"diplomacy process()               {phases / processing:8.0f} phases/s")
    print(f"  ratio                           {processing / adjudicating:8.2f}x  (target 1.2x)")
    print(f"parse + check + adjudicate        {phases / whole:8.0f} phases/s")
    print(f"diplomacy set_orders + process()  {phases / setting:8.0f} phases/s")
    print(f"  ratio                           {setting / whole:8.2f}x  (target 1.2x)")
