"""What the dice are keyed by: the orders that count, the house rules and the board, and nothing that can be varied."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.adjudicator.engine.options import GameOptions
from gm.board.load import standard_board
from gm.orders.parser import parse
from gm.reports.proof.fairness import counted, digest_of, dump

ORDERS = "MOVE Lenin, RU8 PETR: PETR-PSKO\nVOTE END"


def digest(text: str, options: GameOptions | None = None) -> str:
    board = standard_board()
    sheet = parse(board, text, ("A", "B")).sheet
    return digest_of({"A": counted(sheet), "B": ""}, options or GameOptions(), board)


@pytest.mark.parametrize(
    "again",
    [
        "1) move lenin, ru8 petr: petr-psko.\n2) vote end",
        "# a comment that could be anything\nMOVE Lenin, RU8 PETR: PETR-PSKO  # and another\nVOTE END",
        "MOVE Lenin, RU8 PETR: PETR-PSKO\nPRESS Long live number 17!\nEND\nVOTE END",
        "MOVE Lenin, RU8 PETR: PETR-PSKO\nVOTE END\nGIBBERISH 4711",
    ],
)
def test_the_same_orders_sent_in_other_words_give_the_same_dice(again: str) -> None:
    assert digest(again) == digest(ORDERS)


def test_other_orders_and_other_house_rules_give_other_dice() -> None:
    assert digest("MOVE Lenin, RU8 PETR: PETR-NOVG\nVOTE END") != digest(ORDERS)
    assert digest(ORDERS, GameOptions(last_turn=6)) != digest(ORDERS)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_an_archive_is_written_in_the_bytes_that_the_standard_library_lays_out(data: object) -> None:
    """So that archives of any version can be compared, and that anybody can write the same."""
    plain = json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)
    assert dump(data) == f"{plain}\n".encode()


def test_what_json_has_no_number_for_is_not_written() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        dump({"odds": float("nan")})
