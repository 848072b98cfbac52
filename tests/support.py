"""Small things that several tests share."""

import os
import shutil
import time
from collections.abc import Callable
from typing import TypeVar

from gm.board.load import build
from gm.board.model import Board
from gm.board.pack import read_files

T = TypeVar("T")
PATIENCE = 180.0  # seconds until a test gives up waiting; it costs nothing when all is well
IN_CI = os.environ.get("CI") == "true"


def examples(in_ci: int, here: int = 200) -> int:
    """How many hypothesis examples a test asks for: many in CI, few at a desk.

    Use as `@settings(max_examples=examples(10_000))`.
    """
    return in_ci if IN_CI else min(here, in_ci)


def chromium() -> str | None:
    """The Chromium that browser tests drive, or None where there is none; that without windows costs half as much."""
    return next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)


def load_text(text: str, file: str = "pack.toml") -> Board:
    """The standard board with the text of a pack laid over it."""
    return build(read_files(((file, text),)))


def wait_until(what: Callable[[], T], seconds: float = PATIENCE, why: object = "") -> T:
    """Look until it is so; the test fails if it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.02)
    raise AssertionError(f"nothing came of it within {seconds} s: {why() if callable(why) else why}")
