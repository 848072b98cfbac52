"""No code is left that nobody uses, and no excuse for it either."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["vulture"]


def unused(**settings: list[str]) -> list[tuple[str, str]]:
    """(where, name) of what vulture finds, as `make lint` runs it."""
    finder = Vulture(**settings)
    finder.scavenge([str(ROOT / path) for path in CONFIG["paths"]])
    found = finder.get_unused_code(min_confidence=CONFIG["min_confidence"])
    return [(f"{Path(item.filename).relative_to(ROOT)}:{item.first_lineno}", item.name) for item in found]


def test_nothing_is_left_that_nobody_uses() -> None:
    assert unused(ignore_names=CONFIG["ignore_names"], ignore_decorators=CONFIG["ignore_decorators"]) == []


def test_every_name_that_is_passed_over_needs_it() -> None:
    found = {name for _, name in unused(ignore_decorators=CONFIG["ignore_decorators"])}
    needless = [p for p in CONFIG["ignore_names"] if not any(fnmatchcase(name, p) for name in found)]
    assert needless == []


def test_a_function_that_nobody_calls_is_found(tmp_path: Path) -> None:
    (tmp_path / "left.py").write_text("def left_over() -> None:\n    pass\n", "utf-8")
    finder = Vulture(ignore_names=CONFIG["ignore_names"], ignore_decorators=CONFIG["ignore_decorators"])
    finder.scavenge([str(tmp_path)])
    assert [item.name for item in finder.get_unused_code(min_confidence=CONFIG["min_confidence"])] == ["left_over"]
