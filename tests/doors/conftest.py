"""Real mail servers for the whole session, an empty folder for each test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.rehearsal.crew import free_port
from tests.doors.house import House, Post
from tests.doors.servers import Dovecot, Postfix, missing
from tests.support import IN_CI


@pytest.fixture(scope="session")
def post() -> Iterator[Post]:
    """Postfix and Dovecot. In CI they must be there; elsewhere a test that needs them says what is missing."""
    if lacking := missing():
        if IN_CI:
            pytest.fail(f"no {', '.join(lacking)}: `make servers` should have brought them", pytrace=False)
        pytest.skip(f"no {', '.join(lacking)} on this machine; `make servers` tells how to get them")
    folder = Path(tempfile.mkdtemp(prefix="kolokol-post-"))
    folder.chmod(0o755)  # the servers work as other users
    dovecot = Dovecot(folder / "dovecot")
    listener = free_port()
    postfix = Postfix(folder / "postfix", dovecot, "listener.test", listener)
    yield Post(dovecot, postfix, "listener.test", listener)
    postfix.stop()
    dovecot.stop()
    shutil.rmtree(folder)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()
