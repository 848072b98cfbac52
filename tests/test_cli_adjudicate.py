"""`gm adjudicate` and `gm explain`, as a Gamesmaster without a campaign uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gm.board.load import standard_board
from gm.cases.reader import read_cases
from gm.cli import app
from gm.errors import UserError
from gm.notation import format_position

CASES = Path(__file__).parent / "cases" / "published" / "bell.case"
SECRET = "11" * 32
run = CliRunner().invoke


@pytest.fixture
def june(tmp_path: Path) -> list[str]:
    """The Second Phase of June 1918 as files."""
    case = next(c for c in read_cases(standard_board(), [CASES]) if c.id == "bell-4")
    assert case.position is not None
    (tmp_path / "position.txt").write_text(format_position(case.position))
    (tmp_path / "orders").mkdir()
    for player, text in case.orders.items():
        (tmp_path / "orders" / f"{player}.txt").write_text(text)
    return ["--position", str(tmp_path / "position.txt"), "--orders", str(tmp_path / "orders"), "--secret", SECRET]


def test_a_phase_is_told_in_words_with_its_rules_and_new_positions(june: list[str]) -> None:
    result = run(app, ["adjudicate", *june])
    assert result.exit_code == 0
    assert "June 1918 - Combat" in result.output
    assert "[8.31, 8.32, J27]" in result.output  # why E's subversion of Poltava came to nothing
    assert "combat/LIVO/A/4: " in result.output  # every roll with its occasion
    assert "A  LIVO: " in result.output


def test_the_same_secret_gives_the_same_outcome_and_another_one_another(june: list[str]) -> None:
    first = run(app, ["adjudicate", *june, "--json"]).output
    assert run(app, ["adjudicate", *june, "--json"]).output == first
    assert run(app, ["adjudicate", *june[:-1], "22" * 32, "--json"]).output != first


def test_explain_tells_what_adjudicate_wrote_as_json(june: list[str], tmp_path: Path) -> None:
    told = run(app, ["adjudicate", *june]).output
    written = run(app, ["adjudicate", *june, "--json"]).output
    json.loads(written)
    (tmp_path / "outcome.json").write_text(written)
    explained = run(app, ["explain", str(tmp_path / "outcome.json")]).output
    assert told.startswith(explained)


@pytest.mark.parametrize("secret", ["", "zz" * 32, "11" * 31])
def test_a_secret_that_is_none_is_refused(june: list[str], secret: str) -> None:
    result = run(app, ["adjudicate", *june[:-1], secret])
    assert isinstance(result.exception, UserError)
    assert "32 bytes" in str(result.exception)


def test_orders_of_a_stranger_are_refused(june: list[str], tmp_path: Path) -> None:
    (tmp_path / "orders" / "Z.txt").write_text("VOTE END")
    result = run(app, ["adjudicate", *june])
    assert isinstance(result.exception, UserError)
    assert "no player Z" in str(result.exception)
