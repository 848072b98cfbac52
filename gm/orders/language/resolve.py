"""Resolving names to pieces, provinces and players; an unknown name is Refused with its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from gm.board.model import Piece
from gm.orders import kinds as m
from gm.orders.language.lexer import Word, Words
from gm.orders.language.names import OrderNames, Players
from gm.position import Player

OrderT = TypeVar("OrderT", bound=m.Order)
Slot = int  # which word of the line
Counted = Slot | tuple[Slot, Slot]  # `BU2 KHER/FR`, or `2` and `BU2 KHER/FR`


class Refused(Exception):
    """One word cannot be what it stands for. Never leaves the package: the parser makes a Problem of it."""

    def __init__(self, code: str, word: Word, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.word = word
        self.data = data


class Resolver:
    """The names of one campaign, and the words and the place of the order that is being made."""

    def __init__(self, names: OrderNames, players: Players) -> None:
        self.names = names
        self.all_players = players
        self.line = 0
        self.source = ""
        self.words = Words()

    def make(self, kind: type[OrderT], **fields: Any) -> OrderT:
        return kind(line=self.line, source=self.source, **fields)

    def number(self, slot: Slot) -> int:
        return self.words[slot].number

    def place(self, slot: Slot) -> str:
        code = self.names.place(self.words.texts[slot])
        if code is None:
            raise Refused("unknown-province", self.words[slot])
        return code

    def player(self, slot: Slot) -> Player:
        letter = self.all_players.player(self.words.texts[slot])
        if letter is None:
            raise Refused("unknown-player", self.words[slot], players=self.all_players.letters)
        return letter

    def players(self, slots: Iterable[Slot]) -> tuple[Player, ...]:
        return tuple([self.player(s) for s in slots])

    def piece(self, counted: Counted) -> m.Named:
        slot = counted if isinstance(counted, Slot) else counted[1]
        named = self.names.piece(self.words.texts[slot])
        if named is None:
            raise Refused("unknown-piece", self.words[slot])
        if isinstance(counted, Slot):
            return named
        number = self.words[counted[0]]
        count, exist = number.number, len(named.options)
        if not 0 < count <= exist:
            raise Refused("too-many-of-a-kind", number, count=count, exist=exist, piece=self.words.texts[slot])
        return m.Named(named.options, count)

    def pieces(self, counted: Iterable[Counted]) -> tuple[m.Named, ...]:
        return tuple([self.piece(c) for c in counted])

    def leader(self, slot: Slot) -> Piece:
        named = self.names.piece(self.words.texts[slot])
        if named is None:
            raise Refused("unknown-leader", self.words[slot])
        if not named.one.is_leader:
            raise Refused("not-a-leader", self.words[slot], piece=named.one.bell)
        return named.one

    def leaders(self, slots: Iterable[Slot]) -> tuple[Piece, ...]:
        return tuple([self.leader(s) for s in slots])

    def imperial(self, counted: Counted) -> Piece:
        piece = self.piece(counted).one
        if not piece.is_imperial:
            raise Refused("not-imperial", self._name(counted), piece=piece.bell)
        return piece

    def goods(self, items: Iterable[Any]) -> m.Goods:
        pm = am = 0
        leaders: list[Piece] = []
        for item in items:
            if isinstance(item, Slot):
                leaders.append(self.leader(item))
            elif item[0] == "pm":
                pm += self.number(item[1])
            else:
                am += self.number(item[1])
        return m.Goods(pm, am, tuple(leaders))

    def prizes(self, items: Iterable[Slot | None]) -> tuple[Piece | None, ...]:
        return tuple([None if s is None else self.leader(s) for s in items])

    def path(self, stops: Iterable[Slot | tuple[Slot, list[Any]]]) -> tuple[m.Stop, ...]:
        return tuple([self._stop(stop) for stop in stops])

    def _stop(self, stop: Slot | tuple[Slot, list[Any]]) -> m.Stop:
        if isinstance(stop, Slot):
            return self.names.stops[self.place(stop)]
        place, handled = stop
        province = self.place(place)
        found: list[m.Handling] = []
        act: m.Act | None = None
        for sign, counted in handled:
            act = sign or act  # `(+A, B, -C)`: an item without a sign does as the one before it
            if act is None:
                raise Refused("sign-missing", self._name(counted))
            found.append(m.Handling(act, self.piece(counted)))
        return m.Stop(province, tuple(found))

    def clauses(self, clauses: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for keyword, value in clauses:
            if keyword in given:
                raise Refused("clause-twice", self._first_word(value), keyword=keyword)
            given[keyword] = value
        return given

    def standing(self, order: m.Order) -> m.Order:
        if isinstance(order, m.StandingOrder):
            return replace(order, standing=True)
        return order  # VOTE: on file until changed in any case

    def _name(self, counted: Counted) -> Word:
        return self.words[counted if isinstance(counted, Slot) else counted[1]]

    def _first_word(self, value: Any) -> Word:
        while not isinstance(value, Slot):
            value = next((v for v in value if v is not None), None)
            if value is None:
                return Word("NAME", "", 0, 0)
        return self.words[value]
