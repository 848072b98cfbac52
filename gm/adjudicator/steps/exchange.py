"""Which pieces the stronger side loses in an Exchange (8.43, 8.44, 8.46, J31); who goes whole is in battle.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.board.model import Color, Piece
from gm.orders.kinds import Named


def choose_losses(pieces: Sequence[Piece], needed: int, wishes: Iterable[Named], *, spare_leaders: bool) -> list[Piece]:
    """Pieces worth at least `needed`: those wished for first, in that order, then the default choice."""
    chosen: list[Piece] = []
    for named in wishes:
        for piece in [p for p in pieces if p in named.options and p not in chosen][: named.count]:
            if sum(p.value for p in chosen) < needed:
                chosen.append(piece)
    rest = needed - sum(p.value for p in chosen)
    if rest <= 0:
        return chosen
    pool = [p for p in pieces if p not in chosen and not p.is_imperial]
    if spare_leaders:
        units = [p for p in pool if p.is_unit]
        if sum(p.value for p in units) >= rest:
            pool = units
    return chosen + cheapest(pool, rest)


def by_priority(pieces: Sequence[Piece], needed: int) -> list[Piece]:
    """The system's losses (23.16, S6): Blue units, then Green, then White, Leaders last; of a kind the cheapest."""
    chosen: list[Piece] = []
    for rank in range(len(_PRIORITY) + 1):
        rest = needed - sum(p.value for p in chosen)
        if rest <= 0:
            break
        chosen += cheapest([p for p in pieces if _rank(p) == rank], rest)
    return chosen


_PRIORITY = (Color.BLUE, Color.GREEN, Color.WHITE)


def _rank(piece: Piece) -> int:
    return _PRIORITY.index(piece.color) if piece.is_unit and piece.color in _PRIORITY else len(_PRIORITY)


def cheapest(pool: Sequence[Piece], needed: int) -> list[Piece]:
    """The fewest points that are enough, then the fewest pieces, then the lowest identity codes."""
    # best[sum, size] = the lexicographically lowest codes that give this sum with so many pieces.
    best: dict[tuple[int, int], tuple[Piece, ...]] = {(0, 0): ()}
    for piece in sorted(pool, key=lambda p: p.code):
        for (total, size), codes in list(best.items()):
            if total >= needed:
                continue
            key = (total + piece.value, size + 1)
            candidate = (*codes, piece)
            if key not in best or _codes(candidate) < _codes(best[key]):
                best[key] = candidate
    enough = [key for key in best if key[0] >= needed]
    return list(best[min(enough)]) if enough else list(pool)


def _codes(pieces: tuple[Piece, ...]) -> tuple[int, ...]:
    return tuple(p.code for p in pieces)
