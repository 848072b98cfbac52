"""Names as people write them -> the things of the box, with near misses for what nobody wrote right."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz, process

from gm.board.model import Board, Color, Nation, Piece

NEAR_ENOUGH = 60  # of 100; below it a suggestion only confuses
SUGGESTIONS = 3
FAR_BEHIND = 15  # a suggestion so much worse than the best is no help


def key(text: str) -> str:
    """What is left of a name when case, accents, blanks and punctuation do not matter."""
    if text.isalnum() and text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if c.isalnum())


@dataclass(frozen=True, slots=True)
class Names:
    """The index of every name and alias on one Board."""

    provinces: Mapping[str, str]  # key -> province code
    leaders: Mapping[str, Piece]
    imperials: Mapping[str, Piece]
    units: Mapping[tuple[Color, str], tuple[Piece, ...]]  # colour, home -> counters by code
    nations: Mapping[str, tuple[Nation, ...]]  # by code first, then by name or alias

    def province(self, text: str) -> str | None:
        return self.provinces.get(key(text))

    def leader(self, text: str) -> Piece | None:
        return self.leaders.get(key(text))

    def nation(self, text: str, color: Color | None = None) -> Nation | None:
        """A nation by code, name or alias; `UK` is Great Britain where only a Blue nation can be meant."""
        found = self.nations.get(key(text), ())
        return next((n for n in found if color is None or n.color is color), None)

    def units_of(self, color: Color, name: str) -> tuple[Piece, ...]:
        """The counters of a colour whose home is named (`DON` and `DCOS` are the same)."""
        return self.units.get((color, self.province(name) or key(name)), ())

    def near_province(self, text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.provinces[k] for k in _near(key(text), self.provinces)))

    def near_leader(self, text: str) -> tuple[Piece, ...]:
        return tuple(dict.fromkeys(self.leaders[k] for k in _near(key(text), self.leaders)))


def near(text: str, choices: Iterable[str]) -> tuple[str, ...]:
    """The choices that look most like a text, best first; none if none is close."""
    by_key = {key(choice): choice for choice in choices}
    return tuple(by_key[k] for k in _near(key(text), by_key))


def _near(wanted: str, keys: Iterable[str]) -> list[str]:
    found = process.extract(wanted, list(keys), scorer=fuzz.ratio, limit=SUGGESTIONS, score_cutoff=NEAR_ENOUGH)
    return [choice for choice, score, _ in found if score >= found[0][1] - FAR_BEHIND]


@lru_cache(maxsize=16)
def names_of(board: Board) -> Names:
    """The name index of a Board, made once."""
    provinces: dict[str, str] = {}
    for code in board.provinces:
        provinces[key(code)] = code
    for code, province in board.provinces.items():
        for name in (province.name, *province.aliases):
            provinces.setdefault(key(name), code)
    leaders: dict[str, Piece] = {}
    units: dict[tuple[Color, str], list[Piece]] = {}
    for piece in board.pieces.values():
        if piece.is_leader:
            for name in (piece.name, *piece.aliases):
                leaders.setdefault(key(name), piece)
        elif piece.color is not None:
            for name in (piece.home, *(key(a) for a in piece.aliases)):
                units.setdefault((piece.color, name), []).append(piece)
    by_code: dict[str, list[Nation]] = {key(code): [nation] for code, nation in board.nations.items()}
    for nation in board.nations.values():
        for name in (nation.name, *nation.aliases):
            found = by_code.setdefault(key(name), [])
            if nation not in found:
                found.append(nation)
    return Names(
        provinces=provinces,
        leaders=leaders,
        imperials={key(n): p for p in (board.czar, board.gold) for n in (p.name, *p.aliases)},
        units={k: tuple(v) for k, v in units.items()},
        nations={k: tuple(v) for k, v in by_code.items()},
    )
