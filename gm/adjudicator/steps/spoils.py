"""Purged points: allotted along the division, spent on Leaders and markers (11.21-11.23, J20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import Change, Marked, PurgeSpoils, Restacked
from gm.adjudicator.steps.pregame import split
from gm.board.model import Color, Piece
from gm.orders.rules.stacking import attachment, holders
from gm.position import Player

MARKER_COST = 2  # 11.22
Wish = Piece | None  # None: a Politburo Marker


class Share(Struct, frozen=True):
    player: Player
    points: int
    taking: tuple[Wish, ...] = ()


def shares(
    division: Sequence[tuple[Player, int]], points: int, taking: Mapping[Player, tuple[Wish, ...]]
) -> list[Share]:
    """Points along the list, again from its start if it runs out; players in order of first mention."""
    allotted = {player: 0 for player, _ in division}
    while points and any(number for _, number in division):
        for player, number in division:
            given = min(number, points)
            allotted[player] += given
            points -= given
    return [Share(player, number, taking.get(player, ())) for player, number in allotted.items()]


def collect(play: PhaseInPlay, victim: Player, wanted: Sequence[Share]) -> None:
    """All spend their points; what one cannot use passes to the next, once round the list, and is then lost."""
    left = [_spend(play, victim, share) for share in wanted]
    for giver in range(len(wanted) if len(wanted) > 1 else 0):
        taker = (giver + 1) % len(wanted)
        if left[giver]:
            share = replace(wanted[taker], points=left[giver] + left[taker])
            left[giver], left[taker] = 0, _spend(play, victim, share, again=True)


def _spend(play: PhaseInPlay, victim: Player, share: Share, *, again: bool = False) -> int:
    """One player's spending; returns the points that were not used."""
    if not share.points:
        return 0
    bought: list[Wish] = []
    left = share.points
    for wish in share.taking:
        price = _price(play, victim, wish, bought)
        if price is not None and price <= left:
            bought.append(wish)
            left -= price
    while (wish := _dearest(play, victim, bought, left)) is not None:
        bought.append(wish)
        left -= wish.value
    while left >= MARKER_COST and _price(play, victim, None, bought) is not None:
        bought.append(None)
        left -= MARKER_COST
    if bought or not again:
        _hand_over(play, victim, share, bought, left)
    return left


def _price(play: PhaseInPlay, victim: Player, wish: Wish, bought: Sequence[Wish]) -> int | None:
    """What it costs; None if it cannot be had (11.31)."""
    if wish is None:
        return MARKER_COST if play.table.markers[victim].pm > bought.count(None) else None
    stack = play.table.where.get(wish)
    if stack is None or stack.owner != victim or wish in bought:
        return None
    return wish.value if wish.is_leader and wish.color is Color.RED else None


def _dearest(play: PhaseInPlay, victim: Player, bought: Sequence[Wish], points: int) -> Piece | None:
    """The most valuable Red Leader that he can pay, with the strongest units, of the lowest code."""
    best: tuple[int, int, int] | None = None
    found: Piece | None = None
    for stack in play.table.owned(victim):
        if stack.color is not Color.RED:
            continue
        follows = attachment(play.board, stack.pieces)
        for leader in stack.leaders:
            if leader.value > points or leader in bought:
                continue
            troops = sum(unit.value for unit, chief in follows.items() if chief is leader)
            rank = (leader.value, troops, -leader.code)
            if best is None or rank > best:
                best, found = rank, leader
    return found


def _hand_over(play: PhaseInPlay, victim: Player, share: Share, bought: Sequence[Wish], left: int) -> None:
    table = play.table
    leaders = [wish for wish in bought if wish is not None]
    markers = len(bought) - len(leaders)
    changes: list[Change] = []
    taken: list[Piece] = []
    for stack in dict.fromkeys(table.where[leader] for leader in leaders):
        followers = {**attachment(play.board, stack.pieces), **holders(stack.pieces)}
        before, after = split(table, stack, leaders, share.player, followers)
        taken += [p for p in stack.pieces if p in leaders or followers.get(p) in leaders]
        changes.append(Restacked(before, after))
    if markers:
        changes += [Marked(victim, "PM", -markers), Marked(share.player, "PM", markers)]
    table.emit(
        PurgeSpoils(
            rules=("11.21", "11.22", "11.23", "J20"),
            player=share.player,
            victim=victim,
            points=share.points,
            leaders=tuple(leaders),
            pieces=tuple(taken),
            pm=markers,
            unspent=left,
            changes=tuple(changes),
        )
    )
