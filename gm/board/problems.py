"""What is wrong with a data pack: each problem a value that names file, key and fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from gm.errors import UserError


class PackSeverity(StrEnum):
    ERROR = "error"  # the pack cannot be played with
    WARNING = "warning"  # it can, and its maker should know


@dataclass(frozen=True, slots=True)
class BoardProblem:
    file: str
    key: str
    what: str
    severity: PackSeverity = PackSeverity.ERROR
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        hint = f" (did you mean {' or '.join(self.near)}?)" if self.near else ""
        return f"{self.file}: {self.key}: {self.what}{hint}" if self.key else f"{self.file}: {self.what}{hint}"


class BoardError(UserError):
    """A pack that cannot be used, with every problem found in it."""

    def __init__(self, problems: Sequence[BoardProblem]) -> None:
        super().__init__("\n".join(str(p) for p in problems), hint="`gm board check PACK` shows what a pack changes")
        self.problems = tuple(problems)
