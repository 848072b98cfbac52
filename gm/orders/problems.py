"""What can be wrong with an order, as data. The words are in templates/orders/problems.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Family(StrEnum):
    """Never mixed: a line that says nothing to us, an order against the rules, an order that came too late."""

    NOT_UNDERSTOOD = "not understood"
    NOT_ALLOWED = "not allowed"
    OVERTAKEN = "overtaken"  # only the adjudicator can know


class Severity(StrEnum):
    PROBLEM = "problem"  # will not be carried out as it stands
    WARNING = "warning"  # will come to less than it says
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    family: Family
    line: int = 0  # of the sheet, from 1; 0 where no line is meant
    span: tuple[int, int] = (0, 0)  # columns of the offending words in `text`, from 0
    text: str = ""  # the line, as written
    words: str = ""  # the offending words
    rules: tuple[str, ...] = ()
    suggestion: str | None = None  # a whole line that would have worked, where there is one
    data: Mapping[str, object] = field(default_factory=dict)
    severity: Severity = Severity.PROBLEM
    order: int = 0  # number of the order (A3 is 3); 0 for none
