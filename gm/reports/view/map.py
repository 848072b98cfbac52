"""An Outcome as the map and the barometer chart want it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gm.adjudicator import outcome as o
from gm.board.model import Board, Color, Piece
from gm.position import Player, Position
from gm.reports.issue import BarometerRow
from gm.reports.map.model import MapMark, MapMove, MapPiece, MapStack, MapView, PieceColor


def map_view(board: Board, outcome: o.Outcome, title: str, date_line: str, mine: Player | None = None) -> MapView:
    """The map of an issue: where all stands now, and how it came there."""
    return MapView(
        title=title,
        date_line=date_line,
        stacks=map_stacks(outcome.after),
        moves=map_moves(outcome),
        marks=map_marks(outcome),
        mine=mine,
        board=board,
    )


def map_stacks(position: Position) -> tuple[MapStack, ...]:
    return tuple(MapStack(s.province, s.owner, tuple(map(map_piece, s.pieces))) for s in position.stacks)


def map_moves(outcome: o.Outcome) -> tuple[MapMove, ...]:
    return tuple(_moves(outcome))


def map_marks(outcome: o.Outcome) -> tuple[MapMark, ...]:
    """Each mark once, however often it was earned."""
    return tuple(dict.fromkeys(_marks(outcome)))


@lru_cache(maxsize=1024)  # some boards' pieces: each stands on every map
def map_piece(piece: Piece) -> MapPiece:
    return MapPiece(piece.name, piece.kind.value, _color(piece), piece.value, piece.nation)


def _color(piece: Piece) -> PieceColor:
    return piece.color.value if piece.color else "imperial"


def _moves(outcome: o.Outcome) -> Iterator[MapMove]:
    for event in outcome.events:
        if isinstance(event, o.Moved) and event.pieces and len(event.path) > 1:
            top = next((p for p in event.pieces if p.is_leader), event.pieces[0])
            yield MapMove(
                owner=event.player,
                color=_color(top),
                path=event.path,
                stopped_at=event.path[-1] if event.stopped else None,
                intended=event.intended,
            )


def _marks(outcome: o.Outcome) -> Iterator[MapMark]:
    for event in outcome.events:
        if isinstance(event, o.Fought):
            yield MapMark("subversion" if event.subversion else "battle", event.province)
        elif isinstance(event, o.EpidemicStruck):
            yield from (MapMark("epidemic", province) for province in event.provinces)
        elif isinstance(event, o.AssassinationTried):
            yield MapMark("assassination", event.province)
        elif isinstance(event, o.PurgeSpoils):
            for leader in event.leaders:
                stack = outcome.after.where.get(leader)
                if stack:
                    yield MapMark("purge", stack.province)


def barometer_rows(position: Position, points: Mapping[Player, o.Points]) -> dict[Player, BarometerRow]:
    rows = {}
    for player in position.active:
        scored = points.get(player, o.Points(0, 0))
        rows[player] = BarometerRow(
            red=leadership(position, player, Color.RED),
            white=leadership(position, player, Color.WHITE),
            pm=position.box(player).pm,
            am=position.box(player).am,
            if_red=scored.red,
            if_white=scored.white,
        )
    return rows


def leadership(position: Position, player: Player, color: Color) -> int:
    return sum(p.value for s in position.owned(player) for p in s.leaders if p.color is color)
