"""The shorter game (J38): which orders it does without. Checker, desk, Bell, stand-ins and adjudicator ask here."""

from __future__ import annotations

from gm.board.model import Board
from gm.orders.kinds import Comply, Counterpurge, Execute, Order, Purge, RefuseExecution, Subvert
from gm.position import Position

_WITHOUT = frozenset({Purge, Execute, Subvert})
_ANSWERS = frozenset({Counterpurge, Comply, RefuseExecution})  # to what never happens: they stay on file


def does_without(board: Board, position: Position, kind: type[Order]) -> bool:
    """Whether orders of this kind fail, whatever they say. The game for one person has its own rules."""
    return board.shorter and position.solitaire is None and kind in _WITHOUT


def answers_nothing(board: Board, position: Position, kind: type[Order]) -> bool:
    """Whether orders of this kind wait for what never happens."""
    return board.shorter and position.solitaire is None and kind in _ANSWERS
