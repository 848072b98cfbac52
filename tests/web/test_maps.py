"""Many readers look at maps at the same moment: each gets the same whole picture."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from gm.board.load import standard_board
from gm.notation import read_position
from gm.reports.map import draw, render_svg
from gm.reports.map.model import MapView
from gm.reports.map.placing import candidates
from gm.reports.view.map import map_stacks
from gm.web.sample import positions_of_1976


def forget() -> None:
    draw.arrange.cache_clear()
    candidates._Queue.of.cache_clear()  # type: ignore[attr-defined]


def test_threads_that_draw_at_once_draw_the_same_map() -> None:
    position = read_position(standard_board(), positions_of_1976(), tuple("ABCDE"))
    views = [MapView(f"{n}", "", stacks=map_stacks(position)[: 50 + n]) for n in range(8)]
    forget()
    alone = [render_svg(view) for view in views]
    forget()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(render_svg, views))
    assert together == alone
