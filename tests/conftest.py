"""Settings for the whole suite: hypothesis profiles and what a marker needs."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from gm.processes import keep_what_is_loaded
from tests.support import IN_CI, chromium

pytest_plugins = ["tests.campaign_fixtures"]  # databases on both engines, a clock, a campaign

# No deadline: the machines that run this share their cores, and a slow minute is not a bug.
settings.register_profile("desk", max_examples=30, deadline=None)
# In CI the same commit must give the same verdict, so examples are derived from the test itself.
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if IN_CI else "desk")


WAITING = ("doors", "month")  # rooms of tests that start processes and servers, and wait for them


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the tests that wait over the whole run: in a row they would all fall to one process, and the others
    would be done long before it."""
    waiting = [item for item in items if item.path.parent.name in WAITING]
    working = [item for item in items if item.path.parent.name not in WAITING]
    for number, item in enumerate(waiting):
        working.insert(number * len(items) // len(waiting), item)
    items[:] = working


def pytest_collection_finish() -> None:
    """All tests and libraries are loaded now and stay: the garbage collector need not look through them every few
    hundred objects."""
    keep_what_is_loaded()
    gc.set_threshold(100_000, 20, 20)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A browser test without a browser fails in CI, and says so elsewhere."""
    if item.get_closest_marker("browser") and chromium() is None:
        if IN_CI:
            pytest.fail("no Chromium: `make browser` should have brought one", pytrace=False)
        pytest.skip("no Chromium on this machine; `make browser` tells how to get one")


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    """One for all tests of a process: a second Playwright beside the first would be refused."""
    flags = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield browser
        browser.close()
