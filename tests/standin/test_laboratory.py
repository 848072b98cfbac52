"""`gm laboratory`: the same seed gives the same games, and the figures are what the games say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gm.board.model import Color
from gm.cli import app
from gm.errors import UserError
from gm.laboratory.figures import figures, first_share, prediction, ranks
from gm.laboratory.game import CALENDAR, RANDOM, Record, Setting, play
from gm.standin.strategy import Style

SHORT = Setting(players=3, last_turn=2)


def record(points: dict[str, int], dealt: dict[str, int], color: Color = Color.RED, **counts: int) -> Record:
    return Record(1, dict.fromkeys(points, "fanatic"), 6, CALENDAR, color, points, dealt, counts, 0.5)


def test_the_same_setting_and_number_give_the_same_game() -> None:
    once, again, other = play(SHORT, 3), play(SHORT, 3), play(SHORT, 4)
    assert (once.points, once.counts, once.dealt) == (again.points, again.counts, again.dealt)
    assert once.points != other.points


def test_the_calendar_ends_a_game_at_its_last_turn() -> None:
    game = play(SHORT, 1)
    assert (game.turns, game.condition) == (2, CALENDAR)
    assert sum(game.dealt.values()) > 100


def test_a_house_rule_changes_the_games() -> None:
    one, three = (play(Setting(players=6, last_turn=1, deal=deal), 1) for deal in ("one-pot", "three-pots"))
    assert one.dealt != three.dealt


def test_the_seat_of_the_other_style_goes_round() -> None:
    setting = Setting(players=3, style=Style.FANATIC, one=Style.COMMANDER)
    assert [p for n in range(4) for p, style in setting.styles(n).items() if style == "commander"] == list("ABCA")


def test_a_random_player_sends_legal_orders_only() -> None:
    game = play(Setting(players=3, style=RANDOM, last_turn=1), 2)
    assert set(game.styles.values()) == {RANDOM}


def test_a_deal_that_decides_everything_predicts_the_rank() -> None:
    assert prediction(record({"A": 9, "B": 5, "C": 1}, {"A": 30, "B": 20, "C": 10})) == pytest.approx(1)
    assert prediction(record({"A": 1, "B": 5, "C": 9}, {"A": 30, "B": 20, "C": 10})) == pytest.approx(-1)
    assert prediction(record({"A": 5, "B": 5}, {"A": 30, "B": 20})) == 0


def test_equals_share_a_rank() -> None:
    assert ranks({"A": 7, "B": 7, "C": 1}) == {"A": 1.5, "B": 1.5, "C": 3}


def test_the_figures_are_averages_of_the_games() -> None:
    games = [
        record({"A": 10, "B": 4}, {"A": 3, "B": 2}, purges=2),
        record({"A": 1, "B": 3}, {"A": 3, "B": 2}, Color.WHITE, purges=5),
    ]
    found = {f.key: f.value for f in figures(Setting(players=2), games)}
    assert (found["red"], found["white"], found["calendar"]) == ("50%", "50%", "100%")
    assert (found["purges"], found["spread"], found["points of the first"]) == ("3.5", "4", "6.5")
    assert first_share(games, "fanatic") == 1


def test_the_command_prints_a_table_and_draws_a_page(tmp_path: Path) -> None:
    page = tmp_path / "figures.html"
    words = ["laboratory", "--players", "2", "--games", "2", "--last-turn", "1", "--processes", "1"]
    result = CliRunner().invoke(app, [*words, "--html", str(page)])
    assert result.exit_code == 0, result.output
    assert "Red victories" in result.output and "Purges a game" in result.output
    assert page.read_text("utf-8").count("<rect") == 2
    again = CliRunner().invoke(app, [*words, "--json"])
    assert json.loads(again.output)["figures"]["games"] == "2"


@pytest.mark.parametrize(
    "wrong", [["--style", "genius"], ["--one", "genius"], ["--players", "1"], ["--games", "0"], ["--deal", "none"]]
)
def test_what_cannot_be_played_is_refused_in_a_line(wrong: list[str]) -> None:
    result = CliRunner().invoke(app, ["laboratory", *wrong])
    assert isinstance(result.exception, UserError)
