"""Set-up of the solitaire game (27, S11) and the ways of the system's forces (21.13, 21.22, S2)."""

from __future__ import annotations

from gm.adjudicator.engine.casualties import is_revolution
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import RANDOMIZER, Change, Flagged, Marked, Restacked
from gm.adjudicator.solitaire.event_types import SolitaireBegun
from gm.adjudicator.solitaire.state import remember
from gm.adjudicator.steps.setup import deployment
from gm.board.model import Board, Color, Piece
from gm.board.ways import next_steps
from gm.position import RED_PLAYER, SYSTEM_PLAYER, Phase, Player

# 27.12: White Leaders who start elsewhere than in the other games, by identity code.
ELSEWHERE = {266: "SARA", 267: "URAL", 268: "TIFL", 269: "KIRG", 270: "SAMA"}


def set_up(play: PhaseInPlay) -> None:
    board = play.board
    drawn = _drawn_ways(play)
    owners = _owners(board)
    at = {board.pieces[code]: province for code, province in ELSEWHERE.items() if code in board.pieces}
    reserve = tuple(p for p in board.leaders if p.color is Color.RED and p not in owners)
    changes: list[Change] = [Restacked((), tuple(deployment(board, owners, imperial=True, at=at)))]
    changes += [Marked(RANDOMIZER, chit, 1) for chit in board.markers.randomizer_chits]  # 27.2: no other markers
    changes += [remember(play, drawn=drawn, reserve=reserve), Flagged("turn", 1), Flagged("phase", Phase.SYSTEM)]
    play.table.emit(
        SolitaireBegun(
            rules=("27.11", "27.12", "27.13", "27.2", "21.22", "S2", "S11"), drawn=drawn, changes=tuple(changes)
        )
    )


def _owners(board: Board) -> dict[Piece, Player]:
    """All White Leaders are the system's; of the Red ones only Lenin and Trotsky begin on the map (27.13)."""
    owners: dict[Piece, Player] = {p: RED_PLAYER for p in board.leaders if is_revolution(p)}
    return owners | {p: SYSTEM_PLAYER for p in board.leaders if p.color is Color.WHITE}


def _drawn_ways(play: PhaseInPlay) -> dict[str, str]:
    """21.22: a die for every province from which several ways are equally short."""
    return {
        province: play.luck.pick(f"way/{province}", options)
        for province, options in sorted(next_steps(play.board).items())
        if len(options) > 1
    }
