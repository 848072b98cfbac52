"""Bell notation: tolerant when reading, canonical when writing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board.load import standard_board
from gm.board.model import Color, Piece
from gm.notation import (
    NotationError,
    format_box,
    format_pieces,
    format_position,
    read_box,
    read_markers,
    read_pieces,
    read_position,
    read_stacks,
)
from gm.position import Box, Held, How, Markers, Phase, Position, Stack
from tests.strategies import pieces, positions, wild_positions
from tests.support import examples

BOARD = standard_board()


def bells(text: str) -> list[str]:
    return [piece.bell for piece in read_pieces(BOARD, text)]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("WL3 Deniken", "WL3 Denikin"),
        ("RU2 VLDV", "RU2 VLAD"),
        ("WU8 DON", "WU8 DCOS"),
        ("BU2 ARCH/UK", "BU2 ARCH/BR"),
        ("BU2 KHER/RU", "BU2 KHER/RM"),
        ("BU2 KHER/GE.", "BU2 KHER/GE"),
        ("RL1 Bonch-B.", "RL1 Bonch-Bruevich"),
        ("WL1 May-M.", "WL1 May-Maevsky"),
        ("RU1 Sytin", "RL1 Sytin"),
        ("RU3 Baku", "RU3 BAKU"),
        ("RL1 Muriviev", "RL1 Muraviev"),
        ("Gaii", "RL1 Gai"),
        ("rl3 lenin", "RL3 Lenin"),
        ("RU PETR", "RU8 PETR"),
        ("RU8 Petrograd", "RU8 PETR"),
        ("RU8 St. Petersburg", "RU8 PETR"),
        ("GU4 KIEV/UK", "GU4 KIEV"),
        ("BU3 OMSK", "BU3 OMSK/CZ"),
        ("#129", "RU2 EKAT"),
        ("Tsar", "CZAR"),
        ("gold", "GOLD"),
    ],
)
def test_a_slip_of_the_pen_is_read_as_it_was_meant(written: str, meant: str) -> None:
    assert bells(written) == [meant]


def test_a_comma_forgotten_before_a_tag_is_put_back() -> None:
    assert bells("RL1 Kamenev, RU4 TULA RL1 Markin") == ["RL1 Kamenev", "RU4 TULA", "RL1 Markin"]


def test_two_of_a_kind_can_be_counted() -> None:
    found = read_pieces(BOARD, "2 BU2 KHER/FR, BU2 KHER/FR")
    assert [p.code for p in found] == [422, 423, 424]


@pytest.mark.parametrize(
    ("written", "what", "near"),
    [
        ("RL3 Lenni", "no red Leader of this name", "RL3 Lenin"),
        ("Trotski", "no Leader or Imperial unit of this name", "RL3 Trotsky"),
        ("WL1 Mar-M.", "no white Leader of this name", "WL1 May-Maevsky"),
        ("WL3 Lenin", "no white Leader of this name", "RL3 Lenin"),
        ("RL2 Lenin", "no such counter", "RL3 Lenin"),
        ("RU6 PETR", "no such counter", "RU8 PETR"),
        ("RU6 KIEV", "no red unit has its home there", None),
        ("RU8 PTER", "no red unit has its home there", "RU8 PETR"),
        ("BU2 KHER", "several units may be meant", "BU2 KHER/FR"),
        ("BU2 ARCH/JA", "no unit of this nation has its home there", "BU2 ARCH/US"),
        ("#999", "no counter has this identity code", None),
        ("RU8 PETR #113", "counter #113 is RU8 NOVG", None),
        ("4 BU2 KHER/FR", "there are only 3 of these counters", None),
        ("Lenin, RL3 Lenin", "already listed in line 1", None),
        ("6 Pts. worth of Blue units", "name the units", None),
        ("RU8 /", "cannot be read as a piece", None),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_nearest_names(written: str, what: str, near: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        read_pieces(BOARD, written)
    (problem,) = caught.value.problems
    assert what in problem.what
    assert near is None or near in problem.near
    assert problem.text in written


def test_semicolons_separate_stacks() -> None:
    stacks = read_stacks(BOARD, "RL1 Peterson, RU8 PETR; RL1 Gai")
    assert [[p.bell for p in stack] for stack in stacks] == [["RL1 Peterson", "RU8 PETR"], ["RL1 Gai"]]


@pytest.mark.parametrize("text", ["", "Nothing", "nothing.", " none "])
def test_an_empty_box_may_be_said_in_words(text: str) -> None:
    assert read_box(BOARD, text) == (Markers(), [])


def test_a_box_holds_markers_chits_and_pieces_with_how_they_came_there() -> None:
    markers, held = read_box(
        BOARD, "3 PM, 1 AM, UK control, FR withdrawal, GU2 LIVO, BU3 CHEL/CZ exited, Czar executed, Gold emigrated"
    )
    assert markers == Markers(3, 1, ("FR withdrawal", "UK control"))
    assert [(h.piece.bell, h.how) for h in held] == [
        ("GU2 LIVO", How.ELIMINATED),
        ("BU3 CHEL/CZ", How.EXITED),
        ("CZAR", How.EXECUTED),
        ("GOLD", How.EMIGRATED),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 Politburo Markers (PM)", Markers(3)),
        ("4 PM, 1 Assassin Marker (AM).", Markers(4, 1)),
        ("PM, AM", Markers(1, 1)),
        ("UK Control, GU2 KHAR.", Markers(0, 0, ("UK control",))),
        ("UK Withdraw", Markers(0, 0, ("BR withdrawal",))),
        ("Japan control marker", Markers(0, 0, ("JA control",))),
    ],
)
def test_markers_are_read_as_the_bell_printed_them(text: str, expected: Markers) -> None:
    assert read_box(BOARD, text)[0] == expected


def test_a_chit_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NotationError, match="no such chit"):
        read_box(BOARD, "GE control")


def test_no_piece_is_in_the_randomizer() -> None:
    with pytest.raises(NotationError, match="only markers and chits"):
        read_markers(BOARD, "2 AM, RL3 Lenin")


def test_a_case_block_is_read_with_owners_boxes_randomizer_and_flags() -> None:
    position = read_position(
        BOARD,
        """
        A  PETR: RL1 Peterson, RU8 PETR      # a comment
        B  BOX: 3 PM, 1 AM
        -  KAZA: RU2 KAZA; GU2 LIVO
        -  BOX: WU2 TIFL
        RANDOMIZER: 2 AM, FR control, GE withdrawal
        FLAG: subversion-doubled
        FLAG: red-replacement-suspended 2, execution-pending
        """,
        ["A", "B"],
    )
    (stack,) = position.owned("A")
    assert (stack.province, [p.bell for p in stack.pieces]) == ("PETR", ["RL1 Peterson", "RU8 PETR"])
    assert [[p.bell for p in s.pieces] for s in position.at("KAZA")] == [["RU2 KAZA"], ["GU2 LIVO"]]
    assert position.box("A") == Box()
    assert position.box("B") == Box(Markers(3, 1))
    assert [h.piece.bell for h in position.neutral.held] == ["WU2 TIFL"]
    assert position.randomizer == Markers(0, 2, ("FR control", "GE withdrawal"))
    assert position.subversion_doubled and position.execution_pending and not position.purge_done
    assert position.red_suspended == 2


def test_a_stack_of_a_nation_belongs_to_whoever_has_its_control_marker() -> None:
    text = "A BOX: UK control\n-  KIEV: GU4 KIEV\n-  KHER: BU2 KHER/GE\n-  KHAR: GU2 KHAR, CZAR\n"
    position = read_position(BOARD, text, ["A", "B"])
    assert {s.province: s.owner for s in position.stacks} == {"KIEV": "A", "KHER": None, "KHAR": "A"}


def test_two_dashes_keep_a_stack_from_the_holder_of_its_marker() -> None:
    position = read_position(BOARD, "A BOX: UK control\n-- KIEV: GU4 KIEV\n", ["A"])
    assert position.stacks[0].owner is None
    assert "-- KIEV: GU4 KIEV" in format_position(position)


def test_twins_are_taken_in_ascending_code_across_the_listing() -> None:
    position = read_position(BOARD, "-  VLAD: BU6 VLAD/JA, BU6 VLAD/JA\n-  CHIT: BU6 VLAD/JA", ["A"])
    assert {s.province: [p.code for p in s.pieces] for s in position.stacks} == {"VLAD": [411, 412], "CHIT": [413]}


def test_a_code_given_later_in_the_listing_is_kept_for_it() -> None:
    position = read_position(BOARD, "-  VLAD: BU6 VLAD/JA\n-  CHIT: BU6 VLAD/JA #411", ["A"])
    assert {s.province: [p.code for p in s.pieces] for s in position.stacks} == {"VLAD": [412], "CHIT": [411]}


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("A PETR: RL3 Lenin\n\nB TVER: RL3 Lenin", 3, "already listed in line 1"),
        ("- POLA: 3 GU8 POLA\n- VILN: GU8 POLA", 2, "only 3"),
        ("A BOX: UK control\nRANDOMIZER: UK control", 2, "already listed in line 1"),
        ("A BOX: 1 PM\nA BOX: 2 PM", 2, "listed twice"),
        ("- BOX: RU2 KAZA\n- BOX: RU4 TULA", 2, "listed twice"),
        ("A PTER: RL3 Lenin", 1, "unknown province"),
        ("Z PETR: RL3 Lenin", 1, "no such player"),
        ("PETR: RL3 Lenin", 1, "whose?"),
        ("hello world", 1, "not a line of a listing"),
        ("FLAG: subversion", 1, "unknown flag"),
        ("FLAG: purge-done 3", 1, "unknown flag"),
        ("TURN: 1 third", 1, "not a Game-Turn"),
        ("VOTES: A maybe", 1, "a vote is"),
        ("VICTORY: green", 1, "victory is"),
    ],
)
def test_a_problem_names_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_position(BOARD, text, ["A", "B"])
    (problem,) = caught.value.problems
    assert problem.line == line
    assert what in problem.what


def test_every_problem_of_a_listing_is_told_at_once_with_its_line_in_the_file() -> None:
    with pytest.raises(NotationError) as caught:
        read_position(BOARD, ["A PETR: RL3 Lenni", "A TVER: RL3 Trotsky", "A KULA: RL1 Gai"], ["A"], first_line=40)
    assert [p.line for p in caught.value.problems] == [40, 42]
    assert "KUBA" in caught.value.problems[1].near


BELL_3 = """
Ivanova ("A"):

LIVO: WL1 Rodzyanko, WU2 ESTO; RL3 Lenin, RU8 PETR

SARA: RL1 Sorokin, RL1 Kamenev, RU4 TULA,

RL1 Markin, RU2 KAZA

MOHI: RL2 Zinoviev, RU6 SMOL TVER: RL1 Sytin

NOVG: RL1 Smirnov IN VICTORY BOX: 3 PM.

Boris Petrov-Player B

VLDV: WL1 Dietericks, WU2 VLDV; RL1 Kikvidze, RU2 VLDV
IN VICTORY BOX: Nothing

Orlova ("E");

EKAT: WL2 Kolchak, WL1 Kappel, WU3

OMSK, GOLD; WL1 Miller, WU2 ARCH
OREL: RL2 Budyenny, RL1 Antonov, RU4 VITE, **RU3 OREL**

Unaligned Units:
KHER: BU2 KHER/FR, BU2 KHER/FR; BU2 KHER/RU; GU2 KHER.
IN NEUTRAL BOX: RU8 NOVG, WL1 Yudenich, WU2 TIFL.
"""


def test_a_page_of_the_bell_is_read_with_its_headings_broken_lines_and_slips() -> None:
    position = read_position(BOARD, BELL_3)
    assert position.players == ("A", "B", "E")
    assert format_position(position).splitlines()[2:] == [
        "A  LIVO: RL3 Lenin, RU8 PETR; WL1 Rodzyanko, WU2 ESTO",
        "A  MOHI: RL2 Zinoviev, RU6 SMOL",
        "A  NOVG: RL1 Smirnov",
        "A  SARA: RL1 Sorokin, RL1 Kamenev, RU4 TULA, RL1 Markin, RU2 KAZA",
        "A  TVER: RL1 Sytin",
        "A  BOX: 3 PM",
        "B  VLAD: RL1 Kikvidze, RU2 VLAD; WL1 Dieterichs, WU2 VLAD",
        "B  BOX: nothing",
        "E  EKAT: WL2 Kolchak, WL1 Kappel, WU3 OMSK, GOLD; WL1 Miller, WU2 ARCH",
        "E  OREL: RL2 Budenny, RL1 Antonov, RU4 VITE, RU3 OREL",
        "E  BOX: nothing",
        "-  KHER: GU2 KHER; BU2 KHER/FR, BU2 KHER/FR; BU2 KHER/RM",
        "-  BOX: RU8 NOVG, WU2 TIFL, WL1 Yudenich",
        "RANDOMIZER: nothing",
    ]


def test_a_row_of_the_attack_table_is_no_heading() -> None:
    """It ends as a player's heading does, and must not hand the next line to another player."""
    row = 'CHER\tRed "A" Stk in KURS\tBU2 CHER/GE\t2-1/s\tBU2 CHER/GE ("B")'
    text = f'Ivanova ("A"):\nPETR: RL3 Lenin\n{row}\nTVER: RL1 Sytin'
    with pytest.raises(NotationError) as caught:
        read_position(BOARD, text)
    assert [(p.line, p.what) for p in caught.value.problems] == [(3, "not a line of a listing")]


def test_a_finished_game_is_written_with_all_its_state() -> None:
    piece = BOARD.pieces
    position = Position(
        players=("A", "B"),
        turn=7,
        phase=Phase.FINISHED,
        stacks=(Stack("PETR", "A", (piece[151], piece[112])),),
        boxes={"B": Box(Markers(2), (Held(piece[1], How.EXECUTED),))},
        gone=(piece[418],),
        gone_chits=("BR withdrawal", "PM", "PM"),
        quitters=("B",),
        votes={"A": True, "B": False},
        purge_done=True,
        red_suspended=1,
        victory=Color.RED,
    )
    assert format_position(position) == (
        "PLAYERS: A B\n"
        "TURN 7 finished\n"
        "A  PETR: RL3 Lenin, RU8 PETR\n"
        "A  BOX: nothing\n"
        "B  BOX: 2 PM, Czar executed\n"
        "-  BOX: nothing\n"
        "RANDOMIZER: nothing\n"
        "GONE: BR withdrawal, 2 PM, BU2 BAKU/BR\n"
        "FLAG: purge-done, red-replacement-suspended 1\n"
        "QUIT: B\n"
        "VOTES: A end, B continue\n"
        "VICTORY: red\n"
    )
    assert read_position(BOARD, format_position(position)) == position


@given(positions())
def test_a_position_survives_writing_and_reading(position: Position) -> None:
    text = format_position(position)
    again = read_position(BOARD, text)
    assert again == position
    assert again.digest == position.digest
    assert format_position(again) == text


@given(wild_positions())
def test_even_an_impossible_position_survives_writing_and_reading(position: Position) -> None:
    assert read_position(BOARD, format_position(position)) == position


@given(st.lists(pieces(), unique_by=lambda p: p.twin_key))
def test_pieces_survive_writing_and_reading(found: list[Piece]) -> None:
    assert [p.bell for p in read_pieces(BOARD, format_pieces(found))] == [p.bell for p in found]


@given(positions())
def test_boxes_survive_writing_and_reading(position: Position) -> None:
    for box in position.boxes.values():
        markers, held = read_box(BOARD, format_box(box.markers, box.held))
        assert markers == box.markers
        assert [(h.piece.bell, h.how) for h in held] == [(h.piece.bell, h.how) for h in box.held]


@pytest.mark.parametrize("text", ["A BOX: " + "9" * 5000 + " PM", "FLAG: red-replacement-suspended ²", "TURN ٣٣ first"])
def test_odd_numbers_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_position(BOARD, text, ["A"])


@given(st.text())
@settings(max_examples=examples(2000))
def test_no_text_makes_the_reader_crash(text: str) -> None:
    """It reads or it refuses; nothing else comes out of it."""
    try:
        read_position(BOARD, text)
    except NotationError as error:
        assert error.problems


@settings(max_examples=examples(5000))
@given(st.text(alphabet='AB-:;,.#0123456789 \nRWGBLUPETRVLADCZ/BOXM()"', max_size=200))
def test_no_text_that_looks_like_a_listing_makes_the_reader_crash(text: str) -> None:
    try:
        read_position(BOARD, text, ["A", "B"])
    except NotationError as error:
        assert error.problems
