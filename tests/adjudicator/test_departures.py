"""J41 for whatever is dropped: no force leaves a province with more than those who go on can transport."""

from __future__ import annotations

from random import Random

from hypothesis import event, given, settings
from hypothesis import strategies as st

from gm.adjudicator.chance import ScriptedChance
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.board.model import Color, Piece
from gm.orders import kinds as m
from gm.orders.rules.force import Force
from gm.orders.rules.march import MovementContext
from gm.orders.rules.stacking import fault
from gm.position import Phase, Position, Stack
from tests.support import examples

BOARD = standard_board()


def full_stack(rng: Random) -> Stack:
    """Leaders of one colour with as many units as they can lead, Imperial units among them, somewhere on the map."""
    color = rng.choice((Color.RED, Color.WHITE))
    pieces = rng.sample([p for p in BOARD.leaders if p.color is color], rng.randint(2, 3))
    pieces += rng.sample([BOARD.gold, BOARD.czar], rng.randint(0, 2))
    units = [p for p in BOARD.units if p.color is color or (p.color is Color.GREEN and BOARD.gold in pieces)]
    rng.shuffle(units)
    for unit in units:
        if fault(BOARD, [*pieces, unit]) is None:
            pieces.append(unit)
    rng.shuffle(pieces)
    return Stack(rng.choice(sorted(BOARD.provinces)), "A", tuple(pieces))


def order_for(rng: Random, stack: Stack) -> m.Move:
    """All of it marches off, and something is dropped on the way, where it starts included."""
    here, left, stops = stack.province, list(stack.pieces), []
    for _ in range(rng.randint(2, 5)):
        dropped = rng.sample(left, min(rng.choice((0, 1, 1, 2)), len(left)))
        left = [p for p in left if p not in dropped]
        stops.append(m.Stop(here, tuple(m.Handling(m.Act.DROP, m.Named((p,))) for p in dropped)))
        here = rng.choice(sorted(BOARD.borders[here]))
    return m.Move(force=tuple(m.Named((p,)) for p in stack.pieces), path=(*stops, m.Stop(here)))


def aboard(force: Force, departure: int) -> list[Piece]:
    """Who was in the force when it left a province of its path."""
    return [
        piece
        for piece in sorted(force.been, key=lambda p: p.code)
        if force.joined.get(piece, 0) <= departure < force.left.get(piece, len(force.path))
    ]


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(2_000, 200))
def test_whatever_gets_off_those_who_go_on_can_lead_the_rest(rng: Random) -> None:
    stack = full_stack(rng)
    order = order_for(rng, stack)
    position = Position(players=("A", "B"), turn=1, phase=Phase.FIRST, stacks=(stack,))
    force = MovementContext(BOARD, position, position, "A").march(1, order)
    for departure in range(len(force.path) - 1):
        assert fault(BOARD, aboard(force, departure)) is None
    shed = [trouble.piece for trouble in force.troubles if trouble.code == "unled-on-march"]
    event(f"left behind: {len(shed)}")
    outcome = adjudicate(BOARD, position, {"A": m.Sheet((order,))}, ScriptedChance())
    assert sorted(outcome.after.where, key=lambda p: p.code) == sorted(stack.pieces, key=lambda p: p.code)
    for found in outcome.after.stacks:
        assert fault(BOARD, found.pieces) is None
    for piece in shed:
        assert piece is not None and outcome.after.where[piece].province in force.path[:-1]
