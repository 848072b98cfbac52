"""Whatever a player sends, the parser answers, and in time that grows with the length of the mail."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.orders import kinds as m
from gm.orders.check.checker import check, unordered
from gm.orders.receipt import problem_lines
from gm.orders.rules.reasons import REASONS
from gm.position import Phase, Position
from tests.orders.samples import BOARD, PLAYERS, position, read, scribbles
from tests.stopwatch import in_proportion, within
from tests.strategies import positions
from tests.support import examples


@given(st.text())
@example("ORDERS<")
@settings(max_examples=examples(10_000), deadline=None)
def test_arbitrary_text_is_never_an_error(text: str) -> None:
    _well_formed(text)


@given(scribbles)
@settings(max_examples=examples(5_000), deadline=None)
def test_scribbles_of_order_words_are_never_an_error(text: str) -> None:
    _well_formed(text)


@given(st.binary(max_size=200))
@settings(max_examples=examples(2_000), deadline=None)
def test_bytes_in_a_wrong_encoding_are_never_an_error(data: bytes) -> None:
    _well_formed(data.decode("latin-1"))


def _well_formed(text: str) -> None:
    """Every line that was not understood has a problem that can be worded, with the words where it says."""
    parsed = read(text)
    unread = [n for n, o in enumerate(parsed.sheet.orders, 1) if isinstance(o, m.Unread)]
    assert set(unread) <= {p.order for p in parsed.problems}
    for problem in parsed.problems:
        start, end = problem.span
        assert problem.code in REASONS
        assert 0 <= start <= end <= len(problem.text) + 1
        assert problem.words == problem.text[start:end]
        assert 1 <= problem.line <= text.count("\n") + text.count("\r") + len(text.splitlines()) + 1
        assert list(problem_lines(problem))


@given(positions(players=PLAYERS), scribbles, st.sampled_from(PLAYERS))
@settings(max_examples=examples(1_000, here=30), deadline=None)
def test_whatever_was_understood_can_be_checked(stands, text: str, player: str) -> None:  # type: ignore[no-untyped-def]
    sheet = read(text).sheet
    for problem in check(BOARD, stands, player, sheet):
        assert problem.code in REASONS
        assert problem.words == problem.text[slice(*problem.span)]
        assert list(problem_lines(problem))
    unordered(BOARD, stands, player, sheet)


LINES = {
    "good": "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO(+RU4 PSKO)-COUR",
    "misspelt": "MOVE Lennin, RU8 PERT: PETR-Novgrod-LIVO",
    "unfinished": "MOVE Lenin, RU8 PETR: PETR-(",
    "continued": "STACK PSKO: Lenin,",
    "open brackets": "((((((((((",
    "prose": "I should like to know what happened to my army in the marshes of the Pripet, comrade",
    "press": "PRESS",
    "commas": "," * 50,
    "hyphens": "-a" * 60,
    "blanks": " " * 200 + "x",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_reading_takes_time_in_proportion_to_the_number_of_lines(line: str) -> None:
    read(line)  # tables and names are made once
    in_proportion(lambda lines: partial(read, "\n".join([line] * lines)), 1_000, 5_000, slack=2.5)
    within(5, lambda: read("\n".join([line] * 5_000)))


def test_checking_a_thousand_orders_takes_time_in_proportion_to_their_number() -> None:
    stands = position("A PETR: RL3 Lenin, RU8 PETR\nA LIVO: RL1 Gai\nB LIVO: WL1 Miller\nA BOX: 9 PM, 3 AM")
    lines = [
        "MOVE Lenin, RU8 PETR: PETR-PSKO",
        "GIVE 1 PM TO B",
        "STACK LIVO: Gai, Lenin",
        "PURGE B USING 8 PM",
        "ASSASSINATE Miller WITH 1",
        "VOTE END",
        "VOTE CONTINUE",
        "COMPLY",
        "REFUSE EXECUTION",
        "ATTACK Miller IN LIVO WITH Gai",
    ]
    for phase in (Phase.FIRST, Phase.SECOND):
        there = replace(stands, phase=phase)

        def checking(times: int, there: Position = there) -> Callable[[], object]:
            return partial(check, BOARD, there, "A", read("\n".join(lines * times)).sheet)

        checking(10)()
        in_proportion(checking, 20, 100)


@pytest.mark.parametrize("filler", ["a ", "RU8 ", "a-", "(", ",", " ", "PETR-", "and ", "1 ", "#", ".", "/", "the "])
def test_one_very_long_line_takes_time_in_proportion_to_its_length(filler: str) -> None:
    read("MOVE Lenin: " + filler * 100)
    in_proportion(lambda times: partial(read, "MOVE Lenin: " + filler * times), 2_000, 10_000)
