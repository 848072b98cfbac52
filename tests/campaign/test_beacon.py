"""Dice with a public beacon: a round that nobody knows yet is printed before the orders, and mixed in after them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from gm.campaign.beacon import rounds
from gm.campaign.beacon.http import HttpBeacon
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import outbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.phase import intake, rollback
from gm.campaign.reads import lookups
from gm.campaign.services import Services, no_wake
from gm.cli import main
from gm.errors import Invalid, NotNow
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.beacon import DRAND, NOTICE, BeaconRound, chain_from, is_genuine
from gm.reports.proof.fairness import dump, receipt_of
from gm.reports.proof.own_copy import compare_copy, find_digest
from gm.reports.proof.verify import MANIFEST, ArchiveVerdict, manifest_of, verify
from gm.store.repositories import phases
from tests.beacon_server import OwnBeacon, own_beacon
from tests.campaign_fixtures import FIVE, FakeClock, installed, settings_for, tick

Files = dict[str, bytes]


@pytest.fixture
def beacon(clock: FakeClock) -> Iterator[OwnBeacon]:
    with own_beacon(clock.now) as server:
        yield server


def in_house(url: str, clock: FakeClock, beacon: OwnBeacon) -> Iterator[Services]:
    made = installed(settings_for(url, beacon_url=beacon.address), clock=clock, renderer=PlainRenderer(), wake=no_wake)
    yield made
    made.close()


@pytest.fixture
def house(sqlite_url: str, clock: FakeClock, beacon: OwnBeacon) -> Iterator[Services]:
    yield from in_house(sqlite_url, clock, beacon)


@pytest.fixture
def either_house(store_url: str, clock: FakeClock, beacon: OwnBeacon) -> Iterator[Services]:
    yield from in_house(store_url, clock, beacon)


def begin(services: Services, **options: object) -> str:
    return creation.create(
        services,
        name="Beacon",
        players=FIVE,
        gm_name="Gregor",
        gm_address="g@players.test",
        options={"beacon": True, "publish": "auto", **options},
    )


def dealt(services: Services, clock: FakeClock, **options: object) -> str:
    campaign = begin(services, **options)
    creation.deal(services, campaign, force=True)
    tick(services)
    assert lookups.state(services, campaign).phase_state == "sealed", "the deal waits for its round"
    clock.advance(minutes=11)
    tick(services)
    assert lookups.state(services, campaign).phase == "pregame"
    return campaign


def past_the_deadline(services: Services, clock: FakeClock, campaign: str) -> None:
    deadline = lookups.state(services, campaign).deadline
    assert deadline is not None
    for minutes in (1, 31):  # sealed, and the round is out
        clock.set(deadline + timedelta(minutes=minutes))
        tick(services)


def checked(services: Services, campaign: str, folder: Path) -> tuple[Files, ArchiveVerdict]:
    archive.export(services, campaign, folder, public=True)
    files = importing.read_files(folder)
    return files, verify(files)


def last_judged(files: Files) -> tuple[str, dict[str, Any]]:
    path = max(path for path in files if path.startswith("phases/") and json.loads(files[path])["outcome"])
    return path, json.loads(files[path])


def test_a_round_of_drand_as_it_was_really_given_is_genuine_and_another_is_not() -> None:
    given = BeaconRound(
        657413,
        "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
        "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
    )
    assert is_genuine(DRAND, given)
    for wrong in ({"round": 657414}, {"randomness": "0" * 64}, {"signature": "00" * 48}, {"signature": "x"}):
        assert not is_genuine(DRAND, replace(given, **wrong))
    assert DRAND.round_at(DRAND.time_of(657413)) == 657413
    assert DRAND.round_at(DRAND.time_of(657413) + timedelta(seconds=1)) == 657414


def test_the_round_is_printed_before_it_exists_and_mixed_in_after_sealing(
    either_house: Services, clock: FakeClock, beacon: OwnBeacon, tmp_path: Path
) -> None:
    house = either_house
    campaign = dealt(house, clock, grace_hours=0, nmr="standin")
    opening, state = lookups.bell(house, campaign, 1), lookups.state(house, campaign)
    assert state.deadline is not None
    chain = HttpBeacon(beacon.address).chain()
    round = chain.round_at(state.deadline + timedelta(minutes=30))
    assert f"next round {round} of" in opening.text and chain.fingerprint in opening.text
    for letter in "ABCDE":
        intake.submit(house, campaign, letter, "GIVE 1 PM TO B" if letter != "B" else "", source="web")
    clock.advance(hours=1)
    deadlines.close_early(house, campaign)
    tick(house)
    assert lookups.state(house, campaign).phase_state == "sealed", "the orders are sealed, the round is not out"
    assert not any(path.endswith(f"/{round}") for path in beacon.asked)
    past_the_deadline(house, clock, campaign)
    past_the_deadline(house, clock, campaign)  # stand-ins write after the round of their Phase
    files, verdict = checked(house, campaign, tmp_path / "out")
    assert verdict.ok, verdict.findings
    assert verdict.judged_again == 3
    _, phase = last_judged(files)
    assert phase["dice"] == 3 and phase["beacon"]["round"] == phase["beacon"]["printed"] == phase["beacon_round"]
    assert {sealed["source"] for sealed in phase["orders"].values()} == {"standin"}
    assert any("the deal" in note or "no Bell could print it" in note for note in verdict.notes)
    told = [mail for mail in outbox.listing(house, campaign, limit=1000) if mail.kind == "round"]
    assert len(told) == 3 * 6, "the digest of what was sealed is mailed to all before the round is out"


def test_a_sheet_changed_after_the_round_is_out_is_not_what_was_mailed(
    house: Services, clock: FakeClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever keeps the server and plays knows the dice when the round is out: by then all have the digest."""
    campaign = dealt(house, clock, grace_hours=0, nmr="hold")
    intake.submit(house, campaign, "A", "VOTE END", source="web")
    intake.submit(house, campaign, "B", "VOTE END", source="web")
    deadlines.close_early(house, campaign)
    mail = next(m for m in outbox.listing(house, campaign, limit=1000) if m.kind == "round" and m.letter == "B")
    text = outbox.get(house, mail.id).text
    digest = re.findall(r"\b[0-9a-f]{64}\b", text)[0]
    with house.store.write() as session:
        row = next(row for row in phases.history(session, campaign) if row.state == "sealed")
        record = phases.dice(session, phases.key_of(row)).beacon
        assert record is not None and record["digest"] == digest
    for forge in (False, True):
        if forge:
            rollback.rollback(house, campaign, 0, "pregame", "once more", actor="keeper")
            tick(house)
            intake.submit(house, campaign, "A", "VOTE END", source="web")
            deadlines.close_early(house, campaign)
            with house.store.write() as session:
                row = next(row for row in phases.history(session, campaign) if row.state == "sealed")
                own = phases.sealed(session, phases.key_of(row))[0]
                own.text = own.counted = "VOTE CONTINUE"
                own.receipt = receipt_of(own.salt, own.text)
        past_the_deadline(house, clock, campaign)
        files, verdict = checked(house, campaign, tmp_path / f"out-{forge}")
        assert verdict.ok != forge, verdict.findings
        assert forge == any("whose digest was mailed" in str(finding) for finding in verdict.findings)
        if not forge:
            assert find_digest(files, digest) == "turn 0, pregame" and compare_copy(files, text).same
            assert find_digest(files, "0" * 64) == ""
            without = changed(files, lambda phase: phase.update(orders={}))
            assert find_digest(without, digest) == "", "a digest that no sheet of the archive has shows nothing"
            assert digest in files["bells/002.txt"].decode()
            for given, code in ((digest, 0), ("0" * 64, 1)):
                with pytest.raises(SystemExit) as end:
                    main(["verify", str(tmp_path / "out-False"), "--digest", given])
                assert (end.value.code or 0) == code, capsys.readouterr().out


def changed(files: Files, change: Callable[[dict[str, Any]], None]) -> Files:
    path, phase = last_judged(files)
    change(phase)
    made = {**files, path: dump(phase)}
    charter = json.loads(files[MANIFEST])
    return {**made, MANIFEST: manifest_of(made, charter["chain"], charter["campaign"])}


def forged(files: Files, change: Callable[[dict[str, Any]], None]) -> set[tuple[str, str]]:
    return {(finding.where, finding.check) for finding in verify(changed(files, change)).findings}


def test_a_forged_round_is_found_from_the_archive_alone(
    house: Services, clock: FakeClock, beacon: OwnBeacon, tmp_path: Path
) -> None:
    campaign = dealt(house, clock, grace_hours=0)
    past_the_deadline(house, clock, campaign)
    files, verdict = checked(house, campaign, tmp_path / "out")
    assert verdict.ok, verdict.findings
    path, phase = last_judged(files)
    chain = chain_from(json.loads(files["campaign.json"])["beacon"])
    later = HttpBeacon(beacon.address).value(chain, phase["beacon"]["round"] - 1)

    def another(record: dict[str, Any]) -> None:
        record["beacon"] |= {"round": later.round, "randomness": later.randomness, "signature": later.signature}

    assert (path, "beacon") in forged(files, another), "genuine, but not the one that was printed"
    assert (path, "beacon") in forged(files, lambda record: record["beacon"].update(randomness="0" * 64))
    assert (path, "beacon") in forged(files, lambda record: record["beacon"].update(signature=later.signature))
    assert (path, "beacon") in forged(files, lambda record: record.pop("beacon"))
    assert (path, "beacon") in forged(files, lambda record: record["beacon"].update(given_up="", printed=None))
    earlier = chain.round_at(datetime.fromisoformat(phase["opened_at"]) - timedelta(days=1))
    sealed_at, old = chain.time_of(earlier) - NOTICE, HttpBeacon(beacon.address).value(chain, earlier)

    def no_bell_could_print_it(record: dict[str, Any]) -> None:
        """An older round, genuine, with a time of sealing that fits it; dice and digest cast anew."""
        record["beacon"] = {"printed": None, "sealed_at": sealed_at.isoformat(), **asdict(old)}
        del record["beacon_round"]

    found = forged(files, no_bell_could_print_it)
    assert (path, "beacon") in found and (path, "bell") in found
    said = [f.detail for f in verify(changed(files, no_bell_could_print_it)).findings if f.check == "beacon"]
    assert (
        f"round None of the beacon did not stand in the Bell that opened it, but {phase['beacon']['printed']}" in said
    )
    assert "says that its orders were sealed before it opened or after its Bell" in said


def test_orders_sealed_after_the_printed_round_wait_for_a_later_one_that_is_mailed_before_it_is_out(
    house: Services, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = dealt(house, clock, grace_hours=12)
    past_the_deadline(house, clock, campaign)
    assert lookups.state(house, campaign).phase_state == "grace"
    clock.advance(hours=12)
    tick(house)
    mail = outbox.listing(house, campaign)[0]
    assert mail.kind == "round" and "before it is out" in mail.text
    assert lookups.state(house, campaign).phase_state == "sealed"
    clock.advance(minutes=11)
    tick(house)
    assert lookups.state(house, campaign).phase == "first"
    _, verdict = checked(house, campaign, tmp_path / "out")
    assert verdict.ok, verdict.findings
    assert any("was out before the orders were sealed" in note for note in verdict.notes)


def test_a_beacon_that_is_away_is_waited_for_then_the_gamesmaster_decides_and_it_is_printed(
    house: Services, clock: FakeClock, beacon: OwnBeacon, tmp_path: Path
) -> None:
    campaign = dealt(house, clock, grace_hours=0)
    beacon.away = True
    past_the_deadline(house, clock, campaign)
    with pytest.raises(NotNow, match="for an hour"):
        rounds.go_on_without(house, campaign, "no network")
    for _ in range(6):
        clock.advance(minutes=20)
        tick(house)
    told = [mail for mail in outbox.listing(house, campaign, limit=1000) if mail.kind == "beacon_away"]
    assert [mail.letter for mail in told] == ["GM"]
    assert lookups.state(house, campaign).phase_state == "sealed"
    with pytest.raises(Invalid):
        rounds.go_on_without(house, campaign, " ")
    rounds.go_on_without(house, campaign, "no network since noon")
    tick(house)
    bell = lookups.bell(house, campaign, 2)
    assert "cast without round" in bell.text and "no network since noon" in bell.text
    files, verdict = checked(house, campaign, tmp_path / "out")
    assert verdict.ok, verdict.findings
    assert any("cast without round" in note for note in verdict.notes)
    assert last_judged(files)[1]["dice"] == 2


def test_a_beacon_that_comes_back_is_asked_again_and_a_forged_answer_is_not_taken(
    house: Services, clock: FakeClock, beacon: OwnBeacon
) -> None:
    campaign = dealt(house, clock, grace_hours=0)
    beacon.forged = True
    past_the_deadline(house, clock, campaign)
    assert lookups.state(house, campaign).phase_state == "sealed"
    beacon.forged = False
    clock.advance(minutes=2)
    tick(house)
    assert lookups.state(house, campaign).phase == "first"


def test_sending_the_same_orders_again_changes_no_die_with_a_beacon_either(
    house: Services, clock: FakeClock, tmp_path: Path
) -> None:
    sheets = []
    for name, times in (("once", 1), ("often", 3)):
        campaign = dealt(house, clock, grace_hours=0)
        for n in range(times):
            intake.submit(house, campaign, "A", f"GIVE 1 PM TO B\n# try {n}", source="web")
        past_the_deadline(house, clock, campaign)
        _, phase = last_judged(checked(house, campaign, tmp_path / name)[0])
        sheets.append((phase["orders"]["A"]["counted"], phase["orders"]["A"]["version"]))
    assert sheets == [("GIVE 1 PM TO B", 1), ("GIVE 1 PM TO B", 3)], "what is hashed is the same, however often"


def test_an_address_that_is_no_beacon_is_refused(sqlite_url: str, clock: FakeClock, beacon: OwnBeacon) -> None:
    beacon.away = True
    services = installed(settings_for(sqlite_url, beacon_url=beacon.address), clock=clock, renderer=PlainRenderer())
    with pytest.raises(Invalid, match="no beacon that can be used"):
        begin(services)
    services.close()


def test_the_option_counts_from_the_next_phase_on(house: Services, clock: FakeClock, tmp_path: Path) -> None:
    campaign = begin(house, beacon=False, grace_hours=0)
    creation.deal(house, campaign, force=True)
    tick(house)
    assert change_options.change(house, campaign, {"beacon": "yes"}) == {"beacon": (False, True)}
    deadlines.close_early(house, campaign)
    tick(house)
    assert "next round" in lookups.bell(house, campaign, 2).text, "this Phase ended as it began, without"
    past_the_deadline(house, clock, campaign)
    files, verdict = checked(house, campaign, tmp_path / "out")
    assert verdict.ok, verdict.findings
    dice = [json.loads(files[path])["dice"] for path in sorted(files) if path.startswith("phases/")]
    assert dice[:3] == [2, 2, 3]


def test_the_time_of_a_round_is_that_of_its_beacon() -> None:
    assert DRAND.time_of(1) == datetime.fromisoformat("2023-08-23T15:09:27+00:00")


def test_the_bell_as_it_is_really_printed_binds_its_rounds(
    sqlite_url: str, clock: FakeClock, beacon: OwnBeacon, tmp_path: Path
) -> None:
    services = installed(settings_for(sqlite_url, beacon_url=beacon.address), clock=clock, wake=no_wake)
    campaign = dealt(services, clock, grace_hours=0)
    past_the_deadline(services, clock, campaign)
    files, verdict = checked(services, campaign, tmp_path / "out")
    services.close()
    assert verdict.ok, verdict.findings
    assert any(check == "beacon" for _, check in forged(files, lambda record: record["beacon"].update(printed=None)))


def test_a_beacon_of_ones_own_is_never_called_drand() -> None:
    own = replace(DRAND, address="drand", genesis_time=1)
    assert own.name == "the beacon at drand" and DRAND.name == "drand"
    for address in ("http://x\ny", "x" * 1000):
        with pytest.raises(ValueError, match="address"):
            chain_from({**asdict(DRAND), "address": address})


def test_press_about_a_round_does_not_stand_for_one_that_was_announced(
    sqlite_url: str, clock: FakeClock, beacon: OwnBeacon, tmp_path: Path
) -> None:
    services = installed(settings_for(sqlite_url, beacon_url=beacon.address), clock=clock, wake=no_wake)
    campaign = begin(services, beacon=False, grace_hours=0)
    creation.deal(services, campaign, force=True)
    tick(services)
    key = HttpBeacon(beacon.address).chain().fingerprint
    intake.submit(
        services, campaign, "B", f"PRESS: I read that round 7 of the beacon with the key {key} is due", source="web"
    )
    deadlines.close_early(services, campaign)
    tick(services)
    assert key in lookups.bell(services, campaign, 2).text
    change_options.change(services, campaign, {"beacon": "yes"})
    for _ in range(2):
        past_the_deadline(services, clock, campaign)
    _, verdict = checked(services, campaign, tmp_path / "out")
    services.close()
    assert verdict.ok, verdict.findings


def charter_changed(files: Files, change: Callable[[dict[str, Any]], object]) -> ArchiveVerdict:
    charter, manifest = json.loads(files["campaign.json"]), json.loads(files[MANIFEST])
    change(charter)
    made = {**files, "campaign.json": dump(charter)}
    return verify({**made, MANIFEST: manifest_of(made, manifest["chain"], manifest["campaign"])})


def test_the_beacon_of_an_archive_is_the_one_that_its_issues_name(
    house: Services, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = dealt(house, clock, grace_hours=0)
    past_the_deadline(house, clock, campaign)
    files, verdict = checked(house, campaign, tmp_path / "out")
    assert verdict.ok and not any("no issue announced" in note for note in verdict.notes)
    elsewhere = charter_changed(files, lambda charter: charter["beacon"].update(address=DRAND.address))
    assert [found.check for found in elsewhere.findings] == ["beacon"], "its address would pass for drand's"
    assert not charter_changed(files, lambda charter: charter["beacon"].update(extra="x")).ok
    assert not charter_changed(files, lambda charter: charter["beacon"].update(address="file:///dev/ptmx#")).ok


def test_a_beacon_that_no_issue_announced_is_named(house: Services, tmp_path: Path) -> None:
    campaign = begin(house, beacon=False, grace_hours=0)
    creation.deal(house, campaign, force=True)
    tick(house)
    files, verdict = checked(house, campaign, tmp_path / "out")
    assert verdict.ok, verdict.findings
    claimed = charter_changed(files, lambda charter: charter.update(beacon=asdict(DRAND)))
    assert any("of which no issue announced a round" in note for note in claimed.notes)


@pytest.mark.parametrize("address", ["file:///etc/hostname#", "file:///dev/ptmx#", "ftp://localhost/x", "data:,{}#"])
def test_a_beacon_is_asked_over_the_web_and_nowhere_else(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        chain_from({**asdict(DRAND), "address": address})
    with pytest.raises(NotNow, match="cannot be had"):
        HttpBeacon(address).value(replace(DRAND, address=address), 7)


def test_an_answer_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.campaign.beacon.http.LONGEST", 0.5)
    done = Event()

    class Drip(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not done.wait(0.1):
                self.wfile.write(b" ")

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Drip) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        with pytest.raises(NotNow, match="no answer within"):
            HttpBeacon(address).value(replace(DRAND, address=address), 7)
        done.set()
        server.shutdown()


def test_whoever_takes_over_a_campaign_is_told_whom_its_dice_are_asked_of(
    house: Services,
    clock: FakeClock,
    beacon: OwnBeacon,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    campaign = dealt(house, clock, grace_hours=0)
    creation.finish(house, campaign, "enough")
    tick(house)
    archive.export(house, campaign, tmp_path / "full")
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", house.settings.database_url)
    with pytest.raises(SystemExit):
        main(["import", str(tmp_path / "full"), "--id", "again"])
    said = capsys.readouterr().out
    assert "again is here, finished" in said and "paused" not in said
    assert f"its beacon is not drand: its dice will be asked of {beacon.address}" in " ".join(said.split())
