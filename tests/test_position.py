"""A Position is a value: equal states are equal, and it survives its JSON form."""

import json
from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import replace

from gm.board.load import standard_board
from gm.board.model import Color
from gm.position import Box, Held, How, Markers, Phase, Position, Stack, canonical, from_json, to_json
from tests.strategies import positions

BOARD = standard_board()
P = BOARD.pieces
LENIN, TVER_UNIT, CZAR, GOLD = P[151], P[111], P[1], P[2]
CHANGES: list[dict[str, Any]] = [
    {"turn": 3},
    {"phase": Phase.SECOND},
    {"stacks": (Stack("PETR", "A", (LENIN,)),)},
    {"stacks": (Stack("PETR", None, (LENIN,)),)},
    {"stacks": (Stack("PETR", "A", (LENIN, TVER_UNIT)),)},
    {"stacks": (Stack("PETR", "A", (TVER_UNIT, LENIN)),)},
    {"boxes": {"A": Box(Markers(1)), "B": Box()}},
    {"boxes": {"A": Box(held=(Held(CZAR, How.EXECUTED),)), "B": Box()}},
    {"boxes": {"A": Box(held=(Held(CZAR, How.EMIGRATED),)), "B": Box()}},
    {"neutral": Box(held=(Held(LENIN),))},
    {"randomizer": Markers(am=1)},
    {"randomizer": Markers(chits=("FR control",))},
    {"gone": (LENIN,)},
    {"gone_chits": ("FR withdrawal",)},
    {"quitters": ("A",)},
    {"votes": {"A": True}},
    {"votes": {"A": False}},
    {"subversion_doubled": True},
    {"purge_done": True},
    {"red_suspended": 1},
    {"execution_pending": True},
    {"victory": Color.RED},
]


@given(positions())
def test_a_position_survives_its_json_form(position: Position) -> None:
    again = from_json(BOARD, json.loads(json.dumps(to_json(position))))
    assert again == position
    assert again.digest == position.digest
    assert hash(again) == hash(position)


@given(positions())
def test_every_counter_is_in_one_place_only(position: Position) -> None:
    found = [piece.code for piece in position.all_pieces()]
    assert sorted(found) == sorted(P)


def test_a_player_without_a_box_has_an_empty_one() -> None:
    assert Position(("A", "B")) == Position(("A", "B"), boxes={"A": Box(), "B": Box()})


def test_the_order_in_which_things_were_put_away_does_not_matter() -> None:
    one = Position(
        ("A",),
        boxes={"A": Box(Markers(chits=("UK control", "BA control")), (Held(LENIN), Held(TVER_UNIT)))},
        gone=(GOLD, CZAR),
        gone_chits=("US withdrawal", "FR withdrawal"),
    )
    two = Position(
        ("A",),
        boxes={"A": Box(Markers(chits=("BA control", "UK control")), (Held(TVER_UNIT), Held(LENIN)))},
        gone=(CZAR, GOLD),
        gone_chits=("FR withdrawal", "US withdrawal"),
    )
    assert one == two
    assert one.digest == two.digest


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_the_digest_knows_every_part_of_the_state(change: dict[str, Any]) -> None:
    plain = Position(("A", "B"))
    changed = replace(plain, **change)
    assert changed != plain
    assert changed.digest != plain.digest
    assert from_json(BOARD, to_json(changed)) == changed


def test_all_those_changes_have_digests_of_their_own() -> None:
    digests = {replace(Position(("A", "B")), **change).digest for change in CHANGES}
    assert len(digests) == len(CHANGES)


def test_stacks_stand_in_one_order_and_empty_ones_vanish() -> None:
    first, second = Stack("ARCH", "A", (LENIN,)), Stack("TVER", None, (TVER_UNIT,))
    assert canonical([second, Stack("KIEV", "B", ()), first]) == (first, second)


def test_a_stack_has_the_colour_of_its_leader_else_of_its_first_unit_else_none() -> None:
    green = P[322]
    assert Stack("KIEV", "A", (green, LENIN, GOLD)).color is Color.RED
    assert Stack("KIEV", "A", (GOLD, green)).color is Color.GREEN
    assert Stack("KIEV", None, (GOLD,)).color is None


def test_a_stack_knows_its_parts_and_strength() -> None:
    stack = Stack("PETR", "A", (LENIN, TVER_UNIT, CZAR))
    assert (stack.strength, stack.leaders, stack.units, stack.imperials) == (11, (LENIN,), (TVER_UNIT,), (CZAR,))


def test_pieces_are_found_where_they_stand() -> None:
    stack = Stack("PETR", "A", (LENIN,))
    position = Position(("A", "B"), stacks=(stack,), quitters=("B",))
    assert position.where[LENIN] is stack
    assert position.at("PETR") == (stack,)
    assert position.at("TVER") == ()
    assert position.owned("A") == (stack,)
    assert position.active == ("A",)


def test_the_holder_of_a_control_marker_is_found() -> None:
    position = Position(("A", "B"), boxes={"B": Box(Markers(chits=("UK control",)))})
    assert position.holder("UK control") == "B"
    assert position.holder("BA control") is None


@pytest.mark.parametrize("marker", ["PM", "AM", "UK control"])
def test_markers_are_counted_added_and_taken(marker: str) -> None:
    one_more = Markers(1, 1, ("BA control",)).plus(marker)
    assert one_more.count(marker) == Markers(1, 1, ("BA control",)).count(marker) + 1
    assert one_more.plus(marker, -1) == Markers(1, 1, ("BA control",))
    assert marker in one_more.as_list()


def test_an_unknown_json_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="schema 99"):
        from_json(BOARD, {**to_json(Position(("A",))), "schema": 99})
