"""A campaign is locked while orders are taken: what keeps that short, and who waits for it loses nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from gm.board.load import standard_board
from gm.campaign.phase import intake
from gm.campaign.services import Services
from gm.campaign.transaction import CampaignView
from gm.errors import Invalid
from gm.notation.reading import read_position
from gm.orders.check.checker import check
from gm.orders.parser import parse
from gm.position import Phase
from gm.store.repositories import campaigns
from gm.web import sample
from tests.stopwatch import timed
from tests.web.table import OWN

PURGE = "PURGE B USING 3 PM"


def test_more_orders_than_any_game_needs_are_refused_unchecked(table: Services) -> None:
    """ADD upon ADD was refused only after all of it had been checked, with the campaign locked."""
    many = "\n".join([PURGE] * 1400)
    intake.submit(table, OWN, "A", many, source="web")
    with table.store.read() as session:
        campaign = campaigns.get(session, OWN)
        assert campaign is not None
        view = CampaignView(table, session, campaign)
        with pytest.raises(Invalid, match="with what is on file"):
            intake._read_and_check(view, "A", f"ADD\n{many}")


def test_what_a_sheet_gives_away_is_counted_once() -> None:
    """It was summed up anew for every Purge."""
    board = standard_board()
    position = read_position(board, sample.positions_of_1976(), tuple("ABCDE"), turn=1, phase=Phase.FIRST)

    def seconds(number: int) -> float:
        sheet = parse(board, "\n".join([PURGE] * number), position.players).sheet
        return min(timed(lambda: check(board, position, "A", sheet))[1] for _ in range(3))

    assert seconds(1200) < 12 * seconds(200), "six times the orders; the square would be 36 times the work"


@dataclass
class Waiting:
    """The clock of somebody who waits for a lock: later at each look."""

    times: list[datetime]

    def now(self) -> datetime:
        return self.times.pop(0) if len(self.times) > 1 else self.times[0]


def test_whoever_waits_for_the_lock_is_not_late_by_it(table: Services) -> None:
    closes = intake.submit(table, OWN, "A", "HOLD", source="web").closes_at
    assert closes is not None
    before, after = (closes + timedelta(seconds=seconds) for seconds in (-1, 3))
    waited = replace(table, clock=Waiting([before, after]))
    assert intake.submit(waited, OWN, "A", "HOLD", source="web").status == "taken"
    assert intake.submit(waited, OWN, "A", "HOLD", source="web").status != "taken", "too late is too late"
