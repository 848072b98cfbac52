"""Campaigns judged by an earlier version of the reading still verify, move house and play on."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gm import backup
from gm.adjudicator.versions import ALONE, BEACON_DICE, DICE, READING
from gm.campaign.export import archive, importing
from gm.campaign.manage import deadlines
from gm.campaign.reads import lookups
from gm.campaign.services import Services, no_wake
from gm.cli import main
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.fairness import dump
from gm.reports.proof.verify import MANIFEST, ProofFinding, manifest_of, verify
from gm.standin.record import STANDIN
from tests.campaign_fixtures import FakeClock, installed, settings_for, tick
from tests.ops.make_masses import MASSES
from tests.ops.make_reading import DATA

Files = dict[str, bytes]
READINGS = sorted(int(path.stem.removeprefix("reading-")) for path in DATA.glob("reading-*.zip"))
LATER = FakeClock(datetime(2027, 1, 1, tzinfo=UTC))


@pytest.fixture(scope="module", params=[(n, c) for n in READINGS for c in ("dealt", "bell-1976")])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """The version of the reading, and the folder of an archive that was made by it."""
    reading, campaign = request.param
    folder = tmp_path_factory.mktemp(f"reading-{reading}")
    with zipfile.ZipFile(DATA / f"reading-{reading}.zip") as box:
        box.extractall(folder, [name for name in box.namelist() if name.startswith(f"{campaign}/")])
    return reading, folder / campaign


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Services]:
    (tmp_path / "house").mkdir()
    url = f"sqlite:///{tmp_path}/house/kolokol.sqlite"
    services = installed(settings_for(url), clock=LATER, wake=no_wake, renderer=PlainRenderer())
    yield services
    services.close()


def phases_of(files: Files) -> list[dict[str, Any]]:
    return [json.loads(files[path]) for path in sorted(files) if path.startswith("phases/")]


def test_there_is_an_archive_of_every_earlier_reading() -> None:
    assert set(range(1, READING)) <= set(READINGS)


def test_an_archive_of_an_earlier_reading_verifies_and_it_is_said_how(
    kept: tuple[int, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    reading, folder = kept
    with pytest.raises(SystemExit) as end:
        main(["verify", str(folder)])
    said = capsys.readouterr().out
    assert end.value.code == 0, said
    assert said.startswith("all is well" if reading == READING else "nothing is wrong, but"), said
    judged = sum(phase["outcome"] is not None for phase in phases_of(importing.read_files(folder)))
    assert judged >= 2
    how = "judged again" if reading == READING else "not judged again"
    assert f"{judged} Phases of reading {reading} {how}" in " ".join(said.split())


def test_an_archive_of_a_game_for_one_person_that_was_judged_otherwise_verifies_by_its_record(tmp_path: Path) -> None:
    """In reading 2 Trotsky's fall in Red's attack and Lenin's in the next of the Whites closed two determinations."""
    with zipfile.ZipFile(DATA / "alone-2.zip") as box:
        box.extractall(tmp_path)
    files = importing.read_files(tmp_path)
    verdict = verify(files)
    assert verdict.ok, verdict.findings
    assert (verdict.judged_again, dict(verdict.replayed)) == (0, {2: 4})
    forged: dict[str, dict[str, Any]] = {}
    for path in (path for path in files if path.startswith("phases/")):
        phase = json.loads(files[path])
        forged[path] = {**phase, "reading": ALONE if phase["outcome"] else None}
    found = verify({**files, **{path: dump(phase) for path, phase in forged.items()}}).findings
    assert any(f.check == "outcome" and "something else" in f.detail for f in found), "it is judged otherwise now"


def forged(files: Files, change: Callable[[dict[str, Any]], None]) -> tuple[ProofFinding, ...]:
    """What is found when the last judged Phase is changed, the manifest with it, and it is said to be of no known
    reading, so that nobody can judge it again; beside that its Bell says otherwise."""
    path = max(path for path in files if path.startswith("phases/") and json.loads(files[path])["outcome"])
    phase = json.loads(files[path])
    phase["reading"] = READING + 1
    change(phase)
    changed = {**files, path: dump(phase)}
    manifest = json.loads(files[MANIFEST])
    changed[MANIFEST] = manifest_of(changed, manifest["chain"], manifest["campaign"])
    findings = verify(changed).findings
    assert any(found.check in ("bell", "version") for found in findings), "another reading than its Bell says"
    unknown = f"reading {READING + 1}, which is not known here"
    assert phase["reading"] != READING + 1 or any(unknown in found.detail for found in findings)
    return tuple(found for found in findings if found.check not in ("bell", "reading"))


def first(items: list[dict[str, Any]], what: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    return next(item for item in items if what(item))


def change_a_die(phase: dict[str, Any]) -> None:
    roll = first(phase["outcome"]["rolls"], lambda roll: roll["dice"])
    roll["dice"] = [die % 6 + 1 for die in roll["dice"]]


def change_a_draw(phase: dict[str, Any]) -> None:
    roll = first(phase["outcome"]["rolls"], lambda roll: roll["occasion"].startswith("randomizer/"))
    event = first(phase["outcome"]["events"], lambda event: event.get("chit") == roll["drawn"])
    roll["drawn"] = event["chit"] = "AM" if roll["drawn"] != "AM" else "UK control"


def change_what_was_drawn_from(phase: dict[str, Any]) -> None:
    first(phase["outcome"]["rolls"], lambda roll: roll["drawn"])["options"].append("PM")


def leave_out_a_roll(phase: dict[str, Any]) -> None:
    phase["outcome"]["rolls"].remove(first(phase["outcome"]["rolls"], lambda roll: roll["dice"]))


def leave_out_an_event(phase: dict[str, Any]) -> None:
    phase["outcome"]["events"].pop()  # the end of the Phase


def begin_elsewhere(phase: dict[str, Any]) -> None:
    phase["outcome"]["before"]["position"]["turn"] += 1


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda phase: None, None),
        (change_a_die, "dice"),
        (change_a_draw, "dice"),
        (leave_out_a_roll, "dice"),
        (leave_out_an_event, "outcome"),
        (begin_elsewhere, "outcome"),
        (lambda phase: phase.update(reading="first"), "version"),
        (lambda phase: phase.update(dice=BEACON_DICE + 1), "dice"),
    ],
)
def test_a_phase_that_cannot_be_judged_again_is_checked_by_its_record(
    kept: tuple[int, Path], change: Callable[[dict[str, Any]], None], check: str | None
) -> None:
    found = {finding.check for finding in forged(importing.read_files(kept[1]), change)}
    assert (check in found) if check else not found


def test_a_phase_that_could_be_judged_again_cannot_say_otherwise(kept: tuple[int, Path]) -> None:
    """Another reading, or dice of before, would let its results be taken from its record alone."""
    files = importing.read_files(kept[1])
    for claim in ({"reading": 99}, {"reading": 2, "dice": 1}, {"reading": 1, "dice": 2}, {"reading": 1, "dice": 3}):
        found = [str(finding) for finding in forged_findings(files, claim)]
        assert any("reading" in line or "dice of" in line for line in found), (claim, found)


def forged_findings(files: Files, claim: dict[str, int]) -> tuple[ProofFinding, ...]:
    """As if the issues said so too: what they print of versions is left out."""
    changed = dict(files)
    for path in files:
        data = json.loads(files[path]) if path.startswith(("phases/", "bells/")) and path.endswith(".json") else {}
        if path == max(path for path in files if path.startswith("phases/") and json.loads(files[path])["outcome"]):
            data.update(claim)
        elif "proof" not in data.get("bell", data):
            continue
        else:
            for name in ("reading", "dice"):
                data.get("bell", data)["proof"].pop(name, None)
        changed[path] = dump(data)
    manifest = json.loads(files[MANIFEST])
    changed[MANIFEST] = manifest_of(changed, manifest["chain"], manifest["campaign"])
    kept = ("chain", "bell", "index")
    return tuple(found for found in verify(changed).findings if found.check not in kept)


def test_an_archive_of_an_earlier_reading_moves_here_and_plays_on_by_the_present_one(
    kept: tuple[int, Path], house: Services, tmp_path: Path
) -> None:
    reading, folder = kept
    before = phases_of(importing.read_files(folder))
    campaign = importing.import_archive(house, folder)
    play_on(house, campaign, tmp_path / "again", [reading] * sum(phase["outcome"] is not None for phase in before))


@pytest.mark.parametrize("reading", READINGS)
def test_a_database_of_an_earlier_reading_is_upgraded_and_plays_on(reading: int, tmp_path: Path) -> None:
    """On SQLite; the same on PostgreSQL is tested with the first schema."""
    (tmp_path / "house").mkdir()
    settings = settings_for(f"sqlite:///{tmp_path}/house/kolokol.sqlite")
    backup.restore(settings, DATA / f"reading-{reading}.backup")
    services = installed(settings, clock=LATER, wake=no_wake, renderer=PlainRenderer())
    try:
        for line in lookups.overview(services):
            deadlines.pause(services, line.id)
            judged = len(judged_phases(services, line.id, tmp_path / f"{line.id}-before"))
            play_on(services, line.id, tmp_path / line.id, [reading] * judged)
    finally:
        services.close()


def judged_phases(services: Services, campaign: str, folder: Path) -> list[dict[str, Any]]:
    archive.export(services, campaign, folder, public=True)
    return [phase for phase in phases_of(importing.read_files(folder)) if phase["outcome"]]


def play_on(services: Services, campaign: str, folder: Path, readings: list[int]) -> None:
    deadlines.resume(services, campaign)
    tick(services)  # the notice of a campaign that moved
    deadlines.close_early(services, campaign)
    tick(services)
    found = judged_phases(services, campaign, folder)
    assert [phase["reading"] for phase in found] == [*readings, READING]
    assert found[-1]["dice"] == DICE
    assert all(phase["dice"] == (2 if "counted" in next(iter(phase["orders"].values())) else 1) for phase in found)
    verdict = verify(importing.read_files(folder))
    assert verdict.ok, verdict.findings
    assert verdict.judged_again == sum(phase["reading"] == READING for phase in found)
    assert not forged(importing.read_files(folder), lambda phase: None), "a later version can check it by its record"
    if any(roll["drawn"] for roll in found[-1]["outcome"]["rolls"]):
        wrong = forged(importing.read_files(folder), change_what_was_drawn_from)
        assert any("drawn from" in finding.detail for finding in wrong)


def test_an_archive_of_the_shorter_game_from_before_its_stand_ins_knew_it_verifies_and_plays_on(
    house: Services, tmp_path: Path
) -> None:
    """What they ordered then is written again as then; from now on they order no subversion and answer no Purge."""
    with zipfile.ZipFile(MASSES) as box:
        box.extractall(tmp_path / "before")
    files = importing.read_files(tmp_path / "before")
    before = verify(files)
    assert before.ok and before.judged_again == 6, before.findings
    assert "SUBVERT" in standins_sheets(files)[1]
    campaign = importing.import_archive(house, tmp_path / "before")
    play_on(house, campaign, tmp_path / "again", [READING] * 6)
    files = importing.read_files(tmp_path / "again")
    sheets = standins_sheets(files)
    assert sorted(sheets) == [1, STANDIN]
    assert "PURGE" in sheets[1] and not re.search("SUBVERT|PURGE|COMPLY", sheets[STANDIN])
    changed = {path: content.replace(b'"standin": 1', b'"standin": 2') for path, content in files.items()}
    assert any(found.check == "stand-in" for found in verify(changed).findings)


def standins_sheets(files: Files) -> dict[int, str]:
    """All that stand-ins ordered, by their version."""
    found: dict[int, str] = {}
    for phase in phases_of(files):
        for sealed in phase["orders"].values():
            if sealed["source"] == "standin":
                found[sealed["standin"]] = found.get(sealed["standin"], "") + sealed["text"]
    return found
