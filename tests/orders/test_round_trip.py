"""What is printed can be read again, and means the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from gm.orders import kinds as m
from gm.orders.kinds.catalogue import CATALOGUE, STANDING
from tests.orders.samples import orders, read, scribbles, sheets
from tests.support import examples

CASES = Path(__file__).parent.parent / "cases" / "published"

# The examples of the specification of the order language, each in canonical form.
EXAMPLES = """
GIVE 2 PM TO B
GIVE 1 AM TO B FOR 1 PM
GIVE Wrangel, Ulagi TO C FOR 2 PM
ACCEPT Wrangel FROM E
REFUSE GIFTS
REFUSE GIFTS FROM B
SEIZE GU4 KIEV WITH Kolchak
MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO
MOVE Denikin, WU4 KUBA: KUBA-STAV-ASTR-KIRG-URAL(+WU2 URAL)-SAMA
MOVE Stalin: KURS-OREL-TULA-TVER-NOVG-PETR-OLON-ARCH BY RAIL
MOVE Lenin, RU8 PETR TO LIVO
ATTACH RU2 KAZA TO Markin
MOVE Markin: KAZA(+RU2 KAZA)
STACK PSKO: Frunze, RU4 VLDM, Vatzetis, RU3 YARO, Gai
EMIGRATE Czar FROM KHER
EXIT BU3 CHEL/CZ
ASSASSINATE Trotsky WITH 2
ASSASSINATE Trotsky, Tukhachevsky WITH ALL
PURGE B WITH E USING 3 PM DIVIDE A 2, E 1 TAKING Tukhachevsky, PM
PURGE B USING 8 PM
PURGE B WITH E USING 3 PM SEPARATELY
COUNTERPURGE STRONGEST
COUNTERPURGE WEAKEST
COUNTERPURGE A
COUNTERPURGE A TAKING Lenin, PM
COUNTERPURGE NEVER
COUNTERPURGE A IF PURGED BY A
EXECUTE CZAR WITH A, E USING 4 PM
COMPLY
REFUSE EXECUTION
ATTACK WU2 SARA IN SARA WITH Sorokin, Markin
SUBVERT BU2 CHER/GE IN CHER WITH Kalinin
LOSE RU2 KAZA, Markin
TAKE WL1 Sidorin
VOTE END
VOTE CONTINUE
RESIGN
STANDING COUNTERPURGE STRONGEST
STANDING COMPLY
STANDING REFUSE GIFTS
STANDING REFUSE EXECUTION
STANDING LOSE RU2 KAZA, Markin
""".strip().splitlines()


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_of_the_language_prints_back_to_itself(line: str) -> None:
    parsed = read(line)
    assert parsed.problems == ()
    assert [o.printed() for o in parsed.sheet.orders] == [line]


def test_every_example_of_the_catalogue_is_understood() -> None:
    for about in CATALOGUE:
        for example in about.examples:
            parsed = read(example)
            assert parsed.problems == (), example
            assert about is STANDING or parsed.sheet.orders[0].about is about, example


def order_sheets() -> list[tuple[str, str]]:
    """Every ORDERS block of the published cases."""
    found = []
    for path in sorted(CASES.glob("*.case")):
        for block in re.finditer(r"^ORDERS (\w).*\n((?:[ \t].*\n|\n)*)", path.read_text("utf-8"), re.MULTILINE):
            found.append((f"{path.stem}:{block[1]}:{block.start()}", block[2]))
    return found


def test_there_are_order_sheets_to_read() -> None:
    assert len(order_sheets()) > 60


@pytest.mark.parametrize(("name", "text"), order_sheets())
def test_each_order_sheet_of_the_published_cases_is_understood(name: str, text: str) -> None:
    parsed = read(text)
    assert parsed.problems == ()
    assert parsed.sheet.orders


@given(orders)
@settings(max_examples=examples(2_000), deadline=None)
def test_an_order_means_the_same_after_printing_and_reading(order: m.Order) -> None:
    printed = order.printed()
    parsed = read(printed)
    assert parsed.problems == ()
    assert parsed.sheet.orders == (order,)
    assert parsed.sheet.orders[0].printed() == printed


@given(sheets)
@settings(max_examples=examples(1_000, here=50), deadline=None)
def test_a_sheet_means_the_same_after_printing_and_reading(sheet: m.Sheet) -> None:
    parsed = read(sheet.printed())
    assert parsed.problems == ()
    assert parsed.sheet == sheet


@given(scribbles)
@settings(max_examples=examples(2_000, here=100), deadline=None)
def test_a_sheet_with_unread_lines_keeps_their_numbers_when_it_is_printed(text: str) -> None:
    first = read(text).sheet
    again = read(m.Sheet(first.orders).printed()).sheet
    assert [type(o) for o in again.orders] == [type(o) for o in first.orders]
    assert again.printed() == m.Sheet(first.orders).printed()
