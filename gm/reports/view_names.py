"""How the paper calls players, provinces, pieces and goods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gm.adjudicator.outcome import Outcome
from gm.board.model import Board, Piece
from gm.notation import format_pieces
from gm.orders.model import Goods
from gm.position import Player, Stack
from gm.reports.prose import Prose
from gm.reports.view_input import PlayerInfo

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")


def clean(text: str) -> str:
    """A person's words on one line: no control or direction-changing characters, single blanks."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())


@dataclass(frozen=True)
class Names:
    board: Board
    words: Prose
    players: Mapping[Player, str]  # full names
    short: Mapping[Player, str]  # surnames where they are unique
    board_players: frozenset[Player] = frozenset()  # all letters, named or not

    def who(self, player: Player | None) -> str:
        """A player in a story: `Grossman`."""
        if player is None:
            return self.words.template("words", "nobody")
        return self.short.get(player) or self.words.phrase("words", "player", letter=player)

    def tag(self, player: Player) -> str:
        """A player in a list: `Grossman ("A")`."""
        if player in self.short:
            return self.words.phrase("words", "player_tag", name=self.short[player], letter=player)
        return self.words.phrase("words", "player_tag_bare", letter=player)

    def title(self, player: Player) -> str:
        """A player over his own list: `Ben Grossman ("A")`."""
        if player in self.players:
            return self.words.phrase("words", "player_tag", name=self.players[player], letter=player)
        return self.words.phrase("words", "player_tag_bare", letter=player)

    def whos(self, players: Iterable[Player]) -> str:
        return self.words.many(self.who(p) for p in players)

    def tags(self, players: Iterable[Player]) -> str:
        return self.words.many(self.tag(p) for p in players)

    def place(self, province: str) -> str:
        found = self.board.provinces.get(province)
        return found.name if found else province

    def places(self, provinces: Iterable[str]) -> str:
        return self.words.many(self.place(p) for p in provinces)

    def leader(self, piece: Piece) -> str:
        """`Baron Wrangel`, `the former Czar`."""
        known = self.words.packs["leaders"].get(piece.name)
        return str(known["title"]) if known else piece.name

    def pieces(self, pieces: Iterable[Piece]) -> str:
        """Pieces within a sentence, in Bell notation."""
        return self.words.many(piece.bell for piece in pieces)

    def stack(self, stack: Stack) -> str:
        return format_pieces(stack.pieces)

    def nation(self, code: str | None) -> str:
        found = self.board.nations.get(code or "")
        return found.name if found else str(code)

    def goods(self, goods: Goods) -> str:
        found = [leader.bell for leader in goods.leaders]
        if goods.pm:
            found.append(self.words.phrase("happened", "pm", n=goods.pm))
        if goods.am:
            found.append(self.words.phrase("happened", "am", n=goods.am))
        return self.words.many(found)


def names_for(board: Board, words: Prose, players: Mapping[Player, PlayerInfo], outcome: Outcome) -> Names:
    full = {p: clean(info.name) for p, info in players.items() if p in outcome.after.players}
    full = {p: name for p, name in full.items() if name}
    last = {p: name.split()[-1] for p, name in full.items()}
    common = Counter(name.casefold() for name in last.values())
    short = {p: name if common[name.casefold()] == 1 else full[p] for p, name in last.items()}
    return Names(board, words, full, short, frozenset(outcome.after.players))
