"""A receipt is written while the player waits."""

from __future__ import annotations

from random import Random

import pytest

from gm.orders import kinds as m
from gm.orders.check.checker import check
from gm.orders.rules.steps import find_route
from gm.position import Phase, Position
from tests.orders.samples import BOARD, read
from tests.playout import RandomPlayer
from tests.stopwatch import within
from tests.strategies import random_position

LIMIT = 0.025  # seconds for 60 orders


def sensible(position: Position, dice: Random) -> list[m.Order]:
    """A MOVE for every stack, and what else a player orders."""
    orders: list[m.Order] = []
    for stack in position.owned("A"):
        goal = dice.choice(sorted(BOARD.borders[stack.province]))
        path = find_route(BOARD, position, stack.pieces, stack.province, goal)
        if stack.leaders and path:
            force = tuple(m.Named((p,)) for p in stack.pieces)
            orders.append(m.Move(force=force, path=tuple(map(m.Stop, path))))
    return orders


def thoughtless(position: Position, dice: Random) -> list[m.Order]:
    """Orders of which most are wrong, so that most of them get a suggestion."""
    return list(RandomPlayer(BOARD, dice).sheet(position, "A").orders)


@pytest.mark.parametrize(("player", "limit"), [(sensible, LIMIT), (thoughtless, 2 * LIMIT)])
def test_sixty_orders_are_read_and_checked_in_less_than_25_milliseconds(player, limit: float) -> None:  # type: ignore[no-untyped-def]
    """Twice that if nearly all of them are wrong and better ones have to be found."""
    dice = Random(1918)
    position = random_position(BOARD, dice, ("A", "B"), Phase.FIRST)
    lines = [o.printed().replace("\n", " ") for o in player(position, dice)]
    while len(lines) < 60:
        lines.append(f"GIVE {len(lines)} PM TO B")
    text = "\n".join(lines[:60])
    assert len(read(text).sheet.orders) == 60
    within(limit, lambda: check(BOARD, position, "A", read(text).sheet), tries=20)
