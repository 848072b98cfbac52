"""How much a pack may hold that a campaign begins to play with: about four times the standard game, and no more.

What stand-ins, reports and answers cost grows with the board, some of it with its cube, and with the numbers on it. A
campaign that plays on a larger one already goes on: a board is built of whatever fits together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from gm.board.model import Board
from gm.board.pack import MOST_PROBLEMS, Pack
from gm.board.problems import BoardProblem

MOST: Final = {"provinces": 300, "borders": 700, "rail": 110, "nations": 60, "leaders": 210, "units": 340}
MOST_STOPS: Final = 420  # provinces of all rail lines together
POINTS: Final = {"leaders": "value", "units": "strength"}
MOST_OF_ONE: Final = {"leaders": 12, "units": 32}
MOST_POINTS: Final = {"leaders": 260, "units": 1_100}  # of all together
MOST_MARKERS: Final = {
    "politburo": 60,
    "politburo_dealt": 60,
    "assassins_dealt": 60,
    "assassins_in_randomizer": 60,
}
MOST_MARKERS_EVER: Final = 5_000  # in play; an archive with more is not judged again: every draw lists them all
MOST_SPOILS: Final = 99  # points that a Purge may bring, and the strength of one
MOST_CODE: Final = 99_999  # of an identity code, and of any number that is not named here
FARTHEST: Final = 360.0  # degrees
LONGEST_NAME: Final = 100  # characters of any name, alias or key
LONGEST_TEXT: Final = 320  # of any other text
MOST_ALIASES: Final = 30
NAMES: Final = frozenset({"name", "region", "aliases"})


def too_large(pack: Pack) -> tuple[BoardProblem, ...]:
    """A problem for each thing in a pack, all of whose entries have their form, of which there is too much."""
    named = (("pack.name", what) for what in _faults_of(pack.name, LONGEST_NAME))
    found = islice(chain(_too_many(pack), _too_high(pack), named, _too_strange("", pack.data)), MOST_PROBLEMS)
    return tuple(BoardProblem(pack.file_of(*key.split(".", 1)), _seen(key), what) for key, what in found)


def _too_many(pack: Pack) -> Iterator[tuple[str, str]]:
    for section, most in MOST.items():
        if (held := len(pack.data[section])) > most:
            yield section, f"{held} of {most} that there may be"
    stops = sum(len(line["provinces"]) for line in pack.data["rail"].values())
    if stops > MOST_STOPS:
        yield "rail", f"the lines have {stops} provinces, of {MOST_STOPS} that there may be"


def _too_high(pack: Pack) -> Iterator[tuple[str, str]]:
    for section, points in POINTS.items():
        values = {key: row[points] for key, row in pack.data[section].items()}
        for key, value in values.items():
            if value > MOST_OF_ONE[section]:
                yield f"{section}.{key}.{points}", f"may be {MOST_OF_ONE[section]} at most"
        if sum(values.values()) > MOST_POINTS[section]:
            yield section, f"all of them may have {MOST_POINTS[section]} points"
    for name, most in MOST_MARKERS.items():
        if pack.data["markers"][name] > most:
            yield f"markers.{name}", f"may be {most} at most"
    for row, cells in pack.data["purge"].items():
        if any(len(str(cell)) > len(str(MOST_SPOILS)) for cell in cells):
            yield f"purge.{row}", f"may be {MOST_SPOILS} at most"


def _too_strange(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Numbers without measure and texts that no line holds, wherever they stand."""
    name = key.rpartition(".")[2]
    if isinstance(value, dict):
        for inner, found in value.items():
            yield from ((f"{key}.{inner}", what) for what in _faults_of(inner, LONGEST_NAME))
            yield from _too_strange(f"{key}.{inner}" if key else inner, found)
    elif isinstance(value, list):
        if name == "aliases" and len(value) > MOST_ALIASES:
            yield key, f"{len(value)} of {MOST_ALIASES} that there may be"
        for found in value:
            yield from _too_strange(key, found)
    elif isinstance(value, str):
        yield from ((key, what) for what in _faults_of(value, LONGEST_NAME if name in NAMES else LONGEST_TEXT))
    elif isinstance(value, int | float) and not -MOST_CODE <= value <= MOST_CODE:  # nor is it no number at all
        yield key, f"a number may be {MOST_CODE} at most"
    elif name == "seat" and abs(value) > FARTHEST:
        yield key, f"degrees may be {FARTHEST:.0f} at most"


def _faults_of(text: str, most: int) -> Iterator[str]:
    if len(text) > most:
        yield f"may have {most} characters"
    if not text.isprintable():
        yield "has a line break, or characters that cannot be seen"


def _seen(key: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in key[:LONGEST_NAME])


def markers_in_play(board: Board) -> int:
    """The Politburo and Assassin Markers that are dealt and those to be drawn."""
    markers = board.markers
    return markers.politburo_dealt + markers.assassins_dealt + markers.assassins_in_randomizer
