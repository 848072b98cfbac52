"""What a Gamesmaster is shown of other people's mail and of the audit log.

One who plays sees only what is listed here: what all are told, and what running the campaign needs. Whatever is new
stays hidden until somebody puts it on a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from gm.campaign.options import with_defaults
from gm.campaign.roles import GM
from gm.store.mail_tables import Audit
from gm.store.repositories.submissions import PROPOSED
from gm.store.tables import Campaign

PRIVATE = (
    "letter",
    "letter_failed",
    "press_left_out",
    "proposal",
    "proposal_answer",
    "proposal_withdrawn",
)  # between two players
# fmt: off
_MAILS = frozenset((
    "accepted", "answered", "asked", "bell", "briefing", "charter", "closing", "correction", "declined", "extended",
    "find_standby", "grace", "grace_gm", "invitation", "leaving", "left_to_standin", "new_keys", "newcomer",
    "no_orders", "over", "paused", "redrawn", "reminder", "removed", "replaced", "resigning", "resumed", "round",
    "standin", "struck_off", "waiting", "welcome",
))
_ACTIONS = frozenset((
    "absence", "accept", "adjudicate", "await-round", "charter", "close-early", "closing", "correct", "create",
    "decide", "decline", "edit", "extend", "extension", "finish", "grace", "import", "import-bell", "invite",
    "leave", "new-keys", "nudge", "open", "pause", "played", "publish", "reader", "ready", "release", "removed",
    "replace", "resigning", "resume", "retry", "retry-mail", "rollback", "seal", "settle", "standby", "standin",
    "struck-off", "trouble", "unsubscribe", "without-beacon", "zone",
))
# fmt: on
_ABOUT_MAIL = ("bounce", "mail-failed")
_TO_WHO_IS_MISSING = ("grace", "reminder", "waiting")
_OF_READINESS = ("orders", "ready")
_NAMES_MISSING = {"grace": "missing", "nudge": "letters", "seal": "missing"}
_OF_ORDERS = ("letter", "status")  # which version it is, and whence it came, would tell of a bargain


def shows_ready(campaign: Campaign) -> bool:
    """Whether the Gamesmaster sees who is ready and whose orders are in: one who plays, if all the players do."""
    return campaign.gm_letter is None or with_defaults(campaign.options).show_ready


class Addressed(Protocol):
    """What of a mail decides who may know of it."""

    @property
    def letter(self) -> str | None: ...

    @property
    def kind(self) -> str: ...


def shows_failure(campaign: Campaign, row: Addressed) -> bool:
    """Whether the Gamesmaster is told that this mail did not arrive."""
    return campaign.gm_letter is None or row.letter in (GM, campaign.gm_letter) or row.kind in _MAILS


def shows_mail(campaign: Campaign, row: Addressed) -> bool:
    """Whether the Gamesmaster may know that this mail went out, when and to whom."""
    if row.letter in (GM, campaign.gm_letter):
        return True
    return shows_failure(campaign, row) and (shows_ready(campaign) or row.kind not in _TO_WHO_IS_MISSING)


def shows_subject(campaign: Campaign, row: Addressed) -> bool:
    own = row.letter == GM or (campaign.gm_letter is not None and row.letter == campaign.gm_letter)
    return own or row.kind not in PRIVATE


def shown_data(campaign: Campaign, row: Audit) -> Mapping[str, Any] | None:
    """What of a line of the audit log the Gamesmaster sees; None: nothing."""
    if campaign.gm_letter is None:
        return row.data
    if not shows_ready(campaign) and row.data.get("letter") != campaign.gm_letter:
        if row.action in _OF_READINESS or row.data.get("kind") in _TO_WHO_IS_MISSING:
            return None
        hidden = _NAMES_MISSING.get(row.action)
        if hidden is not None:
            return {name: value for name, value in row.data.items() if name != hidden}
    if row.action in _ACTIONS:
        return row.data
    if row.action == "orders" and row.data.get("source") != PROPOSED:
        return {name: row.data.get(name) for name in _OF_ORDERS}
    if row.action in _ABOUT_MAIL and row.data.get("kind") in _MAILS:
        return row.data
    return None
