"""Ways across the map: the shortest, alphabetically first among equals."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.board.load import standard_board
from gm.board.model import Color
from gm.board.paths import reachable, shortest_path

BOARD = standard_board()
provinces = st.sampled_from(sorted(BOARD.provinces))
colors = st.sampled_from(list(Color))
some = st.frozensets(provinces, max_size=25)


def every_way(start: str, goal: str, color: Color, by_rail: bool, length: int) -> list[tuple[str, ...]]:
    """All ways of up to so many steps, found without any cleverness."""
    ways = [(start,)]
    found = []
    for _ in range(length):
        longer = []
        for way in ways:
            for there in BOARD.borders[way[-1]]:
                on_line = there in BOARD.rail_steps.get(way[-1], ())
                if BOARD.passable(way[-1], there, color) and (on_line or not by_rail) and there not in way:
                    longer.append((*way, there))
        found += [way for way in longer if way[-1] == goal]
        ways = longer
    return found


@given(provinces, provinces, colors, st.booleans(), st.integers(0, 4))
def test_the_way_found_is_the_first_of_the_shortest(
    start: str, goal: str, color: Color, by_rail: bool, length: int
) -> None:
    found = shortest_path(BOARD, start, goal, color, by_rail, max_steps=length)
    if start == goal:
        assert found == (start,)
        return
    ways = every_way(start, goal, color, by_rail, length)
    assert found == min(ways, key=lambda way: (len(way), way), default=None)


@given(provinces, provinces, colors, some, some)
def test_a_way_enters_and_passes_only_what_it_may(
    start: str, goal: str, color: Color, barred: frozenset[str], stops: frozenset[str]
) -> None:
    found = shortest_path(
        BOARD, start, goal, color, may_enter=lambda p: p not in barred, may_pass=lambda p: p not in stops
    )
    if found is None:
        return
    assert found[0] == start and found[-1] == goal
    assert all(BOARD.passable(a, b, color) for a, b in pairwise(found))
    assert not barred & set(found[1:])
    assert not stops & set(found[1:-1])


@given(provinces, colors, st.booleans(), st.integers(0, 6), some, some)
def test_what_is_reachable_is_where_a_way_leads(
    start: str, color: Color, by_rail: bool, length: int, barred: frozenset[str], stops: frozenset[str]
) -> None:
    rules = {"may_enter": lambda p: p not in barred, "may_pass": lambda p: p not in stops}
    found = reachable(BOARD, start, color, by_rail, max_steps=length, **rules)
    for goal in BOARD.provinces:
        way = shortest_path(BOARD, start, goal, color, by_rail, max_steps=length, **rules)
        assert (way is not None) == (goal in found)


@pytest.mark.parametrize(
    ("start", "goal", "color", "by_rail", "way"),
    [
        ("PETR", "LIVO", Color.RED, False, "PETR-ESTO-LIVO"),
        ("KUBA", "TAUR", Color.WHITE, False, "KUBA-TAUR"),
        ("KUBA", "TAUR", Color.RED, False, "KUBA-DCOS-YEKA-TAUR"),
        ("KURS", "ARCH", Color.RED, True, "KURS-OREL-KALU-TVER-NOVG-PETR-OLON-ARCH"),
        ("PETR", "PETR", Color.RED, False, "PETR"),
    ],
)
def test_known_ways(start: str, goal: str, color: Color, by_rail: bool, way: str) -> None:
    assert shortest_path(BOARD, start, goal, color, by_rail) == tuple(way.split("-"))


def test_no_rail_line_leads_to_perm() -> None:
    assert shortest_path(BOARD, "PETR", "PERM", Color.RED, by_rail=True) is None


def test_five_points_do_not_lead_from_petrograd_to_vladivostok() -> None:
    assert shortest_path(BOARD, "PETR", "VLAD", Color.RED, max_steps=5) is None


def test_neither_question_is_asked_about_the_start() -> None:
    def refuse(province: str) -> bool:
        assert province != "PETR"
        return True

    assert shortest_path(BOARD, "PETR", "TVER", Color.RED, may_enter=refuse, may_pass=refuse)
