"""Pieces eliminated: into which box they go, and what follows when Lenin or Trotsky is eliminated (J33)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import RANDOMIZER, Boxed, Change, Flagged, Marked, RevolutionShaken
from gm.board.model import Color, Piece
from gm.position import Held, Phase, Player, Solitaire

REVOLUTION = ("Lenin", "Trotsky")


def into_box(pieces: Iterable[Piece], box: Player | None) -> list[Change]:
    return [Boxed(box, Held(piece)) for piece in pieces]


def is_revolution(piece: Piece) -> bool:
    """Lenin or Trotsky."""
    return piece.card in REVOLUTION and piece.is_leader and piece.color is Color.RED


def shake(play: PhaseInPlay, leader: Piece, owner: Player | None) -> None:
    """J33, 9.14, 11.32: the owner loses a Politburo Marker, Red replacements are suspended."""
    suspended = int(str(play.table.flag("red_suspended"))) + 1
    changes: list[Change] = [Flagged("red_suspended", suspended)]
    lost = 1 if owner in play.table.markers and play.table.markers[owner].pm > 0 else 0
    if lost and owner:
        changes += [Marked(owner, "PM", -1), Marked(RANDOMIZER, "PM", 1)]
    solitaire = play.table.flag("solitaire")
    if isinstance(solitaire, Solitaire) and not _is_closed_already(play):  # 24.16, 24.17
        changes.append(Flagged("solitaire", replace(solitaire, undetermined=solitaire.undetermined + 1)))
    play.table.emit(
        RevolutionShaken(
            rules=("9.14", "24.14", "24.15") if solitaire else ("11.32", "9.14", "J33"),
            leader=leader,
            owner=owner,
            pm_lost=lost,
            suspended=suspended,
            changes=tuple(changes),
        )
    )


def _is_closed_already(play: PhaseInPlay) -> bool:
    """24.16: whoever falls before B7 closes the determination of that Game-Turn. If the other fell in Red's attacks of
    the Game-Turn before, it is closed for him already: 24.17 adds a second one only if both fall in one Game-Turn."""
    began = play.before.solitaire
    return play.before.phase is Phase.SYSTEM and began is not None and began.undetermined > 0
