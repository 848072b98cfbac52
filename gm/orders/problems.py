"""Problems of orders, as data. The words are in templates/orders/problems.toml, the rules that each code
cites in gm/orders/rules/reasons.py."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field


class Family(StrEnum):
    """Never mixed: a line that says nothing to us, an order against the rules. (What other players' orders prevented
    only the adjudicator can know: gm/adjudicator/reasons.py.)"""

    NOT_UNDERSTOOD = "not understood"
    NOT_ALLOWED = "not allowed"


class Severity(StrEnum):
    PROBLEM = "problem"  # will not be carried out as it stands
    WARNING = "warning"  # will perhaps come to less than it says
    NOTE = "note"  # good to know


class Problem(Struct, frozen=True):
    code: str
    family: Family
    line: int = 0  # of the sheet, from 1; 0 where no line is meant
    span: tuple[int, int] = (0, 0)  # columns of the offending words in `text`, from 0
    text: str = ""  # the order as written, in one line, without number or bullet
    words: str = ""  # the offending words
    rules: tuple[str, ...] = ()
    suggestion: str | None = None  # a whole line that would have worked, where there is one
    data: Mapping[str, object] = field(default_factory=dict)  # for the wording
    severity: Severity = Severity.PROBLEM
    order: int = 0  # number of the order (A3 is 3); 0 for none
