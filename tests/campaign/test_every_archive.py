"""Whatever happens to a campaign, its archive verifies, at every moment, and can be taken over: no false alarm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from gm.campaign.beacon import rounds
from gm.campaign.export import archive, importing, site
from gm.campaign.manage import change_options, corrections, creation, deadlines
from gm.campaign.phase import intake, publishing, rollback
from gm.campaign.ports import NewPlayer, Renderer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services, no_wake
from gm.campaign.solo import against_standins, solitaire
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.verify import verify
from gm.store.repositories import paper, phases
from tests.beacon_server import OwnBeacon, own_beacon
from tests.campaign_fixtures import FIVE, FakeClock, installed, settings_for, start, tick
from tests.web.table import QuickNewsroom
from tests.web.test_own_board import FILES

ANNA = NewPlayer("Anna", "anna@players.test")
ODD = "Lenin\twas in {PETR}, not  in “MOSC”… \u2028 re-read-it-all; " + "and so on " * 20 + "x" * 90 + ".."


@dataclass
class House:
    """An installation whose campaign's archive is looked at again and again."""

    services: Services
    clock: FakeClock
    beacon: OwnBeacon
    folder: Path
    campaign: str = ""
    looks: Iterator[int] = field(default_factory=count)

    def look(self) -> None:
        """The archive as it is now, for the public and in full, verifies."""
        number = next(self.looks)
        for public in (True, False):
            target = self.folder / f"{number}-{public}"
            archive.export(self.services, self.campaign, target, public=public)
            verdict = verify(importing.read_files(target))
            assert verdict.ok, [str(finding) for finding in verdict.findings]

    def begin(self, **options: object) -> None:
        self.campaign = start(self.services, **{"grace_hours": 0, **options})
        self.look()

    def order(self, text: str = "VOTE END\nPRESS All for one.\nEND", letters: str = "AB") -> None:
        for letter in letters:
            intake.submit(self.services, self.campaign, letter, text, source="web")

    def close(self) -> None:
        deadlines.close_early(self.services, self.campaign)
        tick(self.services)
        self.look()

    def correct(self, reason: str = ODD) -> None:
        """Something small, wherever the game stands."""
        state = lookups.state(self.services, self.campaign)
        owner = next(letter for letter in "ABCDE" if state.position.box(letter).pm)
        other = next(letter for letter in "ABCDE" if letter != owner)
        lines = [f"MOVE PM FROM {owner} TO {other}"]
        corrections.correct(self.services, self.campaign, lines, reason=reason, insist=True)
        self.look()

    def back(self, turn: int, phase: str, printed: bool = True, keep: bool = False) -> None:
        rollback.rollback(self.services, self.campaign, turn, phase, ODD, keep_orders=keep)
        self.look()
        if printed:
            tick(self.services)
            self.look()

    def finish(self) -> None:
        creation.finish(self.services, self.campaign, "enough, enough")
        self.look()
        tick(self.services)
        self.look()

    def wait(self, **spans: float) -> None:
        self.clock.advance(**spans)
        tick(self.services)
        self.look()

    def moved(self) -> House:
        """The same campaign in another installation."""
        target = self.folder / f"moving-{next(self.looks)}"
        archive.export(self.services, self.campaign, target)
        there = self.folder / "there"
        there.mkdir(exist_ok=True)
        url = f"sqlite:///{there}/{next(self.looks)}.sqlite"
        settings = settings_for(url, beacon_url=self.beacon.address)
        other = installed(settings, clock=self.clock, renderer=self.services.renderer, wake=no_wake)
        campaign = importing.import_archive(other, target)
        return House(other, self.clock, self.beacon, there, campaign, self.looks)


def rolled_back(house: House) -> None:
    house.begin()
    house.order()
    house.close()
    house.order()
    house.close()
    house.back(1, "first")
    house.order()
    house.close()
    house.back(1, "first", keep=True)
    house.close()
    house.back(1, "second", printed=False)
    house.back(1, "first", printed=False, keep=True)
    tick(house.services)
    house.close()


def the_deal_rolled_back_twice(house: House) -> None:
    house.begin()
    house.back(0, "pregame", printed=False)
    house.back(0, "setup")
    house.back(0, "setup")
    house.close()
    with house.services.store.read() as session:
        deals = [row for row in phases.history(session, house.campaign) if row.phase == "setup"]
        hashes = [phases.dice(session, phases.key_of(row)).commitment for row in deals]
        texts = "".join(paper.bell(session, house.campaign, n).text for n in (2, 4))  # type: ignore[union-attr]
    assert [value in texts for value in hashes] == [False, True, True], "an erratum prints the hash of its deal"


def corrected_and_ended(house: House) -> None:
    house.begin()
    house.close()
    house.correct()
    house.correct("once more")
    house.finish()


def corrected_rolled_back_and_ended(house: House) -> None:
    house.begin()
    house.close()
    house.correct()
    house.back(1, "first", printed=False)
    house.finish()
    house.back(0, "pregame")
    house.close()
    house.correct()
    house.close()
    house.finish()


def corrected_and_played(house: House) -> None:
    house.begin()
    house.correct()
    house.close()
    house.correct()
    house.order()
    house.close()
    house.back(1, "first")
    house.correct()
    house.close()


def a_draft_corrected(house: House) -> None:
    house.begin(publish="manual")
    publish(house)
    house.order()
    house.close()
    house.correct()
    publish(house)
    house.close()
    house.correct()
    house.back(1, "first")
    publish(house)
    house.close()
    house.correct()
    house.finish()
    publish(house)


def publish(house: House) -> None:
    if lookups.state(house.services, house.campaign).phase_state in ("adjudicated", "pending"):
        publishing.publish(house.services, house.campaign, "GM")
    house.look()


def ended_at_once_after_a_rollback(house: House) -> None:
    house.begin()
    house.close()
    house.close()
    house.back(1, "first", printed=False)
    house.finish()
    house.back(0, "pregame", printed=False)
    house.finish()


def ended_before_the_game(house: House) -> None:
    house.begin()
    house.finish()
    house.back(0, "setup")
    house.finish()


def people_come_and_go(house: House) -> None:
    house.begin(nmr="standin")
    services, campaign = house.services, house.campaign
    holders.replace(services, campaign, "B", NewPlayer("Berta", "berta@players.test"), reason="moved house")
    house.look()
    holders.remove(services, campaign, "C", "silent")
    house.look()
    holders.set_standin(services, campaign, "D", True, style="fanatic")
    house.look()
    house.order(letters="A")
    house.close()
    holders.resign(services, campaign, "E")
    house.close()
    house.back(1, "first")
    house.close()
    holders.leave_to_standin(services, campaign, "A")
    house.close()


def paused_and_extended(house: House) -> None:
    house.begin()
    deadlines.pause(house.services, house.campaign, "holidays")
    house.look()
    house.wait(days=3)
    deadlines.resume(house.services, house.campaign)
    house.look()
    deadlines.extend(house.services, house.campaign, hours=24)
    house.look()
    house.wait(days=30)
    deadlines.pause(house.services, house.campaign)
    house.finish()


def options_changed(house: House) -> None:
    house.begin(masses=True, victory="key-areas", deal="three-pots", last_turn=1)
    change_options.change(house.services, house.campaign, {"first_days": 2, "nmr": "standin"})
    house.look()
    for _ in range(3):
        house.close()
    assert lookups.state(house.services, house.campaign).status == "finished"
    house.back(1, "second")


def on_its_own_board(house: House) -> None:
    house.campaign = creation.create(
        house.services, name="Own", players=FIVE, gm_name="G", gm_address="g@x.test", pack=FILES
    )
    house.look()
    creation.deal(house.services, house.campaign, force=True)
    tick(house.services)
    house.close()
    house.correct()
    house.close()
    house.moved().look()


def invited(house: House) -> None:
    services = house.services
    house.campaign = creation.create(services, name="New", players=FIVE, gm_name="G", gm_address="g@x.test")
    house.look()
    creation.accept(services, house.campaign, "A")
    creation.decline(services, house.campaign, "B")
    house.look()
    house.moved().look()


def moved_about(house: House) -> None:
    house.begin()
    house.order()
    house.close()
    house.correct()
    house.order(letters="ABC")
    there = house.moved()
    there.look()
    deadlines.resume(there.services, there.campaign)
    there.look()
    tick(there.services)
    there.look()
    there.close()
    further = there.moved()
    deadlines.resume(further.services, further.campaign)
    tick(further.services)
    further.close()
    further.back(1, "first")
    further.finish()
    further.moved().look()


def with_a_beacon(house: House) -> None:
    services = house.services
    house.campaign = creation.create(
        services,
        name="Beacon",
        players=FIVE,
        gm_name="G",
        gm_address="g@x.test",
        options={"beacon": True, "publish": "auto", "grace_hours": 0},
    )
    creation.deal(services, house.campaign, force=True)
    tick(services)
    house.look()
    house.wait(minutes=11)
    house.order()
    house.close()
    house.back(0, "pregame")  # sealed, and it waited for its round
    house.order()
    house.close()
    house.beacon.away = True
    house.wait(days=30)
    rounds.go_on_without(services, house.campaign, ODD)
    tick(services)
    house.look()
    house.beacon.away = False
    house.order()
    house.close()
    house.finish()  # while it waited
    house.back(0, "setup")
    house.back(0, "setup")  # while the deal waited
    house.wait(minutes=11)
    assert lookups.state(services, house.campaign).phase == "pregame"
    there = house.moved()
    deadlines.resume(there.services, there.campaign)
    there.wait(minutes=1)
    there.close()
    there.wait(days=30)


def all_accept(house: House, **options: object) -> None:
    """The last one's answer seals the deal; no worker has looked yet."""
    options = {"publish": "auto", "grace_hours": 0, **options}
    house.campaign = creation.create(
        house.services, name="New", players=FIVE, gm_name="G", gm_address="g@x.test", options=options
    )
    for letter in "ABCDE":
        creation.accept(house.services, house.campaign, letter)
    house.look()


def sealed_and_ended(house: House) -> None:
    all_accept(house)
    house.moved().look()
    house.finish()


def sealed_and_rolled_back(house: House) -> None:
    house.begin()
    house.order()
    deadlines.close_early(house.services, house.campaign)
    house.look()
    there = house.moved()
    house.back(0, "pregame")
    house.close()
    house.order()
    deadlines.close_early(house.services, house.campaign)
    house.finish()
    deadlines.resume(there.services, there.campaign)
    tick(there.services)
    there.look()


def the_deal_rolled_back_before_its_round(house: House) -> None:
    all_accept(house, beacon=True)
    house.back(0, "setup")
    house.wait(minutes=11)
    house.moved().look()
    house.back(0, "setup")
    house.back(0, "setup", printed=False)
    house.finish()


def alone(house: House) -> None:
    house.campaign = solitaire.begin(house.services, ANNA, name="Alone", actor="R", contested=True)
    for _ in range(5):
        house.look()
        solitaire.play(house.services, house.campaign, "", source="web")
    house.look()
    rollback.rollback(house.services, house.campaign, 1, "first", ODD, actor="keeper")
    house.look()
    tick(house.services)
    house.look()
    house.moved().look()


def against_four(house: House) -> None:
    house.campaign = against_standins.begin(house.services, ANNA, name="Four", commanders=0, actor="A")
    house.look()
    against_standins.play(house.services, house.campaign, "A", "", source="web")
    house.look()


def quoted(house: House) -> None:
    """Players may quote whatever they find in the public archive: hashes and secrets of Phases that are void, too."""
    house.begin()
    house.close()
    house.back(1, "first")
    with house.services.store.read() as session:
        rows = phases.history(session, house.campaign)
        dice = [phases.dice(session, phases.key_of(row)) for row in rows]
        found = [value for row in dice[:-1] for value in (row.secret, row.commitment)]
        lines = "\n".join(
            f"A receipt {value}\nsecret {value}\n  B   {value}" for value in (*found, dice[-1].commitment)
        )
    house.order(f"PRESS\nsecret {found[-2]}\nnext commitment {found[-1]}\n{lines}\n== FAIR PLAY ====\nEND", "A")
    house.close()
    house.close()


SCENES: list[Callable[[House], None]] = [
    rolled_back,
    the_deal_rolled_back_twice,
    corrected_and_ended,
    corrected_rolled_back_and_ended,
    corrected_and_played,
    a_draft_corrected,
    ended_at_once_after_a_rollback,
    ended_before_the_game,
    people_come_and_go,
    paused_and_extended,
    options_changed,
    on_its_own_board,
    invited,
    moved_about,
    with_a_beacon,
    sealed_and_ended,
    sealed_and_rolled_back,
    the_deal_rolled_back_before_its_round,
    alone,
    against_four,
    quoted,
]


@pytest.mark.parametrize("renderer", [PlainRenderer(), QuickNewsroom()], ids=["plain", "printed"])
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_the_archive_verifies_after_every_kind_of_event(
    sqlite_url: str, clock: FakeClock, tmp_path: Path, scene: Callable[[House], None], renderer: Renderer
) -> None:
    with own_beacon(clock.now) as beacon:
        settings = settings_for(sqlite_url, beacon_url=beacon.address)
        services = installed(settings, clock=clock, renderer=renderer, wake=no_wake)
        house = House(services, clock, beacon, tmp_path / "looks")
        scene(house)
        site.write_site(services, house.campaign, tmp_path / "site")
        verdict = verify(importing.read_files(tmp_path / "site"))
        assert verdict.ok, verdict.findings
        services.close()
