"""`gm campaign correct`: putting a position or a draft right, with a reason that everybody reads."""

from __future__ import annotations

from pathlib import Path

import typer

from gm.adjudicator.corrections import HINT
from gm.campaign.manage import corrections
from gm.commands.campaign.submit import acting
from gm.commands.wiring import CAMPAIGN, say, service
from gm.errors import UserError


def correct(
    campaign: str = CAMPAIGN,
    line: list[str] = typer.Argument(None, help=f"What is to be: {HINT}", show_default=False),
    file: Path | None = typer.Option(None, "--file", "-f", help="A file with one correction a line", exists=True),
    reason: str = typer.Option(..., help="What was wrong; it is printed", show_default=False),
    rule: str = typer.Option("", help="The rule that it goes by, such as 5.27"),
    insist: bool = typer.Option(False, "--insist", help="Also if a stack breaks 7.1; the issue says so"),
) -> None:
    """Correct the position of the open Phase, or a result of a draft: nothing is lost, everybody is told.

    A Gamesmaster who plays leaves it to whoever keeps the installation, and that is who has this command line.
    """
    lines = [*(line or []), *(file.read_text("utf-8").splitlines() if file is not None else [])]
    if not lines:
        raise UserError("what is to be corrected?", HINT)
    with service() as services:
        by = acting(services, campaign)
        words = corrections.correct(
            services, campaign, lines, reason=reason, rule=rule, insist=insist, actor=by, keeper=True
        )
    say(words)
