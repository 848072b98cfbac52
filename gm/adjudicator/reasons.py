"""The reasons that an order's result gives: codes with the rules that they cite. The words are in templates/bell."""

from __future__ import annotations

from gm.adjudicator.outcome import Reason
from gm.orders import kinds as m
from gm.orders.kinds.catalogue import KINDS
from gm.orders.rules.reasons import REASONS

_CARRIED_OUT = {kind: Reason("carried-out", kind.about.done_by) for kind in KINDS}


def as_ordered(order: m.Order, *more: str) -> Reason:
    """An order was carried out; by the rules of its kind, and more where it did what not every order may."""
    plain = _CARRIED_OUT[type(order)]
    return Reason(plain.code, (*plain.rules, *more)) if more else plain


def because(code: str, *more: str, **data: object) -> Reason:
    """A reason with the rules of its code first, then any that the circumstances add."""
    return Reason(code, (*REASONS[code], *more), data)
