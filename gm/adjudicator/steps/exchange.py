"""Which pieces the stronger side loses in an Exchange (8.43, 8.44, 8.46, J31); who goes whole is in battle.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gm.board.model import Color, Piece
from gm.orders.kinds import Named

MOST_WORK: Final = 1_000_000  # sums times pieces of one Exchange: a second; the standard game comes to 40,000


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
    if needed <= 0:
        return []
    if sum(p.value for p in pool) < needed:
        return list(pool)
    pieces = sorted(pool, key=lambda p: p.code)
    codes = _search(pieces, needed)
    if codes is None:
        return _strongest_first(pieces, needed)
    return [p for p in pieces if p.code in codes]


def _search(pieces: Sequence[Piece], needed: int) -> frozenset[int] | None:
    """The codes of those that fall; None where more sums are possible than on any board that a campaign begins on."""
    # best[sum]: of the pieces so far the fewest that give it, of these the lowest codes. Whatever is added is added to
    # all ways to the same sum alike. A sum that is enough is kept only if it is the lowest, one from which the pieces
    # that are left do not lead to `needed` not at all.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    left = lowest = sum(p.value for p in pieces)
    for piece in pieces:
        left -= piece.value
        for total, (size, codes) in list(best.items()):
            grown = total + piece.value
            if total >= needed or grown > lowest or grown + left < needed:
                continue
            known = best.get(grown)
            if known is None or (size + 1, (*codes, piece.code)) < known:
                best[grown] = (size + 1, (*codes, piece.code))
                if grown >= needed:
                    lowest = grown
        best = {total: way for total, way in best.items() if total <= lowest and total + left >= needed}
        if len(best) * len(pieces) > MOST_WORK:
            return None
    return frozenset(best[lowest][1])


def _strongest_first(pieces: Sequence[Piece], needed: int) -> list[Piece]:
    """Enough, if not always the fewest points: each piece that does not go beyond, then the weakest that does; then
    whoever is not needed after all is spared."""
    chosen: list[Piece] = []
    rest = needed
    for piece in sorted(pieces, key=lambda p: (-p.value, p.code)):
        if piece.value <= rest:
            chosen.append(piece)
            rest -= piece.value
    if rest > 0:
        last = min((p for p in pieces if p not in chosen), key=lambda p: (p.value, p.code))
        chosen.append(last)
        rest -= last.value
    for piece in list(chosen):
        if piece.value <= -rest:
            chosen.remove(piece)
            rest += piece.value
    return sorted(chosen, key=lambda p: p.code)
