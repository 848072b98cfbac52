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

import gm

LENGTH = 400
SECONDS = 0.03  # a pattern in proportion takes a thousandth of it
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
    "gm.mail.parse.html._NO_SIZE": "`_bounded_style` folds and cuts",
    "gm.mail.parse.html._INVISIBLE": "`_bounded_style` folds and cuts",
    "gm.mail.parse.html._INDENT": "`_bounded_style` folds and cuts",
    "gm.orders.suggest.rephrase.HABITS": "`rephrased` folds blanks; a line that is mended has 300 characters",
    "gm.campaign.seats.new_players": "`new_player` folds blanks and takes 400 characters",
    "gm.adjudicator.corrections": "`read` folds blanks",
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


def hard_texts(source: str) -> Iterator[str]:
    words = literals(source)
    for run in RUNS:
        for word in ("", *words, *(f"{word}:" for word in words[:6])):
            yield f"{word}{run * (LENGTH // len(run))}\x01"
    for one, other in itertools.permutations(words[:6], 2):
        yield f"{one}{' ' * (LENGTH // 4)}{other}{' ' * (LENGTH // 4)}\x01"


def seconds(pattern: re.Pattern[str], text: str) -> float:
    began = process_time()
    pattern.search(text)
    return process_time() - began


def test_every_pattern_is_in_proportion_or_says_what_bounds_it() -> None:
    slow = {}
    for name, pattern in {p.pattern: (name, p) for name, p in patterns()}.values():
        if any(name.startswith(bounded) for bounded in BOUNDED) or not re.search(r"[*+]|\{\d*,", pattern.pattern):
            continue
        for text in hard_texts(pattern.pattern):
            if all(seconds(pattern, text) > SECONDS for _ in range(4)):  # once may be the machine's fault
                slow[name] = text[:30]
                break
    assert not slow


def test_what_is_named_as_bounded_is_there() -> None:
    names = [name for name, _ in patterns()]
    assert all(any(name.startswith(bounded) for name in names) for bounded in BOUNDED)
