"""Signed links (tickets) in mails, with which a reader signs in without a password.

A ticket names a purpose and a seat, is signed with the installation's key, and expires when the seat changes hands or
gets new keys (it is bound to the fingerprint of the seat's reply token). It travels behind the `#` of a link, the part
that a browser sends to nobody: no access log and no Referer ever sees it; the page hands it over by POST.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

from gm.campaign.services import Services
from gm.errors import NotAllowed


class Purpose(StrEnum):
    SIGN_IN = "in"  # sign in to the seat
    CONFIRM = "confirm"  # a mail that came without its token: data["inbox"]
    RESIGN = "resign"
    LEAVE = "leave"  # the seat to a stand-in
    ABSENT = "absent"
    EXTEND = "extend"
    ACCEPT = "accept"  # an invitation
    UNSUBSCRIBE = "unsubscribe"  # a reader: data["address"]
    READ = "read"  # a reader or standby: data["address"]
    ADMIN = "admin"  # the administrator of the installation; no campaign
    ALONE = "alone"  # begins a game of one person: all of it in data
    API = "api"  # a program's token, sent as a header, never in a link


LIFE: Mapping[Purpose, timedelta] = {
    Purpose.ADMIN: timedelta(days=1),
    Purpose.ALONE: timedelta(days=1),
    Purpose.CONFIRM: timedelta(days=14),
    Purpose.RESIGN: timedelta(days=14),
    Purpose.LEAVE: timedelta(days=14),
    Purpose.ABSENT: timedelta(days=14),
    Purpose.EXTEND: timedelta(days=14),
    Purpose.UNSUBSCRIBE: timedelta(days=60),
    Purpose.API: timedelta(days=366),
}
DEFAULT_LIFE = timedelta(days=30)  # every mail brings a new link, and the page of signing in mails one


@dataclass(frozen=True, slots=True)
class Ticket:
    purpose: Purpose
    campaign: str = ""
    letter: str = ""
    fingerprint: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def fingerprint(seat_token: str) -> str:
    """What binds a ticket to the present holder of a seat, without giving the reply token away."""
    return hashlib.sha256(f"kolokol ticket {seat_token.lower()}".encode()).hexdigest()[:20]


def sign(services: Services, ticket: Ticket, at: datetime | None = None) -> str:
    """A token for a ticket. Its age counts from `at`, so that the same mail sent twice carries the same link."""
    body = [ticket.campaign, ticket.letter, ticket.fingerprint, dict(ticket.data)]
    return str(_signer(services, ticket.purpose, at or services.clock.now()).dumps([ticket.purpose.value, *body]))


def read(services: Services, token: str, *allowed: Purpose) -> Ticket:
    """The ticket in a token, if it is ours, of an allowed purpose and not too old. Raises NotAllowed."""
    for purpose in allowed or tuple(Purpose):
        signer = _signer(services, purpose)
        try:
            found, signed = signer.loads(token.strip(), return_timestamp=True)
        except BadData:
            continue
        if not _is_canonical(signer, token.strip()):
            continue
        if services.clock.now() - signed > LIFE.get(purpose, DEFAULT_LIFE):
            raise NotAllowed("link-expired", "This link is too old.", "Ask for a new one.")
        _, campaign, letter, mark, data = found
        return Ticket(purpose, campaign, letter, mark, data)
    raise NotAllowed("link-unknown", "This link is not complete or not ours.", "Copy the whole line from the mail.")


def _is_canonical(signer: URLSafeTimedSerializer, token: str) -> bool:
    """Whether the token is spelt as we spelt it: base64 has spare bits, so others would be read as the same."""
    said, _, signature = token.rpartition(".")
    own = signer.make_signer(signer.salt).get_signature(said)
    return hmac.compare_digest(own, signature.encode("utf-8", "replace"))


def url(services: Services, token: str) -> str:
    """The address that a mail carries."""
    return f"{services.settings.base_url.rstrip('/')}/in#{token}"


def _signer(services: Services, purpose: Purpose, at: datetime | None = None) -> URLSafeTimedSerializer:
    class Signer(TimestampSigner):
        def get_timestamp(self) -> int:
            return int(at.timestamp()) if at else super().get_timestamp()

    return URLSafeTimedSerializer(services.secret_key, salt=f"kolokol/{purpose.value}", signer=Signer)
