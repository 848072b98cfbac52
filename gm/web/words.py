"""Sentences of templates/web/words.toml, filled."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from gm.reports.prose import templates_folder


@cache
def _pack() -> dict[str, Any]:
    return tomllib.loads((templates_folder() / "web" / "words.toml").read_text("utf-8"))


def say(key: str, /, **data: object) -> str:
    section, name = key.split(".", 1)
    found = _pack()[section]
    return str(found.get(name, found.get("other", name))).format(**data)
