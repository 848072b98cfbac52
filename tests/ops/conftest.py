"""What the tests of operation share: an empty place to restore to, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, store_url: str, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database on the same engine as `store_url`."""
    if store_url.startswith("sqlite"):
        (tmp_path / "elsewhere").mkdir()
        yield f"sqlite:///{tmp_path}/elsewhere/kolokol.sqlite"
        return
    server = request.getfixturevalue("postgres_server")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS elsewhere WITH (FORCE)")
        connection.execute("CREATE DATABASE elsewhere")
    yield server.replace("/postgres?", "/elsewhere?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE elsewhere WITH (FORCE)")
