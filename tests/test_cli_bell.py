"""`gm bell`: an issue in every edition from an Outcome, and its positions back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gm.adjudicator.outcome_json import outcome_to_json
from gm.board.load import standard_board
from gm.cli import app
from gm.errors import UserError
from gm.notation import read_position
from tests.reports.sample import outcomes

run = CliRunner().invoke
NAMES = ["--player", "A: Ben Grossman", "--player", "B: Greg Costikyan", "--date", "1976-03-09", "--number", "4"]


@pytest.fixture
def june(tmp_path: Path) -> str:
    path = tmp_path / "outcome.json"
    path.write_text(json.dumps(outcome_to_json(outcomes()[3])))
    return str(path)


def test_the_text_edition_is_the_default_and_reads_back(june: str, tmp_path: Path) -> None:
    result = run(app, ["bell", "render", june, *NAMES, "--headline", "Mine", "--deadline", "1976-03-16T18:00+0100"])
    assert result.exit_code == 0, result.output
    assert "MINE" in result.output
    assert "9 March 1976" in result.output
    assert "16 March 1976, 17:00 UTC" in result.output
    (tmp_path / "bell.txt").write_text(result.output)
    listed = run(app, ["bell", "positions", str(tmp_path / "bell.txt")])
    assert listed.exit_code == 0
    assert read_position(standard_board(), listed.output, "ABCDE") == outcomes()[3].after


@pytest.mark.parametrize(
    ("form", "begins"),
    [("mail", b"<!DOCTYPE html>"), ("page", b"<!DOCTYPE html>"), ("json", b'{"schema":"bell/1"'), ("svg", b"<svg")],
)
def test_every_edition_can_be_written_to_a_file(june: str, tmp_path: Path, form: str, begins: bytes) -> None:
    out = tmp_path / "out"
    result = run(app, ["bell", "render", june, *NAMES, "--form", form, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_bytes().startswith(begins)


def test_a_readers_copy_opens_with_the_box_that_is_their_own(june: str) -> None:
    result = run(app, ["bell", "render", june, *NAMES, "--reader", "e"])
    assert "FOR YOUR EYES ONLY" in result.output
    assert "You wrote: SUBVERT BU2 POLT/GE IN POLT WITH Budyenny" in result.output


def test_press_comes_from_a_file(june: str, tmp_path: Path) -> None:
    (tmp_path / "press.txt").write_text("One piece.\n---\nAnother <b>piece</b>.\n")
    result = run(app, ["bell", "render", june, *NAMES, "--press", str(tmp_path / "press.txt"), "--form", "mail"])
    assert "One piece." in result.output
    assert "Another &lt;b&gt;piece&lt;/b&gt;." in result.output


@pytest.mark.parametrize(
    "wrong",
    [["--reader", "Z"], ["--player", "nobody"], ["--form", "png"]],
    ids=["reader", "player", "picture to the terminal"],
)
def test_what_cannot_be_done_is_said_in_words(june: str, wrong: list[str]) -> None:
    result = run(app, ["bell", "render", june, *NAMES, *wrong])
    assert isinstance(result.exception, UserError)


def test_a_file_that_is_no_outcome_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    result = run(app, ["bell", "render", str(tmp_path / "x.json")])
    assert isinstance(result.exception, UserError)
    (tmp_path / "x.txt").write_text("no positions here")
    assert isinstance(run(app, ["bell", "positions", str(tmp_path / "x.txt")]).exception, UserError)


def test_the_schema_and_the_style_sheet_can_be_had() -> None:
    assert json.loads(run(app, ["bell", "schema"]).output)["title"] == "The Bell, version 1"
    assert "@media print" in run(app, ["bell", "style"]).output
