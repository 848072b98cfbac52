"""Whom a fanatic's assassins go for (A10), and which Leader goes to meet them there (17/10.0)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.orders.rules.stacking import attachment
from gm.position import Player, Position
from gm.standin.forces import OwnForce

MOST_MARKERS = 3  # on one attempt (A10)
# Markers at hand -> the Leadership Values looked for, in their order.
LEVELS = {1: (1, 2, 3), 2: (2, 3, 1), 3: (3, 2, 1)}


def assassination(
    board: Board, position: Position, seat: Player, enemy: Player, forces: Sequence[OwnForce]
) -> m.Assassinate | None:
    """An attempt on the worst enemy; a force without other business is sent to where the target stands."""
    markers = min(position.box(seat).am, MOST_MARKERS)
    if not markers:
        return None
    command = commands(board, position, enemy)
    spare = [f for f in forces if f.leaders and (f.way is None or f.goal == f.province)]
    busy = {f.goal for f in forces if f.leaders and f.way is not None}
    beyond_reach: Piece | None = None
    for level in LEVELS[markers]:
        targets = sorted([p for p in command if p.value == level], key=lambda p: (-command[p], p.code))
        for target in targets:
            province = position.where[target].province
            if province in busy:
                return m.Assassinate(targets=(target,), markers=markers)
            able = [f for f in spare if f.way is None and province in f.reach]
            if able:
                min(able, key=lambda f: (f.province != province, f.strength, f.pieces[0].code)).go(province)
                return m.Assassinate(targets=(target,), markers=markers)
            beyond_reach = beyond_reach or target
    # Nobody can be met for certain: name one all the same, they may come by; if not, nothing is spent.
    return m.Assassinate(targets=(beyond_reach,), markers=markers) if beyond_reach and spare else None


def commands(board: Board, position: Position, player: Player) -> dict[Piece, int]:
    """The combat strength that each of a player's Leaders has under them, their own included."""
    found: dict[Piece, int] = {}
    for stack in position.owned(player):
        led = attachment(board, stack.pieces)
        for leader in stack.leaders:
            found[leader] = leader.value + sum(unit.value for unit, chief in led.items() if chief is leader)
    return found
