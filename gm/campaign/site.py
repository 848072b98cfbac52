"""The public archive of a campaign as a site of plain files: what `gm export --public` writes, with pages around it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.orm import Session

from gm.campaign.archive import Progress, must_be_empty, public_files, write
from gm.campaign.services import Services
from gm.campaign.work import no_campaign
from gm.reports.archive import Archived, site
from gm.reports.verify import MANIFEST, manifest_of
from gm.store.repositories import campaigns, paper


def write_site(
    services: Services, campaign: str, folder: Path, base: str = "", progress: Progress | None = None
) -> int:
    """Write it into a folder that is empty or not there yet; `gm verify` checks it. Gives the number of files."""
    must_be_empty(folder)
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        issues = _issues(session, campaign)
        facts = {path: content for path, content in public_files(session, row) if not path.endswith(".html")}
        name, chain, dice_name, paper_name = row.name, row.chain, row.dice_name, row.paper
    # The pages take the place of the mails; texts, JSON and the index are those of the export.
    files = {**site(services.board, name, issues, paper=paper_name, base=base), **facts}
    files[MANIFEST] = manifest_of(files, chain, dice_name)
    return write(folder, files, progress)


def _issues(session: Session, campaign: str) -> list[Archived]:
    found = []
    for line in paper.bell_lines(session, campaign):
        bell = paper.bell(session, campaign, line.number)
        assert bell is not None
        found.append(Archived(bell.number, bell.headline, bell.text, bell.json, bell.published_at))
    return found
