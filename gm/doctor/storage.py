"""Checks of `gm doctor` on the database: connection, schema, clock, whether a worker runs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, OperationalError, ProgrammingError, SQLAlchemyError

from gm.campaign.reads.metrics import Figures, count
from gm.config import Settings
from gm.doctor.finding import Finding, fail, ok, warn
from gm.store import migrate
from gm.store.engine import HARMLESS, Store, make_engine

SKEW_SECONDS = 5
SCARCE_BYTES = 500_000_000
OLDEST_SQLITE = (3, 35)
OVERDUE_SECONDS = 600
BUSY_MILLISECONDS = 5_000


def database(settings: Settings) -> Iterator[Finding]:
    try:
        engine = make_engine(settings.database_url, busy=BUSY_MILLISECONDS)
    except (ArgumentError, SQLAlchemyError, ValueError):
        yield fail("database", "KOLOKOL_DATABASE_URL cannot be read", "write sqlite:///FILE or postgresql://...")
        return
    try:
        missing = _missing_file(settings)
        if missing is not None:
            yield missing
            return
        yield from _answers(engine)
        yield from _takes_writes(engine)
        yield _schema(engine)
        yield from _clocks_agree(engine)
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", error)).splitlines()[0]
        yield fail("database", f"it does not answer: {reason}", "start it, or correct KOLOKOL_DATABASE_URL")
    finally:
        engine.dispose()


def _missing_file(settings: Settings) -> Finding | None:
    if settings.is_postgresql:
        return None
    path = Path(make_url(settings.database_url).database or "")
    if path.exists() or str(path) == ":memory:":
        return None
    if not os.access(path.absolute().parent, os.W_OK):
        return fail("database", f"{path} cannot be made: its folder is missing or shut", "make the folder writable")
    return warn("database", f"there is no {path} yet", "it will be made by the first command: gm campaign new ...")


def _answers(engine: Engine) -> Iterator[Finding]:
    began = time.perf_counter()
    with engine.connect().execution_options(kolokol_writes=False) as connection:
        connection.execute(text("SELECT 1"))
        milliseconds = (time.perf_counter() - began) * 1000
        if engine.dialect.name == "postgresql":
            version = connection.execute(text("SHOW server_version")).scalar()
            yield ok("database", f"PostgreSQL {version} answers in {milliseconds:.0f} ms")
            return
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        yield fail("database", f"SQLite {sqlite3.sqlite_version} is too old", "use a Python with SQLite 3.35 or newer")
    yield ok("database", f"SQLite {sqlite3.sqlite_version} answers in {milliseconds:.0f} ms")
    free = shutil.disk_usage(Path(engine.url.database or ".").absolute().parent).free
    if free < SCARCE_BYTES:
        yield warn("database", f"only {free / 1e6:.0f} MB are free on its disk", "make room")


def _schema(engine: Engine) -> Finding:
    current, head = migrate.current(engine), migrate.head()
    if current == head:
        return ok("schema", f"at {head}, the present one")
    if engine.dialect.name == "sqlite":
        return warn("schema", f"at {current or 'none'}, the present one is {head}", "it is upgraded at the next start")
    return fail("schema", f"at {current or 'none'}, the present one is {head}", "gm backup, then gm migrate")


def _takes_writes(engine: Engine) -> Iterator[Finding]:
    try:
        with engine.begin() as connection:
            connection.execute(text(HARMLESS))
    except (OperationalError, ProgrammingError) as error:
        reason = str(error.orig).splitlines()[0]
        if "clock" in reason:
            return  # there are no tables yet, which the next check tells
        todo = "make room on its disk, or end what holds its lock; mail stays with its senders meanwhile"
        yield fail("database", f"it cannot be written to: {reason}", todo)


def _clocks_agree(engine: Engine) -> Iterator[Finding]:
    if engine.dialect.name != "postgresql":
        return
    with engine.connect() as connection:
        there = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    apart = abs((datetime.now(UTC) - there).total_seconds())
    if apart > SKEW_SECONDS:
        yield warn("clock", f"this machine and the database are {apart:.0f} s apart", "run a time service on both")


def work(settings: Settings) -> Iterator[Finding]:
    """What the database says of the service: the worker, the clock, mail, things overdue."""
    if _missing_file(settings) is not None:
        return  # told by the check before this one
    store = Store(settings.database_url)
    try:
        if migrate.current(store.engine) != migrate.head():
            return
        found = count(store, settings, datetime.now(UTC))
    except SQLAlchemyError:
        yield fail("worker", "the database does not tell", "start it, or correct KOLOKOL_DATABASE_URL")
        return
    finally:
        store.close()
    yield from _worker(found)
    if found.mails_failed:
        todo = "see who on the Gamesmaster's mail page, or gm campaign show"
        yield warn("outbox", f"{found.mails_failed} mails could not be sent", todo)
    else:
        yield ok("outbox", f"{found.mails_waiting} mails wait, none failed")
    if found.unreadable:
        todo = "gm mail quarantine shows them; please send one to the makers of Kolokol"
        yield warn("inbox", f"{found.unreadable} mails of this week could not be read and lie in quarantine", todo)
    if found.dropped:
        todo = "somebody sends a great deal: see who with gm mail quarantine, and let your mail server refuse it"
        yield warn("inbox", f"{found.dropped} old mails that nobody vouched for were deleted this week", todo)
    if found.inbox_wait_seconds > found.patience_seconds:
        todo = "read the worker's log: something keeps it from the inbox"
        yield fail("inbox", f"a mail waits for {found.inbox_wait_seconds / 60:.0f} minutes to be read", todo)
    if found.inbox.get("quarantined"):
        yield ok("inbox", f"{found.inbox['quarantined']} mails are in quarantine for a Gamesmaster to look at")


def _worker(found: Figures) -> Iterator[Finding]:
    if found.halted:
        todo = "set the clock right, or say that it is: gm worker --accept-clock"
        yield fail("clock", f"adjudication is halted: {found.halted}", todo)
    else:
        yield ok("clock", f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, believed")
    if found.last_look_seconds is None:
        yield warn("worker", "no worker has looked yet", "start one: gm worker (or gm serve --worker)")
    elif not found.worker_is_there:
        minutes = found.last_look_seconds / 60
        yield fail("worker", f"no worker has looked for {minutes:.0f} minutes", "start one: gm worker")
    else:
        yield ok("worker", f"looked {max(0, found.last_look_seconds):.0f} s ago")
    if found.given_up:
        todo = "read the trouble mails and the log, mend the cause, then publish or roll back by hand"
        yield fail("alarms", f"{found.given_up} deadlines failed until patience ended", todo)
    if found.overdue and found.overdue_seconds > OVERDUE_SECONDS:
        late = found.overdue_seconds / 60
        yield fail("alarms", f"{found.overdue} deadlines are overdue, {late:.0f} minutes the oldest", "look at the log")
