"""`gm archive`: a campaign's issues as a site that opens from a disk and verifies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.campaign.export.site import write_book, write_site
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake
from gm.campaign.services import Services, no_wake
from gm.errors import Conflict, UserError
from gm.reports.proof.verify import MANIFEST, manifest_of, verify
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick
from tests.reports.pages import problems
from tests.support import chromium


@pytest.fixture
def printing(sqlite_url: str, clock: FakeClock) -> Iterator[Services]:
    """A service with the real press."""
    made = installed(settings_for(sqlite_url), clock=clock, wake=no_wake)
    yield made
    made.close()


@pytest.mark.slow
def test_the_site_of_a_campaign_is_whole_public_and_verifies(printing: Services, tmp_path: Path) -> None:
    campaign = start(printing)
    intake.submit(printing, campaign, "A", "GIVE 1 PM TO B\nPRESS All <for> one.\nEND", source="web")
    for _ in range(2):
        deadlines.close_early(printing, campaign)
        tick(printing)
    written = write_site(printing, campaign, tmp_path / "site", base="https://example.org/bell/")
    files = {
        p.relative_to(tmp_path / "site").as_posix(): p.read_bytes()
        for p in (tmp_path / "site").rglob("*")
        if p.is_file()
    }
    assert written == len(files)
    verdict = verify(files)
    assert verdict.ok, verdict.findings
    assert verdict.bells == 3
    assert not any(path.startswith("private/") for path in files)
    for path in ("index.html", "map.html", "bells/002.html"):
        assert problems(files[path].decode()) == []
    numbers = [line["number"] for line in json.loads(files["bells/index.json"])["bells"]]
    assert numbers == [1, 2, 3]
    assert b"example.org/bell" in files["feed.xml"]
    with pytest.raises(Conflict):
        write_site(printing, campaign, tmp_path / "site")
    assert b"All &lt;for&gt; one." in files["bells/002.html"]
    assert b"<svg" in files["bells/003.html"]
    for part in ("bells/002-mail.html", "bells/002.json"):
        assert forged(files, part) == {("bells/002.txt", "chain")}, "HTML and JSON are sealed as the text is"


@pytest.mark.slow
def test_a_campaign_is_bound_as_a_book(printing: Services, tmp_path: Path) -> None:
    campaign = start(printing)
    html = write_book(printing, campaign, tmp_path / "june", None)
    assert html == tmp_path / "june.html" and 'href="#issue-1"' in html.read_text("utf-8")
    browser = chromium()
    if browser:
        pdf = write_book(printing, campaign, tmp_path / "june", browser)
        assert pdf == tmp_path / "june.pdf" and pdf.read_bytes().startswith(b"%PDF")
    with pytest.raises(UserError):
        write_book(printing, "no-such", tmp_path / "x", None)


def forged(files: dict[str, bytes], path: str) -> set[tuple[str, str]]:
    """What is found when a file is changed, and the manifest with it."""
    changed = {**files, path: files[path].replace(b"for", b"far", 1)}
    assert changed != files
    charter = json.loads(files[MANIFEST])
    changed[MANIFEST] = manifest_of(changed, charter["chain"], charter["campaign"])
    return {(finding.where, finding.check) for finding in verify(changed).findings}


def test_there_is_no_site_of_a_campaign_that_is_not_there(sqlite_services: Services, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        write_site(sqlite_services, "nothing", tmp_path / "site")
    assert not (tmp_path / "site").exists()
