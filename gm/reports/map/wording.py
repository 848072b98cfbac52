"""The words on the drawn map and the barometer chart, from templates/map.toml."""

from __future__ import annotations

from gm.wording import Words, word_list


def words() -> Words:
    return word_list("map")


def word(section: str, key: str) -> str:
    return str(words()[section][key])
