"""`gm orders check` prints what a receipt will say; `gm orders help` what can be ordered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gm.commands.game.orders import app
from gm.position import to_json
from tests.orders.samples import position

LISTING = "A PETR: RL3 Lenin, RU8 PETR\nA TVER: RL1 Sytin\nB NOVG: WL1 Sidorin\nA BOX: 2 PM\n"


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    path = tmp_path / "june.bell"
    path.write_text(LISTING, "utf-8")
    return path


def run(*arguments: object, orders: str = "") -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments], input=orders)


def test_a_receipt_shows_orders_problems_with_carets_and_idle_pieces(listing: Path) -> None:
    result = run(
        "check", "--position", listing, "--player", "a", orders="move Lenin, RU8 Petrograd: PETR-Novgrod\nVOTE END\n"
    )
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "Orders of A for June 1918 First Phase"
    assert "    | move Lenin, RU8 Petrograd: PETR-Novgrod" in lines
    assert lines[lines.index("    | move Lenin, RU8 Petrograd: PETR-Novgrod") + 1].endswith("^^^^^^^")
    assert "    This would work: MOVE Lenin, RU8 PETR: PETR-NOVG" in lines
    assert "A2  VOTE END" in lines
    assert lines[-3:] == ["Without orders:", "    PETR: RL3 Lenin, RU8 PETR", "    TVER: RL1 Sytin"]


def test_sound_orders_give_exit_status_0_and_their_canonical_form(listing: Path) -> None:
    result = run("check", "--position", listing, "--player", "A", orders="move Lenin, ru8 petr: PETR-PSKO-LIVO.")
    assert result.exit_code == 0
    assert "A1  MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO\n" in result.output


def test_programs_get_json_with_the_same(listing: Path) -> None:
    result = run("check", "--position", listing, "--player", "A", "--json", orders="MOVE Lenin: PETR-NOVG-TVER\n")
    found = json.loads(result.output)
    assert found["orders"] == [
        {"number": 1, "line": 1, "text": "MOVE Lenin: PETR-NOVG-TVER", "understood": True},
    ]
    stopped = next(p for p in found["problems"] if p["code"] == "stopped")
    assert (stopped["severity"], stopped["words"], "5.27" in stopped["rules"]) == ("warning", "NOVG", True)
    assert found["taken"] is True


def test_a_position_may_come_as_json_and_says_itself_which_phase_it_is(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(to_json(position(LISTING, turn=2))), "utf-8")
    result = run("check", "--position", path, "--player", "A", orders="ORDERS June 1918 First Phase\nVOTE END")
    assert result.exit_code == 1
    assert "July 1918 First Phase is open. None of them was taken." in result.output


def test_an_unknown_player_is_told_who_plays(listing: Path) -> None:
    result = run("check", "--position", listing, "--player", "Z")
    assert result.exit_code != 0
    assert "no player 'Z'" in str(result.exception)


def test_help_tells_of_all_orders_or_of_one() -> None:
    assert "COUNTERPURGE" in run("help").output
    assert "MOVE Stalin: KURS-OREL" in run("help", "move").output
    assert run("help", "knitting").exit_code != 0


def test_the_check_of_a_sheet_knows_the_shorter_game_when_it_is_told(listing: Path) -> None:
    asked = ("check", "--position", listing, "--player", "A")
    order = "PURGE B USING 8 PM"
    assert "J38" not in run(*asked, orders=order).output
    told = run(*asked, "--option", "masses=yes", orders=order)
    assert told.exit_code == 1
    assert "The shorter game that you play does without this order. [J38]" in told.output
