"""Small things that several tests share."""

import os
import shutil

IN_CI = os.environ.get("CI") == "true"


def examples(in_ci: int, here: int = 200) -> int:
    """How many hypothesis examples a test asks for: many in CI, few at a desk.

    Use as `@settings(max_examples=examples(10_000))`.
    """
    return in_ci if IN_CI else min(here, in_ci)


def chromium() -> str | None:
    """The Chromium that browser tests drive, or None where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")
