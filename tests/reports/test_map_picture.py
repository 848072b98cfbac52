"""The map as a picture: laid together from kept parts, and not to be told from one drawn in a single pass."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from io import BytesIO

import pytest
from hypothesis import HealthCheck, assume, given, settings
from PIL import Image, ImageChops

from gm.reports.map import render_svg
from gm.reports.map.draw import arrange, sheet_svg
from gm.reports.map.geometry import geometry
from gm.reports.map.model import MapStack, MapView
from gm.reports.map.placing.blocks import blocks
from gm.reports.map.placing.candidates import Rect
from gm.reports.render.map_picture import detail_png, map_png
from gm.reports.render.outlines import outlined
from gm.reports.render.raster import render_png
from gm.reports.render.theatre import HEIGHT, WIDTH, theatre
from tests.reports.test_map import BATTLES, JUNE, START, VIEWS, piece, views
from tests.stopwatch import timed
from tests.support import examples

# What no reader sees: of 256 levels a colour, on average 2.5; one pixel in 500 more than 24; none more than 96.
MEAN, STRONG, STRONG_SHARE, STRONGEST = 2.5, 24, 1 / 500, 96
LIGATURE = re.compile("f[fijlt]")


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def assert_looks_like(ours: Image.Image, theirs: Image.Image) -> None:
    assert ours.size == theirs.size
    bands = ImageChops.difference(ours, theirs).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    levels = worst.histogram()
    pixels = sum(levels)
    assert sum(level * number for level, number in enumerate(levels)) / pixels < MEAN
    assert sum(levels[STRONG + 1 :]) <= pixels * STRONG_SHARE
    assert sum(levels[STRONGEST + 1 :]) == 0


@pytest.mark.parametrize("width", [1400, 700])
@pytest.mark.parametrize("view", VIEWS, ids=lambda v: v.date_line)
def test_the_picture_is_that_of_one_pass(view: MapView, width: int) -> None:
    assert_looks_like(opened(map_png(view, width)), opened(render_png(render_svg(view), width)))


@settings(max_examples=examples(100, 10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(views)
def test_the_picture_of_any_view_is_that_of_one_pass(view: MapView) -> None:
    """At half the size, where every part falls between pixels. One pass joins `fi` into one letter, parts do not."""
    assume(not LIGATURE.search(view.title))
    assert_looks_like(opened(map_png(view, 700)), opened(render_png(render_svg(view), 700)))


@pytest.mark.parametrize("view", VIEWS, ids=lambda v: v.date_line)
def test_the_same_view_looks_the_same_whatever_was_drawn_before(view: MapView) -> None:
    """Not to the byte: a part drawn beside others may differ by a level at its edges."""
    first = map_png(view)
    for other in VIEWS:
        map_png(replace(other, mine="B"))
    assert_looks_like(opened(map_png(view)), opened(first))


@pytest.mark.parametrize("view", VIEWS, ids=lambda v: v.date_line)
def test_a_picture_has_a_palette_and_at_most_300_kilobytes(view: MapView) -> None:
    png = map_png(view)
    assert Image.open(BytesIO(png)).mode == "P"
    assert len(png) <= 300_000


def test_a_picture_takes_a_small_part_of_the_time_of_one_pass() -> None:
    """The goal is an eighth of what one pass took before fonts were kept; the guard leaves room for a busy machine."""
    map_png(START)
    ours, theirs = [], []
    for title in "abc":
        view = replace(JUNE, title=title, stacks=JUNE.stacks[: -1 - ord(title) % 3])
        arrange.cache_clear()
        ours.append(timed(partial(map_png, view))[1])
        theirs.append(timed(lambda view=view: render_png(render_svg(view)))[1])  # type: ignore[misc]
    assert min(ours) < 0.4 * min(theirs)


def test_gold_frames_are_in_the_picture_of_their_reader_alone() -> None:
    gold = (0xF2, 0xB7, 0x05)

    def golden(view: MapView, box: Rect) -> int:
        window = (round(box.x0), round(box.y0), round(box.x1), round(box.y1))
        crop = opened(map_png(view)).crop(window)
        return sum(number for number, color in crop.getcolors(1 << 24) or [] if color == gold)

    where = {s.block.province: s.rect for s in arrange(blocks(BATTLES))}
    own = next(s.province for s in BATTLES.stacks if s.owner == "A")
    other = next(s.province for s in BATTLES.stacks if s.owner == "B" and not _stands_in("A", s.province))
    assert golden(BATTLES, where[own]) > 50
    assert golden(BATTLES, where[other]) == 0
    assert golden(replace(BATTLES, mine=None), where[own]) == 0


def _stands_in(owner: str, province: str) -> bool:
    return any(s.owner == owner and s.province == province for s in BATTLES.stacks)


# ------------------------------------------------------------------ the detail map


def test_a_detail_is_a_piece_of_the_map_twice_as_large() -> None:
    box = theatre(BATTLES)
    assert box is not None
    detail = opened(detail_png(BATTLES, box))
    assert detail.size == (2 * WIDTH, 2 * HEIGHT)
    large = opened(render_png(render_svg(BATTLES), 2 * geometry().width))
    edges = (round(2 * box.x0), round(2 * box.y0), round(2 * box.x1), round(2 * box.y1))
    assert_looks_like(detail, large.crop(edges))


@pytest.mark.parametrize("player", "ABCDE")
def test_the_theatre_lies_in_the_frame_and_holds_forces_of_its_reader(player: str) -> None:
    view = replace(BATTLES, mine=player)
    box = theatre(view)
    assert box is not None
    x0, y0, x1, y1 = geometry().frame
    assert x0 <= box.x0 < box.x1 <= x1 and y0 <= box.y0 < box.y1 <= y1
    spots = {s.block.province: s.rect for s in arrange(blocks(view))}
    assert any(box.overlaps(spots[s.province]) for s in view.stacks if s.owner == player)


def test_the_theatre_is_where_the_greater_strength_stands() -> None:
    strong = MapStack("VLAD", "A", (piece("RL3 Lenin"), piece("RU8 PETR")))
    weak = MapStack("PETR", "A", (piece("RU2 PETR"),))
    box = theatre(MapView("t", "d", (weak, strong), mine="A"))
    assert box is not None
    assert box.holds(geometry().home("VLAD"))
    assert not box.holds(geometry().home("PETR"))


def test_whoever_has_no_forces_has_no_theatre() -> None:
    assert theatre(replace(START, mine=None)) is None
    assert theatre(replace(START, mine="X")) is None


# ------------------------------------------------------------------ words as outlines


def test_all_words_of_the_sheet_become_outlines() -> None:
    assert "<text" in sheet_svg(True)
    assert "<text" not in outlined(sheet_svg(True))


def test_a_word_that_the_fonts_lack_is_left_to_the_renderer() -> None:
    word = '<text class="km-num" x="1" y="2">\U0001f514</text>'
    assert outlined(word) == word


def test_an_outline_lies_where_the_word_would() -> None:
    word = outlined('<text class="km-key" x="10" y="20" fill-opacity=".7" textLength="30">Ufa &amp; Omsk</text>')
    assert word.startswith('<path class="km-key" transform="translate(10 20)" fill-opacity=".7" d="M')
