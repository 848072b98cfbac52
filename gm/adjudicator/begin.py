"""Whether a campaign may begin to play with a pack; one that plays with it already goes on."""

from __future__ import annotations

from gm.adjudicator.steps.setup import deployment
from gm.board.bounds import too_large
from gm.board.load import build
from gm.board.model import Board
from gm.board.pack import Pack
from gm.board.problems import BoardProblem
from gm.orders.rules.stacking import LIMIT, fault


def unfit(pack: Pack) -> tuple[BoardProblem, ...]:
    """A problem for each thing in a pack without errors that no new campaign may have."""
    return too_large(pack) or _stacks_too_large(pack, build(pack))


def _stacks_too_large(pack: Pack, board: Board) -> tuple[BoardProblem, ...]:
    """The limits of stacks hold from the start (15.43, 15.55), whoever is dealt the Leaders: one player or many."""
    all_of_one = dict.fromkeys(board.leaders, "A")
    each_alone = {leader: str(leader.code) for leader in board.leaders}
    found: dict[str, str] = {}
    for owners in (all_of_one, each_alone):
        for stack in deployment(board, owners, imperial=True):
            if wrong := fault(board, stack.pieces):
                found.setdefault(stack.province, _TOLD[wrong])
    where = sorted(found)
    return tuple(BoardProblem(pack.file_of("provinces", code), f"provinces.{code}", found[code]) for code in where)


_TOLD = {
    "over-five": f"more than {LIMIT} counters of one colour or nation begin in one stack there (7.11, 15.43)",
    "over-capacity": "the Leader who begins with the units there cannot lead so many (5.14, 15.43)",
}
