"""The fanatic: a seat played by the tables and dice of the article, Phase by Phase (A13)."""

from __future__ import annotations

from collections.abc import Mapping

from gm.adjudicator.chance import Chance
from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.position import Phase, Player, Position
from gm.standin.distances import Ground
from gm.standin.fanatic.assassins import assassination
from gm.standin.fanatic.attacks import attack_orders, considered, standing_forces, subversions, wanted_attacks
from gm.standin.fanatic.committee import conspiracies, execution_orders, purge_orders
from gm.standin.fanatic.policies import Policies, departures
from gm.standin.forces import movement_orders, muster, seizures
from gm.standin.strategy import Seats, gifts, place, strategies
from gm.standin.tracks import Outlook, Rolled, Tracks, outlook, ranked


def fanatic_sheet(
    board: Board, position: Position, tracks: Tracks, seat: Player, chance: Chance, seats: Seats
) -> m.Sheet:
    """The orders of a fanatic. Before the game there are none: the article knows no other trades (A11)."""
    if position.phase is Phase.FIRST:
        return m.Sheet(tuple(_first(board, position, tracks, seat, chance, seats)))
    if position.phase is Phase.SECOND:
        return m.Sheet(tuple(_second(board, position, tracks, seat, chance, seats)))
    return m.Sheet()


def _first(
    board: Board, position: Position, tracks: Tracks, seat: Player, chance: Chance, seats: Seats
) -> list[m.Order]:
    rolled = strategies(board, position, tracks, chance, seats)
    given = gifts(board, position, tracks, chance, rolled)
    orders: list[m.Order] = [given[seat]] if seat in given else []
    seized = seizures(board, position, seat)
    orders += seized

    ground, view = Ground(board, position), outlook(board, position, seat)
    taken = [p for order in seized for p in order_pieces(position, order)]
    forces = muster(ground, seat, taken)
    wanted_attacks(board, position, seat, view, rolled[seat], forces)
    killing = None
    order = ranked(position, tracks, seat, chance)
    if board.fanatic.strategies[rolled[seat].die].assassination and order:
        killing = assassination(board, position, seat, place(order, -1), forces)
    Policies(ground, seat, view, forces).send_all()
    orders += movement_orders(board, forces)
    orders += departures(board, view, forces)
    if killing is not None:
        orders.append(killing)
    plots = conspiracies(board, position, tracks, chance, seats, rolled)
    orders += purge_orders(board, position, chance, plots, seat)
    return orders + _politics(board, position, tracks, seat, chance, seats, rolled)


def order_pieces(position: Position, order: m.Seize) -> list[Piece]:
    """The counters that a SEIZE takes: those of its names that stand with the Leader and belong to others."""
    stack = position.where[order.leader]
    found = []
    for name in order.units:
        there = [p for p in name.options if (s := position.where.get(p)) and s.province == stack.province]
        found += [p for p in there if position.where[p].owner not in (None, stack.owner)][: name.count]
    return found


def _second(
    board: Board, position: Position, tracks: Tracks, seat: Player, chance: Chance, seats: Seats
) -> list[m.Order]:
    everybody = strategies(board, position, tracks, chance, seats)
    rolled = everybody[seat]
    view = outlook(board, position, seat)
    orders: list[m.Order] = list(seizures(board, position, seat))
    attacks = wanted_attacks(board, position, seat, view, rolled, standing_forces(board, position, seat))
    attacks += subversions(board, position, seat, view, rolled, attacks)
    orders += attack_orders(board, position, considered(tracks, position, seat, chance, rolled, attacks))
    return orders + _politics(board, position, tracks, seat, chance, seats, everybody)


def _politics(
    board: Board,
    position: Position,
    tracks: Tracks,
    seat: Player,
    chance: Chance,
    seats: Seats,
    rolled: Mapping[Player, Rolled],
) -> list[m.Order]:
    """What is on file in either Phase: the Czar, the answer to any Purge, the vote."""
    orders = execution_orders(board, position, tracks, chance, seats, rolled, seat)
    orders.append(m.Counterpurge(against=m.Against.STRONGEST))
    # 14.1(3) is a Red victory. A vote on file, whoever cast it, is left alone.
    if seat not in position.votes and outlook(board, position, seat) is Outlook.RED:
        orders.append(m.Vote(end=True))
    return orders
