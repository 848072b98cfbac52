"""The human's sheet in the solitaire game: orders in the order in which they are written, and how they are refused."""

from __future__ import annotations

from collections.abc import Iterator

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import Status
from gm.adjudicator.reasons import because
from gm.orders.kinds import Hold, Order, Press, Unread
from gm.position import RED_PLAYER


def written(play: PhaseInPlay) -> Iterator[tuple[int, Order]]:
    """The orders that are to be carried out, with their numbers.

    A guard for another Phase keeps the whole sheet out; lines that were not understood come to nothing here.
    """
    sheet = play.sheets.get(RED_PLAYER)
    if sheet is None:
        return
    guard = sheet.guard
    foreign = guard is not None and (guard.turn, guard.phase) != (play.before.turn, play.before.phase)
    for number, order in enumerate(sheet.orders, start=1):
        if isinstance(order, Unread | Hold):
            play.close(RED_PLAYER, number, Status.UNREAD, because("not-understood"))
        elif isinstance(order, Press):
            play.done(RED_PLAYER, number)
        elif foreign:
            refuse(play, number)
        else:
            yield number, order


def refuse(play: PhaseInPlay, number: int, code: str = "wrong-sheet", **data: object) -> None:
    play.fail(RED_PLAYER, number, code, **data)
