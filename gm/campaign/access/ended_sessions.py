"""Sessions that have ended: signed out, exchanged for a new one, or those of a keeper, all at once. A copy of their
cookie opens nothing any more."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta

from gm.campaign.services import Services
from gm.store.repositories import sessions


def end(services: Services, ids: Sequence[str]) -> None:
    """End these sessions. Only hashes are kept, for as long as a cookie lives."""
    now = services.clock.now()
    with services.store.write() as session:
        sessions.forget(session, now - timedelta(days=services.settings.session_days))
        sessions.add(session, [_hash(one) for one in ids], now)


def has_ended(services: Services, id: str) -> bool:
    with services.store.read() as session:
        return sessions.known(session, _hash(id))


def keeper_mark(services: Services, address: str) -> str:
    """What a keeper's cookies and links must carry now; it is forgotten when those of before are too old anyway."""
    with services.store.read() as session:
        at = sessions.ended_at(session, _hash(f"keeper {address}"))
    return at.isoformat() if at is not None else ""


def end_keepers(services: Services) -> None:
    """End every session and every sign-in link of those who keep this installation."""
    with services.store.write() as session:
        sessions.add(session, [_hash(f"keeper {keeper}") for keeper in services.settings.keepers], services.clock.now())


def _hash(id: str) -> str:
    return hashlib.sha256(id.encode()).hexdigest()
