"""A stand-in's orders as they are sealed, and again as `gm verify` recomputes them from the public record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gm.adjudicator.chance import Chance
from gm.adjudicator.outcome import Outcome
from gm.board.load import for_whole_game
from gm.board.model import Board
from gm.orders.kinds import Comply, Order, RefuseExecution, Sheet, Vote
from gm.orders.standing import on_file
from gm.position import Phase, Player, Position
from gm.standin.choose import choose
from gm.standin.strategy import Seats, strategies
from gm.standin.tracks import Tracks, advance, begun

STANDIN = 2  # version of the stand-in: goes up whenever the same inputs could give another sheet
KNOWN = range(1, STANDIN + 1)  # that can be repeated
# The first that knew the shorter game (J38), which those before played like the whole one, and where a game that was
# taken over began, of which they took the end of its first Phase.
SHORTER = TAKEN_OVER = 2


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A Phase that is over, with the stand-ins that played in it and their draws."""

    outcome: Outcome
    seats: Seats
    chance: Chance


def tracks_after(board: Board, played: Iterable[PlayedPhase], version: int = STANDIN) -> Tracks:
    """What the public history comes to, the strategies that stand-ins rolled in this Game-Turn included."""
    tracks = Tracks()
    for phase in played:
        rolled = None
        if phase.outcome.before.phase is Phase.FIRST and tracks.cooperation:
            rolled = strategies(board, phase.outcome.before, tracks, phase.chance, phase.seats)
        if version < TAKEN_OVER and not tracks.cooperation:
            tracks = begun(board, phase.outcome.after)
        else:
            tracks = advance(board, tracks, phase.outcome, rolled)
    return tracks


def written(
    board: Board,
    position: Position,
    tracks: Tracks,
    seat: Player,
    chance: Chance,
    seats: Seats,
    previous: Sheet | None = None,
    version: int = STANDIN,
) -> Sheet:
    """The sheet that is sealed: what the player has STANDING comes first and is never contradicted."""
    if version < SHORTER:
        board = for_whole_game(board)
    standing = on_file(previous) if previous is not None else ()
    chosen = choose(board, position, tracks, seat, chance, seats)
    kept = tuple(order for order in chosen.orders if not any(_same_matter(order, other) for other in standing))
    return Sheet((*standing, *kept))


_MATTERS = ((Comply, RefuseExecution), (Vote,))


def _same_matter(one: Order, other: Order) -> bool:
    """Whether two orders would contradict each other; of several COUNTERPURGEs the first that fits holds anyway."""
    return any(isinstance(one, kinds) and isinstance(other, kinds) for kinds in _MATTERS)
