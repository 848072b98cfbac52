"""Positions and the board as the API and the desk's script want them."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib import resources

from gm.board.model import Board, Piece
from gm.orders.printer import print_piece
from gm.position import Box, Player, Position, Stack
from gm.reports.map import render_svg
from gm.reports.map_view import MapView
from gm.reports.view_map import map_stacks
from gm.web.api.models import BoardInfo, BoxInfo, DeskInfo, PieceInfo, PositionInfo, ProvinceInfo, StackInfo


@cache
def centres() -> dict[str, tuple[float, float]]:
    """Where on the drawn map a province has its town."""
    raw = json.loads((resources.files("gm.reports") / "data" / "provinces.json").read_text("utf-8"))
    return {code: (p["label"][0], p["label"][1]) for code, p in raw["provinces"].items()}


def color_of(piece: Piece) -> str:
    return piece.color.value if piece.color else "imperial"


@lru_cache(maxsize=1024)
def piece_info(piece: Piece) -> PieceInfo:
    return PieceInfo(
        code=piece.code,
        name=print_piece(piece),
        bell=piece.bell,
        kind=piece.kind.value,
        color=color_of(piece),
        value=piece.value,
        nation=piece.nation,
    )


def stack_info(index: int, stack: Stack, player: Player | None = None) -> StackInfo:
    return StackInfo(
        index=index,
        province=stack.province,
        owner=stack.owner,
        color=stack.color.value if stack.color else None,
        strength=stack.strength,
        pieces=[piece_info(p) for p in stack.pieces],
        mine=player is not None and stack.owner == player,
    )


def box_info(box: Box) -> BoxInfo:
    return BoxInfo(pm=box.pm, am=box.am, chits=list(box.markers.chits), held=[piece_info(h.piece) for h in box.held])


def position_info(position: Position) -> PositionInfo:
    return PositionInfo(
        turn=position.turn,
        phase=position.phase.value,
        digest=position.digest,
        stacks=[stack_info(n, s) for n, s in enumerate(position.stacks)],
        boxes={p: box_info(position.box(p)) for p in position.players},
    )


def desk_info(board: Board, position: Position, player: Player) -> DeskInfo:
    return DeskInfo(
        turn=position.turn,
        phase=position.phase.value,
        you=player,
        stacks=[stack_info(n, s, player) for n, s in enumerate(position.stacks)],
        provinces={p.code: p.name for p in board.provinces.values()},
        borders={code: sorted(near) for code, near in board.borders.items()},
        centres=centres(),
    )


def board_info(board: Board) -> BoardInfo:
    provinces = [
        ProvinceInfo(
            code=p.code,
            name=p.name,
            region=p.region,
            port=p.port,
            centre=centres()[p.code],
            borders={code: b.value for code, b in sorted(board.borders.get(p.code, {}).items())},
            rail=sorted(board.rail_steps.get(p.code, ())),
        )
        for p in board.provinces.values()
    ]
    return BoardInfo(name=board.name, provinces=provinces, pieces=[piece_info(p) for p in board.pieces.values()])


@lru_cache(maxsize=64)
def map_of_position(position: Position, title: str, date_line: str, mine: Player | None, bare: bool) -> str:
    """The interactive map; kept, because all readers of a Phase look at the same one."""
    view = MapView(title, date_line, stacks=map_stacks(position), mine=mine)
    return render_svg(view, theme="auto", interactive=True, embed_style=not bare)
