"""What is wrong with a board pack, and what it would change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gm.board.load import build
from gm.board.pack import Change, changes, read_pack
from gm.board.problems import BoardError, BoardProblem
from gm.board.validate import errors, validate

MOST_CHANGES = 200


@dataclass(frozen=True, slots=True)
class Verdict:
    good: bool
    problems: tuple[BoardProblem, ...]
    changes: tuple[Change, ...]
    words: str = ""


def check_pack(folder: Path) -> Verdict:
    try:
        pack = read_pack(folder)
        problems = validate(pack)
        if errors(problems):
            return Verdict(False, problems, ())
        build(pack)
    except BoardError as error:
        return Verdict(False, tuple(error.problems), (), str(error))
    except (ValueError, UnicodeError, OSError) as error:
        return Verdict(False, (), (), str(error)[:500])
    return Verdict(True, problems, tuple(changes(pack))[:MOST_CHANGES])
