"""Pieces that leave the map against their will, and what it means when Lenin or Trotsky falls."""

from __future__ import annotations

from collections.abc import Iterable

from gm.adjudicator.outcome import RANDOMIZER, Boxed, Change, Flagged, Marked, RevolutionShaken
from gm.adjudicator.play import Play
from gm.adjudicator.setup import REVOLUTION
from gm.board.model import Color, Piece
from gm.position import Held, Player


def into_box(pieces: Iterable[Piece], box: Player | None) -> list[Change]:
    return [Boxed(box, Held(piece)) for piece in pieces]


def is_revolution(piece: Piece) -> bool:
    """Lenin or Trotsky."""
    return piece.name in REVOLUTION and piece.is_leader and piece.color is Color.RED


def shake(play: Play, leader: Piece, owner: Player | None) -> None:
    """J33, 9.14, 11.32: his owner loses a Politburo Marker, Red replacements are suspended."""
    suspended = int(str(play.table.flag("red_suspended"))) + 1
    changes: list[Change] = [Flagged("red_suspended", suspended)]
    lost = 1 if owner in play.table.markers and play.table.markers[owner].pm > 0 else 0
    if lost and owner:
        changes += [Marked(owner, "PM", -1), Marked(RANDOMIZER, "PM", 1)]
    play.table.emit(
        RevolutionShaken(
            rules=("11.32", "9.14", "J33"),
            leader=leader,
            owner=owner,
            pm_lost=lost,
            suspended=suspended,
            changes=tuple(changes),
        )
    )
