"""A stand-in's orders for one Phase, from the published position, the public history and the draws of the Phase."""

from __future__ import annotations

from gm.adjudicator.chance import Chance
from gm.board.model import Board
from gm.orders.kinds import Sheet
from gm.position import Player, Position
from gm.standin.commander.sheet import TRIALS, commander_sheet
from gm.standin.fanatic.sheet import fanatic_sheet
from gm.standin.strategy import Seats, Style
from gm.standin.tracks import Tracks, begun


def choose(
    board: Board,
    position: Position,
    tracks: Tracks,
    seat: Player,
    chance: Chance,
    seats: Seats,
    trials: int = TRIALS,
) -> Sheet:
    """The same inputs give the same sheet.

    `chance` gives the draws of every seat that a stand-in plays, so that several of them agree on a committee;
    `seats` says which those are and in which style, as The Bell does;
    `trials` is how many plans a commander tries out.
    """
    if seat in position.quitters:
        return Sheet()
    known = tracks if tracks.cooperation else begun(board, position)
    if seats[seat] is Style.COMMANDER:
        return commander_sheet(board, position, known, seat, chance, seats, trials)
    return fanatic_sheet(board, position, known, seat, chance, seats)
