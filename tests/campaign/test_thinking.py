"""What stand-ins try out holds nobody else: no deadline, no mail, no page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from gm.board.load import for_shorter_game, standard_board
from gm.campaign.mailbox import letters
from gm.campaign.manage import deadlines
from gm.campaign.ports import Outgoing, Sending
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.commands.service.background import start as run_beside
from gm.orders.kinds import Sheet
from gm.processes import Ended
from gm.rendering.newsroom import PlainRenderer
from gm.standin.commander.sheet import MOST_COUNTERS, TRIALS, bearable
from gm.standin.process import StandInProcess
from gm.standin.record import written
from gm.standin.tracks import begun
from gm.worker import Worker
from tests.campaign_fixtures import start
from tests.standin.draws import luck
from tests.standin.test_commander import seated
from tests.support import wait_until

Stop = Callable[[], None]


class Slow(StandInProcess):
    """A stand-in that thinks until it is told to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = threading.Event(), threading.Event()

    def __call__(self, *asked: Any, **more: Any) -> Sheet:
        self.asked.set()
        assert self.go_on.wait(60)
        return Sheet()


class Sender:
    def __init__(self) -> None:
        self.sent: list[Outgoing] = []

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sending]:
        for mail in mails:
            self.sent.append(mail)
            yield Sending(mail.id, mail.lease, True)


def running(services: Services, standin: StandInProcess, tick_seconds: int) -> tuple[Services, Sender, Stop]:
    """What serves the web, what is sent, and how it ends."""
    settings = replace(services.settings, tick_seconds=tick_seconds)
    sender = Sender()
    worker = Worker(replace(services, settings=settings, standin=standin), sender)
    return worker.for_the_web(services), sender, run_beside(worker)


def test_while_stand_ins_think_other_campaigns_are_played(sqlite_services: Services) -> None:
    """One campaign of commanders held the deadlines and the mail of all others for minutes."""
    services = replace(sqlite_services, renderer=PlainRenderer(), standin=written)
    thinks = start(services, name="Thinks", nmr="standin", grace_hours=0)
    other = start(services, name="Other", grace_hours=0)
    before = lookups.state(services, other).bell_number
    standin = Slow()
    _, sender, stop = running(services, standin, 1)
    try:
        deadlines.close_early(services, thinks)
        assert standin.asked.wait(30)
        deadlines.close_early(services, other)
        wait_until(lambda: lookups.state(services, other).bell_number > before)
        wait_until(lambda: any(mail.kind == "bell" and mail.campaign == other for mail in sender.sent))
        assert lookups.state(services, thinks).phase_state == "sealed"
        standin.go_on.set()
        wait_until(lambda: lookups.state(services, thinks).bell_number > before)
    finally:
        standin.go_on.set()
        stop()


def test_a_letter_from_the_web_is_sent_at_once(sqlite_services: Services) -> None:
    campaign = start(sqlite_services)
    web, sender, stop = running(sqlite_services, StandInProcess(), 600)
    try:
        wait_until(lambda: any(mail.kind == "bell" for mail in sender.sent))
        letters.add_letter(web, campaign, "A", ["B"], "At once, please.")
        wait_until(lambda: any("At once, please." in mail.text for mail in sender.sent), 10)
    finally:
        stop()


def test_a_stand_in_writes_the_same_in_a_process_of_its_own() -> None:
    board = standard_board()
    position, seat, seats = seated(7)
    assert seat is not None
    asked = (position, begun(board, position), seat, luck(7, position), seats, None)
    elsewhere = StandInProcess()
    try:
        whole, shorter = (elsewhere(b, *asked) for b in (board, for_shorter_game(board)))
        assert whole == written(board, *asked)
        assert shorter == written(for_shorter_game(board), *asked) != whole
    finally:
        elsewhere.close()
    with pytest.raises(Ended):
        elsewhere(board, *asked)


def test_on_a_board_beyond_all_measure_fewer_plans_are_tried() -> None:
    position, _, _ = seated(7)
    counters = sum(len(stack.pieces) for stack in position.stacks)
    assert bearable(position, TRIALS) == TRIALS
    many = changed(position, stacks=position.stacks * (2 * MOST_COUNTERS // counters + 1))
    assert 0 < bearable(many, TRIALS) <= TRIALS / 8
