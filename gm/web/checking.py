"""The live check: a player's text as the server understands it, order by order, with routes and odds for the map."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board.model import Board, Piece
from gm.orders import model as m
from gm.orders.printer import print_order
from gm.orders.problems import Problem
from gm.orders.steps import find_route
from gm.position import Player, Position
from gm.web.api.models import ActInfo, BattleInfo, Checked, OrderInfo, ProblemInfo
from gm.web.battle import battle
from gm.web.problems import problem_info
from gm.web.reach import Force, walk, who_stops
from gm.web.words import say

GRAVITY = ("ok", "note", "warning", "problem")


def checked(
    board: Board, position: Position, player: Player, sheet: m.Sheet, canonical: str, problems: Sequence[Problem]
) -> Checked:
    infos = [problem_info(p) for p in problems]
    orders = [_order(board, position, player, n, o, infos) for n, o in enumerate(sheet.orders, 1)]
    return Checked(canonical=canonical, orders=orders, problems=infos)


def _order(
    board: Board, position: Position, player: Player, number: int, order: m.Order, problems: Sequence[ProblemInfo]
) -> OrderInfo:
    own = [p.severity for p in problems if p.order == number or (not p.order and p.line and p.line == order.line)]
    status = max(own, key=GRAVITY.index, default="ok")
    unread = isinstance(order, m.Unread)
    info = OrderInfo(
        number=number,
        line=order.line,
        kind=type(order).__name__,
        text="" if unread else print_order(order),
        source=order.source,
        status="problem" if unread else status,
    )
    if isinstance(order, m.Move | m.Attach):
        _move(board, position, player, as_move(order), info)
    elif isinstance(order, m.Attack | m.Subvert):
        _attack(board, position, player, order, info)
    elif isinstance(order, m.Restack | m.Emigrate):
        info.marks = []
    return info


def as_move(order: m.Move | m.Attach) -> m.Move:
    """ATTACH is a MOVE without a step."""
    if isinstance(order, m.Move):
        return order
    return m.Move(force=(m.Named((order.leader,)), *order.units), line=order.line, source=order.source)


def pieces_of(position: Position, player: Player, names: Sequence[m.Named]) -> list[Piece]:
    """The counters that a player means, as far as they stand on the map: his own first, and all in one province."""
    found: list[Piece] = []
    for name in names:
        here = position.where[found[0]].province if found else None
        ranked = sorted(
            (p for p in name.options if p in position.where and p not in found),
            key=lambda p: (
                position.where[p].owner != player,
                here is not None and position.where[p].province != here,
                p.code,
            ),
        )
        found.extend(ranked[: name.count])
    return found


def _move(board: Board, position: Position, player: Player, order: m.Move, info: OrderInfo) -> None:
    pieces = pieces_of(position, player, order.force)
    if not pieces:
        return
    start = position.where[pieces[0]].province
    info.pieces = [p.code for p in pieces]
    info.stacks = sorted(
        {position.stacks.index(position.where[p]) for p in pieces if position.where[p].owner == player}
    )
    info.rail = order.by_rail
    if order.to is not None:
        path = find_route(board, position, pieces, start, order.to) or [start]
    else:
        path = [stop.province for stop in order.path]
        if not path or path[0] != start:
            path = [start, *path]
    force = Force(pieces, path, order.by_rail)
    for stop in order.path:
        for handling in stop.handling:
            acts = force.picked if handling.act is m.Act.PICK else force.dropped
            handled = [p for p in handling.what.options if p in position.where][: handling.what.count]
            acts.setdefault(stop.province, []).extend(handled)
            info.acts += [_act(stop.province, handling, p) for p in handled]
    walked, ended = walk(board, position, force)
    info.path, info.walked = path, walked
    if ended and len(walked) < len(path):
        info.marks = [walked[-1]]
        info.route_note = ended if info.status in ("ok", "note") else ""  # else the checker has said it already
    elif ended:
        last = walked[-1]
        info.route_note = say(
            "route.stopped", code=last, name=board.provinces[last].name, who=who_stops(position, last, pieces)
        )
    elif order.to is not None:
        info.route_note = say("route.goes", path="-".join(path))


def _act(province: str, handling: m.Handling, piece: Piece) -> ActInfo:
    name = piece.name if piece.is_leader or piece.is_imperial else piece.bell
    return ActInfo(province=province, sign=handling.act.value, code=piece.code, name=name)


def _attack(board: Board, position: Position, player: Player, order: m.Attack | m.Subvert, info: OrderInfo) -> None:
    found = battle(board, position, player, order)
    info.marks = [order.province]
    if found is None:
        return
    info.stacks = list(found.stacks)
    info.battle = BattleInfo(
        province=found.province,
        attack=found.attack,
        defence=found.defence,
        odds=found.odds,
        results={str(die): result for die, result in found.results.items()},
        summary=found.summary,
    )
