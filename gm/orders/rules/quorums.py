"""Quorums: how many Politburo Markers a Purge, the Czar's execution and a vote need, and who must join."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gm.position import Player

PURGE_QUORUM = 8  # 11.11
EXECUTION_QUORUM = 10  # 13.52
VOTE_QUORUM = 10  # 14.1(3)


def recruited(
    quorum: int, markers: Mapping[Player, int], members: Iterable[Player], others: Iterable[Player]
) -> tuple[Player, ...] | None:
    """The members, with as many others as it takes to have the quorum, those with most markers first; None if all
    together have too few."""
    found = list(members)
    candidates = sorted(others, key=lambda p: (-markers.get(p, 0), p))
    while sum(markers.get(p, 0) for p in found) < quorum:
        if not candidates:
            return None
        found.append(candidates.pop(0))
    return tuple(found)
