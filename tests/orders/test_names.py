"""Pieces, provinces and players by every name that the language promises, and nothing taken for what it is not."""

from __future__ import annotations

import pytest

from gm.board.names import fold
from gm.orders import kinds as m
from gm.orders.language.names import names_of, players_of
from gm.orders.parser import parse
from tests.orders.samples import BOARD, only, read

NAMES = names_of(BOARD)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("Lenin", "RL3 Lenin"),
        ("RL3 Lenin", "RL3 Lenin"),
        ("rl lenin", "RL3 Lenin"),
        ("LENIN", "RL3 Lenin"),
        ("Tukachevsky", "RL2 Tukhachevsky"),
        ("Deniken", "WL3 Denikin"),
        ("Bela Kun", "RL1 Bela Kun"),
        ("May-M.", "WL1 May-Maevsky"),
        ("May Maevsky", "WL1 May-Maevsky"),
        ("Bonch-B.", "RL1 Bonch-Bruevich"),
        ("Bl\u00fccher", "RL1 Blucher"),
        ("Tukh.", "RL2 Tukhachevsky"),
        ("RU8 PETR", "RU8 PETR"),
        ("RU PETR", "RU8 PETR"),
        ("RU 8 PETR", "RU8 PETR"),
        ("RU8 Petrograd", "RU8 PETR"),
        ("RU8 St. Petersburg", "RU8 PETR"),
        ("WU8 DON", "WU8 DCOS"),
        ("WU8 DCOS", "WU8 DCOS"),
        ("WU Don Cossack", "WU8 DCOS"),
        ("RU2 VLDV", "RU2 VLAD"),
        ("BU2 ARCH/US", "BU2 ARCH/US"),
        ("BU2 ARCH/UK", "BU2 ARCH/BR"),
        ("BU2 ARCH/BR", "BU2 ARCH/BR"),
        ("BU2 ARCH / Great Britain", "BU2 ARCH/BR"),
        ("GU4 KIEV/UK", "GU4 KIEV"),
        ("#129", "RU2 EKAT"),
        ("Czar", "CZAR"),
        ("the Tsar", "CZAR"),
        ("Gold", "GOLD"),
    ],
)
def test_a_piece_goes_by_all_its_names(text: str, piece: str) -> None:
    order = only(f"LOSE {text}")
    assert isinstance(order, m.Lose)
    assert {p.bell for p in order.pieces[0].options} == {piece}


@pytest.mark.parametrize(
    "text", ["RU6 PETR", "WL3 Lenin", "RU3 Lenin", "BU2 ARCH/FR", "PETR", "Mar.", "S.", "RL3", "#999"]
)
def test_a_piece_that_does_not_exist_is_not_guessed(text: str) -> None:
    assert read(f"LOSE {text}").problems[0].code == "unknown-piece"


def test_counters_that_look_alike_are_interchangeable() -> None:
    order = only("LOSE 2 BU2 KHER/FR")
    assert isinstance(order, m.Lose)
    assert order.pieces[0].count == 2
    assert len(order.pieces[0].options) == 3


def test_a_short_name_keeps_every_counter_that_it_fits() -> None:
    order = only("LOSE BU ARCH")
    assert isinstance(order, m.Lose)
    assert {p.bell for p in order.pieces[0].options} == {"BU2 ARCH/US", "BU2 ARCH/BR"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("PETR", "PETR"),
        ("Petrograd", "PETR"),
        ("St Petersburg", "PETR"),
        ("VLDV", "VLAD"),
        ("Vladivostok", "VLAD"),
        ("Don", "DCOS"),
        ("DCOS", "DCOS"),
        ("nizhni novgorod", "NIZH"),
        ("Moscow", "TVER"),
        ("Odessa", "KHER"),
    ],
)
def test_a_province_goes_by_code_name_and_alias(text: str, code: str) -> None:
    order = only(f"MOVE Lenin TO {text}")
    assert isinstance(order, m.Move)
    assert order.to == code


def test_every_name_in_the_box_is_found() -> None:
    for piece in BOARD.pieces.values():
        assert piece in NAMES.piece(piece.bell).options  # type: ignore[union-attr]
        assert NAMES.piece(f"#{piece.code}").options == (piece,)  # type: ignore[union-attr]
    for province in BOARD.provinces.values():
        for name in (province.code, province.name, *province.aliases):
            assert NAMES.place(name) == province.code


def test_no_leader_and_no_province_shares_a_name_with_another() -> None:
    leaders = [fold(n) for p in BOARD.leaders for n in (p.name, *p.aliases)]
    assert len(leaders) == len(set(leaders))
    places = [(fold(n), p.code) for p in BOARD.provinces.values() for n in {p.name, p.code, *p.aliases}]
    assert len({n for n, _ in places}) == len(set(places))


def test_players_go_by_letter_or_by_a_name_that_is_unique() -> None:
    players = players_of({"Anna Pavlova": "A", "Boris": "B", "Anna Karenina": "C"})
    assert [players.player(n) for n in ("a", "boris", "anna pavlova", "Anna", "Karenina")] == [
        "A",
        "B",
        "A",
        None,
        None,
    ]


def test_a_player_may_be_called_like_a_keyword() -> None:
    parsed = parse(BOARD, "PURGE Rail USING 8 PM\nGIVE 1 PM TO Stack", {"Rail": "A", "Stack": "B"})
    assert parsed.problems == ()


def test_a_letter_always_means_its_player() -> None:
    parsed = parse(BOARD, "GIVE 1 PM TO B", {"B": "A", "Olga": "B"})
    assert isinstance(order := parsed.sheet.orders[0], m.Give)
    assert order.to == "B"
