"""The fanatic: a seat played by the tables and dice of the article, Phase by Phase (A13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gm.adjudicator.chance import Chance
from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.orders.rules.shorter import answers_nothing
from gm.position import Phase, Player, Position
from gm.standin.distances import Ground
from gm.standin.fanatic.assassins import assassination
from gm.standin.fanatic.attacks import (
    PlannedAttack,
    attack_orders,
    considered,
    standing_forces,
    subversions,
    wanted_attacks,
)
from gm.standin.fanatic.committee import Conspiracy, conspiracies, execution_orders, purge_orders
from gm.standin.fanatic.policies import Policies, departures
from gm.standin.forces import movement_orders, muster, seizures
from gm.standin.strategy import Seats, fanatics, gifts, place, strategies
from gm.standin.tracks import Outlook, Rolled, Tracks, outlook, ranked


class Fanatics:
    """The fanatics at one Position. What no draw changes is worked out once: many draws cost little more than one."""

    def __init__(self, board: Board, position: Position, tracks: Tracks, seats: Seats) -> None:
        self.board = board
        self.position = position
        self.tracks = tracks
        self.seats = seats
        self._marches: dict[tuple[Player, Rolled, Player | None], list[m.Order]] = {}
        self._attacks: dict[tuple[Player, Rolled], list[PlannedAttack]] = {}

    def sheets(self, chance: Chance) -> dict[Player, m.Sheet]:
        """What all of them order, by one set of draws."""
        return self._written(chance, fanatics(self.position, self.seats))

    def sheet(self, seat: Player, chance: Chance) -> m.Sheet:
        """The orders of one. Before the game there are none: the article knows no other trades (A11)."""
        return self._written(chance, [seat])[seat]

    def _written(self, chance: Chance, whose: Iterable[Player]) -> dict[Player, m.Sheet]:
        board, position, tracks, seats = self.board, self.position, self.tracks, self.seats
        if position.phase not in (Phase.FIRST, Phase.SECOND):
            return {seat: m.Sheet() for seat in whose}
        rolled = strategies(board, position, tracks, chance, seats)
        if position.phase is Phase.SECOND:
            return {seat: m.Sheet((*self._second(seat, chance, rolled),)) for seat in whose}
        given = gifts(board, position, tracks, chance, rolled)
        plots = conspiracies(board, position, tracks, chance, seats, rolled)
        return {seat: m.Sheet((*self._first(seat, chance, rolled, given, plots),)) for seat in whose}

    def _first(
        self,
        seat: Player,
        chance: Chance,
        rolled: Mapping[Player, Rolled],
        given: Mapping[Player, m.Give],
        plots: Sequence[Conspiracy],
    ) -> Iterator[m.Order]:
        if seat in given:
            yield given[seat]
        enemy = None
        if self.board.fanatic.strategies[rolled[seat].die].assassination:
            order = ranked(self.position, self.tracks, seat, chance)
            enemy = place(order, -1) if order else None
        key = seat, rolled[seat], enemy
        if key not in self._marches:
            self._marches[key] = _in_the_field(self.board, self.position, *key)
        yield from self._marches[key]
        yield from purge_orders(self.board, self.position, chance, plots, seat)
        yield from self._politics(seat, chance, rolled)

    def _second(self, seat: Player, chance: Chance, rolled: Mapping[Player, Rolled]) -> Iterator[m.Order]:
        board, position, own = self.board, self.position, rolled[seat]
        yield from seizures(board, position, seat)
        key = seat, own
        if key not in self._attacks:
            self._attacks[key] = _attacks(board, position, *key)
        yield from attack_orders(
            board, position, considered(self.tracks, position, seat, chance, own, self._attacks[key])
        )
        yield from self._politics(seat, chance, rolled)

    def _politics(self, seat: Player, chance: Chance, rolled: Mapping[Player, Rolled]) -> Iterator[m.Order]:
        """What is on file in either Phase: the Czar, the answer to any Purge, the vote."""
        board, position = self.board, self.position
        yield from execution_orders(board, position, self.tracks, chance, self.seats, rolled, seat)
        if not answers_nothing(board, position, m.Counterpurge):
            yield m.Counterpurge(against=m.Against.STRONGEST)
        # 14.1(3) is a Red victory. A vote on file, whoever cast it, is left alone.
        if seat not in position.votes and outlook(board, position, seat) is Outlook.RED:
            yield m.Vote(end=True)


def fanatic_sheet(
    board: Board, position: Position, tracks: Tracks, seat: Player, chance: Chance, seats: Seats
) -> m.Sheet:
    return Fanatics(board, position, tracks, seats).sheet(seat, chance)


def _in_the_field(
    board: Board, position: Position, seat: Player, rolled: Rolled, enemy: Player | None
) -> list[m.Order]:
    """The First Phase of a seat on the map; `enemy`: whom its assassins go for, if they do."""
    seized = seizures(board, position, seat)
    ground, view = Ground(board, position), outlook(board, position, seat)
    taken = [p for order in seized for p in order_pieces(position, order)]
    forces = muster(ground, seat, taken)
    wanted_attacks(board, position, seat, view, rolled, forces)
    killing = assassination(board, position, seat, enemy, forces) if enemy is not None else None
    Policies(ground, seat, view, forces).send_all()
    orders = [*seized, *movement_orders(board, forces), *departures(board, view, forces)]
    return [*orders, killing] if killing is not None else orders


def _attacks(board: Board, position: Position, seat: Player, rolled: Rolled) -> list[PlannedAttack]:
    view = outlook(board, position, seat)
    found = wanted_attacks(board, position, seat, view, rolled, standing_forces(board, position, seat))
    return found + subversions(board, position, seat, view, rolled, found)


def order_pieces(position: Position, order: m.Seize) -> list[Piece]:
    """The counters that a SEIZE takes: those of its names that stand with the Leader and belong to others."""
    stack = position.where[order.leader]
    found = []
    for name in order.units:
        there = [p for p in name.options if (s := position.where.get(p)) and s.province == stack.province]
        found += [p for p in there if position.where[p].owner not in (None, stack.owner)][: name.count]
    return found
