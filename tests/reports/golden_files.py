"""The sample game's issues in every form, kept in golden/. `python -m tests.reports.golden_files` writes them anew."""

import json
from pathlib import Path

from gm.board.load import standard_board
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from gm.reports.render.barometer_chart import barometer_svg
from gm.reports.render.html import Links, render_json, render_mail_html, render_page
from gm.reports.render.ics import render_calendar
from gm.reports.render.text import render_text
from tests.reports.sample import issues, views

FOLDER = Path(__file__).parent / "golden"


def golden() -> dict[str, str]:
    """File name -> content: text, mail, page, JSON and calendar of each issue, and one player's own copy."""
    found: dict[str, str] = {}
    for issue, view in zip(issues(), views(), strict=True):
        stem = f"bell-{issue.number}"
        found[f"{stem}.txt"] = render_text(view)
        found[f"{stem}.mail.html"] = render_mail_html(view)
        svg = f'<img src="{stem}.svg" alt="">'  # the map has tests of its own
        chart = barometer_svg(view.course, theme="auto")
        found[f"{stem}.page.html"] = render_page(view, svg, chart, Links(home="index.html"))
        found[f"{stem}.json"] = json.dumps(json.loads(render_json(issue, view)), indent=1, ensure_ascii=False) + "\n"
        calendar = render_calendar(issue, view)
        assert calendar is not None
        found[f"{stem}.ics"] = calendar
    own = for_reader(standard_board(), issues()[3], views()[3], Reader("E", seal="5ea1" * 16))
    found["bell-4-E.txt"] = render_text(own)
    found["bell-4-E.mail.html"] = render_mail_html(own)
    return found


def read(name: str) -> str:
    return (FOLDER / name).read_bytes().decode()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, content in golden().items():
        (FOLDER / name).write_bytes(content.encode())
