"""What several commands are given: a position in Bell notation or JSON, house rules."""

from __future__ import annotations

import json
from pathlib import Path

from gm.adjudicator.engine.options import GameOptions
from gm.board.model import Board
from gm.campaign.options import from_mapping
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


def house_rules(given: list[str]) -> GameOptions:
    """House rules as `name=value`."""
    return from_mapping(dict(item.partition("=")[::2] for item in given)).game
