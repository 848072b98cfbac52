"""An attack before it is fought: odds, what each face of the die brings, and the chances in words."""

from __future__ import annotations

from gm.board.model import Board
from gm.orders.rules.odds import Prospect, column_of, highest, results_of
from gm.web.models import BattleInfo
from gm.web.wording import say


def battle_info(board: Board, found: Prospect) -> BattleInfo | None:
    """None if there is nothing to fight with, or nobody to be fought."""
    if found.refusal not in (None, "below-half", "same-target-twice"):
        return None
    summary = chances(board, found.odds, "subversion" if found.subversion else "summary")
    if found.attack > sum(stack.strength for stack in found.stacks):  # by the event (12.12)
        summary = f"{summary}; {say('battle.doubled')}"
    return BattleInfo(
        province=found.province,
        attack=found.attack,
        defence=found.defence,
        odds=found.odds,
        results={str(die): result for die, result in results_of(board, found.odds).items()} if found.odds else {},
        summary=summary,
    )


def chances(board: Board, odds: str | None, key: str = "summary") -> str:
    """How many of the six faces bring what."""
    if odds is None:
        return say("battle.below")
    faces = list(results_of(board, odds).values())
    words = say(f"battle.{key}", **{kind.lower(): faces.count(kind) for kind in ("De", "Ex", "Ae")})
    return words if column_of(board, odds) == odds else f"{words}; {say('battle.beyond', highest=highest(board))}"
