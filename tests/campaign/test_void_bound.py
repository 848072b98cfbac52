"""A Phase that became void before any issue reported it: the issue that says so binds what had come of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.export import archive, importing
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.phase import intake, rollback
from gm.campaign.reads import lookups
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.fairness import dump, void_digest
from gm.reports.proof.verify import MANIFEST, ArchiveVerdict, manifest_of, verify
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick

Files = dict[str, bytes]


@pytest.fixture(scope="module", params=["printed", "plain"])
def made(
    request: pytest.FixtureRequest, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Files, Files]:
    """A draft is rolled back, then an open Phase: before the issue that says so, and after it and the end."""
    folder = tmp_path_factory.mktemp("void")
    shutil.copy(sqlite_template, folder / "k.sqlite")
    renderer = PlainRenderer() if request.param == "plain" else None
    clock = FakeClock()
    services = installed(settings_for(f"sqlite:///{folder}/k.sqlite"), clock=clock, renderer=renderer)
    campaign = start(services, grace_hours=0)
    deadlines.close_early(services, campaign)
    tick(services)
    clock.advance(minutes=1)
    change_options.change(services, campaign, {"publish": "manual"})
    intake.submit(services, campaign, "A", "VOTE END", source="web")
    deadlines.close_early(services, campaign)
    tick(services)
    assert lookups.state(services, campaign).phase_state == "adjudicated"
    clock.advance(minutes=1)
    rollback.rollback(services, campaign, 1, "first", "the map was hung upside down")
    archive.export(services, campaign, folder / "before", public=True)
    tick(services)
    clock.advance(minutes=1)
    creation.finish(services, campaign, "enough")
    tick(services)
    archive.export(services, campaign, folder / "after", public=True)
    services.close()
    return importing.read_files(folder / "before"), importing.read_files(folder / "after")


def void(files: Files) -> list[str]:
    return [path for path in sorted(files) if path.startswith("phases/") and json.loads(files[path])["state"] == "void"]


def forged(files: Files, path: str, change: Callable[[dict[str, Any]], object]) -> ArchiveVerdict:
    phase, manifest = json.loads(files[path]), json.loads(files[MANIFEST])
    change(phase)
    changed = {**files, path: dump(phase)}
    return verify({**changed, MANIFEST: manifest_of(changed, manifest["chain"], manifest["campaign"])})


def never_judged(phase: dict[str, Any]) -> None:
    phase |= {"outcome": None, "orders_digest": None, "reading": None, "dice": None, "orders": {}}


def test_the_issue_that_makes_a_phase_void_prints_the_digest_of_its_record(made: tuple[Files, Files]) -> None:
    _, files = made
    verdict = verify(files)
    assert verdict.ok, verdict.findings
    assert not any("nothing binds" in note for note in verdict.notes), verdict.notes
    texts = "".join(content.decode() for path, content in files.items() if path.endswith(".txt"))
    assert len(void(files)) >= 2
    for path in void(files):
        assert void_digest(json.loads(files[path])) in texts


def test_dice_that_were_cast_and_came_to_nothing_cannot_be_hidden(made: tuple[Files, Files]) -> None:
    _, files = made
    judged = next(path for path in void(files) if json.loads(files[path])["outcome"])
    for change in (never_judged, lambda phase: phase.update(deadline=None), lambda phase: phase.update(erratum="x")):
        found = forged(files, judged, change).findings
        assert any("whose record is not in the archive as it was" in problem.detail for problem in found), found


def test_what_no_issue_binds_yet_is_told(made: tuple[Files, Files]) -> None:
    files, _ = made
    verdict = verify(files)
    assert verdict.ok, verdict.findings
    assert any("turn 1, first: void before any issue reported it, and nothing binds" in n for n in verdict.notes)


def test_a_void_phase_began_with_the_position_of_the_issue_that_opened_it(made: tuple[Files, Files]) -> None:
    for files in made:
        path = next(path for path in void(files) if json.loads(files[path])["opened_at"])

        def richer(phase: dict[str, Any]) -> None:
            phase["position"]["boxes"]["E"]["pm"] += 1

        found = forged(files, path, richer).findings
        assert any("does not begin with the position of issue" in problem.detail for problem in found), found
