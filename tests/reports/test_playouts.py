"""Whatever happens in a game can be printed: random players fill whole campaigns of issues, each in every edition."""

import json
from datetime import date
from random import Random

import jsonschema_rs
import pytest

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.notation import read_position
from gm.position import Phase, Position
from gm.reports.bell import CLIPPED_AT, render_json, render_mail, render_page
from gm.reports.bell_json import read_json, schema
from gm.reports.bell_text import WIDTH, listing
from gm.reports.view_build import build_view, for_reader
from gm.reports.view_input import Issue, Past, PlayerInfo, Reader
from tests.playout import RandomPlayer
from tests.reports.pages import read_page
from tests.support import IN_CI

BOARD = standard_board()
PHASES = 16


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12 if IN_CI else 4))
def test_a_whole_campaign_can_be_printed_in_every_edition(seed: int) -> None:
    players = RandomPlayer(BOARD, Random(seed))
    validator = jsonschema_rs.validator_for(schema())
    position = Position(players=tuple("ABCDE"))
    past: list[Past] = []
    while position.phase is not Phase.FINISHED and len(past) < PHASES:
        sheets = {p: players.sheet(position, p) for p in position.players}
        chance = ProvableChance(seed.to_bytes(32, "big"), "test", position.turn, position.phase, "digest")
        outcome = adjudicate(BOARD, position, sheets, chance)
        issue = Issue(
            number=len(past) + 1,
            outcome=outcome,
            campaign="Random",
            published=date(2026, 1, 1),
            players={"A": PlayerInfo("Anna Arnold"), "B": PlayerInfo("Bert Arnold")},
            past=tuple(past),
        )
        view = build_view(BOARD, issue)
        assert not past or not set(view.wordings) & set(past[-1].wordings), "the same wording twice running"
        past.append(Past(issue.number, outcome.after, outcome.points, view.wordings))

        mail = render_mail(issue, for_reader(BOARD, issue, view, Reader("A")))
        assert all(len(line) <= WIDTH or " " not in line.strip() for line in mail.text.splitlines())
        assert read_position(BOARD, listing(mail.text), outcome.after.players) == outcome.after
        assert len(mail.html.encode()) < CLIPPED_AT
        assert read_page(mail.html).problems == []
        assert read_page(render_page(view, "", "")).problems == []
        data = json.loads(render_json(issue, view))
        validator.validate(data)
        assert read_json(BOARD, data).view == view
        position = outcome.after
