"""Base classes of orders: Order, About (its description), Named (names of pieces), and their printing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec import Struct, field

from gm.board.model import Color, Piece
from gm.position import Phase, Player

PREGAME, FIRST, SECOND = ORDER_PHASES = (Phase.PREGAME, Phase.FIRST, Phase.SECOND)

# Words of several orders, with the terminals of grammar.lark for which they stand.
PM_WORDS = {"pm": "_PM", "pms": "_PM", "politburo": "_PM"}
AM_WORDS = {"am": "_AM", "ams": "_AM", "assassin": "_AM", "assassins": "_AM"}
WITH_WORDS = {"with": "_WITH", "w/": "_WITH"}
COMMITTEE_WORDS = {**WITH_WORDS, "using": "_USING", **PM_WORDS}


class About(Struct, frozen=True, kw_only=True):
    """What there is to know about a kind of order: read by lexer, mail, checker, adjudicator, receipt and help."""

    keyword: str  # as help lists it: GIVE, REFUSE GIFTS
    phases: tuple[Phase, ...]  # in which it may be given
    usage: str
    what: str  # one line
    examples: tuple[str, ...]
    rules: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)  # its words beside the first one: word -> terminal
    solitaire: bool = False  # only in the game for one person
    done_by: tuple[str, ...] = ()  # the rules that its result cites if it was simply carried out
    not_now: tuple[str, ...] = ()  # what it cites beside 17/4.2 if it was given in another Phase

    @property
    def verb(self) -> str:
        """The first word."""
        return self.keyword.partition(" ")[0]


class Order(Struct, frozen=True, kw_only=True):
    """Names are resolved to pieces of the Board; whether they stand where the player thinks is for the checker
    (before the deadline) and the adjudicator (after it)."""

    about: ClassVar[About]

    # Where it stood in the sheet; two orders that say the same are equal wherever they stand.
    line: int = 0
    source: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Order) and type(self) is type(other) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash((type(self), self._said()))

    def _said(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__struct_fields__ if name not in ("line", "source")])

    def printed(self) -> str:
        """In canonical form, as a receipt echoes it; it parses back to the same order. Of several lines only for
        PRESS and for an ATTACK with its own LOSE or TAKE."""
        raise NotImplementedError


class StandingOrder(Order, frozen=True, kw_only=True):
    """An order that stays on file until it is changed, if the player says STANDING before it."""

    standing: bool = False

    @property
    def prefix(self) -> str:
        return "STANDING " if self.standing else ""


class Named(Struct, frozen=True):
    """Pieces as a player names them: any `count` of `options` (twins, or those a short name fits)."""

    options: tuple[Piece, ...]
    count: int = 1

    @property
    def one(self) -> Piece:
        return self.options[0]

    def printed(self, tagged: bool = False) -> str:
        """The shortest form that means exactly these."""
        count = f"{self.count} " if self.count > 1 else ""
        first = self.options[0]
        if len({p.twin_key for p in self.options}) == 1:
            return count + print_piece(first, tagged)
        tags = {p.tag for p in self.options}
        tag = first.tag if len(tags) == 1 else first.tag[:2]
        nations = {p.nation for p in self.options}
        suffix = f"/{first.nation}" if len(nations) == 1 and first.color is Color.BLUE else ""
        return f"{count}{tag} {first.name}{suffix}"


def print_piece(piece: Piece, tagged: bool = False) -> str:
    """`Lenin`, `RU8 PETR`, `Czar`; with `tagged` also `RL3 Lenin`."""
    if piece.is_imperial or (piece.is_leader and not tagged):
        return piece.name
    return piece.bell


def print_all(names: Iterable[Named], tagged: bool = False) -> str:
    return ", ".join(named.printed(tagged) for named in names)


def print_leaders(leaders: Iterable[Piece]) -> str:
    return ", ".join(print_piece(p) for p in leaders)


def print_players(players: Iterable[Player]) -> str:
    return ", ".join(players)


def clause(keyword: str, words: str) -> str:
    """A part that is left out if there is nothing to say in it."""
    return f" {keyword} {words}" if words else ""
