"""Every adjudicator case holds, and a case that is wrong in itself never passes unseen."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gm.board.load import standard_board
from gm.cases.reader import Case, read_cases, read_text
from gm.cases.runner import run
from gm.cli import app

BOARD = standard_board()
FOLDER = Path(__file__).parent / "cases"
CASES = list(read_cases(BOARD, [FOLDER]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert run(BOARD, case).failures == []


def test_no_two_cases_share_an_id() -> None:
    ids = [case.id for case in CASES]
    assert sorted(set(ids)) == sorted(ids)


def test_every_case_has_a_title_and_cites_a_rule() -> None:
    assert [case.id for case in CASES if not (case.title and case.rules)] == []


SOUND = """\
CASE x-1  A Leader is murdered
RULES 10.0 J17
PLAYERS A B
PHASE 1 first
POSITION
  A  TVER: WL1 Sidorin
  A  BOX: 1 AM
  B  TVER: RL1 Sytin
CHANCE
  assassination 8
ORDERS A
  ASSASSINATE Sytin WITH 1
EXPECT
  A  BOX: RL1 Sytin
  RANDOMIZER: 1 AM
  order A1 done
END
"""


def failures(text: str) -> str:
    """What `gm cases` says about a file with this text; empty if all is well."""
    return "\n".join(failure for case in read_text(BOARD, text) for failure in run(BOARD, case).failures)


def changed(old: str, new: str) -> str:
    assert old in SOUND
    return failures(SOUND.replace(old, new))


def test_the_sound_case_passes() -> None:
    assert failures(SOUND) == ""


def test_two_sound_cases_in_one_file_pass() -> None:
    assert failures(SOUND + "\n" + SOUND.replace("x-1", "x-2")) == ""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("POSITION", "POSITIONS", "unknown keyword"),
        ("RULES 10.0 J17", "RULINGS 10.0 J17", "unknown keyword"),
        ("RL1 Sytin\nCHANCE", "RL1 Sitting Bull\nCHANCE", "Sitting Bull"),
        ("B  TVER: RL1 Sytin", "B  TVER: RL2 Sytin", "Sytin"),
        ("B  TVER: RL1 Sytin", "B  TVRE: RL1 Sytin", "TVRE"),
        ("B  TVER: RL1 Sytin", "C  TVER: RL1 Sytin", "player"),
        ("A  BOX: RL1 Sytin\n", "A  BOX: RL1 Sitting Bull\n", "Sitting Bull"),
        ("ORDERS A", "ORDERS C", "no such player"),
        ("PHASE 1 first", "PHASE 1 third", "PHASE"),
        ("PHASE 1 first", "PHASE 1 finished", "finished"),
        ("PLAYERS A B\n", "", "PLAYERS"),
        ("order A1 done", "order A1 finished", "EXPECT"),
        ("order A1 done", "the order is done", "EXPECT"),
        ("order A1 done", "flag: revolution", "EXPECT"),
        ("assassination 8", "murder 8", "CHANCE"),
        ("assassination 8", "assassination eight", "CHANCE"),
        ("assassination 8", "assassination 13", "no roll of two dice"),
        ("assassination 8", "assassination 8\n  combat 7", "no roll of a die"),
        ("assassination 8", "assassination 8\n  event 0-1", "no roll of a die"),
        ("CHANCE\n", "CHANCE\n  chit XX control\n", "CHANCE"),
        ("END\n", "", "END"),
        ("CASE x-1  A Leader is murdered\n", "", "CASE"),
        ("PHASE 1 first", "PHASE 1 first\nOPTIONS winter", "option"),
    ],
)
def test_a_case_that_cannot_be_read_fails_and_says_why(old: str, new: str, says: str) -> None:
    assert says in changed(old, new)


def test_a_case_that_expects_nothing_fails() -> None:
    expecting = SOUND[SOUND.index("EXPECT\n") : SOUND.index("END\n")]
    assert "expects nothing" in changed(expecting, "EXPECT\n")
    assert "expects nothing" in changed(expecting, "")


def test_a_case_that_says_only_ONLY_expects_something() -> None:
    expecting = SOUND[SOUND.index("EXPECT\n") : SOUND.index("END\n")]
    assert "not expected" in changed(expecting, "EXPECT\n  ONLY\n")


def test_a_file_without_a_case_fails() -> None:
    assert "no case" in failures("# nothing here\n")
    assert failures("") != ""


def test_a_missing_roll_fails_the_case() -> None:
    assert changed("CHANCE\n  assassination 8\n", "") != ""


def test_a_roll_that_is_left_over_fails_the_case() -> None:
    assert "never used" in changed("assassination 8", "assassination 8 9")
    assert "never used" in changed("CHANCE\n", "CHANCE\n  combat 1\n")
    assert "never used" in changed("CHANCE\n", "CHANCE\n  recipient A\n")


def test_more_events_than_the_Phase_has_are_left_over() -> None:
    """J23: two players have one roll in the First Phase."""
    assert changed("CHANCE\n", "CHANCE\n  event 2-1\n") == ""
    assert "never used" in changed("CHANCE\n", "CHANCE\n  event 2-1 2-1\n")


def test_more_chits_than_players_are_left_over() -> None:
    text = "CASE x\nRULES J24\nPLAYERS A B\nPHASE 6 second\nPOSITION\n  RANDOMIZER: 3 AM\nCHANCE\n  chit AM, AM{}\n"
    text += "EXPECT\n  A  BOX: 1 AM\nEND\n"
    assert failures(text.format("")) == ""
    assert "never used" in failures(text.format(", AM"))


def test_a_chit_that_is_not_in_the_Randomizer_fails_the_case() -> None:
    text = "CASE x\nRULES J24\nPLAYERS A B\nPHASE 6 second\nPOSITION\n  RANDOMIZER: 1 AM\nCHANCE\n  chit PM\n"
    assert failures(text + "EXPECT\n  A  BOX: 1 PM\nEND\n") != ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A  BOX: RL1 Sytin\n", "A  BOX: RL1 Sytin, 1 AM\n"),
        ("A  BOX: RL1 Sytin\n", "B  BOX: RL1 Sytin\n"),
        ("A  BOX: RL1 Sytin\n", "B  TVER: RL1 Sytin\n"),
        ("RANDOMIZER: 1 AM\n", "RANDOMIZER:\n"),
        ("RANDOMIZER: 1 AM\n", "A  TVER:\n"),
        ("order A1 done", "order A1 failed"),
        ("order A1 done", "order A1 done 5.27"),
        ("order A1 done", "order A2 done"),
        ("order A1 done", "order B1 done"),
        ("order A1 done", "victory: red"),
        ("order A1 done", "points: A 1, B 0"),
        ("order A1 done", "flag: purge-done"),
        ("order A1 done", "pending: execution"),
        ("order A1 done", "gone: RL1 Sytin"),
        ("EXPECT\n", "EXPECT\n  ONLY\n"),
        ("EXPECT\n", "EXPECT\n  A  TVER: WL1 Sidorin\n  A  TVER: WL1 Sidorin\n"),
    ],
)
def test_an_expectation_that_does_not_come_true_fails_the_case(old: str, new: str) -> None:
    assert changed(old, new) != ""


def test_a_stack_goes_on_after_a_comma_and_a_province_may_be_named_in_full() -> None:
    assert changed("B  TVER: RL1 Sytin", "B  TVER: RL1 Sytin,\n     RL1 Gai") == ""
    expected = "A  Moscow: WL1 Sidorin\n  A  BOX: RL1 Sytin,\n     1 PM\n"
    assert "1 PM" in changed("A  BOX: RL1 Sytin\n", expected)


def test_a_second_section_adds_to_the_first() -> None:
    more = "ORDERS A\n  STACK TVER: Sidorin\nCHANCE\n  event 2-1\nEXPECT\n  order A2 done\nEND\n"
    assert failures(SOUND.replace("END\n", more)) == ""


def test_only_what_can_be_dealt_is_dealt_and_only_at_the_set_up() -> None:
    text = "CASE x\nRULES 15.31\nPLAYERS A B\nPHASE 0 setup\nCHANCE\n{}EXPECT\n  A  PETR: RL3 Lenin, RU8 PETR\nEND\n"
    assert failures(text.format("  deal A: Lenin, 2 PM\n  deal B: Trotsky\n")) == ""
    assert "Lenin" in failures(text.format("  deal A: Lenin, Lenin\n"))
    assert "cannot be dealt to" in failures(text.format("  deal A: Lenin\n  deal C: Trotsky\n"))
    assert "never used" in changed("CHANCE\n", "CHANCE\n  deal A: Lenin\n")


def test_a_province_may_be_expected_to_be_empty_of_a_player() -> None:
    assert changed("RANDOMIZER: 1 AM\n", "B  TVER:\n") == ""


def test_the_command_ends_with_the_figures_and_a_status(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.case", tmp_path / "deep" / "bad.case"
    bad.parent.mkdir()
    good.write_text(SOUND, "utf-8")
    bad.write_text(SOUND.replace("order A1 done", "order A1 failed"), "utf-8")
    runner = CliRunner()
    passed = runner.invoke(app, ["cases", str(good)])
    assert passed.exit_code == 0
    assert passed.output.splitlines() == ["ok   x-1  A Leader is murdered", "1 passed, 0 failed"]
    failed = runner.invoke(app, ["cases", str(tmp_path)])
    assert failed.exit_code == 1
    assert "FAIL x-1" in failed.output
    assert failed.output.splitlines()[-1] == "1 passed, 1 failed"


def test_a_file_that_does_not_parse_gives_status_1(tmp_path: Path) -> None:
    broken = tmp_path / "broken.case"
    broken.write_bytes(b"\xff\xfe\x00 CASE")
    assert CliRunner().invoke(app, ["cases", str(broken)]).exit_code == 1


def test_the_sample_in_the_docs_is_a_case_that_holds() -> None:
    page = (FOLDER.parent.parent / "docs" / "case-format.md").read_text("utf-8")
    [sample] = re.findall(r"^```case\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert failures(sample) == ""


def test_who_has_quit_stands_under_quitters() -> None:
    quit_before = SOUND.replace("PHASE", "QUITTERS A\nPHASE")
    assert "expected" in failures(quit_before), "the murderer has left, and murders nobody"
    assert failures(quit_before.replace("  order A1 done\n", "  quitters: A\n")).count("expected") == 2
    assert "no such player" in changed("PHASE", "QUITTERS C\nPHASE")
    assert "quitters: none" in changed("  order A1 done", "  quitters: A")
    assert "no player D" in changed("  order A1 done", "  quitters: D")


def test_an_option_is_one_of_those_there_are() -> None:
    assert changed("PHASE", "OPTIONS masses\nPHASE") == ""
    assert changed("PHASE", "OPTIONS last_turn=6 victory=key-areas key_areas=PETR,OMSK deal=three-pots\nPHASE") == ""
    assert "unknown option 'purges'" in changed("PHASE", "OPTIONS masses purges\nPHASE")
    assert "no such value" in changed("PHASE", "OPTIONS deal=four-pots\nPHASE")
    assert "no such value" in changed("PHASE", "OPTIONS key_areas=PETER\nPHASE")
    assert "masses is there twice" in changed("PHASE", "OPTIONS masses masses\nPHASE")
    assert "names no option" in changed("PHASE", "OPTIONS\nPHASE")
