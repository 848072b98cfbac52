"""Names as people write them -> the things of the box, with near misses for what nobody wrote right."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gm.board.model import Board, Color, Nation, Piece

CLOSE = 0.6  # below this similarity a suggestion only confuses
MAX_NEAR_NAMES = 4
LONGEST_NAME, MOST_CHOICES = 200, 1_000


def fold(text: str) -> str:
    """The form under which a name is looked up: case, accents, blanks and punctuation do not matter, but for the #
    of an identity code."""
    if text.isalnum() and text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if c.isalnum() or c == "#")


@dataclass(frozen=True, slots=True)
class BoardNames:
    """The index of every name and alias on one Board."""

    provinces: Mapping[str, str]  # key -> province code
    leaders: Mapping[str, Piece]
    imperials: Mapping[str, Piece]
    units: Mapping[tuple[Color, str], tuple[Piece, ...]]  # colour, home -> counters by code
    nations: Mapping[str, tuple[Nation, ...]]  # by code first, then by name or alias

    def province(self, text: str) -> str | None:
        return self.provinces.get(fold(text))

    def leader(self, text: str) -> Piece | None:
        return self.leaders.get(fold(text))

    def nation(self, text: str, color: Color | None = None) -> Nation | None:
        """A nation by code, name or alias; `UK` is Great Britain where only a Blue nation can be meant."""
        found = self.nations.get(fold(text), ())
        return next((n for n in found if color is None or n.color is color), None)

    def units_of(self, color: Color, name: str) -> tuple[Piece, ...]:
        """The counters of a colour whose home is named (`DON` and `DCOS` are the same)."""
        return self.units.get((color, self.province(name) or fold(name)), ())

    def near_province(self, text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.provinces[k] for k in near_keys(text, self.provinces)))

    def near_leader(self, text: str) -> tuple[Piece, ...]:
        return tuple(dict.fromkeys(self.leaders[k] for k in near_keys(text, self.leaders)))


def near(text: str, choices: Iterable[str]) -> tuple[str, ...]:
    """The choices that look most like a text, best first; none if none is close, or if there is too much to compare."""
    choices = list(choices)
    if len(text) > LONGEST_NAME or len(choices) > MOST_CHOICES:
        return ()
    by_key = {fold(choice): choice for choice in choices}
    return tuple(by_key[key] for key in near_keys(text, by_key))


def near_keys(text: str, keys: Iterable[str], cutoff: float = CLOSE) -> list[str]:
    """The folded names most like a text; those that it begins (or that begin it) come first."""
    wanted = fold(text)
    choices = list(keys)
    starts = sorted((k for k in choices if len(wanted) >= 3 and k.startswith(wanted)), key=len)
    found = process.extract(
        wanted, choices, scorer=OSA.normalized_similarity, limit=MAX_NEAR_NAMES, score_cutoff=cutoff
    )
    ranked = [*(k for k, score, _ in found if score > 0.8), *starts, *(k for k, _, _ in found)]
    return list(dict.fromkeys(ranked))[:MAX_NEAR_NAMES]


@lru_cache(maxsize=16)
def names_of(board: Board) -> BoardNames:
    """The name index of a Board, made once."""
    provinces: dict[str, str] = {}
    for code in board.provinces:
        provinces[fold(code)] = code
    for code, province in board.provinces.items():
        for name in (province.name, *province.aliases):
            provinces.setdefault(fold(name), code)
    leaders: dict[str, Piece] = {}
    units: dict[tuple[Color, str], list[Piece]] = {}
    for piece in board.pieces.values():
        if piece.is_leader:
            for name in (piece.name, *piece.aliases):
                leaders.setdefault(fold(name), piece)
        elif piece.color is not None:
            for name in (piece.home, *(fold(a) for a in piece.aliases)):
                units.setdefault((piece.color, name), []).append(piece)
    by_code: dict[str, list[Nation]] = {fold(code): [nation] for code, nation in board.nations.items()}
    for nation in board.nations.values():
        for name in (nation.name, *nation.aliases):
            found = by_code.setdefault(fold(name), [])
            if nation not in found:
                found.append(nation)
    return BoardNames(
        provinces=provinces,
        leaders=leaders,
        imperials={fold(n): p for p in (board.czar, board.gold) for n in (p.name, *p.aliases)},
        units={k: tuple(v) for k, v in units.items()},
        nations={k: tuple(v) for k, v in by_code.items()},
    )
