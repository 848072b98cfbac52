"""Standing orders: STANDING ones and VOTE stay on file until a new one of the same kind changes them (J35, J39)."""

from __future__ import annotations

from msgspec.structs import replace

from gm.orders import kinds as m


def carry(previous: m.Sheet, new: m.Sheet) -> m.Sheet:
    """The new sheet with what is still on file behind its orders, so that these keep their numbers."""
    kept = tuple(o for o in on_file(previous) if not any(_changes(change, o) for change in new.orders))
    return replace(new, orders=(*new.orders, *kept))


def on_file(sheet: m.Sheet) -> tuple[m.Order, ...]:
    """The orders of a sheet that outlive its Phase; of several that exclude each other the last."""
    lasting = [o for o in sheet.orders if is_standing(o)]
    return tuple(o for i, o in enumerate(lasting) if not any(_changes(later, o) for later in lasting[i + 1 :]))


def is_standing(order: m.Order) -> bool:
    return isinstance(order, m.Vote) or (isinstance(order, m.StandingOrder) and order.standing)


def _changes(new: m.Order, old: m.Order) -> bool:
    """Whether a new order takes the place of one on file. What names no player takes the place of all of its kind."""
    if isinstance(old, m.Comply | m.RefuseExecution):
        return isinstance(new, m.Comply | m.RefuseExecution)
    if type(new) is not type(old):
        return False
    if isinstance(old, m.RefuseGifts) and isinstance(new, m.RefuseGifts):
        return new.giver in (None, old.giver)
    if isinstance(old, m.Counterpurge) and isinstance(new, m.Counterpurge):
        return new.if_by in (None, old.if_by)
    return True
