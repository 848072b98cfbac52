"""Stand-ins that write in a process of their own, so that nothing else waits for what they try out."""

from __future__ import annotations

import io
import pickle
from typing import Any

from gm.adjudicator.chance import Chance
from gm.board.load import files_of, packed
from gm.board.model import Board, Piece
from gm.board.pack import PackFiles
from gm.orders.kinds import Sheet
from gm.position import Player, Position
from gm.processes import BoundedProcess
from gm.standin.record import written
from gm.standin.strategy import Seats
from gm.standin.tracks import Tracks

SECONDS = 300  # of processor time for one seat, as a last resort: what a stand-in does is counted, not timed


class StandInProcess:
    """The stand-in as a campaign calls it. Seats of several campaigns take turns."""

    def __init__(self) -> None:
        self._process = BoundedProcess(SECONDS)

    def __call__(
        self,
        board: Board,
        position: Position,
        tracks: Tracks,
        seat: Player,
        chance: Chance,
        seats: Seats,
        previous: Sheet | None,
    ) -> Sheet:
        asked = (position, tracks, seat, chance, seats, previous)
        files = files_of(board)
        if files is None:  # of no pack that another process could read
            return written(board, *asked)
        sheet: Sheet = _taken_out(board, self._process(_write, files, board.shorter, _put_in(asked)))
        return sheet

    def close(self) -> None:
        self._process.end()


def _write(files: PackFiles, shorter: bool, asked: bytes) -> bytes:
    board = packed(files, shorter=shorter)
    return _put_in(written(board, *_taken_out(board, asked)))


# Pieces are told apart by identity: each process has its own, and they go from one to the other by their codes.


def _put_in(value: object) -> bytes:
    class Packer(pickle.Pickler):
        def persistent_id(self, obj: object) -> int | None:
            return obj.code if isinstance(obj, Piece) else None

    held = io.BytesIO()
    Packer(held).dump(value)
    return held.getvalue()


def _taken_out(board: Board, data: bytes) -> Any:
    class Unpacker(pickle.Unpickler):
        def persistent_load(self, code: int) -> Piece:
            return board.pieces[code]

    return Unpacker(io.BytesIO(data)).load()
