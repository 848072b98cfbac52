"""The end of a Game-Turn and of the solitaire game (28, S12)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import Flagged, PhaseEnded
from gm.adjudicator.solitaire.event_types import SolitaireEnded
from gm.adjudicator.solitaire.state import state_of
from gm.adjudicator.steps.victory import CONTESTED
from gm.board.model import Board, Color
from gm.board.ways import CAPITALS
from gm.position import Phase, Stack

LAST_TURN = 7  # 27.32


def level_of(turn: int) -> str:
    """28.12: how much a Red victory is worth (the printed table is damaged; S12)."""
    return {6: "substantive", 7: "marginal"}.get(turn, "decisive")


def others_left(board: Board, stacks: Iterable[Stack]) -> list[Stack]:
    """Everything that is not Red where Red must have cleared the map: how near it was."""
    return [s for s in stacks if s.color not in (None, Color.RED) and board.provinces[s.province].region in CONTESTED]


def lost_capitals(stacks: Iterable[Stack], *, contested: bool) -> dict[str, tuple[Stack, ...]]:
    """The capitals that are lost if the Game-Turn ends so (28.13; `contested`: S20), with who has taken them."""
    found = {}
    for capital in CAPITALS:
        here = [s for s in stacks if s.province == capital and s.color is not None]
        others = tuple(s for s in here if s.color is not Color.RED)
        if others and not (contested and len(others) < len(here)):
            found[capital] = others
    return found


def _option(play: PhaseInPlay) -> tuple[str, ...]:
    return ("S20",) if state_of(play).contested else ()


def end_turn(play: PhaseInPlay) -> None:
    """D: does anybody win? If not, the next Game-Turn begins with the system."""
    turn = play.before.turn
    left = others_left(play.board, play.table.stacks())
    winner, level = None, "draw"
    rules: tuple[str, ...] = ("28.15", "27.32", "S12")
    if lost_capitals(play.table.stacks(), contested=state_of(play).contested):
        winner, level, rules = Color.WHITE, "decisive", ("28.13", "28.14", "S12", *_option(play))
    elif not left:
        winner, level, rules = Color.RED, level_of(turn), ("28.11", "28.12", "28.14", "S12")
    elif turn < LAST_TURN:
        changes = (Flagged("turn", turn + 1), Flagged("phase", Phase.SYSTEM))
        play.table.emit(PhaseEnded(rules=("19.2",), changes=changes))
        return
    play.table.emit(
        SolitaireEnded(
            rules=rules,
            winner=winner,
            level=level,
            turn=turn,
            strength=sum(s.strength for s in left),
            provinces=tuple(sorted({s.province for s in left})),
            changes=(Flagged("victory", winner), Flagged("phase", Phase.FINISHED)),
        )
    )
