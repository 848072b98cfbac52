"""What the desk says in the game for one person: who may be deployed, and what would lose the game if it stayed so."""

from __future__ import annotations

from gm.adjudicator.engine.casualties import REVOLUTION
from gm.adjudicator.solitaire.victory import lost_capitals
from gm.board.model import Board
from gm.position import Phase, Position
from gm.web.wording import say
from gm.wording import joined


def deployment(published: Position, now: Position) -> str:
    """How many Leaders may be deployed, or why none. `now`: after the orders of the sheet so far."""
    before, after = published.solitaire, now.solitaire
    if before is None or after is None or published.phase is not Phase.FIRST:
        return ""
    if after.deployable:
        return say("deploy.open", number=after.deployable)
    if before.deployable:
        return say("deploy.all")
    if not before.reserve:
        return say("deploy.nobody")
    alive = {piece.name for piece in published.where if piece.is_leader}  # neither of the two ever waits
    return say("deploy.fallen", names=joined([name for name in REVOLUTION if name not in alive], "and"))


def dangers(board: Board, now: Position) -> list[str]:
    """Every capital that would be lost if the Game-Turn ended with these positions."""
    alone = now.solitaire
    if alone is None or now.phase is Phase.FINISHED:
        return []
    key = "capital.empty" if alone.contested else "capital.held"
    return [
        say(key, code=code, name=board.provinces[code].name, strength=sum(stack.strength for stack in stacks))
        for code, stacks in lost_capitals(now.stacks, contested=alone.contested).items()
    ]
