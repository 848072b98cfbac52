"""No pattern takes longer than in proportion on text that somebody sends: one that does stops the whole process.

Every pattern of every module is tried on long runs, behind each of the words that it knows. Those that are only ever
given short or folded text are named below, with what bounds them.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
from collections.abc import Iterator
from time import process_time

import pytest

import gm
from gm.board.load import standard_board
from gm.board.pack import read_files
from gm.board.problems import BoardError
from gm.orders.parser import parse

# Of the text, and the time that is too long for it: a pattern in proportion takes a thousandth. The short text finds
# those that would not end on the long one, the long one those that take the square of its length.
LENGTHS = ((400, 0.03), (8000, 0.05))
RUNS = (
    " ",
    "0",
    "1",
    "a",
    ".",
    ",",
    "-",
    "_",
    "<",
    ">",
    "(",
    '"',
    "=",
    "\n",
    "1 ",
    "a ",
    ":",
    "#",
    "&",
    "*",
    "@",
    "A, ",
)
BOUNDED = {
    "gm.mail.parse.line_kind._COMMAND_SHAPES": "`keyword` folds blanks and gives it 600 characters",
    "gm.mail.parse.styles._NO_SIZE": "`bounded` folds and cuts",
    "gm.mail.parse.styles._INVISIBLE": "`bounded` folds and cuts",
    "gm.mail.parse.html._INDENT": "`styles.bounded` folds and cuts",
    "gm.orders.suggest.rephrase.HABITS": "`rephrased` folds blanks; a line that is mended has 300 characters",
    "gm.campaign.seats.new_players": "`new_player` folds blanks and takes 400 characters",
    "gm.orders.suggest.rephrase._BETWEEN_PLACES": "`rephrased` folds blanks",
    "gm.adjudicator.corrections": "`read` folds blanks",
    "gm.notation.reading": "`read_position` folds blanks",
    "gm.notation.pieces": "so does whoever gives it text: `read_position`, `corrections.read`",
    "gm.campaign.access.addresses.ONCE_TAKEN": "only ever matched as a whole",
    "gm.orders.kinds.lines.PRESS_END": "only ever matched as a whole",
    "gm.reports.render.outlines": "drawings of our own",
    "gm.rehearsal.post._LINK": "mails of our own",
}


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    def within(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, re.Pattern[str]]]:
        if isinstance(value, re.Pattern):
            if isinstance(value.pattern, str):
                yield name, value
        elif depth < 4 and isinstance(value, dict | tuple | list | set | frozenset):
            for part in value.values() if isinstance(value, dict) else value:
                yield from within(name, part, depth + 1)

    for found in pkgutil.walk_packages(gm.__path__, "gm."):
        if not found.name.endswith("__main__"):
            module = importlib.import_module(found.name)
            for name, value in list(vars(module).items()):
                yield from within(f"{found.name}.{name}", value)


def literals(source: str) -> list[str]:
    plain = re.sub(r"\[[^\]]*\]", " ", re.sub(r"\\[sSwWdDbBnt]", " ", source)).replace("\\", "")
    return list(dict.fromkeys(re.findall(r"[A-Za-z@:#<>=/-]{2,20}", plain)))[:12]


def hard_texts(source: str, length: int) -> Iterator[str]:
    words = literals(source)
    for run in RUNS:
        for word in ("", *words, *(f"{word}:" for word in words[:6])):
            yield f"{word}{run * (length // len(run))}\x01"
    for one, other in itertools.permutations(words[:6], 2):
        yield f"{one}{' ' * (length // 4)}{other}{' ' * (length // 4)}\x01"


def seconds(pattern: re.Pattern[str], text: str) -> float:
    began = process_time()
    pattern.search(text)
    pattern.fullmatch(text)
    return process_time() - began


def test_every_pattern_is_in_proportion_or_says_what_bounds_it() -> None:
    slow = {}
    found = list(patterns())
    within_bounds = {p.pattern for name, p in found if name.startswith(tuple(BOUNDED))}
    for name, pattern in {p.pattern: (name, p) for name, p in found}.values():
        if pattern.pattern in within_bounds or not re.search(r"[*+]|\{\d*,", pattern.pattern):
            continue
        tried = ((text, most) for length, most in LENGTHS for text in hard_texts(pattern.pattern, length))
        for text, most in tried:
            if all(seconds(pattern, text) > most for _ in range(4)):  # once may be the machine's fault
                slow[name] = text[:30]
                break
    assert not slow


def test_what_is_named_as_bounded_is_there() -> None:
    names = [name for name, _ in patterns()]
    assert all(any(name.startswith(bounded) for name in names) for bounded in BOUNDED)


def test_a_board_pack_and_a_sheet_with_long_runs_are_read_at_once() -> None:
    hard = ("LETTER TO B" + " " * 59_000 + "C:", "PRESS\nhi\nEND" + " " * 59_000 + "x", "MOVE x" + " ." * 29_000 + ":")
    began = process_time()
    with pytest.raises(BoardError, match=r"counters\.toml"):
        read_files((("counters.toml", "a=" + "9" * 100_000),))
    read_files((("counters.toml", "#" + "a" * 390_000),))
    for text in hard:
        parse(standard_board(), text, "AB")
    assert process_time() - began < 2  # each took from ten seconds to a minute
