"""The real press: what is stored and mailed, and that its failure never loses an adjudication."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake, publishing
from gm.campaign.reads import bells, lookups
from gm.campaign.services import Services
from gm.rendering.newsroom import Newsroom, PlainRenderer
from tests.campaign_fixtures import FakeClock, start, tick


def test_a_real_bell_is_stored_in_all_forms_and_mailed_to_each_in_his_own_copy(sqlite_services: Services) -> None:
    services = replace(sqlite_services, renderer=Newsroom())
    campaign = start(services)
    done = intake.submit(services, campaign, "A", "GIVE 1 PM TO B", source="web")
    deadlines.close_early(services, campaign)
    tick(services)
    bell = lookups.bell(services, campaign, 2)
    assert bell.text and bell.html and bell.json["schema"] and bell.headline
    png, chart = bells.bell_png(services, campaign, 2), bells.bell_chart(services, campaign, 2)
    assert png is not None and png.startswith(b"\x89PNG") and chart is not None and chart.startswith(b"\x89PNG")
    assert done.receipt in bell.text and lookups.state(services, campaign).commitment in bell.text
    copies = {mail.letter: mail for mail in outbox.listing(services, campaign, limit=500) if "/bell/2/" in mail.key}
    assert set(copies) == {*"ABCDE", "GM"}
    assert "Asia/Tokyo" in copies["E"].text and "Asia/Tokyo" not in copies["A"].text
    assert all(mail.attachments[0]["content_type"] == "text/calendar" and mail.bell == 2 for mail in copies.values())


class Broken(PlainRenderer):
    """Fails so many times, then works."""

    def __init__(self, times: int) -> None:
        self.times = times

    def compose(self, issue):
        if self.times:
            self.times -= 1
            raise RuntimeError("the press is jammed")
        return super().compose(issue)


def test_a_press_that_fails_is_tried_again_and_the_gamesmaster_told(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    jammed = replace(services, renderer=Broken(2))
    deadlines.close_early(services, campaign)
    report = ticker.tick(jammed)
    assert [kind for kind, _, _ in report.failed] == ["publish"] and ("adjudicate", campaign) in report.done
    assert lookups.state(services, campaign).phase_state == "adjudicated", "nothing is lost"
    told = [mail for mail in outbox.listing(services, campaign) if mail.kind == "trouble"]
    assert len(told) == 1 and "the press is jammed" in told[0].text
    for _ in range(3):
        clock.advance(minutes=10)
        ticker.tick(jammed)
    assert lookups.state(services, campaign).phase == "first"
    assert sum(mail.kind == "trouble" for mail in outbox.listing(services, campaign)) == 1


def test_a_press_that_never_works_is_replaced_by_a_plain_one(services: Services, clock: FakeClock) -> None:
    campaign = start(services)
    broken = replace(services, renderer=Broken(10**6))
    deadlines.close_early(services, campaign)
    for _ in range(5):
        ticker.tick(broken)
        clock.advance(minutes=10)
    assert lookups.state(services, campaign).phase == "first"
    assert "PETR" in lookups.bell(services, campaign, 2).text


def test_what_happens_while_the_bell_is_being_set_goes_into_the_next_one(services: Services) -> None:
    from gm.campaign.mailbox import letters

    campaign = start(services, publish="manual")
    deadlines.close_early(services, campaign)
    tick(services)

    class Slow(PlainRenderer):
        def compose(self, issue):
            document = super().compose(issue)
            letters.add_press(services, campaign, "B", "Stop press!")
            return document

    publishing.publish(replace(services, renderer=Slow()), campaign, "GM")
    assert "Stop press!" not in lookups.bell(services, campaign, 2).text
    deadlines.close_early(services, campaign)
    tick(services)
    publishing.publish(services, campaign, "GM")
    assert "Stop press!" in lookups.bell(services, campaign, 3).text


def test_a_bell_is_printed_once_even_if_two_print_it_at_once(services: Services) -> None:
    campaign = start(services, publish="manual")
    deadlines.close_early(services, campaign)
    tick(services)

    class Twice(PlainRenderer):
        def compose(self, issue):
            document = super().compose(issue)
            if issue.number == 2:
                publishing.publish(services, campaign, "the other")
            return document

    with pytest.raises(Exception, match="nothing to print"):
        publishing.publish(replace(services, renderer=Twice()), campaign, "GM")
    assert [line.number for line in lookups.bells(services, campaign)] == [1, 2]
    assert sum("/bell/2/" in mail.key for mail in outbox.listing(services, campaign, limit=500)) == 6


WORKS = """
import multiprocessing, time
from gm.rendering.process import RendererProcess
if __name__ == "__main__":
    press = RendererProcess()
    press._opened().submit(int).result()
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    time.sleep(60)
"""


def test_the_press_ends_when_its_service_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "works.py"
    script.write_text(WORKS)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        presses = [int(pid) for pid in service.stdout.readline().split()]
        assert presses
        service.kill()
    until = time.monotonic() + 120
    while any(_lives(pid) for pid in presses):
        assert time.monotonic() < until, "it lives on"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
