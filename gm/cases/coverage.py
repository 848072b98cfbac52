"""Which rules and rulings the cases cite, and the cases themselves, as a page for the docs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from gm.cases.reader import Case

RULES_FILE = "rules.txt"


@dataclass(frozen=True)
class Wanted:
    """A list of rules that cases should cite, in a few words each, and of those that no case can test."""

    words: Mapping[str, str] = field(default_factory=dict)
    untestable: Mapping[str, str] = field(default_factory=dict)


def read_wanted(paths: Iterable[Path]) -> Wanted:
    """The lists that lie beside the cases (`rules.txt` in a folder)."""
    words: dict[str, str] = {}
    untestable: dict[str, str] = {}
    for path in paths:
        file = path / RULES_FILE
        if not file.is_file():
            continue
        for line in file.read_text("utf-8").splitlines():
            found = re.fullmatch(r"(?P<no>- +)?(?P<rule>[HJS\d]\S*)\s+(?P<words>.*\S)\s*", line)
            if found:
                (untestable if found["no"] else words)[found["rule"]] = found["words"]
    return Wanted(words, untestable)


def cited(cases: Iterable[Case]) -> dict[str, list[str]]:
    """Rule -> the ids of the cases that name it."""
    found: dict[str, list[str]] = {}
    for case in cases:
        for rule in dict.fromkeys(case.rules):
            found.setdefault(rule, []).append(case.id)
    return found


def coverage_page(cases: Sequence[Case], wanted: Wanted | None = None) -> str:
    """The whole page: figures, the table of rules, the cases by file."""
    wanted = wanted or Wanted()
    found = cited(cases)
    missing = sorted((rule for rule in wanted.words if rule not in found), key=_order)
    parts = [
        "# Adjudicator cases",
        "What the adjudicator does with small positions, one point a case, as a Gamesmaster would write them down. "
        "The cases run with `gm cases tests/cases`; this page is made by `gm cases --coverage tests/cases`. "
        "How to write one: [the case format](case-format.md).",
        f"{len(cases)} cases cite {len(found)} rules and rulings."
        + (f" Not cited: {', '.join(missing)}." if missing else " Every rule of the list is cited."),
        "## Rules and the cases that cite them",
        _rules_table(found, wanted),
    ]
    if wanted.untestable:
        parts += ["Left out:", "\n".join(f"- {rule} {words}" for rule, words in wanted.untestable.items())]
    parts.append("## The cases")
    for path, group in groupby(cases, key=lambda case: case.path):
        parts += [f"### {Path(path).parent.name}/{Path(path).name}", _cases_table(list(group))]
    return "\n\n".join(parts) + "\n"


def _rules_table(found: Mapping[str, list[str]], wanted: Wanted) -> str:
    lines = ["| rule | about | number | cases |", "|---|---|---:|---|"]
    for rule in sorted({*found, *wanted.words}, key=_order):
        ids = found.get(rule, [])
        lines.append(f"| {rule} | {wanted.words.get(rule, '')} | {len(ids)} | {', '.join(ids) or '**none**'} |")
    return "\n".join(lines)


def _cases_table(cases: Sequence[Case]) -> str:
    lines = ["| case | says | rules |", "|---|---|---|"]
    lines += [f"| {case.id} | {case.title} | {' '.join(case.rules)} |" for case in cases]
    return "\n".join(lines)


def _order(rule: str) -> tuple[int, list[str], str]:
    """Standard rules by number (5.11 before 5.2, as in the rulebook), then the postal ones, then the rulings."""
    if rule[0] in "JHS":
        return 2 + "JHS".index(rule[0]), [rule[1:].zfill(3)], rule
    section, _, case = rule.removeprefix("17/").partition(".")
    return int(rule.startswith("17/")), [section.zfill(3), case], rule
