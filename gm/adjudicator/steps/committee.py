"""The Central Committee (11.1): whose orders agree, and how many markers really stand behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.orders.kinds import Execute, Purge
from gm.position import Player

T = TypeVar("T", Purge, Execute)


def members(player: Player, order: Purge | Execute) -> frozenset[Player]:
    return frozenset({player, *order.partners})


def cut_to_holdings(play: PhaseInPlay, using: Sequence[tuple[Player, int, int]]) -> dict[tuple[Player, int], int]:
    """Markers assigned, order by order; who assigns more than they hold has each order cut by the excess (J18)."""
    totals: dict[Player, int] = {}
    for player, _, number in using:
        totals[player] = totals.get(player, 0) + number
    return {
        (player, order): max(0, number - max(0, totals[player] - play.table.markers[player].pm))
        for player, order, number in using
    }


def agreeing(
    player: Player, number: int, order: T, filed: Sequence[tuple[Player, int, T]]
) -> list[tuple[Player, int, T]] | None:
    """The order and a compatible one of each other participant, by letter; None if one is missing."""
    who = members(player, order)
    group = [(player, number, order)]
    for other in sorted(who - {player}):
        match = next((f for f in filed if f[0] == other and _compatible(who, order, other, f[2])), None)
        if match is None:
            return None
        group.append(match)
    return sorted(group, key=lambda g: g[0])


def without_match(
    player: Player, order: Purge | Execute, filed: Sequence[tuple[Player, Purge | Execute]]
) -> list[Player]:
    """Of the other participants those without a compatible order among these."""
    who = members(player, order)
    matched = {p for p, theirs in filed if type(theirs) is type(order) and _compatible(who, order, p, theirs)}
    return sorted(who - {player} - matched)


def _compatible(who: frozenset[Player], order: Purge | Execute, other: Player, theirs: Purge | Execute) -> bool:
    if members(other, theirs) != who:
        return False
    if isinstance(order, Purge) and isinstance(theirs, Purge):
        if order.separately or theirs.separately:  # each by its own markers: objects may differ
            return order.separately and theirs.separately
        return order.object == theirs.object and order.division == theirs.division
    return True
