"""All kinds of order in one list, made from the classes: for lexer, mail, checker, adjudicator and help."""

from __future__ import annotations

from collections.abc import Iterable

from gm.orders.kinds import combat, movement, other, politics, trades
from gm.orders.kinds.base import FIRST, SECOND, About, Order, StandingOrder
from gm.position import Phase

_FAMILIES = (trades, movement, politics, combat, other)

KINDS: tuple[type[Order], ...] = tuple(
    found
    for family in _FAMILIES
    for found in vars(family).values()
    if isinstance(found, type) and issubclass(found, Order) and "about" in vars(found)
)

_LASTING = "|".join(dict.fromkeys(k.about.verb for k in KINDS if issubclass(k, StandingOrder)))
STANDING = About(
    keyword="STANDING",
    phases=(FIRST, SECOND),
    usage=f"STANDING {_LASTING} ...",
    what="Keeps the order on file until you change it.",
    examples=("STANDING COUNTERPURGE STRONGEST", "STANDING REFUSE GIFTS"),
    rules=("J39",),
)

CATALOGUE: tuple[About, ...] = (*(kind.about for kind in KINDS), STANDING)
BY_KEYWORD = {about.keyword: about for about in CATALOGUE}
VERBS = tuple(dict.fromkeys(kind.about.verb for kind in KINDS))  # the first words of orders


def about_verb(verb: str) -> tuple[About, ...]:
    """All orders that begin with a word."""
    return tuple(about for about in CATALOGUE if about.verb == verb.upper())


def in_phase(phase: Phase) -> Iterable[About]:
    """What can be ordered in a Phase."""
    return (about for about in CATALOGUE if phase in about.phases)


def kinds_of(phase: Phase) -> frozenset[type[Order]]:
    """The orders of a Phase of the postal game; any other is understood and refused (17/4.2)."""
    return frozenset(kind for kind in KINDS if phase in kind.about.phases and not kind.about.solitaire)
