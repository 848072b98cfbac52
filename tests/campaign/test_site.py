"""`gm archive`: a campaign's issues as a site that opens from a disk and verifies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gm.board.load import standard_board
from gm.campaign import calendar, intake
from gm.campaign.services import Services
from gm.campaign.site import write_site
from gm.errors import Conflict, UserError
from gm.reports.verify import verify
from tests.campaign_fixtures import start, tick
from tests.reports.pages import problems


@pytest.mark.slow
def test_the_site_of_a_campaign_is_whole_public_and_verifies(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = start(sqlite_services)
    intake.submit(sqlite_services, campaign, "A", "GIVE 1 PM TO B\nPRESS All <for> one.\nEND", source="web")
    for _ in range(2):
        calendar.close_early(sqlite_services, campaign)
        tick(sqlite_services)
    written = write_site(sqlite_services, campaign, tmp_path / "site", base="https://example.org/bell/")
    files = {
        p.relative_to(tmp_path / "site").as_posix(): p.read_bytes()
        for p in (tmp_path / "site").rglob("*")
        if p.is_file()
    }
    assert written == len(files)
    verdict = verify(standard_board(), files)
    assert verdict.ok, verdict.findings
    assert verdict.bells == 3
    assert not any(path.startswith("private/") for path in files)
    for path in ("index.html", "map.html", "bells/002.html"):
        assert problems(files[path].decode()) == []
    numbers = [line["number"] for line in json.loads(files["bells/index.json"])["bells"]]
    assert numbers == [1, 2, 3]
    assert b"example.org/bell" in files["feed.xml"]
    with pytest.raises(Conflict):
        write_site(sqlite_services, campaign, tmp_path / "site")


def test_there_is_no_site_of_a_campaign_that_is_not_there(sqlite_services: Services, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        write_site(sqlite_services, "nothing", tmp_path / "site")
    assert not (tmp_path / "site").exists()
