"""The political barometer: a chart, a text of 72 columns, and a few sentences."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.reports.issue import BarometerRow
from gm.reports.render.barometer_chart import PANELS, barometer_svg
from gm.reports.render.raster import render_png
from gm.reports.view.barometer import Barometer, BarometerIssue, barometer_alt, barometer_text

SVG = "{http://www.w3.org/2000/svg}"
FIRST = {"A": BarometerRow(10, 3, 3, 0, 20, 12), "B": BarometerRow(7, 2, 3, 1, 15, 9)}
SECOND = {"A": BarometerRow(12, 1, 3, 1, 24, 10), "B": BarometerRow(5, 2, 2, 1, 11, 9)}
THIRD = {"A": BarometerRow(14, 0, 4, 1, 27, 8)}  # B has left the game
NAMES = {"A": "Grossman", "B": "Knabe"}
TWO = Barometer(("A", "B"), NAMES, (BarometerIssue("#1", FIRST), BarometerIssue("#2", SECOND)))
LEFT = Barometer(("A", "B"), NAMES, (*TWO.issues, BarometerIssue("#3", THIRD)))


def texts(svg: str) -> list[str]:
    return ["".join(t.itertext()) for t in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_a_course_runs_over_all_issues_and_has_gaps_where_a_player_was_not_there() -> None:
    assert LEFT.course("B", "if_red") == (15, 11, None)
    assert LEFT.change("A", "if_red") == 7
    assert LEFT.change("B", "if_red") == -4
    assert TWO.highest("red", "white") == 12


def test_the_text_gives_every_figure_of_the_last_issue() -> None:
    line = next(x for x in barometer_text(TWO).splitlines() if x.startswith("A"))
    assert re.findall(r"\d+", line) == ["12", "1", "3", "1", "24", "10"]


def test_the_text_draws_bars_and_curves() -> None:
    line = next(x for x in barometer_text(TWO).splitlines() if x.startswith("A"))
    assert "███████" in line  # 12 is the most that anybody leads
    assert re.search(r"24 [▁-█]{2}", line)


def test_a_player_who_left_has_a_line_without_figures() -> None:
    line = next(x for x in barometer_text(LEFT).splitlines() if x.startswith("B"))
    assert line.split() == ["B", "Knabe", "-"]


def test_before_the_first_issue_there_is_nothing_to_draw_and_nothing_breaks() -> None:
    empty = Barometer(("A", "B"), NAMES)
    assert barometer_text(empty) == "No issue yet.\n"
    assert barometer_alt(empty) == "No issue yet."
    ElementTree.fromstring(barometer_svg(empty))
    ElementTree.fromstring(barometer_svg(Barometer(())))


def test_the_chart_shows_figures_and_their_change_for_each_player() -> None:
    words = texts(barometer_svg(TWO))
    assert "24+4" in words and "10-2" in words and "12+2" in words
    assert words.count("1") == 1  # B's one Assassin Marker did not change
    assert "Grossman" in words and "after #2" in words


def test_the_small_figures_say_since_when_and_stand_clear_of_the_words_beside_them() -> None:
    """Of three issues: +7 since the first. One issue has nothing to compare."""
    words = texts(barometer_svg(LEFT))
    assert "27+7" in words and "small figures: change since #1" in words
    assert not any("since" in word for word in texts(barometer_svg(Barometer(("A",), NAMES, TWO.issues[:1]))))


def test_the_chart_draws_two_curves_a_panel_that_differ_in_more_than_colour() -> None:
    root = ElementTree.fromstring(barometer_svg(TWO))
    full = [p for p in root.iter(f"{SVG}path") if p.get("class") == "kb-one"]
    dashed = [p for p in root.iter(f"{SVG}path") if p.get("class") == "kb-two"]
    assert len(full) == len(dashed) == len(PANELS) * (1 + len(TWO.players))  # the key has one of each too
    assert "stroke-dasharray" in barometer_svg(TWO)


def test_the_sentences_give_every_figure() -> None:
    text = barometer_alt(TWO)
    assert "Grossman (A): Red leadership 12, White 1, 3 PM, 1 AM; 24 points if Red wins, 10 if White." in text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_chart_becomes_a_picture(theme: str) -> None:
    with_words = barometer_svg(TWO, theme=theme, mine="A")  # type: ignore[arg-type]
    without = re.sub(r"<text.*?</text>", "", with_words)
    assert len(render_png(with_words, 700)) > len(render_png(without, 700)) + 2_000


def test_auto_follows_the_reader() -> None:
    assert "prefers-color-scheme:dark" in barometer_svg(TWO, theme="auto")
    assert "var(" not in barometer_svg(TWO, theme="dark")


figures = st.integers(0, 99)
rows = st.builds(BarometerRow, figures, figures, figures, figures, figures, figures)
letters = st.sampled_from("ABCDEFG")
barometers = st.builds(
    Barometer,
    st.lists(letters, unique=True, max_size=7).map(tuple),
    st.dictionaries(letters, st.text(max_size=40)),
    st.lists(st.builds(BarometerIssue, st.text(max_size=40), st.dictionaries(letters, rows)), max_size=25).map(tuple),
)


@settings(max_examples=150, deadline=None)
@given(barometers)
def test_any_barometer_is_well_formed_and_keeps_to_its_columns(barometer: Barometer) -> None:
    ElementTree.fromstring(barometer_svg(barometer))
    lines = barometer_text(barometer).splitlines()
    assert all(len(line) <= 72 for line in lines)
    if barometer.issues:
        assert len(lines) == 3 + len(barometer.players)


def test_hostile_names_stay_words() -> None:
    evil = "</text><script>x</script>\x00 &\n\ud800"
    chart = Barometer(("A",), {"A": evil}, (BarometerIssue(evil, FIRST),))
    root = ElementTree.fromstring(barometer_svg(chart))
    assert not [e for e in root.iter() if e.tag.endswith("script")]
    assert "\x00" not in barometer_text(chart)
    assert len(barometer_text(chart).splitlines()) == 4
