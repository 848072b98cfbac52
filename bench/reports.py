"""One Bell in all its forms against the bare minimum of work, in the same run, turn by turn.

The bare minimum is what any such mail costs: the same Jinja template rendered, then css-inline over the result. Ours
is the mail as HTML with its styles, the text edition and the JSON. The map is drawn once a Phase, never for a reader.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import css_inline

from gm.board.load import standard_board
from gm.rendering.newsroom import Newsroom
from gm.reports.build import build_view, for_reader, issue_map
from gm.reports.issue import Issue, Past, Reader
from gm.reports.map import render_svg
from gm.reports.map.background import KEY
from gm.reports.map.draw import arrange
from gm.reports.map.model import MapView
from gm.reports.render.barometer_chart import barometer_png
from gm.reports.render.html import environment, mail_context, mail_css, render_json, render_mail_html
from gm.reports.render.map_picture import detail_png, map_png
from gm.reports.render.raster import render_png
from gm.reports.render.text import render_text
from gm.reports.render.theatre import theatre
from tests.reports.sample import issues

ROUNDS = 40
TARGET = 1.2
MAP_TARGET = 0.030
PICTURE_TARGET, OWN_TARGET = 0.120, 0.040


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def best(*works: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """The best run of each, in turns: whatever else the machine does meets all of them alike."""
    for work in works:
        work()
    runs = [[seconds(work) for work in works] for _ in range(rounds)]
    return [min(column) for column in zip(*runs, strict=True)]


def main() -> None:
    board = standard_board()
    issue = issues()[3]
    view = for_reader(board, issue, build_view(board, issue), Reader("E"))
    template = environment().get_template("mail.html")
    engine = css_inline.CSSInliner(load_remote_stylesheets=False)
    context = {**mail_context(view), "css": mail_css()}

    bare, html, text, data = best(
        lambda: engine.inline(template.render(context)),
        lambda: render_mail_html(view),
        lambda: render_text(view),
        lambda: render_json(issue, view),
    )
    ratio = (html + text + data) / bare
    print(f"bare Jinja + css-inline           {bare * 1000:8.2f} ms")
    print(f"HTML + text + JSON                {(html + text + data) * 1000:8.2f} ms  "
          f"({html * 1000:.2f} + {text * 1000:.2f} + {data * 1000:.2f})")  # fmt: skip
    print(f"  ratio                           {ratio:8.2f}x  (target at most {TARGET}x)")

    drawn = [issue_map(i) for i in issues()]
    svg, chart, composed = best(
        lambda: [render_svg(m) for m in drawn],
        lambda: barometer_png(view.course),
        lambda: build_view(board, issue),
        rounds=5,
    )
    print(
        f"map as SVG                        {svg / len(drawn) * 1000:8.2f} ms  (target under {MAP_TARGET * 1000:.0f})"
    )
    print(f"barometer chart as PNG            {chart * 1000:8.2f} ms")
    print(f"view of an issue, once a Phase    {composed * 1000:8.2f} ms")
    pictures(drawn[3])
    ages(Newsroom(), issue)


def ages(newsroom: Newsroom, issue: Issue) -> None:
    """The whole Bell, late in a campaign and early in it."""
    rows = issue.past[-1].rows
    early, late = (
        replace(issue, number=n + 1, past=tuple(Past(k + 1, rows, issue.past[-1].wordings) for k in range(n)))
        for n in (2, 29)
    )
    third, thirtieth = best(lambda: newsroom.compose(early), lambda: newsroom.compose(late), rounds=5)
    print(f"a Bell of the thirtieth Phase     {thirtieth * 1000:8.2f} ms, of the third {third * 1000:.2f} ms: "
          f"{thirtieth / third:.2f}x  (target at most 1.15x)")  # fmt: skip


def pictures(drawn: MapView) -> None:
    """Every round draws a map that differs from the last: nothing of it is known yet but the printed sheet."""
    whole, laid, own, detail, sizes = [], [], [], [], []
    for n in range(8):
        # Every counter has another strength.
        other = [replace(s, pieces=tuple(replace(p, value=p.value + n) for p in s.pieces)) for s in drawn.stacks]
        view = replace(drawn, stacks=tuple(other))
        whole.append(seconds(lambda view=view: render_png(render_svg(view))))  # type: ignore[misc]
        arrange.cache_clear()
        laid.append(seconds(lambda view=view: sizes.append(len(map_png(view)))))  # type: ignore[misc]
        mine = replace(view, mine="ABCDE"[n % 5])
        own.append(seconds(lambda view=mine: map_png(view)))  # type: ignore[misc]
        detail.append(seconds(lambda view=mine: detail_png(view, theatre(view) or KEY)))  # type: ignore[misc]
    first, again = laid[0], min(laid[1:])
    print(f"map as PNG in one pass            {min(whole) * 1000:8.2f} ms")
    print(f"map as PNG over the kept sheet    {again * 1000:8.2f} ms  (target at most {PICTURE_TARGET * 1000:.0f})")
    print(
        f"  of one pass {again / min(whole):.2f}x; {max(sizes) / 1000:.0f} KB; first in a process {first * 1000:.0f} ms"
    )
    print(f"  a reader's own map              {min(own) * 1000:8.2f} ms  (target at most {OWN_TARGET * 1000:.0f})")
    print(f"  a detail map                    {min(detail) * 1000:8.2f} ms  (target at most {OWN_TARGET * 1000:.0f})")


if __name__ == "__main__":
    main()
