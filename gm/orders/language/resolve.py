"""Resolving names to pieces, provinces and players; an unknown name is Refused with its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from gm.board.model import Piece
from gm.orders import kinds as m
from gm.orders.language.lexer import Word
from gm.orders.language.names import OrderNames, Players
from gm.position import Player

OrderT = TypeVar("OrderT", bound=m.Order)
Counted = Word | tuple[Word, Word]  # `BU2 KHER/FR`, or `2` and `BU2 KHER/FR`


class Refused(Exception):
    """One word cannot be what it stands for. Never leaves the package: the parser makes a Problem of it."""

    def __init__(self, code: str, word: Word, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.word = word
        self.data = data


class Resolver:
    """The names of one campaign, and where the order stands that is being made."""

    def __init__(self, names: OrderNames, players: Players) -> None:
        self.names = names
        self.all_players = players
        self.line = 0
        self.source = ""

    def make(self, kind: type[OrderT], **fields: Any) -> OrderT:
        return kind(line=self.line, source=self.source, **fields)

    def place(self, word: Word) -> str:
        code = self.names.place(word.text)
        if code is None:
            raise Refused("unknown-province", word)
        return code

    def player(self, word: Word) -> Player:
        letter = self.all_players.player(word.text)
        if letter is None:
            raise Refused("unknown-player", word, players=self.all_players.letters)
        return letter

    def players(self, words: Iterable[Word]) -> tuple[Player, ...]:
        return tuple([self.player(w) for w in words])

    def piece(self, counted: Counted) -> m.Named:
        number, word = (None, counted) if isinstance(counted, Word) else counted
        named = self.names.piece(word.text)
        if named is None:
            raise Refused("unknown-piece", word)
        if number is None:
            return named
        if not 0 < number.number <= len(named.options):
            raise Refused("too-many-of-a-kind", number, count=number.number, exist=len(named.options), piece=word.text)
        return m.Named(named.options, number.number)

    def pieces(self, counted: Iterable[Counted]) -> tuple[m.Named, ...]:
        return tuple([self.piece(c) for c in counted])

    def leader(self, word: Word) -> Piece:
        named = self.names.piece(word.text)
        if named is None:
            raise Refused("unknown-leader", word)
        if not named.one.is_leader:
            raise Refused("not-a-leader", word, piece=named.one.bell)
        return named.one

    def leaders(self, words: Iterable[Word]) -> tuple[Piece, ...]:
        return tuple([self.leader(w) for w in words])

    def imperial(self, counted: Counted) -> Piece:
        piece = self.piece(counted).one
        if not piece.is_imperial:
            raise Refused("not-imperial", _name(counted), piece=piece.bell)
        return piece

    def goods(self, items: Iterable[Any]) -> m.Goods:
        pm = am = 0
        leaders: list[Piece] = []
        for item in items:
            if isinstance(item, Word):
                leaders.append(self.leader(item))
            elif item[0] == "pm":
                pm += item[1].number
            else:
                am += item[1].number
        return m.Goods(pm, am, tuple(leaders))

    def prizes(self, items: Iterable[Word | None]) -> tuple[Piece | None, ...]:
        return tuple([None if w is None else self.leader(w) for w in items])

    def path(self, stops: Iterable[Word | tuple[Word, list[Any]]]) -> tuple[m.Stop, ...]:
        return tuple([self._stop(stop) for stop in stops])

    def _stop(self, stop: Word | tuple[Word, list[Any]]) -> m.Stop:
        if isinstance(stop, Word):
            return m.Stop(self.place(stop))
        place, handled = stop
        province = self.place(place)
        found: list[m.Handling] = []
        act: m.Act | None = None
        for sign, counted in handled:
            act = sign or act  # `(+A, B, -C)`: an item without a sign does as the one before it
            if act is None:
                raise Refused("sign-missing", _name(counted))
            found.append(m.Handling(act, self.piece(counted)))
        return m.Stop(province, tuple(found))

    def clauses(self, clauses: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for keyword, value in clauses:
            if keyword in given:
                raise Refused("clause-twice", _first_word(value), keyword=keyword)
            given[keyword] = value
        return given

    def standing(self, order: m.Order) -> m.Order:
        if isinstance(order, m.StandingOrder):
            return replace(order, standing=True)
        return order  # VOTE: on file until changed in any case


def _name(counted: Counted) -> Word:
    return counted if isinstance(counted, Word) else counted[1]


def _first_word(value: Any) -> Word:
    while not isinstance(value, Word):
        value = next((v for v in value if v is not None), Word("NAME", "", 0, 0))
    return value
