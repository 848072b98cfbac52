"""Central Committees of stand-ins: Purges (A9) and the execution of the Czar (A12.2).

Every stand-in works out all committees from the same draws, so that their orders agree. Fanatics call them; commanders
sit on them like the others. People never do: only their own written orders could put them there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.adjudicator.chance import Chance
from gm.board.model import Board, Color, Piece
from gm.orders import kinds as m
from gm.orders.rules.quorums import EXECUTION_QUORUM, PURGE_QUORUM
from gm.orders.rules.shorter import does_without
from gm.orders.rules.stacking import attachment
from gm.position import Phase, Player, Position
from gm.standin.strategy import Seats, controller, fanatics, gifts
from gm.standin.tracks import Outlook, Rolled, Tracks, outlook, ranked

COLLECTIVE = 3  # a die from here on: all together
TAKES_MARKER = 2  # a die up to here: a Politburo Marker before any Leader


@dataclass(frozen=True, slots=True)
class Conspiracy:
    """One Purge that stand-ins have agreed on."""

    initiator: Player  # whose turn of purging it was, who may also be the object
    members: tuple[Player, ...]  # in the order in which spoils are handed out
    object: Player
    separately: bool
    markers: Mapping[Player, int]


def conspiracies(
    board: Board, position: Position, tracks: Tracks, chance: Chance, seats: Seats, rolled: Mapping[Player, Rolled]
) -> list[Conspiracy]:
    """All Purges of this Phase: each fanatic whose strategy says so tries one, by letter; nobody is in two (11.13)."""
    if position.phase is not Phase.FIRST or does_without(board, position, m.Purge):
        return []
    given = gifts(board, position, tracks, chance, rolled)
    warmer = tracks.shifted((seat, give.to, -2) for seat, give in given.items() if give.what.pm)
    markers = _markers(position, given)
    free = {p for p in position.active if p in seats}
    found: list[Conspiracy] = []
    for seat in fanatics(position, seats):
        if seat in free and board.fanatic.strategies[rolled[seat].die].purge:
            plot = _committee(board, position, warmer, chance, seat, sorted(free), markers)
            if plot is not None:
                found.append(plot)
                free.difference_update(plot.members)
    return found


def _markers(position: Position, given: Mapping[Player, m.Give]) -> dict[Player, int]:
    """The Politburo Markers of everybody once the fanatics' gifts have changed hands."""
    markers = {p: position.box(p).pm for p in position.active}
    for seat, give in given.items():
        markers[seat] -= give.what.pm
        markers[give.to] += give.what.pm
    return markers


def _committee(
    board: Board,
    position: Position,
    tracks: Tracks,
    chance: Chance,
    seat: Player,
    free: Sequence[Player],
    markers: Mapping[Player, int],
) -> Conspiracy | None:
    others = [p for p in free if p != seat]
    joined = [p for p in others if chance.die(f"stand-in/{seat}/committee/{p}") >= tracks.between(seat, p)]
    outside = [p for p in ranked(position, tracks, seat, chance) if p not in joined]
    if not outside:
        return None  # nobody is left to be purged
    members, object_ = [seat, *joined], outside[-1]
    if sum(markers[p] for p in members) < PURGE_QUORUM:  # dissolved, and the others form one of their own
        members = [p for p in others if p not in joined and _hostile(board, tracks, chance, seat, p)]
        object_ = seat
        if sum(markers[p] for p in members) < PURGE_QUORUM:
            return None
    separately = chance.die(f"stand-in/{seat}/together") < COLLECTIVE
    using = {p: markers[p] for p in members}
    return Conspiracy(seat, tuple(members), object_, separately and len(members) > 1, using)


def _hostile(board: Board, tracks: Tracks, chance: Chance, seat: Player, other: Player) -> bool:
    if board.fanatic.backfire == "all":
        return True
    return chance.die(f"stand-in/{seat}/backfire/{other}") <= tracks.between(other, seat)


def purge_orders(
    board: Board, position: Position, chance: Chance, plots: Sequence[Conspiracy], seat: Player
) -> list[m.Order]:
    """A seat's part in what was agreed: its own PURGE, or the answer to one against it."""
    orders: list[m.Order] = []
    for plot in plots:
        if seat in plot.members:
            alone = plot.separately or len(plot.members) == 1
            marker = alone and chance.die(f"stand-in/{seat}/spoils") <= TAKES_MARKER
            prizes = strongest_leaders(board, position, plot.object)
            orders.append(
                m.Purge(
                    object=plot.object,
                    partners=tuple(p for p in plot.members if p != seat),
                    using=plot.markers[seat],
                    division=() if alone else tuple((p, 1) for p in plot.members),
                    taking=(None, *prizes) if marker else prizes,
                    separately=plot.separately,
                )
            )
        elif seat == plot.object:
            # 11.24: against whoever began it; the one who began it and fell victim lets the dice choose.
            target = plot.initiator
            if seat == plot.initiator:
                target = chance.pick(f"stand-in/{seat}/counterpurge", plot.members)
            orders.append(m.Counterpurge(against=target, if_by=target))
    return orders


def strongest_leaders(board: Board, position: Position, victim: Player) -> tuple[Piece, ...]:
    """The Red Leaders of a player, the one in command of the most combat strength first."""
    command: dict[Piece, int] = {}
    for stack in position.owned(victim):
        if stack.color is Color.RED:
            led = attachment(board, stack.pieces)
            for leader in stack.leaders:
                command[leader] = leader.value + sum(unit.value for unit, chief in led.items() if chief is leader)
    return tuple(sorted(command, key=lambda leader: (-command[leader], leader.code)))


def execution_orders(
    board: Board,
    position: Position,
    tracks: Tracks,
    chance: Chance,
    seats: Seats,
    rolled: Mapping[Player, Rolled],
    seat: Player,
) -> list[m.Order]:
    """A Red player who holds the Czar has him executed, if enough of the others will have it (A12.2)."""
    holder = controller(position, board.czar)
    if holder is None or does_without(board, position, m.Execute):
        return []
    stack = position.where[board.czar]
    orders: list[m.Order] = []
    if holder == seat:
        red = outlook(board, position, seat) is Outlook.RED
        orders.append(m.Comply() if red else m.RefuseExecution())
    able = fanatics(position, seats)
    if position.turn < 2 or holder not in able or stack.color is not Color.RED or not stack.leaders:
        return orders
    if outlook(board, position, holder) is not Outlook.RED:
        return orders
    members = [holder]
    for other in able:
        if other != holder and outlook(board, position, other) is not Outlook.WHITE:
            die = chance.die(f"stand-in/{holder}/execution/{other}")
            if die >= tracks.between(holder, other):
                members.append(other)
    given = gifts(board, position, tracks, chance, rolled) if position.phase is Phase.FIRST else {}
    markers = _markers(position, given)
    if seat in members and sum(markers[p] for p in members) >= EXECUTION_QUORUM:
        partners = tuple(p for p in members if p != seat)
        orders.append(m.Execute(partners=partners, using=markers[seat]))
    return orders
