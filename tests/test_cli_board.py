"""The command line: `gm` and `gm board`."""

import subprocess
import sys
from pathlib import Path

import pytest

from gm.cli import COMMANDS, main


class Run:
    """What a command printed and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
            raise SystemExit(0)
        self.code = ended.value.code or 0
        self.out, self.err = capsys.readouterr()


def test_help_lists_every_command_in_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "--help")
    assert run.code == 0
    lines = [line.strip() for line in run.out.splitlines()]
    for command in COMMANDS:
        assert [line for line in lines if line.startswith(f"{command.name} ") and command.help in line]
        assert command.panel in lines


def test_no_argument_is_a_cry_for_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys).out == Run(capsys, "--help").out


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
def test_every_command_can_be_loaded_and_explains_itself(capsys: pytest.CaptureFixture[str], command: object) -> None:
    run = Run(capsys, command.name, "--help")  # type: ignore[attr-defined]
    assert run.code == 0
    assert "Usage: gm" in run.out


def test_help_imports_no_command() -> None:
    """`gm --help` is for the impatient."""
    code = (
        "import sys\nfrom gm.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in sys.modules if m.startswith(('gm.', 'sqlalchemy', 'fastapi', 'rich.'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "['gm.errors', 'gm.cli']"


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "--version").out.startswith("kolokol ")


def test_a_misspelt_command_is_answered_with_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "bord")
    assert run.code == 2
    assert "Did you mean 'board'" in run.err


def test_show_tells_all_of_a_province(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "board", "show", "TVER")
    assert run.code == 0
    for word in (
        "Tver (Moscow)",
        "Greater Russia",
        "KALU Kaluga",
        "Nikolai Railway",
        "RL3 Trotsky*",
        "RU8 TVER",
        "1-4",
    ):
        assert word in run.out
    assert "attested" in run.out and "derived" in run.out and "conjecture" in run.out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("moscow", ("TVER",)),
        ("KUBA", ("White only", "TAUR Taurida", "port        yes (conjecture)")),
        ("LIVO", ("closed", "PETR Petrograd")),
        ("Lenin", ("RL3 Lenin", "#151", "PETR Petrograd")),
    ],
)
def test_show_knows_names_straits_ports_and_leaders(
    capsys: pytest.CaptureFixture[str], name: str, words: tuple[str, ...]
) -> None:
    run = Run(capsys, "board", "show", name)
    assert [word for word in words if word not in run.out] == []


def test_an_unknown_province_is_one_line_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "board", "show", "Novgrod")
    assert run.code == 2
    assert run.err == "gm: no province 'Novgrod'\n    did you mean NOVG?\n"
    assert run.out == ""


def test_path_shows_the_way_overland_and_by_rail(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "board", "path", "PETR", "LIVO", "--color", "red")
    assert run.out == "PETR-ESTO-LIVO  overland, 2 steps\nPETR-ESTO-LIVO  by rail, 2 steps\n"


def test_path_says_when_one_phase_is_not_enough(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "board", "path", "PETR", "VLAD")
    assert "overland, 11 steps, beyond the 5 Movement Points" in run.out


def test_path_for_blue_and_green_knows_no_rail(capsys: pytest.CaptureFixture[str]) -> None:
    assert "rail" not in Run(capsys, "board", "path", "PETR", "LIVO", "--color", "green").out


def test_path_ends_with_1_where_there_is_no_way(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pack = tmp_path / "island.toml"
    pack.write_text(
        '[pack]\nreplace = ["rail"]\n[borders]\n'
        'remove = ["COUR-VITE", "COUR-KOVN", "ESTO-LIVO", "LIVO-PSKO", "LIVO-VITE"]\n'
    )
    run = Run(capsys, "board", "path", "PETR", "LIVO", "--pack", str(pack))
    assert run.code == 1
    assert "no way overland from PETR to LIVO" in run.out


def test_check_prints_what_a_good_pack_changes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    pack.write_text("[provinces.ARCH]\nport = false\n")
    run = Run(capsys, "board", "check", str(pack))
    assert run.code == 0
    assert "1 change to the standard board\n  provinces.ARCH.port: true -> false\n" in run.out
    assert "ok: 73 provinces" in run.out and "digest" in run.out


def test_check_prints_every_problem_of_a_bad_pack(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    pack.write_text('[borders]\nadd = ["PETR-FOOO"]\n[combat]\n1 = ["De"]\n[[leaders]]\nid = 151\nvalue = 4\n')
    run = Run(capsys, "board", "check", str(pack))
    assert run.code == 1
    assert "error  mine.toml: borders.FOOO-PETR: unknown province 'FOOO'" in run.out
    assert "error  mine.toml: combat.1: 1 results for 7 columns" in run.out
    assert "warning  counters.toml: totals.red leaders" in run.out
    assert "2 to mend" in run.out


def test_check_without_a_pack_checks_the_standard_one(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "board", "check")
    assert run.code == 0
    assert "change" not in run.out


def test_check_of_a_missing_file_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, "board", "check", str(tmp_path / "nothing.toml"))
    assert run.code == 1
    assert "cannot be read: No such file" in run.out


def test_a_bad_pack_stops_other_commands_with_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    pack.write_text('[borders]\nadd = ["PETR-FOOO"]\n')
    run = Run(capsys, "board", "show", "PETR", "--pack", str(pack))
    assert run.code == 2
    assert "unknown province 'FOOO'" in run.err and "gm board check" in run.err


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("provinces", ("ARCH  Archangel", "port (conjecture)", "attested", "derived")),
        ("leaders", ("151       RL3 Lenin*", "attested")),
        ("units", ("418       BU2 BAKU/BR", "conjecture")),
        ("nations", ("JA    Japan", "stays", "anywhere")),
        ("rail", ("PETR-OLON-ARCH", "Murmansk Railway")),
        ("tables", ("Combat Results", "Purge", "1-2  KAZA MINS PERM PENZ     attested", "conjecture")),
    ],
)
def test_list_shows_the_box_and_how_we_know_it(
    capsys: pytest.CaptureFixture[str], what: str, words: tuple[str, ...]
) -> None:
    run = Run(capsys, "board", "list", what)
    assert run.code == 0
    assert [word for word in words if word not in run.out] == []
