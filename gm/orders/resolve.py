"""Tokens to pieces, provinces and players; a name that means nothing is Refused with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lark import Token

from gm.board.model import Piece
from gm.orders import model as m
from gm.orders.names import Names, Players, fold
from gm.position import Player


class Refused(Exception):
    """One token cannot be what it stands for. Never leaves the package: the parser makes a Problem of it."""

    def __init__(self, code: str, token: Token, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.token = token
        self.data = data


class Resolver:
    def __init__(self, names: Names, players: Players) -> None:
        self.names = names
        self._players = players

    def place(self, token: Token) -> str:
        code = self.names.places.get(fold(token))
        if code is None:
            raise Refused("unknown-province", token)
        return code

    def player(self, token: Token) -> Player:
        letter = self._players.index.get(fold(token))
        if letter is None:
            raise Refused("unknown-player", token, players=self._players.letters)
        return letter

    def players(self, tokens: Iterable[Token]) -> tuple[Player, ...]:
        return tuple(self.player(t) for t in tokens)

    def piece(self, pair: tuple[Token | None, Token]) -> m.Named:
        number, token = pair
        options = self.names.pieces.get(fold(token))
        if options is None:
            raise Refused("unknown-piece", token)
        count = 1 if number is None else int(number)
        if not 0 < count <= len(options):
            raise Refused("too-many-of-a-kind", token if number is None else number, count=count, exist=len(options))
        return m.Named(options, count)

    def pieces(self, pairs: Iterable[tuple[Token | None, Token]]) -> tuple[m.Named, ...]:
        return tuple(self.piece(p) for p in pairs)

    def leader(self, token: Token) -> Piece:
        options = self.names.pieces.get(fold(token))
        if options is None:
            raise Refused("unknown-leader", token)
        if not options[0].is_leader:
            raise Refused("not-a-leader", token)
        return options[0]

    def leaders(self, tokens: Iterable[Token]) -> tuple[Piece, ...]:
        return tuple(self.leader(t) for t in tokens)

    def imperial(self, pair: tuple[Token | None, Token]) -> Piece:
        piece = self.piece(pair).one
        if not piece.is_imperial:
            raise Refused("not-imperial", pair[1])
        return piece

    def goods(self, items: Iterable[Any]) -> m.Goods:
        pm = am = 0
        leaders: list[Piece] = []
        for item in items:
            if isinstance(item, Token):
                leaders.append(self.leader(item))
            elif item[0] == "pm":
                pm += int(item[1])
            else:
                am += int(item[1])
        return m.Goods(pm, am, tuple(leaders))

    def prizes(self, items: Iterable[Token | None]) -> tuple[Piece | None, ...]:
        return tuple(None if t is None else self.leader(t) for t in items)

    def path(self, stops: Iterable[tuple[Token, list[Any]]]) -> tuple[m.Stop, ...]:
        return tuple(m.Stop(self.place(place), self._handling(handled)) for place, handled in stops)

    def _handling(self, handled: list[Any]) -> tuple[m.Handling, ...]:
        """`(+A, B, -C)`: an item without a sign does as the one before it."""
        found: list[m.Handling] = []
        act: m.Act | None = None
        for sign, pair in handled:
            act = sign or act
            if act is None:
                raise Refused("sign-missing", pair[1])
            found.append(m.Handling(act, self.piece(pair)))
        return tuple(found)

    def clauses(self, clauses: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for keyword, value in clauses:
            if keyword in given:
                raise Refused("clause-twice", _first_token(value), keyword=keyword)
            given[keyword] = value
        return given

    def standing(self, order: m.Order) -> m.Order:
        if isinstance(order, m.Counterpurge | m.Comply | m.RefuseGifts | m.RefuseExecution | m.Lose):
            return replace(order, standing=True)
        return order


def _first_token(value: Any) -> Token:
    while not isinstance(value, Token):
        value = next((v for v in value if v is not None), Token("NAME", "", 0, end_pos=0))
    return value
