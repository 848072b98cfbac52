"""Sentences from templates/web/words.toml, with their values filled in."""

from __future__ import annotations

from gm.wording import word_list


def say(key: str, /, **data: object) -> str:
    section, name = key.split(".", 1)
    found = word_list("web/words")[section]
    return str(found.get(name, found.get("other", name))).format(**data)
