"""The system rearranges its stacks (22, S4): the fewest and strongest of each colour and nation in each province."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import stands
from gm.adjudicator.outcome import Restacked
from gm.adjudicator.solitaire.event_types import SystemStacked
from gm.board.model import Color, Piece
from gm.orders.rules.stacking import LIMIT, holders
from gm.position import SYSTEM_PLAYER, Stack, canonical


def system_stacking(play: PhaseInPlay) -> None:
    for province in sorted({s.province for s in play.table.owned(SYSTEM_PLAYER)}):
        _stack_whites(play, province)
        nations = {s.units[0].nation for s in play.table.at(province) if s.owner == SYSTEM_PLAYER and not s.leaders}
        for nation in sorted(n for n in nations if n is not None):
            _stack_nation(play, province, nation)


# --- White (22.1) ---


def _stack_whites(play: PhaseInPlay, province: str) -> None:
    """Units that stand there without a Leader are taken too, if one of the Leaders has room."""
    before = [s for s in canonical(play.table.at(province)) if s.color is Color.WHITE]
    leaders = sorted((p for s in before for p in s.leaders), key=lambda p: p.code)
    if not leaders:
        return
    imperials = _held(before, leaders[0])
    units = strongest_first(p for s in before for p in s.units if p.color is Color.WHITE)
    after: list[Stack] = []
    while leaders:
        pieces = _white_stack(play, leaders, units, imperials)
        after.append(Stack(province, SYSTEM_PLAYER, tuple(pieces)))
    after += [Stack(province, None, tuple(few)) for few in _fives(units)]
    green = [p for s in before for p in s.units if p.color is Color.GREEN]  # S4: colours apart
    after += stands(play.table, province, green, None)
    _rearrange(play, province, before, after, ("22.1", "7.11", "S4"))


def _held(stacks: Iterable[Stack], first: Piece) -> dict[Piece, list[Piece]]:
    """The Imperial units by the Leader who has them; those among units without a Leader go to the first Leader."""
    found: dict[Piece, list[Piece]] = {}
    for stack in stacks:
        having = holders(stack.pieces)
        for imperial in stack.imperials:
            found.setdefault(having.get(imperial, first), []).append(imperial)
    return found


def _white_stack(
    play: PhaseInPlay, leaders: list[Piece], units: list[Piece], imperials: dict[Piece, list[Piece]]
) -> list[Piece]:
    """One stack, from the bottom up: the Leader with the lowest code with the strongest units, the next above him.

    Takes those whom it uses out of `leaders` and `units`.
    """
    pieces: list[Piece] = []
    size = 0
    while leaders and size < LIMIT:
        leader = leaders.pop(0)
        held = imperials.get(leader, [])
        room = min(leader.value + 2 * len(held), LIMIT - size - 1)  # 13.22, 13.25
        led, units[:room] = units[:room], []
        pieces = [leader, *held, *led, *pieces]
        size += 1 + len(led)
    return pieces


# --- Green and Blue (22.2, 7.14) ---


def _stack_nation(play: PhaseInPlay, province: str, nation: str) -> None:
    before = [
        s
        for s in canonical(play.table.at(province))
        if s.owner == SYSTEM_PLAYER and not s.leaders and s.units and s.units[0].nation == nation
    ]
    imperials = [p for s in before for p in s.imperials]
    after: list[Stack] = []
    for few in _fives(strongest_first(p for s in before for p in s.units)):
        after.append(Stack(province, SYSTEM_PLAYER, (few[0], *imperials, *few[1:])))
        imperials = []
    _rearrange(play, province, before, after, ("22.2", "7.11", "7.14", "S4"))


def strongest_first(units: Iterable[Piece]) -> list[Piece]:
    return sorted(units, key=lambda p: (-p.value, p.code))


def _fives(units: Sequence[Piece]) -> list[Sequence[Piece]]:
    return [units[n : n + LIMIT] for n in range(0, len(units), LIMIT)]


def _rearrange(
    play: PhaseInPlay, province: str, before: Sequence[Stack], after: Sequence[Stack], rules: tuple[str, ...]
) -> None:
    if canonical(before) != canonical(after):
        changes = (Restacked(tuple(before), tuple(after)),)
        play.table.emit(SystemStacked(rules=rules, province=province, stacks=tuple(after), changes=changes))
