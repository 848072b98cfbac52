"""Who marched on which part of a road, and whom murderers kept from its end.

A Moved event names its force as it stood at the end; who set out, joined and stayed on the way is worked out here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from gm.adjudicator.outcome import AssassinationTried, Moved, OrderResult, Outcome
from gm.board.model import Piece
from gm.orders.kinds import Act, Move, Order, Stop
from gm.position import Player

Moves = Mapping[tuple[Player, int], Moved]


def moves_of(outcome: Outcome) -> Moves:
    """By player and number of the order; what the solitaire system moves has none."""
    return {(e.player, e.number): e for e in outcome.events if isinstance(e, Moved) and e.number}


@dataclass(frozen=True, slots=True)
class Road:
    """The road of one force. Each piece joins it at one province, counted from the start, and leaves it at one."""

    move: Moved
    joined: Mapping[Piece, int]
    left: Mapping[Piece, int]

    @property
    def end(self) -> int:
        return len(self.move.path) - 1

    @property
    def pieces(self) -> list[Piece]:
        """All that were ever on it, Leaders first."""
        return sorted(dict.fromkeys((*self.move.pieces, *self.left)), key=lambda p: not p.is_leader)

    def start(self, without: Collection[Piece] = ()) -> int:
        """Where on the road the first set out who came anywhere; `without`: those who came to nothing."""
        legs = [self.joined.get(p, 0) for p in self.pieces if p not in without and self._marched(p)]
        return min(legs, default=0)

    def marchers(self, without: Collection[Piece] = ()) -> list[Piece]:
        """Who set out there, Leaders first."""
        start = self.start(without)
        there = (p for p in self.pieces if p not in without and self._marched(p))
        return [p for p in there if self.joined.get(p, 0) == start]

    def _marched(self, piece: Piece) -> bool:
        return self.left.get(piece, self.end) > self.joined.get(piece, 0)

    def came_to_the_end(self, without: Collection[Piece] = ()) -> bool:
        """Whether anybody who had marched was at the end, if only to be put down there."""
        marched = (p for p in self.pieces if p not in without and self._marched(p))
        return any(self.left.get(p, self.end) == self.end for p in marched)

    def changes(self, without: Collection[Piece] = ()) -> list[tuple[bool, str, list[Piece]]]:
        """Who joined (True) and who stayed after that, place by place."""
        found: dict[tuple[int, bool], list[Piece]] = {}
        start = self.start(without)
        for piece in self.pieces:
            for joins, known in ((True, self.joined), (False, self.left)):
                if piece not in without and known.get(piece, 0) > start:
                    found.setdefault((known[piece], joins), []).append(piece)
        return [(j, self.move.path[at], found[at, j]) for at, j in sorted(found, key=lambda key: (key[0], not key[1]))]


def road_of(move: Moved, order: Order | None) -> Road:
    """`order`: where a road leads twice through a province, its brackets say at which time a piece joined or left."""
    stops = _stops(move, order)
    joined = dict(_places(move, stops, Act.PICK, move.picked))
    return Road(move, joined, dict(_places(move, stops, Act.DROP, move.dropped, joined)))


def _stops(move: Moved, order: Order | None) -> tuple[Stop, ...]:
    """The road as it was ordered: where it does not say where the force stood, from there."""
    stops = order.path if isinstance(order, Move) else ()
    return (Stop(move.path[0]), *stops) if stops and stops[0].province != move.path[0] else stops


def _places(
    move: Moved,
    stops: tuple[Stop, ...],
    act: Act,
    pairs: Iterable[tuple[str, Piece]],
    after: Mapping[Piece, int] | None = None,
) -> Iterator[tuple[Piece, int]]:
    """They are listed as the force went."""
    last = 0
    for province, piece in pairs:
        first = max(last, (after or {}).get(piece, 0))
        fitting = [i for i in range(first, len(move.path)) if move.path[i] == province]
        named = [i for i in fitting if i < len(stops) and _names(stops[i], act, piece)]
        last = next(iter(named or fitting), last)
        yield piece, last


def _names(stop: Stop, act: Act, piece: Piece) -> bool:
    return any(handling.act is act and piece in handling.what.options for handling in stop.handling)


def murdered_on_the_way(outcome: Outcome, move: Moved) -> list[tuple[AssassinationTried, str]]:
    """The murders by which Leaders of a force did not come to their goal, and the goal.

    The goal of one whom the force was to set down on its way is where it did.
    """
    goals = dict.fromkeys(move.pieces, move.path[-1]) | {piece: where for where, piece in move.dropped}
    return [(e, goals[e.target]) for e in murders(outcome) if e.target in goals and e.province != goals[e.target]]


def never_set_out(outcome: Outcome, move: Moved | None) -> bool:
    """Whether all of a force were murdered where it had stood: it went nowhere, though murders come last (J16)."""
    if move is None:
        return False
    dead = [e.target for e, _ in murdered_on_the_way(outcome, move) if e.province == move.path[0]]
    return bool(dead) and not road_of(move, None).came_to_the_end(dead)


def stop_never_met(outcome: Outcome, result: OrderResult, moved: Moved | None) -> str:
    """What stopped a force, a reason's code, of which nobody came so far: all who marched were murdered before."""
    dead = [e.target for e, _ in murdered_on_the_way(outcome, moved)] if moved else []
    if moved is not None and never_set_out(outcome, moved):
        return moved.stopped or "lost-claim"
    if moved is None or not moved.stopped or not dead:
        return ""
    return "" if road_of(moved, result.order).came_to_the_end(dead) else moved.stopped


def bound_for(move: Moved, murder: AssassinationTried, goal: str) -> str:
    """Where the order meant one to come who did not come to `goal`: of a road that was cut short, its own end."""
    whole = move.stopped and move.intended and goal == move.path[-1] and move.intended[-1] not in move.path
    return move.intended[-1] if whole and murder.target in move.pieces else goal


def came_from(move: Moved, murder: AssassinationTried, goal: str) -> bool:
    """Whether the road had been at the goal before it came to where the Leader was murdered."""
    road = move.path
    return murder.province in road and goal in road[: road.index(murder.province)]


def murders(outcome: Outcome) -> list[AssassinationTried]:
    return [e for e in outcome.events if isinstance(e, AssassinationTried) and e.success]


def marched_before(outcome: Outcome, player: Player, number: int, piece: Piece) -> bool:
    """Whether a piece had gone with a force that the player ordered before this one (5.25)."""
    earlier = (e for (p, n), e in moves_of(outcome).items() if p == player and n < number and len(e.path) > 1)
    return any(piece in e.pieces or road_of(e, None).left.get(piece, 0) > 0 for e in earlier)


def was_in(move: Moved, piece: object) -> bool:
    """Whether a piece was with the force, if only for a part of its road."""
    return piece in move.pieces or any(piece == dropped for _, dropped in move.dropped)
