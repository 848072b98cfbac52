"""The database is its owner's alone, and nothing of what it holds gets into an error's words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from gm.store import migrate
from gm.store.engine import Store


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.mark.parametrize("before", [None, 0o644])
def test_the_database_and_its_companions_are_readable_by_their_owner_alone(tmp_path: Path, before: int | None) -> None:
    path = tmp_path / "kolokol.sqlite"
    if before is not None:
        path.touch(before)
    mask = os.umask(0)
    try:
        store = Store(f"sqlite:///{path}")
        migrate.upgrade(store.engine)
        with store.write() as session:
            session.execute(text("DELETE FROM clock"))
            assert modes(tmp_path) == {
                "kolokol.sqlite": 0o600,
                "kolokol.sqlite-wal": 0o600,
                "kolokol.sqlite-shm": 0o600,
            }
        store.close()
    finally:
        os.umask(mask)


def test_keeping_it_private_drops_no_lock_of_ours(sqlite_url: str) -> None:
    """POSIX drops a process's locks on a file when it closes any descriptor of it; SQLite's are such locks."""
    path = sqlite_url.removeprefix("sqlite:///")
    other = (
        "import sqlite3, sys\n"
        "try: sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute('BEGIN IMMEDIATE')\n"
        "except sqlite3.OperationalError as error: print(error)\n"
    )
    store = Store(sqlite_url)
    with store.write() as session:
        session.execute(text("DELETE FROM clock"))
        with Store(sqlite_url).read() as reading:
            reading.execute(text("SELECT 1"))
        told = subprocess.run([sys.executable, "-c", other, path], capture_output=True, text=True, check=True).stdout
        assert "locked" in told
    store.close()


def test_what_a_player_wrote_is_not_in_an_error(store_url: str) -> None:
    store = Store(store_url)
    with pytest.raises(DBAPIError) as failed, store.write() as session:
        session.execute(text("INSERT INTO nowhere VALUES (:words)"), {"words": "MOVE RU8 TO MOSC"})
    assert "RU8" not in str(failed.value)
    store.close()
