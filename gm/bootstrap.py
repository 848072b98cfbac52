"""Wiring (composition root): builds Services from the settings with the real store, renderer, mail and stand-in."""

from __future__ import annotations

import os
import secrets
from datetime import datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from gm.adjudicator.sequence import adjudicate
from gm.campaign.beacon.http import HttpBeacon
from gm.campaign.ports import Adjudicate, Renderer, StandIn, Wake
from gm.campaign.schedule import Clock, SystemClock
from gm.campaign.services import Services, no_wake
from gm.config import Settings
from gm.errors import Invalid, NotNow
from gm.rendering.newsroom import Newsroom, PlainRenderer
from gm.standin.record import written
from gm.store import migrate
from gm.store.engine import Store
from gm.store.jobs import WakeUps


def bootstrap(
    settings: Settings | None = None,
    *,
    clock: Clock | None = None,
    rules: Adjudicate | None = None,
    renderer: Renderer | None = None,
    standin: StandIn | None = None,
    wake: Wake | None = None,
    migrated: bool = True,
) -> Services:
    """The service as it runs, with whatever a test wants to put in its place."""
    settings = settings or Settings.load()
    store = Store(settings.database_url, settings.database_pool, settings.sqlite_sync)
    if migrated:
        check_schema(store)
    return Services(
        settings=settings,
        store=store,
        clock=clock or SystemClock(),
        adjudicate=rules or adjudicate,
        renderer=renderer or Newsroom(),
        fallback=PlainRenderer(),
        secret_key=secret_key(settings),
        standin=standin or written,
        settle=_settle_mail,
        beacon=HttpBeacon(settings.beacon_url),
        wake=wake or (WakeUps(settings.database_url) if settings.is_postgresql else no_wake),
    )


def _settle_mail(services: Services, before: datetime) -> bool:
    from gm.mail.wiring import settle_inbox  # most commands never need gm.mail

    return settle_inbox(services, before)


def check_schema(store: Store) -> None:
    """An SQLite file is brought up to date by itself; a server's schema is changed only when told to."""
    if migrate.current(store.engine) == migrate.head():
        return
    if store.is_sqlite:
        migrate.upgrade(store.engine)
        return
    raise NotNow("schema", "the database is not at the present schema", "run: gm migrate")


def secret_key(settings: Settings) -> bytes:
    """The installation's secret: from the settings, or for SQLite from a file beside the database, made once."""
    if settings.secret_key:
        return settings.secret_key.encode()
    if settings.is_postgresql:
        hint = "set KOLOKOL_SECRET_KEY to 32 random characters or more"
        raise Invalid("secret", "there is no secret key: reply addresses and links need one", hint)
    database = make_url(settings.database_url).database
    if not database or database == ":memory:":
        return secrets.token_bytes(32)
    path = Path(f"{database}.key")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes().strip()
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_hex(32).encode())
    return path.read_bytes().strip()
