"""How sentences of one page are told apart: by how they begin, and by the runs of words that they have in common."""

from __future__ import annotations

import re

RUN = 4  # words in the same order that an obituary has not in common with a story of its issue


def runs(text: str) -> set[tuple[str, ...]]:
    """All runs of words that would be known again if they stood twice on a page."""
    words = re.findall(r"[\w'-]+", text.lower())
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def opening(sentence: str) -> str:
    return sentence.split()[0]


def begins(form: str, text: str) -> str:
    """What neighbours on a page should not share: the first word of a headline, the first two of anything else."""
    return f"{form} {' '.join(text.lower().split()[: 1 if form == 'headlines' else 2])}"
