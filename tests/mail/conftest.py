from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.campaign import ticker
from gm.campaign.manage import deadlines
from tests.campaign_fixtures import FakeClock
from tests.mail.post import Post, begin, copy_of, opened, services_on


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one campaign that has begun."""
    path = tmp_path_factory.mktemp("begun") / "begun.sqlite"
    services = services_on(f"sqlite:///{path}", FakeClock())
    begin(services, anonymous_letters=True)
    services.close()
    return path


@pytest.fixture
def post(begun: Path, tmp_path: Path) -> Iterator[Post]:
    yield from opened(copy_of(begun, tmp_path))


@pytest.fixture
def first_phase(post: Post) -> Post:
    """The same campaign in its first First Phase."""
    deadlines.close_early(post.services, post.campaign)
    assert not ticker.tick(post.services).failed
    return post
