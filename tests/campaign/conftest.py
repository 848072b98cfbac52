"""Most tests here are about when things happen, not how a Bell looks: a plain one is printed."""

from collections.abc import Iterator

import pytest

from gm.campaign.services import Services, no_wake
from gm.rendering.newsroom import PlainRenderer
from tests.campaign_fixtures import FakeClock, installed, settings_for


@pytest.fixture
def services(store_url: str, clock: FakeClock) -> Iterator[Services]:
    made = installed(settings_for(store_url), clock=clock, renderer=PlainRenderer(), wake=no_wake)
    yield made
    made.close()


@pytest.fixture
def sqlite_services(sqlite_url: str, clock: FakeClock) -> Iterator[Services]:
    made = installed(settings_for(sqlite_url), clock=clock, renderer=PlainRenderer())
    yield made
    made.close()
