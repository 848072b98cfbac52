"""Movement of the system's forces (21, S1-S3): White, Green, Blue; each goes as far along its way as its die says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import without
from gm.adjudicator.outcome import Change, Restacked
from gm.adjudicator.solitaire.event_types import SystemMoved
from gm.adjudicator.solitaire.state import state_of
from gm.board.model import OPPOSED, Color, Piece
from gm.board.ways import CAPITALS, ways
from gm.orders.rules.steps import Party
from gm.position import SYSTEM_PLAYER, Stack

Way = Mapping[str, str]  # province -> the next one (S2)
ORDER = (Color.WHITE, Color.GREEN, Color.BLUE)  # 21.11


def system_movement(play: PhaseInPlay) -> None:
    way = ways(play.board, state_of(play).drawn)
    for color in ORDER:
        # Listed once: what has moved into a later province does not move again.
        for stack in [s for s in play.table.owned(SYSTEM_PLAYER) if s.color is color]:
            _move(play, way, stack)


def _move(play: PhaseInPlay, way: Way, stack: Stack) -> None:
    party = Party(stack.pieces)
    start = stack.province
    if start not in way or party.barred(play.board, start, way[start], False, 0):
        return  # 21.23, 21.25: it is where it was going, or as near as it may; no die
    die = play.luck.die(f"move/{start}/{stack.pieces[0].code}")
    path, stopped = _walk(play, way, party, start, die)
    taken = _imperials(play, stack, path[-1])
    broken = [stack, *dict.fromkeys(play.table.where[p] for p in taken)]
    pieces = (stack.pieces[0], *taken, *stack.pieces[1:])  # 13.21: directly under the Leader
    rests = [rest for other in broken[1:] for rest in without(play.table, other, taken)]
    changes: tuple[Change, ...] = (Restacked(tuple(broken), (Stack(path[-1], SYSTEM_PLAYER, pieces), *rests)),)
    play.table.emit(
        SystemMoved(
            rules=("21.12", "21.13", "S2", *_stop_rules(path, stopped, taken)),
            player=SYSTEM_PLAYER,
            number=0,
            pieces=pieces,
            path=tuple(path),
            intended=_intended(way, start, die),
            die=die,
            picked=tuple((path[-1], piece) for piece in taken),
            stopped=stopped,
            changes=changes,
        )
    )


def _walk(play: PhaseInPlay, way: Way, party: Party, start: str, die: int) -> tuple[list[str], str | None]:
    """The provinces that a force enters, and why it stops before its die is used up."""
    position = play.table.position()
    path = [start]
    while len(path) <= die and path[-1] in way:
        there = way[path[-1]]
        code = party.barred(play.board, path[-1], there, False, 0)  # its die, not Movement Points, limits it (21.26)
        if code is not None:
            return path, code
        path.append(there)
        if len(path) <= die and there not in CAPITALS and party.must_stop(play.board, position, there, party.pieces):
            return path, "stopped"
    return path, None


def _stop_rules(path: Sequence[str], stopped: str | None, taken: Sequence[Piece]) -> list[str]:
    rules = []
    if path[-1] in CAPITALS:
        rules.append("21.23")
    if stopped == "stopped":
        rules.append("5.27")
    elif stopped:
        rules += ["21.25", "S3"]
    if taken:
        rules += ["13.12", "S8"]
    return rules


def _intended(way: Way, start: str, die: int) -> tuple[str, ...]:
    """As far as the die would have carried it."""
    path = [start]
    while len(path) <= die and path[-1] in way:
        path.append(way[path[-1]])
    return tuple(path)


def _imperials(play: PhaseInPlay, stack: Stack, province: str) -> list[Piece]:
    """S8: a White force takes the Imperial units that nobody controls where it ends its move (J12)."""
    if stack.color is not Color.WHITE:
        return []
    found = []
    for piece in (play.board.gold, play.board.czar):
        there = play.table.where.get(piece)
        if there is None or there.province != province or there.owner is not None:
            continue
        if not any(unit.color in OPPOSED[Color.WHITE] for unit in there.units):
            found.append(piece)
    return found
