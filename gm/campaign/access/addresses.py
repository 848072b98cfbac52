"""Which mail addresses a person may play by: such as a mail can be sent to, and one that comes to a person."""

from __future__ import annotations

import re
from typing import Final

from gm.config import Settings

# As campaigns of before were begun with, some by addresses that no mail goes to: those are still taken over.
ONCE_TAKEN: Final = re.compile(r"[^\s@<>,;\"']+@[^\s@<>,;\"']+")
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS: Final = re.compile(rf"[A-Za-z0-9!#$%&*+/=?^_`{{|}}~.-]{{1,64}}@{_LABEL}(?:\.{_LABEL})*")
LONGEST: Final = 254  # RFC 5321


def refused(settings: Settings, address: str) -> str | None:
    """What is wrong with an address, in one line; None: a mail can be sent to it."""
    shown = ascii(address[:LONGEST])
    if not _ADDRESS.fullmatch(address) or len(address) > LONGEST:
        if address.isascii():
            return f"{shown} is no mail address"
        return f"{shown} is no mail address that every server takes: it may have the letters a to z, digits and signs"
    name, _, domain = address.lower().partition("@")
    own_name, _, own_domain = settings.orders_address.lower().partition("@")
    if (name.partition("+")[0], domain) == (own_name.partition("+")[0], own_domain):
        return f"{shown} is where orders are sent to, and nobody reads it"
    return None
