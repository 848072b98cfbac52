"""Bell notation: `A  LIVO: WL1 Rodzyanko, WU2 ESTO; RL3 Lenin, RU8 PETR` <-> pieces, boxes, Positions.

Tolerant when reading (the slips of The Bell), canonical when writing. Whatever can be read in two
ways is refused with the nearest names: a Gamesmaster's listing is never guessed at.
"""

from gm.notation.pieces import (
    Counters,
    NotationError,
    NotationProblem,
    read_box,
    read_marker,
    read_markers,
    read_pieces,
    read_stacks,
    split_items,
)
from gm.notation.reading import FLAGS, read_position
from gm.notation.writing import (
    format_box,
    format_held,
    format_markers,
    format_pieces,
    format_position,
    format_stack,
)

__all__ = [
    "FLAGS",
    "Counters",
    "NotationError",
    "NotationProblem",
    "format_box",
    "format_held",
    "format_markers",
    "format_pieces",
    "format_position",
    "format_stack",
    "read_box",
    "read_marker",
    "read_markers",
    "read_pieces",
    "read_position",
    "read_stacks",
    "split_items",
]
