"""Which rules and rulings the cases cite: the table that stands in the docs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gm.cases.reader import Case


def cited(cases: Iterable[Case]) -> dict[str, list[str]]:
    """Rule -> the ids of the cases that name it."""
    found: dict[str, list[str]] = {}
    for case in cases:
        for rule in case.rules:
            found.setdefault(rule, []).append(case.id)
    return found


def coverage_table(cases: Iterable[Case]) -> str:
    rows = sorted(cited(cases).items(), key=lambda row: _order(row[0]))
    lines = ["| rule | cases |", "|---|---|"]
    lines += [f"| {rule} | {', '.join(ids)} |" for rule, ids in rows]
    return "\n".join(lines)


def _order(rule: str) -> tuple[int, list[int], str]:
    """Standard rules by number, then the postal ones, then the rulings."""
    group = 2 if rule.startswith("J") else 1 if rule.startswith("17/") else 0
    return group, [int(n) for n in re.findall(r"\d+", rule.removeprefix("17/"))], rule
