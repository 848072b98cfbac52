"""Names in orders: every spelling of every piece, province and player, in one dictionary lookup each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from gm.board import names as board_names
from gm.board.model import Board, Color, Piece
from gm.board.names import fold
from gm.orders.kinds import Named, Stop
from gm.position import Player

_IMPERIAL_NAMES = {"Czar": ("czar", "tsar"), "Gold": ("gold", "imperialgold", "goldreserve")}
# The Bell printed /UK for British units; on a Green unit UK is the Ukraine.
_BLUE_SLIPS = {"BR": ("uk", "gb")}
_SHORTEST_ABBREVIATION = 3
_LONGEST_LIST, _WORDS_OF_A_NAME = 2000, 5
_BETWEEN_NAMES = re.compile(r"[,;:&+()\[\]]|(?<!\w)[-–—]+|\band\b", re.IGNORECASE)
_AROUND_NAMES = frozenset(
    (
        *("all", "everything", "everyone", "everybody", "anything", "nothing", "every", "each", "both", "else", "only"),
        *("the", "my", "our", "these", "those", "other", "others", "remaining", "rest", "of", "in", "at", "on", "with"),
        *("for", "from", "is", "are", "stay", "stays", "stand", "stands", "where", "it", "they", "as", "here", "there"),
        *("force", "forces", "stack", "stacks", "unit", "units", "leader", "leaders", "counter", "counters", "piece"),
        *("pieces", "troops", "army", "armies", "province", "provinces", "position", "positions", "everywhere", "no"),
        *("red", "reds", "white", "whites", "green", "greens", "blue", "blues", "now", "this", "phase", "turn"),
        *("move", "moves", "please"),
    )
)


class OrderNames(Struct, frozen=True):
    """Every name of a Board, folded, and the usual ones also as they are printed. A piece name may fit several
    counters: then all of them are its options, by code."""

    board: Board
    pieces: Mapping[str, Named]
    places: Mapping[str, str]
    leaders: Mapping[str, Piece]  # by name or alias alone
    printed: Mapping[str, Named]
    stops: Mapping[str, Stop]  # a province of a path with nothing handled there, by code

    def piece(self, text: str) -> Named | None:
        return self.printed.get(text) or self.pieces.get(fold(text)) or self._abbreviated(text)

    def place(self, text: str) -> str | None:
        return text if text in self.board.provinces else self.places.get(fold(text))

    def only_names(self, text: str) -> bool:
        """Nothing but pieces and provinces, and words as they stand between them: no conversation."""
        if "?" in text:
            return False
        for part in _BETWEEN_NAMES.split(text[:_LONGEST_LIST]):
            words = [word for word in part.split() if word.lower().strip(".!") not in _AROUND_NAMES]
            while words:
                sizes = range(min(_WORDS_OF_A_NAME, len(words)), 0, -1)
                names = ((size, " ".join(words[:size])) for size in sizes)
                size = next((n for n, name in names if self.piece(name) or self.place(name)), 0)
                if not size and not words[0].isdecimal():  # `2 BU2 KHER/FR`
                    return False
                words = words[size or 1 :]
        return len(text) <= _LONGEST_LIST

    def _abbreviated(self, text: str) -> Named | None:
        """`Tukh.`: the only Leader whose name begins so."""
        start = fold(text)
        if not text.endswith(".") or len(start) < _SHORTEST_ABBREVIATION:
            return None
        fitting = {piece for name, piece in self.leaders.items() if name.startswith(start)}
        return Named((fitting.pop(),)) if len(fitting) == 1 else None


@lru_cache(maxsize=16)
def names_of(board: Board) -> OrderNames:
    """The dictionary of a Board, made once."""
    pieces = _piece_index(board)
    printed = {p.bell: pieces[fold(p.bell)] for p in board.pieces.values()}
    printed |= {p.name: pieces[fold(p.name)] for p in board.pieces.values() if not p.is_unit}
    known = board_names.names_of(board)
    stops = {code: Stop(code) for code in board.provinces}
    return OrderNames(board, pieces, known.provinces, known.leaders, printed, stops)


def _piece_index(board: Board) -> dict[str, Named]:
    found: dict[str, dict[int, Piece]] = {}
    for piece in board.pieces.values():
        for spelling in _spellings(board, piece):
            found.setdefault(spelling, {})[piece.code] = piece
    return {name: Named(tuple(pieces[c] for c in sorted(pieces))) for name, pieces in found.items()}


def _spellings(board: Board, piece: Piece) -> Iterator[str]:
    yield f"#{piece.code}"
    if piece.is_imperial:
        yield from _IMPERIAL_NAMES.get(piece.name, (fold(piece.name),))
        return
    tag = piece.tag.lower()
    if piece.is_leader:
        for name in (piece.name, *piece.aliases):
            key = fold(name)
            yield from (key, f"{tag}{key}", f"{tag[:2]}{key}")
        return
    province = board.provinces[piece.home]
    suffixes = ("", *_nation_suffixes(board, piece))
    for name in (piece.name, province.name, *province.aliases, *piece.aliases):
        key = fold(name)
        for suffix in suffixes:
            yield from (f"{tag}{key}{suffix}", f"{tag[:2]}{key}{suffix}")


def _nation_suffixes(board: Board, piece: Piece) -> Iterator[str]:
    if piece.nation is None:
        return
    nation = board.nations[piece.nation]
    yield fold(nation.code)
    yield fold(nation.name)
    if piece.color is Color.BLUE:
        yield from _BLUE_SLIPS.get(nation.code, ())


class Players(Struct, frozen=True):
    """Letters, and names as far as they are unique."""

    letters: tuple[Player, ...]
    index: Mapping[str, Player]

    def player(self, text: str) -> Player | None:
        return self.index.get(fold(text))


def players_of(players: Mapping[str, Player] | Sequence[Player]) -> Players:
    """From names to letters, or just letters. A first name alone will do where it is unique."""
    return _players(tuple(players.items() if isinstance(players, Mapping) else zip(players, players, strict=True)))


@lru_cache(maxsize=256)
def _players(named: tuple[tuple[str, Player], ...]) -> Players:
    index: dict[str, Player] = {}
    doubtful: set[str] = set()
    letters: set[Player] = set()
    for name, letter in named:
        letters.add(letter)
        for key in {fold(name), fold(name.split()[0] if name.split() else "")} - {""}:
            if index.setdefault(key, letter) != letter:
                doubtful.add(key)
    for key in doubtful:
        del index[key]
    index |= {letter.lower(): letter for letter in letters}  # a letter always means its player
    return Players(tuple(sorted(letters)), index)
