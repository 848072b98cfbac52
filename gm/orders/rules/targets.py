"""Resolving the names in ATTACK and SUBVERT orders to stacks (J30), for the checker and the adjudicator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from gm.board.model import Piece
from gm.orders.kinds import Named

S = TypeVar("S")  # a stack, however the caller keeps them


def meant(
    names: Sequence[Named], stacks: Mapping[Piece, S], remoteness: Callable[[S], tuple[bool, ...]]
) -> Iterator[tuple[Named, S | None]]:
    """Each name with the stacks of the pieces that it means; None if there are none.

    Of twins it means those whose stacks are the least remote; named again, others of them.
    """
    taken: set[Piece] = set()
    for named in names:
        if len(named.options) == 1:
            yield named, stacks.get(named.one)
            continue
        pieces = [p for p in named.options if p in stacks and p not in taken]
        pieces.sort(key=lambda p: remoteness(stacks[p]))
        chosen = pieces[: named.count]
        taken.update(chosen)
        found: list[S | None] = [stacks[p] for p in chosen]
        yield from ((named, stack) for stack in dict.fromkeys(found or [None]))
