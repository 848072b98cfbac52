"""Engines and sessions: one owner of the commit, write locks taken at the start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.orm import Session, sessionmaker

BUSY_MILLISECONDS = 60_000


def sqlalchemy_url(url: str) -> str:
    """`postgresql://` means psycopg 3 here."""
    return url.replace("postgresql://", "postgresql+psycopg://", 1) if url.startswith("postgresql://") else url


def make_engine(url: str, pool: int = 10, sync: str = "full") -> Engine:
    url = sqlalchemy_url(url)
    if not url.startswith("sqlite"):
        return create_engine(url, pool_size=pool, max_overflow=pool, pool_pre_ping=True)
    engine = create_engine(url)

    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves; the driver's own guess loses updates
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {sync}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("kolokol_writes", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


class Store:
    """Hands out sessions: `write()` commits at the end or rolls back whole, `read()` sees one moment."""

    def __init__(self, url: str, pool: int = 10, sync: str = "full") -> None:
        self.url = url
        self.engine = make_engine(url, pool, sync)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        reading: dict[str, Any] = {"kolokol_writes": False}
        if not self.is_sqlite:
            reading |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._writers = sessionmaker(self.engine, expire_on_commit=False)
        self._readers = sessionmaker(self.engine.execution_options(**reading), expire_on_commit=False, autoflush=False)

    @contextmanager
    def write(self) -> Iterator[Session]:
        with self._writers.begin() as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        with self._readers() as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()
