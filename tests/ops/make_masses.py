"""Makes tests/ops/data/masses-1.zip: an archive of the shorter game, with stand-ins that did not know it yet.

Made once, by stand-ins of version 1, and kept: `gm verify` writes their sheets again as they did. Run as
`python -m tests.ops.make_masses` it would be made by those of now.
"""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

from gm.campaign.export import archive, importing
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake
from gm.campaign.seats import holders
from gm.campaign.services import no_wake
from gm.rendering.newsroom import PlainRenderer
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick
from tests.ops.make_reading import DATA

PHASES = 5  # to the end of July
MASSES = DATA / "masses-1.zip"


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="kolokol-masses-"))
    (folder / "public").mkdir()
    services = installed(
        settings_for(f"sqlite:///{folder}/k.sqlite"), clock=FakeClock(), wake=no_wake, renderer=PlainRenderer()
    )
    campaign = start(services, nmr="standin", grace_hours=0, masses=True, last_turn=6)
    holders.set_standin(services, campaign, "E", True, style="commander")
    for _ in range(PHASES):
        intake.submit(services, campaign, "A", "VOTE CONTINUE", source="web")
        deadlines.close_early(services, campaign)
        tick(services)
    archive.export(services, campaign, folder / "public")
    with zipfile.ZipFile(MASSES, "w", zipfile.ZIP_DEFLATED) as box:
        for path, content in sorted(importing.read_files(folder / "public").items()):
            box.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    services.close()


if __name__ == "__main__":
    main()
