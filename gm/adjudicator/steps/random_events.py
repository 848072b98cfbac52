"""Random Events (12, 17/12.0, J23, J25)."""

from __future__ import annotations

from gm.adjudicator.engine.casualties import into_box
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import without
from gm.adjudicator.outcome import (
    Change,
    DrawEvent,
    EpidemicStruck,
    Flagged,
    Restacked,
    SubversionDoubled,
)
from gm.adjudicator.steps.randomizer import draw
from gm.board.model import Color, Piece
from gm.orders.kinds import Subvert
from gm.orders.rules.shorter import does_without
from gm.position import Phase, Player, Stack, canonical


def random_events(play: PhaseInPlay) -> None:
    """One roll for every two players, rounded down in the First Phase and up in the Second (17/4.2)."""
    players = len(play.table.players)
    rolls = players // 2 if play.before.phase is Phase.FIRST else (players + 1) // 2
    for number in range(1, rolls + 1):
        roll_event(play, str(number))


def roll_event(play: PhaseInPlay, label: str, recipient: Player | None = None) -> None:
    """One roll on the Random Events Table. `recipient`: who gets a chit, if that is not drawn (20.12)."""
    if not play.luck.offers("event"):
        return
    dice = play.luck.pair(f"event/{label}")
    cell = play.board.tables.events[dice]
    if isinstance(cell, tuple):
        play.luck.cell(f"12.2 {dice[0]}-{dice[1]} = epidemic {', '.join(cell)}")
        _epidemic(play, dice, cell)
    else:
        play.luck.cell(f"12.2 {dice[0]}-{dice[1]} = {cell}")
        if cell == "draw":
            _draw(play, dice, label, recipient)
        else:
            _double(play, dice)


def _epidemic(play: PhaseInPlay, dice: tuple[int, int], provinces: tuple[str, ...]) -> None:
    lost: list[tuple[str, Piece]] = []
    changes: list[Change] = []
    for province in provinces:
        for stack in canonical(play.table.at(province)):
            victim = _strongest(stack)
            if victim is not None:
                lost.append((province, victim))
                changes.append(Restacked((stack,), tuple(without(play.table, stack, [victim]))))
                changes += into_box([victim], None)
    play.table.emit(
        EpidemicStruck(rules=("12.11", "J25"), dice=dice, provinces=provinces, lost=tuple(lost), changes=tuple(changes))
    )


def _strongest(stack: Stack) -> Piece | None:
    """The strongest combat unit of a Red, White or Green stack, the topmost of equals."""
    units = [p for p in stack.pieces if p.is_unit and p.color is not Color.BLUE]
    return max(units, key=lambda p: p.value, default=None)


def _double(play: PhaseInPlay, dice: tuple[int, int]) -> None:
    if does_without(play.board, play.before, Subvert):  # J38: there is no subversion to double
        play.table.emit(SubversionDoubled(rules=("J38",), dice=dice, already=True))
        return
    play.table.emit(
        SubversionDoubled(
            rules=("12.12", "17/12.0", "J23"),
            dice=dice,
            already=bool(play.table.flag("subversion_doubled")),
            changes=(Flagged("subversion_doubled", True),),
        )
    )


def _draw(play: PhaseInPlay, dice: tuple[int, int], label: str, recipient: Player | None) -> None:
    rules: tuple[str, ...] = ("12.13", "20.12", "S9")
    if recipient is None:
        rules = ("12.13", "17/12.0", "J23")
        offered = play.luck.offers("chit") or play.luck.offers("recipient")
        recipient = play.luck.pick(f"recipient/{label}", play.table.players) if offered else None
    play.table.emit(DrawEvent(rules=rules, dice=dice, recipient=recipient))
    if recipient is not None:
        draw(play, recipient, f"event/{label}/{recipient}")
