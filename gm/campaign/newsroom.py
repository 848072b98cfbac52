"""The real press: an Issue through gm.reports to what is stored and mailed."""

from __future__ import annotations

import json

from gm.board.model import Board
from gm.campaign.ports import Attachment, BellDocument, Copy
from gm.reports.barometer_chart import barometer_svg
from gm.reports.bell import render_json, render_mail, render_mail_html, subject
from gm.reports.bell_text import render_text
from gm.reports.map import render_svg
from gm.reports.raster import render_png
from gm.reports.view import BellView
from gm.reports.view_build import build_view, for_reader, issue_map
from gm.reports.view_input import Issue, Reader

MAP_WIDTH = 1400
CHART_WIDTH = 700


class Newsroom:
    def __init__(self, board: Board) -> None:
        self._board = board

    def compose(self, issue: Issue) -> BellDocument:
        view = build_view(self._board, issue)
        chart = barometer_svg(view.course) if view.barometer else None
        return BellDocument(
            subject=subject(view),
            headline=view.story.headline,
            text=render_text(view),
            html=render_mail_html(view),
            json=json.loads(render_json(issue, view)),
            png=render_png(render_svg(issue_map(issue)), MAP_WIDTH),  # once a Phase, never a recipient
            chart=render_png(chart, CHART_WIDTH) if chart else None,
            wordings=view.wordings,
            view=view,
        )

    def personal(self, issue: Issue, document: BellDocument, reader: Reader) -> Copy:
        assert isinstance(document.view, BellView)
        mail = render_mail(issue, for_reader(self._board, issue, document.view, reader))
        calendar = (Attachment("deadline.ics", "text/calendar", mail.calendar),) if mail.calendar else ()
        return Copy(mail.text, mail.html, calendar)
