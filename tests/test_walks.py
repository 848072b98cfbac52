"""The pages about the code tell the truth: functions named exist and call each other, folders named are there."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WALKS = (ROOT / "docs" / "following-an-order.md").read_text("utf-8")
STEPS = re.findall(r"`(gm\.[\w.]+)` calls\s+`(gm\.[\w.]+)`", WALKS)
TREE = re.compile(r"^((?:gm|templates|migrations|tests|docs|bench)\b[\w/.]*)", re.MULTILINE)
PAGES = ("CONTRIBUTING.md", "README.md", "docs/architecture.md", "docs/following-an-order.md")


def look_up(dotted: str) -> object:
    parts = dotted.split(".")
    for split in range(len(parts) - 1, 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for name in parts[split:]:
            found = getattr(found, name)
        return found
    raise ModuleNotFoundError(dotted)


@pytest.mark.parametrize(("caller", "called"), STEPS)
def test_each_step_of_a_walk_is_a_call(caller: str, called: str) -> None:
    assert callable(look_up(called))
    source = inspect.getsource(look_up(caller))  # type: ignore[arg-type]
    assert re.search(rf"\b{called.rpartition('.')[2]}\b\(", source), f"{caller} does not call {called}"


def test_there_are_three_walks_of_some_length() -> None:
    walks = [len(re.findall(r"` calls\s+`", part)) for part in re.split(r"^## ", WALKS, flags=re.MULTILINE)[1:4]]
    assert len(walks) == 3 and min(walks) >= 5


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    named = set(re.findall(r"`((?:gm|templates|tests|docs|migrations|bench)/[\w/.]+)`", text))
    for block in re.findall(r"^```\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        named |= {path for line in block.splitlines() for path in TREE.findall(line)}
    missing = sorted(path for path in named if not (ROOT / path.rstrip(".")).exists())
    assert not missing, missing
