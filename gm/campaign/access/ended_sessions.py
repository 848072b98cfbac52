"""Sessions that have ended: signed out, or exchanged for a new one. A copy of their cookie opens nothing any more."""

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


def _hash(id: str) -> str:
    return hashlib.sha256(id.encode()).hexdigest()
