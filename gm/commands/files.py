"""Reading the input files of commands: a position in Bell notation or JSON."""

from __future__ import annotations

import json
from pathlib import Path

from gm.board.model import Board
from gm.errors import UserError
from gm.notation import read_position
from gm.position import Phase, Position, from_json


def position_from(board: Board, path: Path, turn: int | None = None, phase: Phase | None = None) -> Position:
    """A position in Bell notation or JSON; turn and phase where the listing does not say."""
    text = path.read_text("utf-8")
    if text.lstrip().startswith("{"):
        try:
            return from_json(board, json.loads(text))
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(f"{path} is no position in JSON: {error}") from error
    return read_position(board, text, turn=1 if turn is None else turn, phase=phase or Phase.FIRST)
