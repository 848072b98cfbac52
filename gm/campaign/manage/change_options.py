"""Changing the options of a campaign: the calendar, and before the deal the house rules. Players are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board.load import packed
from gm.board.pack import PackFiles
from gm.campaign import boards
from gm.campaign.manage.creation import beacon_for, check_areas, needs_standin
from gm.campaign.manage.who_plays import must_not_play
from gm.campaign.options import FIXED, CampaignOptions
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.transaction import at_work
from gm.errors import NotNow
from gm.store.repositories import campaigns


def change(
    services: Services, campaign: str, given: Mapping[str, Any], actor: str = GM, pack: PackFiles | None = None
) -> dict[str, tuple[Any, Any]]:
    """New options from the next Phase on; the deadline of the open one stands, and does not come nearer by what a
    Gamesmaster who plays changes. Gives what changed: (before, after).

    `pack`: another board, () the standard one, None as it is.
    """
    wanted = CampaignOptions().changed({"beacon": given.get("beacon", False)})
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        known = row.beacon if row is not None else None
    beacon = known or beacon_for(services, wanted)  # asked while nothing is locked
    with at_work(services, campaign, actor, "inviting", "running", "paused") as work:
        before, after = work.options, work.options.changed(given)
        board = work.board if pack is None else packed(boards.new_pack(pack), shorter=work.board.shorter)
        check_areas(board, after)
        if after.nmr == "standin":
            needs_standin(services)
        old, new = before.to_json(), after.to_json()
        changed = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
        if board is not work.board:
            changed["pack"] = (work.board.pack or "standard", board.pack or "standard")
        if any(name in changed for name in (*FIXED, "pack")) and work.campaign.status != "inviting":
            raise NotNow("fixed", "the rules of the game are settled with the deal", "open a new campaign")
        if not changed:
            return {}
        if after.grace_hours < before.grace_hours and work.campaign.status != "inviting":
            must_not_play(work)  # the Phase that is open has grace
        if after.show_ready and not before.show_ready and work.campaign.status != "inviting":
            must_not_play(work, "does not let themselves be shown who is ready, once the game has begun")
        work.campaign.options = new
        if pack is not None:
            work.campaign.pack = boards.keep(work.session, boards.new_pack(pack))
        work.campaign.beacon = beacon
        for seat, _ in work.table:
            work.tell(seat.letter, "charter", work.now.isoformat(), changed=changed)
        work.audit("charter", **{name: pair[1] for name, pair in changed.items()})
        return changed
