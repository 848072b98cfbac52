"""Values cannot be changed once they are made: positions, orders, events and what an adjudication yields."""

import importlib
import pkgutil
from collections.abc import Iterator
from enum import Enum

import pytest
from msgspec import Struct
from msgspec.structs import replace

import gm
from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.outcome import Event, Outcome
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.orders import kinds as m
from gm.position import Markers, Position, Stack

BOARD = standard_board()
WORKED_ON = {"Force", "MovementContext"}  # what a step works on while it is at it


def modules() -> Iterator[object]:
    for found in pkgutil.walk_packages(gm.__path__, "gm."):
        if found.name.split(".")[1] in ("adjudicator", "orders", "board", "position", "standin"):
            yield importlib.import_module(found.name)


def structs() -> list[type[Struct]]:
    found = {
        kind
        for module in modules()
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__.startswith("gm.")
    }
    return sorted(found, key=lambda kind: kind.__qualname__)


def dealt() -> Outcome:
    start = Position(("A", "B", "C"))
    return adjudicate(BOARD, start, {}, ProvableChance(bytes(32), "values", 0, start.phase, "digest"))


def values() -> dict[str, Struct]:
    outcome = dealt()
    position = outcome.after
    event = outcome.events[0]
    order = m.Vote(end=True)
    found = (outcome, position, position.stacks[0], position.boxes["A"], position.randomizer, event, order)
    return {type(value).__name__: value for value in (*found, event.changes[0], outcome.rolls[0], m.Sheet((order,)))}


@pytest.mark.parametrize("value", values().values(), ids=values().keys())
def test_a_value_refuses_to_be_changed(value: Struct) -> None:
    for name in (*value.__struct_fields__, "something_new"):
        with pytest.raises(AttributeError):
            setattr(value, name, None)
    first = value.__struct_fields__[0]
    with pytest.raises(AttributeError):
        delattr(value, first)


def test_every_value_of_the_core_is_frozen_but_what_a_step_works_on() -> None:
    kinds = structs()
    assert {Position, Stack, Markers, Outcome, Event, m.Order} <= set(kinds)
    assert {kind.__name__ for kind in kinds if not kind.__struct_config__.frozen} == WORKED_ON


def test_what_is_worked_out_once_is_worked_out_anew_for_a_changed_value() -> None:
    stack = dealt().after.stacks[0]
    other = replace(stack, pieces=stack.pieces[:0])
    assert stack.strength > 0
    assert other.strength == 0


def test_orders_that_say_the_same_are_equal_wherever_they_stand() -> None:
    order = m.Vote(end=True, line=3, source="VOTE END")
    assert order == m.Vote(end=True)
    assert hash(order) == hash(m.Vote(end=True))
    assert order != m.Vote(end=False)
    assert m.Comply() != m.RefuseExecution()


def test_enumerations_are_pythons_own() -> None:
    kinds = {kind for module in modules() for kind in vars(module).values() if isinstance(kind, type)}
    enums = [kind for kind in kinds if issubclass(kind, Enum) and kind.__module__.startswith("gm.")]
    assert enums
    assert all(kind.__hash__ is kind.__mro__[1].__hash__ for kind in enums)
