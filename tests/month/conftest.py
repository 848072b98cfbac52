"""The mail servers of the doors, and a service that reads and sends through them by a clock of the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.doors.conftest import post as post
from tests.doors.house import Post
from tests.month.stage import Month, opened


@pytest.fixture
def month(post: Post, sqlite_url: str) -> Iterator[Month]:
    with opened(post, sqlite_url) as made:
        yield made
