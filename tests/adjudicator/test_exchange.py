"""Who falls in an Exchange (J31): exactly what the rule says, in bounded work whatever the strengths are."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.adjudicator.steps.exchange import cheapest
from gm.board.bounds import MOST, MOST_POINTS
from gm.board.model import Kind, Piece
from tests.stopwatch import within
from tests.support import examples


def force(values: Sequence[int]) -> list[Piece]:
    return [Piece(100 + n, Kind.UNIT, value, "PETR", "PETR") for n, value in enumerate(values)]


def strength(pieces: Sequence[Piece]) -> int:
    return sum(piece.value for piece in pieces)


def by_trying_all(pool: Sequence[Piece], needed: int) -> list[Piece]:
    """Every sum by every number of pieces, as it was counted before: the time doubles with each of them."""
    best: dict[tuple[int, int], tuple[Piece, ...]] = {(0, 0): ()}
    for piece in sorted(pool, key=lambda p: p.code):
        for (total, size), codes in list(best.items()):
            if total >= needed:
                continue
            key, candidate = (total + piece.value, size + 1), (*codes, piece)
            if key not in best or [p.code for p in candidate] < [p.code for p in best[key]]:
                best[key] = candidate
    enough = [key for key in best if key[0] >= needed]
    return list(best[min(enough)]) if enough else list(pool)


@settings(max_examples=examples(20_000, here=3_000))
@given(st.integers(1, 40).flatmap(lambda most: st.lists(st.integers(1, most), max_size=9)), st.data())
def test_the_losses_are_those_that_trying_all_finds(values: list[int], data: st.DataObject) -> None:
    pool = data.draw(st.permutations(force(values)))
    needed = data.draw(st.integers(0, sum(values) + 2))
    assert cheapest(pool, needed) == by_trying_all(pool, needed)


@pytest.mark.parametrize("wanted", [0.1, 0.5, 0.9])
def test_doubling_strengths_cost_no_more_than_others(wanted: float) -> None:
    """Twenty-three units of 1, 2, 4 and so on took a minute and a gigabyte, within the transaction of the deadline."""
    for number in (23, 340):
        pool = force([2**n for n in range(number)])
        needed = strength(pool) // 10 * int(wanted * 10)
        assert strength(within(1, lambda pool=pool, needed=needed: cheapest(pool, needed))) >= needed


def test_where_not_all_sums_can_be_tried_nobody_falls_who_could_be_spared() -> None:
    pool = force([10**400 + 7 * n * n + n % 13 for n in range(300)])
    needed = strength(pool) // 2
    lost = within(1, lambda: cheapest(pool, needed))
    assert strength(lost) >= needed
    assert all(strength(lost) - piece.value < needed for piece in lost)
    assert cheapest(pool[::-1], needed) == lost, "in whatever order they are named"


def test_of_any_board_that_a_campaign_begins_on_all_sums_are_tried() -> None:
    """A force of every counter that such a board may have still loses the fewest points."""
    number = MOST["units"] + MOST["leaders"]
    total = MOST_POINTS["units"] + MOST_POINTS["leaders"]
    pool = force([total // number + (n < total % number) for n in range(number)])
    for needed in range(5, total, 111):
        assert strength(within(2, lambda needed=needed: cheapest(pool, needed))) == needed
