"""One Bell in all its forms against the bare minimum of work, in the same run, turn by turn.

The bare minimum is what any such mail costs: the same Jinja template rendered, then css-inline over the result. Ours
is the mail as HTML with its styles, the text edition and the JSON. The map is drawn once a Phase, never for a reader.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import css_inline

from gm.board.load import standard_board
from gm.reports.barometer_chart import barometer_svg
from gm.reports.bell import environment, mail_context, mail_css, render_json, render_mail_html
from gm.reports.bell_text import render_text
from gm.reports.map import render_svg
from gm.reports.raster import render_png
from gm.reports.view_build import build_view, for_reader, issue_map
from gm.reports.view_input import Reader
from tests.reports.sample import issues

ROUNDS = 40
TARGET = 1.2
MAP_TARGET = 0.030


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
    svg, png, chart, composed = best(
        lambda: [render_svg(m) for m in drawn],
        lambda: render_png(render_svg(drawn[3])),
        lambda: barometer_svg(view.course),
        lambda: build_view(board, issue),
        rounds=5,
    )
    print(
        f"map as SVG                        {svg / len(drawn) * 1000:8.2f} ms  (target under {MAP_TARGET * 1000:.0f})"
    )
    print(f"map as PNG, once a Phase          {png * 1000:8.2f} ms")
    print(f"barometer chart                   {chart * 1000:8.2f} ms")
    print(f"view of an issue, once a Phase    {composed * 1000:8.2f} ms")


if __name__ == "__main__":
    main()
