"""Changing how a campaign is run while it runs: the calendar and the house rules. Players are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.campaign.lifecycle import needs_standin
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.campaign.work import at_work
from gm.errors import NotNow

# What the game itself depends on is settled with the deal.
FIXED = ("masses",)


def change(services: Services, campaign: str, given: Mapping[str, Any], actor: str = GM) -> dict[str, tuple[Any, Any]]:
    """New options from the next Phase on; the deadline of the open one stands. Gives what changed: (before, after)."""
    with at_work(services, campaign, actor, "inviting", "running", "paused") as work:
        before, after = work.options, work.options.changed(given)
        if after.nmr == "standin":
            needs_standin(services)
        old, new = before.to_json(), after.to_json()
        changed = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
        if any(name in changed for name in FIXED) and work.campaign.status != "inviting":
            raise NotNow("fixed", "the rules of the game are settled with the deal", "open a new campaign")
        if not changed:
            return {}
        work.campaign.options = new
        for seat, _ in work.table:
            work.tell(seat.letter, "charter", work.now.isoformat(), changed=changed)
        work.audit("charter", **{name: pair[1] for name, pair in changed.items()})
        return changed
