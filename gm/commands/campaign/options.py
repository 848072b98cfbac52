"""`gm campaign options` and `gm campaign set`: what can be chosen, what it means, and changing it."""

from __future__ import annotations

from pathlib import Path

import typer

from gm.board.load import standard_board
from gm.board.pack import files_of
from gm.campaign import options as campaign_options
from gm.campaign.manage import change_options
from gm.campaign.reads import lookups
from gm.commands.campaign.submit import acting
from gm.commands.wiring import CAMPAIGN, option_pairs, say, service
from gm.errors import UserError
from gm.wording import word_list

PACK = typer.Option(None, "--pack", help="A board pack of your own, a file or a folder", show_default=False)


def options(campaign: str = typer.Argument("", help="Of this campaign; empty: the defaults")) -> None:
    """Explain every option: what it is, what it may be, its default, and whether it can be changed later."""
    chosen, board = campaign_options.CampaignOptions(), standard_board()
    if campaign:
        with service() as services:
            state = lookups.state(services, campaign)
            chosen, board = state.options, state.board
    words = word_list("campaign/option_help")
    default = dict(campaign_options.describe(campaign_options.CampaignOptions()))
    say(f"pack = {board.pack or 'standard'}\n    the board, digest {board.digest}; can be changed until the deal")
    for name, value in campaign_options.describe(chosen):
        later = "until the deal" if name in campaign_options.FIXED else "at any time"
        say(f"{name} = {value}\n    {words[name]}")
        say(f"    {campaign_options.allowed(name)}; default {default[name]}; can be changed {later}")


def set_(
    campaign: str = CAMPAIGN,
    changes: list[str] = typer.Argument(None, help="name=value, such as grace_hours=24; several if wanted"),
    pack: Path | None = PACK,
) -> None:
    """Change options, from the next Phase on; the players are told. The rules of the game only before the deal."""
    if not changes and pack is None:
        raise UserError("nothing to change", "such as gm campaign set june-1918 grace_hours=24")
    with service() as services:
        files = files_of(pack) if pack is not None else None
        by = acting(services, campaign)
        changed = change_options.change(services, campaign, option_pairs(changes or []), by, files)
    for name, (before, after) in changed.items():
        say(f"{name} = {after} (was {before})")
    if not changed:
        say("nothing is changed: it was so already")
