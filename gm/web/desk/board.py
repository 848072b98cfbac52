"""Positions, board and interactive map as JSON for the API and the script of the orders page."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from gm.board.model import Board, Piece, Province
from gm.orders.kinds import print_piece
from gm.position import Box, Player, Position, Stack
from gm.reports.map import render_svg
from gm.reports.map.geometry import NOWHERE
from gm.reports.map.model import MapView
from gm.reports.view.map import map_stacks
from gm.web.desk.alone import dangers, deployment
from gm.web.models import BoardInfo, BoxInfo, DeskInfo, DeskProvince, PieceInfo, PositionInfo, ProvinceInfo, StackInfo


@cache
def centres() -> dict[str, tuple[float, float]]:
    """The coordinates of each province's town on the drawn map."""
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


def _about(board: Board, province: Province) -> dict[str, Any]:
    return {
        "name": province.name,
        "region": province.region,
        "port": province.port,
        "borders": {code: b.value for code, b in sorted(board.borders.get(province.code, {}).items())},
        "rail": sorted(board.rail_steps.get(province.code, ())),
    }


def desk_info(board: Board, published: Position, position: Position, player: Player) -> DeskInfo:
    """`position`: the published one, alone after the orders so far."""
    return DeskInfo(
        turn=position.turn,
        phase=position.phase.value,
        you=player,
        stacks=[stack_info(n, s, player) for n, s in enumerate(position.stacks)],
        provinces={p.code: DeskProvince(**_about(board, p)) for p in board.provinces.values()},
        centres=centres(),
        reserve=[piece_info(leader) for leader in position.solitaire.reserve] if position.solitaire else [],
        deployable=position.solitaire.deployable if position.solitaire else 0,
        deployment=deployment(published, position),
        dangers=dangers(board, position),
    )


def board_info(board: Board) -> BoardInfo:
    provinces = [
        ProvinceInfo(code=p.code, centre=centres().get(p.code, NOWHERE), **_about(board, p))
        for p in board.provinces.values()
    ]
    pieces = [piece_info(p) for p in board.pieces.values()]
    return BoardInfo(name=board.name, digest=board.digest, provinces=provinces, pieces=pieces)


@lru_cache(maxsize=64)
def map_of_position(
    board: Board, position: Position, title: str, date_line: str, mine: Player | None, bare: bool
) -> str:
    """The interactive map; kept, because all readers of a Phase look at the same one."""
    view = MapView(title, date_line, stacks=map_stacks(position), mine=mine, board=board)
    return render_svg(view, theme="auto", interactive=True, embed_style=not bare)
