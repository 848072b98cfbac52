"""The laboratory's figures in words, and as a page with small drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from gm.laboratory.figures import Figure
from gm.laboratory.game import Record, Setting
from gm.wording import Words, environment, word_list


def words() -> Words:
    return word_list("laboratory/words")


def page(setting: Setting, records: Sequence[Record], found: Sequence[Figure]) -> str:
    """A whole HTML page that needs nothing else."""
    first = sorted((max(r.points.values()), r.color.value if r.color else "") for r in records)
    return (
        environment("laboratory", html=True)
        .get_template("page.html")
        .render(
            words=words(),
            setting=[(name, value) for name, value in asdict(setting).items() if value is not None],
            figures=found,
            columns=first,
            highest=max(first[-1][0], 1),
        )
    )
