"""Who is to play, as typed: the form for a new campaign and the commands read a line alike."""

from __future__ import annotations

import pytest

from gm.campaign.ports import NewPlayer
from gm.campaign.seats.new_players import new_player, new_seat
from gm.standin.strategy import Style

ANNA = NewPlayer("Anna Ivanovna", "anna@example.org")


@pytest.mark.parametrize(
    "line",
    ["Anna Ivanovna <anna@example.org>", '"Anna Ivanovna", anna@example.org', " Anna Ivanovna anna@example.org "],
)
@pytest.mark.parametrize("in_a_list", [True, False])
def test_a_person_is_a_name_and_an_address(line: str, in_a_list: bool) -> None:
    assert new_seat(line, in_a_list) == new_player(line, in_a_list) == ANNA


@pytest.mark.parametrize("line", ["b: Boris <b@example.org> Europe/London", "B = Boris, b@example.org, Europe/London"])
def test_a_letter_stands_before_and_a_time_zone_behind(line: str) -> None:
    assert new_player(line) == NewPlayer("Boris", "b@example.org", "Europe/London", "B")


def test_a_dot_or_bracket_behind_a_letter_counts_in_a_list_only() -> None:
    assert new_player("A. Smith <a@example.org>") == NewPlayer("A. Smith", "a@example.org")
    assert new_player("A. Smith <a@example.org>", in_a_list=True) == NewPlayer("Smith", "a@example.org", letter="A")
    assert new_player("J.R. Smith <a@example.org>", in_a_list=True) == NewPlayer("J.R. Smith", "a@example.org")


@pytest.mark.parametrize("line", ["C: fanatic", "c) Fanatic", "C=FANATIC"])
def test_a_style_is_a_seat_for_a_stand_in(line: str) -> None:
    assert new_seat(line) == NewPlayer("", "", letter="C", standin=Style.FANATIC)
    assert new_player(line) is None


@pytest.mark.parametrize("line", ["Anna", "anna@example.org", "Anna <anna>", "A:", ""])
def test_anything_else_is_nobody(line: str) -> None:
    assert new_seat(line) is None and new_seat(line, in_a_list=True) is None
