"""What a suggestion must keep: the pieces of a line that were understood, and BY RAIL."""

from __future__ import annotations

from collections.abc import Hashable

from gm.orders.language.lexer import lex
from gm.orders.language.names import OrderNames


def understood(names: OrderNames, text: str) -> frozenset[Hashable]:
    """The pieces that a line names, and BY RAIL if it says so."""
    found: set[Hashable] = set()
    for word in lex(text):
        named = names.piece(word.text) if word.type == "NAME" else None
        if named is not None:
            found.add(named.options)
        elif word.type == "RAIL":
            found.add(word.type)
    return frozenset(found)
