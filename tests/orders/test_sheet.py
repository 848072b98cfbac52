"""A sheet: lines, numbers, comments, continuations, press, guards."""

from __future__ import annotations

import pytest

from gm.gamedate import month_of, phase_name, turn_of
from gm.orders import kinds as m
from gm.position import Phase
from tests.orders.samples import only, read

MOVE = "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"


@pytest.mark.parametrize(
    "text",
    [
        MOVE,
        "move lenin, ru8 petr: petr-psko-livo",
        f"3. {MOVE}",
        f"3) {MOVE}",
        f"(3) {MOVE}",
        f"- {MOVE}",
        f"  * {MOVE}  ",
        f"\u2022 {MOVE}.",
        f"{MOVE}  # to Riga",
        "MOVE Lenin and RU8 PETR: Petrograd - Pskov \u2013 Livonia",
        "MOVE Lenin & RU8 PETR: PETR \u2192 PSKO -> LIVO",
        "MOVE RL3 Lenin,\n   RU8 PETR: PETR-PSKO-LIVO",
        "MOVE Lenin, RU8 PETR: \\\nPETR-PSKO-LIVO",
        "MOVE Lenin, RU8 PETR,: PETR-PSKO-LIVO".replace(",:", ":"),
        f"\ufeff{MOVE}".lstrip("\ufeff"),
        f"{MOVE};",
    ],
)
def test_how_an_order_is_written_does_not_matter(text: str) -> None:
    assert only(text).printed() == MOVE


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("GIVE two PM to b", "GIVE 2 PM TO B"),
        ("GIVE 2 Politburo Markers TO B FOR 1 Assassin Marker", "GIVE 2 PM TO B FOR 1 AM"),
        ("ASSASSINATE Trotsky w/ 2 AM", "ASSASSINATE Trotsky WITH 2"),
        ("EXECUTE the Tsar USING 10", "EXECUTE CZAR USING 10 PM"),
        ("COUNTER-PURGE STRONGEST", "COUNTERPURGE STRONGEST"),
        ("standing counter purge b if purged by b", "STANDING COUNTERPURGE B IF PURGED BY B"),
        ("PURGE B TAKING PM USING 3 PM SEPARATELY WITH E", "PURGE B WITH E USING 3 PM TAKING PM SEPARATELY"),
        (
            "MOVE Lenin: PETR-PSKO(+RU4 PSKO, RU8 PETR, -RU8 PETR)",
            "MOVE Lenin: PETR-PSKO(+RU4 PSKO, +RU8 PETR, -RU8 PETR)",
        ),
        ("MOVE Lenin TO Livonia by  rail", "MOVE Lenin TO LIVO BY RAIL"),
        ("STANDING VOTE END", "VOTE END"),
        ("LOSE RU2 KAZA, and Markin", "LOSE RU2 KAZA, Markin"),
    ],
)
def test_natural_variants_are_understood(text: str, canonical: str) -> None:
    assert only(text).printed() == canonical


def test_a_line_that_was_not_understood_keeps_its_number() -> None:
    parsed = read("VOTE END\nMUMBLE\nCOMPLY")
    assert [type(o) for o in parsed.sheet.orders] == [m.Vote, m.Unread, m.Comply]
    (problem,) = parsed.problems
    assert (problem.order, problem.line) == (2, 2)


def test_directives_are_not_numbered() -> None:
    sheet = read("ORDERS June 1918 First Phase\nADD\n\n# a thought\nCANCEL ALL\nVOTE END").sheet
    assert sheet.guard == m.Guard(1, "first")
    assert sheet.add
    assert sheet.cancel
    assert sheet.orders == (m.Vote(end=True),)


def test_indented_lists_belong_to_the_attack_above_and_others_to_the_phase() -> None:
    sheet = read("""
        ATTACK WU2 SARA IN SARA WITH Markin
          LOSE RU2 KAZA
          TAKE WU2 SARA
        LOSE Lenin
        ATTACK WU2 SARA IN SARA WITH Sorokin
    """).sheet
    first, phase, second = sheet.orders
    assert isinstance(first, m.Attack)
    assert isinstance(second, m.Attack)
    assert isinstance(phase, m.Lose)
    assert first.lose is not None
    assert first.lose[0].one.bell == "RU2 KAZA"
    assert first.take is not None
    assert second.lose is None


def test_lists_under_an_attack_that_was_not_understood_are_not_numbered() -> None:
    parsed = read("ATTACK Nobody IN SARA WITH Markin\n  LOSE RU2 KAZA\nVOTE END")
    assert [type(o) for o in parsed.sheet.orders] == [m.Unread, m.Vote]


def test_a_bracket_left_open_does_not_swallow_the_next_order() -> None:
    parsed = read("MOVE Lenin: PETR-PSKO(+RU4 PSKO\nVOTE END")
    assert [type(o) for o in parsed.sheet.orders] == [m.Unread, m.Vote]
    assert parsed.problems[0].suggestion == "MOVE Lenin: PETR-PSKO(+RU4 PSKO)"


def test_a_bracket_may_go_on_in_the_next_line_and_a_mistake_there_is_found_there() -> None:
    assert only("MOVE Lenin: PETR-PSKO(+RU4 PSKO,\n  -RU8 PETR)-LIVO")
    (problem,) = read("VOTE END\nSTACK PSKO: Lenin,\n  Trotzki,\n  Gai").problems
    assert (problem.words, problem.line) == ("Trotzki", 3)


def test_press_runs_to_its_end_or_to_an_empty_line_before_an_order() -> None:
    sheet = read("""
PRESS AS "Petrograd (P.I.S.)" All quiet.

Move along, said the sentry.
END
PRESS TO B, C: Meet me.
MOVE Lenin to the bar.

MOVE Lenin: PETR-PSKO
""").sheet
    public, private, move = sheet.orders
    assert isinstance(public, m.Press)
    assert (public.dateline, public.to) == ("Petrograd (P.I.S.)", ())
    assert public.text == "All quiet.\n\nMove along, said the sentry."
    assert isinstance(private, m.Press)
    assert (private.to, private.text) == (("B", "C"), "Meet me.\nMOVE Lenin to the bar.")
    assert isinstance(move, m.Move)


@pytest.mark.parametrize(
    "text", ["PRESS TO Boriss: the plan is this", "PRESS to the barricades!", "PRESS TO B, Boriss: x"]
)
def test_a_letter_to_nobody_is_never_printed_for_everybody(text: str) -> None:
    parsed = read(text)
    assert [type(o) for o in parsed.sheet.orders] == [m.Unread]
    assert parsed.problems[0].code == "press-to-whom"


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("ORDERS June 1918 First Phase", m.Guard(1, "first")),
        ("ORDERS turn 1 phase 1", m.Guard(1, "first")),
        ("Orders for Jan. 1919, second phase:", m.Guard(8, "second")),
        ("ORDERS Game-Turn 12 Second", m.Guard(12, "second")),
        ("ORDERS before the game", m.Guard(0, "pregame")),
    ],
)
def test_a_guard_says_for_which_phase_the_orders_are(text: str, guard: m.Guard) -> None:
    parsed = read(text)
    assert parsed.problems == ()
    assert parsed.sheet.guard == guard


@pytest.mark.parametrize(
    "text", ["ORDERS", "ORDERS June 1918", "ORDERS first phase", "ORDERS Junk 1918 first", "ORDERS turn 1 turn 2 first"]
)
def test_a_guard_that_cannot_be_read_fits_no_phase(text: str) -> None:
    parsed = read(f"{text}\nVOTE END")
    assert parsed.problems[0].code == "guard-unread"
    assert parsed.sheet.guard is not None
    assert parsed.sheet.guard.phase not in list(Phase)


def test_a_guard_behind_orders_keeps_everything_out() -> None:
    parsed = read("VOTE END\nORDERS July 1918 First Phase\nCOMPLY")
    assert parsed.problems[0].code == "guard-late"
    assert parsed.sheet.guard is not None
    assert parsed.sheet.guard.turn == -1


def test_game_turns_are_months_from_june_1918() -> None:
    assert (month_of(1), month_of(8)) == (("June", 1918), ("January", 1919))
    assert all(turn_of(*month_of(turn)) == turn for turn in range(1, 60))
    assert turn_of("May", 1918) is None
    assert phase_name(2, Phase.SECOND) == "July 1918 Second Phase"


def test_lines_that_differ_in_names_alone_keep_their_own_names_and_places() -> None:
    """The parser reads a sequence of kinds of words once for all lines that have it."""
    lines = ["MOVE Lenin, RU8 PETR: PETR-PSKO", "MOVE Dutov, WU2 OREN: OREN-CHEL", "MOVE  Nobody , RU8 PETR: PETR-PSKO"]
    for text in ("\n".join(lines), "\n".join(reversed(lines))):
        parsed = read(text)
        assert {o.printed() for o in parsed.sheet.orders if not isinstance(o, m.Unread)} == set(lines[:2])
        (problem,) = parsed.problems
        assert (problem.code, problem.words, problem.span) == ("unknown-piece", "Nobody", (6, 12))


def test_an_order_of_more_words_than_are_remembered_is_read_like_any_other() -> None:
    text = f"LOSE {', '.join(['Lenin', 'RU8 PETR'] * 50)}"
    assert only(text).printed() == text
    (problem,) = read(f"{text} : RU8 PETR").problems
    assert (problem.code, problem.words) == ("unexpected", ":")
