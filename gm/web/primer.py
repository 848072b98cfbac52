"""Pictures and figures of How to play: cut from our own map and counters, and the tables of the board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gm.adjudicator.outcome import Points
from gm.adjudicator.steps.victory import standings
from gm.board.load import standard_board
from gm.board.model import Color, Piece
from gm.notation import read_position
from gm.position import Player
from gm.reports.map import render_svg
from gm.reports.map.counters import badge, counter, draw
from gm.reports.map.model import MapMove, MapPiece, MapStack, MapView, PieceColor
from gm.reports.map.style import stylesheet
from gm.reports.view.map import map_stacks
from gm.web.sample import positions_of_1976
from gm.web.wording import say
from gm.wording import word_list

# The first march of the walk: Lenin to Livonia, stopped by the Whites there.
WALK = ("PETR", "PSKO", "LIVO")


@cache
def glossary() -> dict[str, str]:
    """Words of the game, each in a sentence."""
    return {term: str(text) for term, text in word_list("glossary").items()}


@dataclass(frozen=True, slots=True)
class Worked:
    """The first player's points in June 1918, part by part, and everybody's."""

    red: int
    white: int
    pm: int
    all: tuple[tuple[Player, Points], ...]


@cache
def worked(player: Player = "A") -> Worked:
    board = standard_board()
    position = read_position(board, positions_of_1976())

    def on_map(color: Color) -> int:
        return sum(s.strength for s in position.stacks if s.owner == player and s.color is color)

    points = tuple(sorted(standings(board, position).items()))
    return Worked(on_map(Color.RED), on_map(Color.WHITE), position.box(player).pm, points)


@cache
def march() -> str:
    """Lenin's march on the map of June 1918, without those who would stand in the picture's way."""
    position = read_position(standard_board(), positions_of_1976())
    move = MapMove("A", "red", WALK, stopped_at=WALK[-1])
    shown = [s for s in map_stacks(position) if s.province == "LIVO" or "Lenin" in [p.label for p in s.pieces]]
    svg = render_svg(MapView("", "", stacks=tuple(shown), moves=(move,), mine="A"), theme="auto")
    return svg.replace('viewBox="0 0 1400 1050"', 'viewBox="150 172 340 240"', 1)


@cache
def counters() -> tuple[tuple[str, tuple[Piece, ...]], ...]:
    """All counters, kind by kind, by their identity codes."""
    kinds: dict[str, list[Piece]] = {}
    for piece in sorted(standard_board().pieces.values(), key=lambda p: p.code):
        kinds.setdefault(f"{piece.color.value if piece.color else 'imperial'}-{piece.kind.value}", []).append(piece)
    return tuple((say(f"counters.{kind}"), tuple(found)) for kind, found in kinds.items())


def _picture(width: int, height: int, inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="km-map" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif"><style>{stylesheet("auto")}</style>{inside}</svg>'
    )


@cache
def one_stack() -> str:
    """A counter as the map shows it."""
    pieces = (MapPiece("Lenin", "leader", "red", 3), MapPiece("PETR", "unit", "red", 8))
    drawn = counter(0, MapStack("PETR", "A", pieces))
    return _picture(90, 44, draw(drawn, 8, 4, mine=True))


@cache
def enemies() -> str:
    """Who fights whom, by colour (8.12 to 8.15): a line joins enemies."""
    places: dict[PieceColor, tuple[float, float]] = {
        "red": (60, 30),
        "white": (200, 30),
        "green": (130, 90),
        "blue": (60, 140),
    }
    pairs: tuple[tuple[PieceColor, PieceColor], ...] = (
        ("red", "white"),
        ("red", "green"),
        ("red", "blue"),
        ("white", "green"),
    )
    lines = "".join(
        f'<path class="km-line" stroke-width="2" d="M{places[a][0]} {places[a][1]}L{places[b][0]} {places[b][1]}"/>'
        for a, b in pairs
    )
    signs = "".join(
        f'<g transform="translate({x} {y}) scale(1.8)"><circle class="km-{color}" r="11"/>{badge(color, 0, 0)}</g>'
        for color, (x, y) in places.items()
    )
    return _picture(260, 170, lines + signs)
