"""The board that ships with the game."""

from collections import Counter
from collections.abc import MutableMapping
from dataclasses import FrozenInstanceError, fields

import pytest

from gm.board.load import standard_board
from gm.board.model import Border, Color, Provenance, Tables
from gm.board.pack import read_standard
from gm.board.validate import validate

BOARD = standard_board()


def test_the_standard_pack_has_no_problem_and_no_warning() -> None:
    assert validate(read_standard()) == ()


@pytest.mark.parametrize(
    ("color", "kind", "count", "points"),
    [("red", "leaders", 30, 40), ("red", "units", 20, 80), ("white", "leaders", 20, 25), ("white", "units", 20, 60)],
)
def test_the_counters_add_up_to_the_published_count(color: str, kind: str, count: int, points: int) -> None:
    found = [p for p in getattr(BOARD, kind) if p.color == color]
    assert (len(found), sum(p.value for p in found)) == (count, points)


def test_there_are_169_open_borders_and_all_borders_lead_both_ways() -> None:
    assert Counter(kind for there in BOARD.borders.values() for kind in there.values()) == {
        Border.OPEN: 2 * 169,
        Border.WHITE_ONLY: 2,
        Border.CLOSED: 2,
    }
    for here, there in BOARD.borders.items():
        for province, kind in there.items():
            assert BOARD.border(province, here) is kind


def test_only_white_crosses_the_kerch_straits() -> None:
    assert BOARD.border("KUBA", "TAUR") is Border.WHITE_ONLY
    assert BOARD.passable("KUBA", "TAUR", Color.WHITE)
    assert not any(BOARD.passable("KUBA", "TAUR", c) for c in (Color.RED, Color.BLUE, Color.GREEN, None))


def test_nobody_crosses_lake_pskov() -> None:
    assert BOARD.border("LIVO", "PETR") is Border.CLOSED
    assert not any(BOARD.passable("LIVO", "PETR", c) for c in (*Color, None))


def test_provinces_that_do_not_touch_have_no_border() -> None:
    assert BOARD.border("PETR", "VLAD") is None
    assert not BOARD.passable("PETR", "VLAD", Color.RED)


def test_neighbours_are_listed_alphabetically() -> None:
    assert BOARD.neighbours("TVER", Color.RED) == ("KALU", "NOVG", "PSKO", "RYAZ", "SMOL", "TULA", "VLDM", "YARO")


def test_a_piece_is_written_as_in_the_bell() -> None:
    assert [BOARD.pieces[code].bell for code in (151, 112, 416, 322, 1, 2)] == [
        "RL3 Lenin",
        "RU8 PETR",
        "BU2 ARCH/US",
        "GU4 KIEV",
        "CZAR",
        "GOLD",
    ]


def test_counters_that_look_alike_are_numbered() -> None:
    twins = BOARD.twins["BU6 VLAD/JA"]
    assert [(p.code, p.serial) for p in twins] == [(411, 1), (412, 2), (413, 3)]


def test_the_japanese_stay_in_siberia_and_the_finns_near_finland() -> None:
    japan, finns, french = BOARD.pieces[411], BOARD.pieces[328], BOARD.pieces[422]
    assert BOARD.may_enter(japan, "CHIT") and not BOARD.may_enter(japan, "PERM")
    assert BOARD.may_enter(finns, "PETR") and not BOARD.may_enter(finns, "ESTO")
    assert BOARD.may_enter(french, "VLAD")
    assert BOARD.in_siberia("CHIT") and not BOARD.in_siberia("PERM")


def test_each_counter_is_found_at_its_home() -> None:
    assert {p for pieces in BOARD.at_home.values() for p in pieces} == set(BOARD.pieces.values())
    assert [p.bell for p in BOARD.at_home["VITE"]] == ["RU4 VITE", "RL1 Antonov", "GU2 VITE", "BU2 VITE/GE"]


def test_the_imperial_units_start_under_their_escorts() -> None:
    assert {i.name: BOARD.pieces[code].bell for i, code in BOARD.escort.items()} == {
        "Czar": "RU2 EKAT",
        "Gold": "WU3 OMSK",
    }


@pytest.mark.parametrize(
    ("strength", "column"), [(1, 0), (10, 0), (11, 1), (24, 2), (25, 3), (29, 3), (32, 4), (99, 4)]
)
def test_a_purge_strength_finds_its_column(strength: int, column: int) -> None:
    assert BOARD.tables.purge_column(strength) == column


def test_what_is_attested_derived_and_conjecture_is_kept_apart() -> None:
    assert BOARD.provinces["TVER"].provenance is Provenance.ATTESTED
    assert BOARD.provinces["KARS"].provenance is Provenance.DERIVED
    assert BOARD.provinces["ARCH"].port_provenance is Provenance.CONJECTURE
    assert BOARD.pieces[418].provenance is Provenance.CONJECTURE
    assert BOARD.pieces[151].code_provenance is Provenance.ATTESTED
    assert BOARD.pieces[153].code_provenance is Provenance.DERIVED
    assert BOARD.known_by("events.1-2") is Provenance.ATTESTED
    assert BOARD.known_by("events.1-1") is Provenance.CONJECTURE
    assert BOARD.known_by("borders.KUBA-TAUR") is Provenance.ATTESTED
    assert BOARD.known_by("borders.PETR-PSKO") is Provenance.DERIVED


def test_nothing_of_a_board_can_be_changed() -> None:
    holders = [BOARD, BOARD.tables, *BOARD.provinces.values()]
    values = [getattr(h, f.name) for h in holders for f in fields(h) if not f.name.startswith("_")]
    values += BOARD.borders.values()
    assert not [v for v in values if isinstance(v, list | set | MutableMapping)]
    with pytest.raises(FrozenInstanceError):
        BOARD.name = "another"  # type: ignore[misc]
    assert isinstance(BOARD.tables, Tables)


def test_the_board_is_made_once() -> None:
    assert standard_board() is BOARD
