"""The words of the pictures, kept with the data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def words() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((resources.files("gm.reports") / "data" / "map_words.toml").read_text("utf-8"))


def word(section: str, key: str) -> str:
    return str(words()[section][key])
