"""Whatever happens in a game can be printed: random players fill whole campaigns of issues, each in every edition."""

import json

import jsonschema_rs
import pytest

from gm.board.load import standard_board
from gm.notation import read_position
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from gm.reports.render.html import CLIPPED_AT, render_json, render_mail, render_page
from gm.reports.render.json import read_json, schema
from gm.reports.render.text import WIDTH, listing
from tests.reports.campaigns import campaign
from tests.reports.pages import read_page
from tests.support import IN_CI

BOARD = standard_board()
PHASES = 25


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12 if IN_CI else 4))
def test_a_whole_campaign_can_be_printed_in_every_edition(seed: int) -> None:
    validator = jsonschema_rs.validator_for(schema())
    for issue, view in campaign(seed, PHASES):
        outcome = issue.outcome
        mail = render_mail(issue, for_reader(BOARD, issue, view, Reader("A")))
        assert all(len(line) <= WIDTH or " " not in line.strip() for line in mail.text.splitlines())
        assert read_position(BOARD, listing(mail.text), outcome.after.players) == outcome.after
        assert len(mail.html.encode()) < CLIPPED_AT
        assert read_page(mail.html).problems == []
        assert read_page(render_page(view, "", "")).problems == []
        data = json.loads(render_json(issue, view))
        validator.validate(data)
        assert read_json(BOARD, data).view == view
