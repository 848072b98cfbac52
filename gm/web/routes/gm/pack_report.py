"""The report on a board pack: its problems, and what it would change."""

from __future__ import annotations

from dataclasses import dataclass

from gm.adjudicator.begin import unfit
from gm.board.load import build
from gm.board.pack import PackChange, PackFiles, changes, read_files
from gm.board.problems import BoardError, BoardProblem
from gm.board.validate import errors, validate

MOST_CHANGES = 200


@dataclass(frozen=True, slots=True)
class PackReport:
    good: bool
    problems: tuple[BoardProblem, ...]
    changes: tuple[PackChange, ...]
    words: str = ""


def check_pack(files: PackFiles) -> PackReport:
    try:
        pack = read_files(files)
        problems = validate(pack)
        if errors(problems):
            return PackReport(False, problems, ())
        if wrong := unfit(pack):
            return PackReport(False, wrong, ())
        build(pack)
    except BoardError as error:
        return PackReport(False, tuple(error.problems), (), str(error))
    except (ValueError, UnicodeError, OSError) as error:
        return PackReport(False, (), (), str(error)[:500])
    return PackReport(True, problems, tuple(changes(pack))[:MOST_CHANGES])
