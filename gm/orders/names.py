"""What a player's words mean: every spelling of every piece, province and player, in one dictionary lookup each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gm.board.model import Board, Color, Piece
from gm.position import Player

_DROPPED = re.compile(r"[.'’`]")
_BLANKS = re.compile(r"\s+")
_SLASH = re.compile(r"\s*/\s*")
IMPERIAL_NAMES = {"Czar": ("czar", "tsar"), "Gold": ("gold", "imperial gold")}
# The Bell printed /UK for British units; on a Green unit UK is the Ukraine.
BLUE_NATION_SLIPS = {"BR": ("uk", "gb")}


def fold(text: str) -> str:
    """The form under which a name is looked up: case, accents, full stops, apostrophes and extra blanks do not matter."""
    text = _DROPPED.sub("", text.lower())
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = _SLASH.sub("/", _BLANKS.sub(" ", text)).strip()
    return text[4:] if text.startswith("the ") else text


@dataclass(frozen=True)
class Names:
    """Every name of a Board, folded. A piece name may fit several counters: all of them are listed, by code."""

    board: Board
    pieces: Mapping[str, tuple[Piece, ...]]
    places: Mapping[str, str]


@lru_cache(maxsize=16)
def _names_by_id(board_id: int, holder: _Holder) -> Names:
    board = holder.board
    return Names(board, _piece_index(board), _place_index(board))


class _Holder:
    """A Board is not hashable by value; two holders are equal when they hold the same object."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Holder) and other.board is self.board


def names_of(board: Board) -> Names:
    """The dictionary of a Board, made once."""
    return _names_by_id(id(board), _Holder(board))


def _place_index(board: Board) -> dict[str, str]:
    index: dict[str, str] = {}
    for province in board.provinces.values():
        for name in (province.code, province.name, *province.aliases):
            index[fold(name)] = province.code
    return index


def _piece_index(board: Board) -> dict[str, tuple[Piece, ...]]:
    found: dict[str, dict[int, Piece]] = {}
    for piece in board.pieces.values():
        for spelling in _spellings(board, piece):
            found.setdefault(spelling, {})[piece.code] = piece
    return {name: tuple(pieces[c] for c in sorted(pieces)) for name, pieces in found.items()}


def _spellings(board: Board, piece: Piece) -> Iterator[str]:
    yield f"#{piece.code}"
    if piece.is_imperial:
        yield from IMPERIAL_NAMES.get(piece.name, (fold(piece.name),))
        return
    tag = piece.tag.lower()
    if piece.is_leader:
        for name in (piece.name, *piece.aliases):
            key = fold(name)
            yield from (key, f"{tag} {key}", f"{tag[:2]} {key}")
        return
    province = board.provinces[piece.home]
    suffixes = ("", *_nation_suffixes(board, piece))
    for name in (piece.name, province.name, *province.aliases, *piece.aliases):
        key = fold(name)
        for suffix in suffixes:
            yield from (f"{tag} {key}{suffix}", f"{tag[:2]} {key}{suffix}")


def _nation_suffixes(board: Board, piece: Piece) -> Iterator[str]:
    if piece.nation is None:
        return
    yield f"/{piece.nation.lower()}"
    if piece.color is Color.BLUE:
        yield from (f"/{slip}" for slip in BLUE_NATION_SLIPS.get(piece.nation, ()))
    yield f"/{fold(board.nations[piece.nation].name)}"


@dataclass(frozen=True)
class Players:
    """Letters, and names as far as they are unique."""

    letters: tuple[Player, ...]
    index: Mapping[str, Player]


def players_of(players: Mapping[str, Player] | Sequence[Player]) -> Players:
    named: Iterable[tuple[str, Player]] = players.items() if isinstance(players, Mapping) else ((p, p) for p in players)
    index: dict[str, Player] = {}
    doubtful: set[str] = set()
    letters: set[Player] = set()
    for name, letter in named:
        letters.add(letter)
        words = fold(name)
        for key in {words, words.split(" ")[0]} - {""}:
            if index.get(key, letter) != letter:
                doubtful.add(key)
            index[key] = letter
    for key in doubtful:
        del index[key]
    for letter in letters:
        index[letter.lower()] = letter  # a letter always means its player
    return Players(tuple(sorted(letters)), index)
