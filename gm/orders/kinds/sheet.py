"""Sheet: all orders that one player sent for a Phase, and the Guard that says which Phase they are for."""

from __future__ import annotations

from msgspec import Struct

from gm.gamedate import phase_name
from gm.orders.kinds.base import Order


class Guard(Struct, frozen=True):
    """`ORDERS June 1918 First Phase`: for which Phase the sheet is meant."""

    turn: int
    phase: str  # a Phase; anything else belongs to none


class Sheet(Struct, frozen=True):
    """Order number n is orders[n - 1]."""

    orders: tuple[Order, ...] = ()
    guard: Guard | None = None
    add: bool = False  # ADD: keep what was sent before
    cancel: bool = False  # CANCEL ALL

    def printed(self) -> str:
        """One order a line, LOSE and TAKE of an attack indented under it."""
        lines: list[str] = []
        if self.guard is not None:
            lines.append(f"ORDERS {phase_name(self.guard.turn, self.guard.phase)}")
        if self.add:
            lines.append("ADD")
        if self.cancel:
            lines.append("CANCEL ALL")
        lines.extend(order.printed() for order in self.orders)
        return "\n".join(lines)
