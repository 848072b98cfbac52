"""The public archive of a campaign as a static site: what `gm export --public` writes, with HTML pages around it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.orm import Session

from gm.campaign import boards
from gm.campaign.export.archive import Progress, must_be_empty, public_files, write
from gm.campaign.services import Services
from gm.campaign.transaction import campaign_row
from gm.errors import NotNow
from gm.reports.book import book
from gm.reports.proof.verify import MANIFEST, manifest_of
from gm.reports.site import Archived, site
from gm.store.repositories import paper

BROWSER_SECONDS = 300  # seconds for a browser to print a campaign


def write_site(
    services: Services, campaign: str, folder: Path, base: str = "", progress: Progress | None = None
) -> int:
    """Write it into a folder that is empty or not there yet; `gm verify` checks it. Gives the number of files."""
    must_be_empty(folder)
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        issues = _issues(session, campaign)
        board = boards.board_of(session, row)
        facts = {path.replace(".html", "-mail.html"): content for path, content in public_files(session, row)}
        name, chain, dice_name, paper_name = row.name, row.chain, row.dice_name, row.paper
    # Texts, JSON, mails and the index are those of the export; the pages stand beside the mails.
    files = {**site(board, name, issues, paper=paper_name, base=base), **facts}
    files[MANIFEST] = manifest_of(files, chain, dice_name)
    return write(folder, files, progress)


def write_book(services: Services, campaign: str, out: Path, browser: str | None) -> Path:
    """All issues as one document: a PDF where there is a browser to print it, else HTML for printing."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        issues, board = _issues(session, campaign), boards.board_of(session, row)
        name, paper_name = row.name, row.paper
    html = book(board, name, issues, paper=paper_name)
    if browser is None:
        page = out.with_suffix(".html")
        page.write_text(html, "utf-8")
        return page
    with TemporaryDirectory() as folder:
        page = Path(folder) / "book.html"
        page.write_text(html, "utf-8")
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/home",
        ]
        pdf = out.with_suffix(".pdf")
        command = [browser, *options, f"--print-to-pdf={pdf.absolute()}", page.as_uri()]
        done = subprocess.run(command, capture_output=True, timeout=BROWSER_SECONDS)
    if done.returncode or not pdf.exists():
        raise NotNow("browser", "the browser printed nothing", "try gm book --html")
    return pdf


def _issues(session: Session, campaign: str) -> list[Archived]:
    found = []
    for line in paper.bell_lines(session, campaign):
        bell = paper.bell(session, campaign, line.number)
        assert bell is not None
        found.append(Archived(bell.number, bell.headline, bell.text, bell.json, bell.published_at, line.void))
    return found
