"""How much work a sheet makes for whoever checks it: pieces times the provinces that they are led through.

The sheets of a real game come to a hundred or so; each counter there is, led once through ten provinces, to a quarter
of what is allowed.
"""

from __future__ import annotations

from typing import Any

from gm.board.model import Piece
from gm.errors import Invalid
from gm.orders import kinds as m

MOST = 8_000  # of one sheet
EACH = 5  # of any order that names a piece, however short


def effort(sheet: m.Sheet) -> int:
    return sum(_of_order(order) for order in sheet.orders)


def bounded(sheet: m.Sheet) -> m.Sheet:
    """The sheet; raises Invalid if checking it would keep everybody else waiting."""
    if effort(sheet) > MOST:
        what = "these orders name more pieces and provinces than any game could need, and are not read"
        raise Invalid("effort", what, "give each force one order")
    return sheet


def _of_order(order: m.Order) -> int:
    if isinstance(order, m.Move):
        handled = sum(_pieces([act.what for act in stop.handling]) for stop in order.path)
        return EACH + handled + _pieces(order.force) * max(1, len(order.path))
    named = sum(_pieces(getattr(order, name)) for name in order.__struct_fields__)
    return EACH + named if named else 0


def _pieces(value: Any) -> int:
    if isinstance(value, m.Named):
        return value.count
    if isinstance(value, list | tuple):
        return sum(_pieces(one) for one in value)
    return int(isinstance(value, Piece))
