"""The versions of the rules-reading and of the dice by which this adjudicator judges.

Every Phase records both. READING goes up when the same position, orders and dice come to another result; DICE when the
same secret gives other dice. Phases judged by other versions are verified by their records, never judged again.
"""

from collections.abc import Mapping

READING = 2
ALONE = 3  # of the game for one person: as 2, but two deaths may close the same determination (24.16)
DICE = 2
BEACON_DICE = 3  # as 2, with a round of a public beacon
# Every reading there was, and the dice that Phases judged by it may have: a Phase that was sealed before an upgrade
# keeps the dice it was sealed for.
DICE_OF_READING: Mapping[int, tuple[int, ...]] = {1: (1,), 2: (1, DICE, BEACON_DICE)}
DICE_ALONE: Mapping[int, tuple[int, ...]] = {**DICE_OF_READING, ALONE: (1, DICE)}  # no beacon goes into them


def reading_of(position: Mapping[str, object]) -> int:
    """The version by which a Phase that begins with this position, as it is stored, is judged now."""
    return ALONE if position.get("solitaire") else READING


def dice_of(position: Mapping[str, object]) -> Mapping[int, tuple[int, ...]]:
    """Every reading there was of the game of this position, and the dice of each."""
    return DICE_ALONE if position.get("solitaire") else DICE_OF_READING
