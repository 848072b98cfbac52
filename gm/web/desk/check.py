"""The live check of a player's orders: how each is understood, its problems, and routes and odds for the map."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from gm.board.model import Board, Piece
from gm.campaign.phase.intake import Preview
from gm.orders import kinds as m
from gm.orders.check.checker import check_context
from gm.orders.check.context import CheckContext
from gm.orders.language.sheet import extents
from gm.orders.rules.steps import must_stop
from gm.position import Player, Position
from gm.web.desk.battle import battle_info
from gm.web.desk.drafted import force_threats
from gm.web.desk.movement_preview import correct
from gm.web.desk.problems import problem_info
from gm.web.desk.reach import who_stops
from gm.web.models import ActInfo, Checked, OrderInfo, ProblemInfo
from gm.web.wording import say

GRAVITY = ("ok", "note", "warning", "problem")
NOT_TRIED = frozenset({"wrong-phase", "only-alone"})


def live_check(board: Board, position: Position, player: Player, shown: Preview, text: str) -> Checked:
    infos = [problem_info(p) for p in shown.problems]
    seen = check_context(board, position, player, shown.sheet)
    really = correct(board, position, shown.sheet, infos)
    lines = extents(text)
    written = {id(o) for o in shown.read.sheet.orders}
    own: list[OrderInfo] = []
    by_order: dict[int, list[ProblemInfo]] = defaultdict(list)
    by_line: dict[int, list[ProblemInfo]] = defaultdict(list)  # of what is no order
    for found in infos:
        if found.order:
            by_order[found.order].append(found)
        elif found.line:
            by_line[found.line].append(found)
    fought: set[int] = set()
    kept: list[OrderInfo] = []  # on file from before: it stands in no line of the text
    for number, order in enumerate(shown.sheet.orders, 1):
        info = _order(seen, number, order, by_order[number] + by_line[order.line])
        if info.battle is not None:
            fought.add(number)
        if number in really:
            info.path, info.walked = list(really[number].intended), list(really[number].path)
        (own if id(order) in written else kept).append(info)
    own += [OrderInfo(**_said(o), status=_ASIDE.get(type(o), "ok")) for o in shown.read.aside]
    for info in own:
        info.last = lines.get(info.line, info.line)
    for info in kept:
        info.line = 0
    infos = [p for p in infos if p.code != "odds" or p.order not in fought]  # the battle tells them
    orders = [*sorted(own, key=lambda i: i.line), *kept]
    return Checked(canonical=shown.canonical, orders=orders, problems=infos, forces=force_threats(seen))


_ASIDE: dict[type[m.Order], str] = {m.Resign: "warning"}


def _said(order: m.Order, number: int = 0) -> dict[str, Any]:
    unread = isinstance(order, m.Unread)
    return {
        "number": number,
        "line": order.line,
        "kind": type(order).__name__,
        "text": "" if unread else order.printed(),
        "source": order.source,
    }


def _order(seen: CheckContext, number: int, order: m.Order, own: Sequence[ProblemInfo]) -> OrderInfo:
    status = max((p.severity for p in own if p.code != "odds"), key=GRAVITY.index, default="ok")
    info = OrderInfo(**_said(order, number), status="problem" if isinstance(order, m.Unread) else status)
    if any(p.code in NOT_TRIED for p in own):
        return info
    if isinstance(order, m.Move | m.Attach):
        _move(seen, number, order, info)
    elif isinstance(order, m.Attack | m.Subvert):
        info.marks = [order.province]
        found = seen.prospects[number]
        info.stacks, info.battle = list(found.attackers), battle_info(seen.board, found)
    return info


def _move(seen: CheckContext, number: int, order: m.Move | m.Attach, info: OrderInfo) -> None:
    march, position = seen.forecast.marches[number], seen.position
    if not march.path:
        return
    setting_out = sorted((p for p in march.been if p not in march.joined), key=lambda p: p.code)
    info.pieces = [p.code for p in setting_out]
    owned = {position.where[p] for p in setting_out if position.where[p].owner == seen.player}
    info.stacks = sorted(position.stacks.index(stack) for stack in owned)
    info.rail = isinstance(order, m.Move) and order.by_rail
    info.path, info.walked = list(march.intended), list(march.path)
    info.acts = [_act(province, "+", piece) for province, piece in march.picked]
    info.acts += [_act(province, "-", piece) for province, piece in march.dropped]
    if march.stopped:
        info.marks = [march.at]
    elif march.went and must_stop(seen.board, position, march.at, march.pieces, march.been):
        who = who_stops(position, march.at, march.pieces)
        info.route_note = say("route.stopped", code=march.at, name=seen.board.provinces[march.at].name, who=who)


def _act(province: str, sign: str, piece: Piece) -> ActInfo:
    name = piece.name if piece.is_leader or piece.is_imperial else piece.bell
    return ActInfo(province=province, sign=sign, code=piece.code, name=name)
