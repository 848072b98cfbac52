"""How much a pack may hold that a campaign begins to play with: four times the standard game, and no more.

What stand-ins, reports and answers cost grows with the board, some of it with its cube. A campaign that plays on a
larger one already goes on: a board is built of whatever fits together.
"""

from __future__ import annotations

from typing import Final

from gm.board.pack import Pack
from gm.board.problems import BoardProblem

MOST: Final = {"provinces": 300, "borders": 700, "rail": 110, "nations": 60, "leaders": 210, "units": 340}
MOST_STOPS: Final = 420  # provinces of all rail lines together


def too_large(pack: Pack) -> tuple[BoardProblem, ...]:
    """A problem for each section of a pack, all of whose entries have their form, that holds too much."""
    held = {section: len(pack.data[section]) for section in MOST}
    found = [(section, f"{held[section]} of {most} that there may be") for section, most in MOST.items()]
    found = [(section, what) for section, what in found if held[section] > MOST[section]]
    stops = sum(len(line["provinces"]) for line in pack.data["rail"].values())
    if stops > MOST_STOPS:
        found.append(("rail", f"the lines have {stops} provinces, of {MOST_STOPS} that there may be"))
    return tuple(BoardProblem(pack.file_of(section), section, what) for section, what in found)
