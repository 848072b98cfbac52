"""The Czar is shot as soon as a Red Leader is stacked with him (26, S8)."""

from __future__ import annotations

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle, without
from gm.adjudicator.outcome import Gone, Restacked
from gm.adjudicator.solitaire.event_types import CzarShot
from gm.board.model import Color


def execute_czar(play: PhaseInPlay) -> None:
    czar = play.board.czar
    stack = play.table.where.get(czar)
    if stack is None or stack.color is not Color.RED or not stack.leaders:
        return
    rest = without(play.table, stack, [czar])
    changes = (Restacked((stack,), tuple(rest)), Gone(czar))
    play.table.emit(CzarShot(rules=("26.0", "S8"), province=stack.province, leader=stack.leaders[0], changes=changes))
    settle(play.table)
