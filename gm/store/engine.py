"""Database engines and sessions: `write()` commits at the end, and write locks are taken at the start."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session, sessionmaker

BUSY_MILLISECONDS = 60_000
HARMLESS = "UPDATE clock SET id = id"  # writes a page and changes nothing


def sqlalchemy_url(url: str) -> str:
    """`postgresql://` means psycopg 3 here."""
    return url.replace("postgresql://", "postgresql+psycopg://", 1) if url.startswith("postgresql://") else url


def make_engine(url: str, pool: int = 10, sync: str = "full", busy: int = BUSY_MILLISECONDS) -> Engine:
    url = sqlalchemy_url(url)
    # Parameters are hidden: no order and no letter in an error message.
    common: dict[str, Any] = {"hide_parameters": True, "json_deserializer": _from_json}
    if not url.startswith("sqlite"):
        return create_engine(url, pool_size=pool, max_overflow=pool, pool_pre_ping=True, **common)
    engine = create_engine(url, **common)

    def shut(_dialect: Any, _record: Any, arguments: Any, _options: Any) -> None:
        keep_private(Path(arguments[0]) if arguments else None)

    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves; the driver's own guess loses updates
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {busy}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {sync}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    event.listen(engine, "do_connect", shut)
    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _from_json(text: str | bytes) -> Any:
    """What a JSON column holds; outcomes are large, and msgspec reads them three times as fast."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:  # half a surrogate pair that a player sent; or broken, which json says as a ValueError
        return json.loads(text)


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("kolokol_writes", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def keep_private(path: Path | None) -> None:
    """The file is its owner's alone, from before its first byte; SQLite makes -wal and -shm like it."""
    if path is None or str(path) == ":memory:" or not path.parent.is_dir():
        return
    try:
        if (
            not path.exists()
        ):  # one that is there is never opened here: closing it would drop this process's locks on it
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if each.exists() and each.stat().st_mode & 0o077 and each.stat().st_uid == os.geteuid():
                each.chmod(0o600)
    except OSError:  # SQLite will say what is wrong with it
        return


class Store:
    """Opens sessions: `write()` commits at the end or rolls back whole, `read()` sees one snapshot."""

    def __init__(self, url: str, pool: int = 10, sync: str = "full") -> None:
        self.url = url
        self.engine = make_engine(url, pool, sync)
        self.unwritable = False  # the last attempt to write failed: a full disk, a lock that nobody gives up
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        reading: dict[str, Any] = {"kolokol_writes": False}
        if not self.is_sqlite:
            reading |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._writers = sessionmaker(self.engine, expire_on_commit=False)
        self._readers = sessionmaker(self.engine.execution_options(**reading), expire_on_commit=False, autoflush=False)

    @contextmanager
    def write(self) -> Iterator[Session]:
        try:
            with self._writers.begin() as session:
                yield session
        except OperationalError:
            self.unwritable = True
            raise

    def can_write(self) -> bool:
        """Whether what failed works again, by trying; many a transaction ends well that writes nothing. A store that
        never failed is not tried."""
        if self.unwritable:
            with suppress(OperationalError):
                with self.write() as session:
                    session.execute(text(HARMLESS))
                self.unwritable = False
        return not self.unwritable

    @contextmanager
    def read(self) -> Iterator[Session]:
        with self._readers() as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()
